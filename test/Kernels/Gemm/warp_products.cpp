// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes products whose warps multiply with scales; runs them as PTX on the host.
//
//   fp8-warp-products kernels                      the module
//   fp8-warp-products emulate PLANNED PTX [NAME]   compares with exact products
// NAME: only kernels with it in their names. PLANNED is the module after qtile-plan-rings, with a kernel for
// each schedule.

#include "PtxProgram.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <regex>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;

namespace {
using Bytes = std::vector<uint8_t>;
constexpr uint8_t poison = 0xFF;

/// A kind of product; kernels are called by it, the grouping if there is one, and the number of their
/// schedule.
struct Kind {
  std::string name, scaling;
  FormatId lhs, rhs, scale;
  int64_t elementsOfScale;
  bool hasAlpha;
  /// What the products of a launch differ in; empty where it has one.
  std::string grouping;

  bool isGrouped() const { return !grouping.empty(); }
  bool hasBounds() const { return isGrouped() && grouping != "batch"; }
  bool hasStacks() const { return isGrouped() && grouping != "contraction"; }
};

std::vector<Kind> allKinds() {
  std::vector<Kind> kinds = {
      {"mxfp8", "block_1x32", FormatId::F8E4M3FN, FormatId::F8E4M3FN, FormatId::F8E8M0FNU, 32, false, ""},
      {"nvfp4", "block_1x16", FormatId::F4E2M1FN, FormatId::F4E2M1FN, FormatId::F8E4M3FN, 16, true, ""},
      {"mixed", "block_1x32", FormatId::F8E5M2, FormatId::F8E4M3FN, FormatId::F8E8M0FNU, 32, false, ""}};
  for (const char *grouping : {"batch", "rows", "counted_rows", "contraction"})
    for (size_t i : {0, 1}) {
      Kind kind = kinds[i];
      kind.name += std::string("_") + grouping;
      kind.grouping = grouping;
      kinds.push_back(kind);
    }
  return kinds;
}

struct Sizes {
  int64_t m, n, k;
};
/// Whole tiles and parts of them; rows of the result that are no multiple of 16 bytes; a contraction that
/// goes around the ring, and ones that end amid a stage, a tile of scales, a block.
const std::vector<Sizes> allSizes = {
    {128, 128, 256}, {72, 200, 1040}, {131, 37, 330}, {260, 136, 528}, {16, 8, 16}};
/// Of a launch of several: of each product, or the largest of the groups.
const std::vector<Sizes> groupedSizes = {{72, 72, 330}, {131, 37, 528}};

float numberOf(FormatId id, uint8_t code) {
  Host host;
  return floatOf(decode(host, format(id), uint32_t(code)));
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
int64_t roundUp(int64_t a, int64_t multiple) { return ceilDiv(a, multiple) * multiple; }

/// An operand: numbers times their scales, and codes and scales as they are stored.
struct Operand {
  std::vector<double> numbers;
  Bytes codes, scales;
};

/// Of numbers and scales whose products f32 sums exactly in any order; zeros along the contraction where
/// `isZero` says so.
Operand makeOperand(const Kind &kind, FormatId id, int64_t rows, int64_t k, int64_t nanRow,
                    std::mt19937 &random, const std::function<bool(int64_t)> &isZero) {
  const int64_t bits = format(id).bits(), inByte = 8 / bits, inPanel = 128 * inByte,
                stored = roundUp(rows, 16);
  const int64_t blocks = ceilDiv(k, kind.elementsOfScale), tiles = ceilDiv(blocks, 4);
  Operand made = {std::vector<double>(rows * k), Bytes(ceilDiv(k, inPanel) * stored * 128, poison),
                  Bytes(ceilDiv(rows, 128) * tiles * 512, poison)};
  auto drawCode = [&] {
    while (true) {
      const uint8_t code = uint8_t(random() & ((1u << bits) - 1));
      const float quarters = numberOf(id, code) * 4;
      if (std::abs(quarters) <= 24 && quarters == std::floor(quarters))
        return code;
    }
  };
  auto drawScale = [&](int64_t row, int64_t block) -> uint8_t {
    const uint8_t powers[] = {126, 127, 128}, numbers[] = {0x30, 0x38, 0x3C, 0x40};
    const bool isOfE8M0 = kind.scale == FormatId::F8E8M0FNU;
    if (row == nanRow && block == blocks - 1)
      return isOfE8M0 ? 0xFF : 0x7F;
    return isOfE8M0 ? powers[random() % 3] : numbers[random() % 4];
  };
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t at = 0; at < roundUp(k, inPanel); ++at) {
      const int64_t byte = at % inPanel / inByte;
      uint8_t &place =
          made.codes[(at / inPanel * stored + row) * 128 + ((byte / 16) ^ (row % 8)) * 16 + byte % 16];
      const uint8_t code = at < k && !isZero(at) ? drawCode() : 0;
      place = at % inByte ? uint8_t(place | code << bits) : code;
      if (at < k)
        made.numbers[row * k + at] = numberOf(id, code);
    }
    for (int64_t block = 0; block < tiles * 4; ++block) {
      const bool isThere = block < blocks && !isZero(block * kind.elementsOfScale);
      const uint8_t scale = isThere ? drawScale(row, block) : 0;
      made.scales[(row / 128 * tiles + block / 4) * 512 + row % 32 * 16 + row % 128 / 32 * 4 + block % 4] =
          scale;
      for (int64_t at = block * kind.elementsOfScale; at < std::min(k, (block + 1) * kind.elementsOfScale);
           ++at)
        made.numbers[row * k + at] *= numberOf(kind.scale, scale);
    }
  }
  return made;
}

uint16_t roundToBF16(double number) {
  Host host;
  return uint16_t(encode(host, format(FormatId::BF16), Conversion(), bitsOf(float(number)), 0u));
}
bool isNan(uint16_t bits) { return (bits & 0x7FFF) > 0x7F80; }
} // namespace

static std::string moduleText() {
  std::string all;
  for (const Kind &kind : allKinds()) {
    auto global = [](FormatId id) { return "!qtile.global<" + std::string(format(id).name) + ">"; };
    const std::string lhs = global(kind.lhs), rhs = global(kind.rhs), scales = global(kind.scale);
    all +=
        "qtile.kernel @" + kind.name + "(%a: " + lhs + ", %sa: " + scales + ", %b: " + rhs +
        ", %sb: " + scales + (kind.hasAlpha ? ", %alpha: !qtile.global<f32>" : "") +
        (kind.hasBounds() ? ", %bounds: !qtile.global<i32>" : "") + ", %d: !qtile.global<bf16>, " +
        (kind.isGrouped() ? "%g: i32, " : "") +
        "%m: i32, %n: i32, %k: i32) on @sm_120a {\n  qtile.gemm %a as " + kind.scaling + " by %sa, %b as " +
        kind.scaling + " by %sb" + (kind.hasAlpha ? " alpha %alpha" : "") + " into %d sizes(%m, %n, %k)" +
        (kind.isGrouped() ? " in " + kind.grouping + (kind.hasBounds() ? "(%g by %bounds)" : "(%g)") : "") +
        " : " + lhs + ", " + rhs + " -> !qtile.global<bf16>\n  qtile.return\n}\n";
  }
  return all;
}

namespace {
/// One product of a launch: matrices of the stacks; its rows, and where they begin in the left one and the
/// result; its part of the contraction.
struct Product {
  size_t lhs, rhs;
  int64_t rows, lhsRow, resultRow, begin, end;
};

/// All products of a launch, and sizes of the matrices in the stacks.
struct Launch {
  std::vector<Product> products;
  size_t lhsMatrices = 1, rhsMatrices = 1;
  Sizes sizes;
  int64_t resultRows;
  std::vector<int32_t> bounds;
};
} // namespace

/// Groups of all sizes: as large as any, none, a part.
static Launch makeLaunch(const Kind &kind, Sizes sizes) {
  Launch launch;
  launch.sizes = sizes;
  launch.resultRows = sizes.m;
  if (!kind.isGrouped()) {
    launch.products = {{0, 0, sizes.m, 0, 0, 0, sizes.k}};
    return launch;
  }
  const bool isBatch = kind.grouping == "batch", isContraction = kind.grouping == "contraction",
             areRows = kind.grouping == "rows";
  const int64_t largest = isContraction ? sizes.k : sizes.m;
  const std::vector<int64_t> all = {largest, isBatch ? largest : 0, isBatch ? largest : largest / 2 + 1};
  // Rows of scale tiles, or the elements of a panel.
  const int64_t alignment = isContraction ? 128 * 8 / format(kind.lhs).bits() : 128;
  int64_t next = 0, end = 0;
  for (size_t g = 0; g < all.size(); ++g) {
    const int64_t begin = next;
    end = begin + all[g];
    next = roundUp(end, alignment);
    if (isContraction)
      launch.products.push_back({0, 0, sizes.m, 0, int64_t(g) * sizes.m, begin, end});
    else if (areRows)
      launch.products.push_back({0, g, all[g], begin, begin, 0, sizes.k});
    else
      launch.products.push_back({g, g, all[g], 0, int64_t(g) * sizes.m, 0, sizes.k});
    if (areRows || isContraction)
      launch.bounds.push_back(int32_t(begin));
    launch.bounds.push_back(int32_t(areRows || isContraction ? end : all[g]));
  }
  if (isContraction)
    launch.sizes.k = end;
  if (areRows)
    launch.sizes.m = end;
  launch.lhsMatrices = areRows || isContraction ? 1 : all.size();
  launch.rhsMatrices = isContraction ? 1 : all.size();
  launch.resultRows = areRows ? end : int64_t(all.size()) * sizes.m;
  return launch;
}

namespace {
/// Operands that follow each other, as they are stored.
struct Stack {
  std::vector<Operand> operands;
  Bytes codes, scales;
};
} // namespace

static size_t compare(const Launch &launch, const Stack &lhs, const Stack &rhs,
                      const std::vector<float> &alphas, const std::vector<uint16_t> &result) {
  const Sizes sizes = launch.sizes;
  size_t differences = 0;
  std::vector<bool> isWritten(result.size());
  for (size_t g = 0; g < launch.products.size(); ++g) {
    const Product &product = launch.products[g];
    for (int64_t row = 0; row < product.rows; ++row)
      for (int64_t column = 0; column < sizes.n; ++column) {
        const double *a = &lhs.operands[product.lhs].numbers[(product.lhsRow + row) * sizes.k],
                     *b = &rhs.operands[product.rhs].numbers[column * sizes.k];
        double sum = 0;
        for (int64_t k = product.begin; k < product.end; ++k)
          sum += a[k] * b[k];
        const size_t place = size_t((product.resultRow + row) * sizes.n + column);
        isWritten[place] = true;
        differences +=
            std::isnan(sum) ? !isNan(result[place]) : result[place] != roundToBF16(sum * alphas[g]);
      }
  }
  for (size_t i = 0; i < result.size(); ++i)
    differences += !isWritten[i] && result[i] != 0xA5A5;
  return differences;
}

/// Elements that differ, and those that no product has, or a guard behind the result, that were written to.
static size_t emulate(const Kind &kind, const PtxKernel &kernel, size_t shared, Sizes given, unsigned seed) {
  std::mt19937 random(seed);
  Launch launch = makeLaunch(kind, given);
  const Sizes sizes = launch.sizes;
  auto isZero = [&](int64_t at) {
    return std::none_of(launch.products.begin(), launch.products.end(),
                        [&](const Product &product) { return at >= product.begin && at < product.end; });
  };
  auto makeStack = [&](FormatId id, size_t matrices, int64_t rows, int64_t nanRow) {
    Stack stack;
    for (size_t i = 0; i < matrices; ++i) {
      stack.operands.push_back(makeOperand(kind, id, rows, sizes.k, i ? -1 : nanRow, random, isZero));
      const Operand &made = stack.operands.back();
      stack.codes.insert(stack.codes.end(), made.codes.begin(), made.codes.end());
      stack.scales.insert(stack.scales.end(), made.scales.begin(), made.scales.end());
    }
    return stack;
  };
  Stack lhs = makeStack(kind.lhs, launch.lhsMatrices, sizes.m, /*nanRow=*/given.m / 2);
  Stack rhs = makeStack(kind.rhs, launch.rhsMatrices, sizes.n, /*nanRow=*/-1);
  std::vector<float> alphas(launch.products.size(), kind.hasAlpha ? 0.25f : 1.0f);
  for (size_t g = 1; g < alphas.size() && kind.hasAlpha && kind.hasStacks(); ++g)
    alphas[g] = 0.5f * float(g);
  constexpr size_t guard = 64;
  const size_t count = size_t(launch.resultRows * sizes.n);
  std::vector<uint16_t> result(count + guard, 0xA5A5);
  std::vector<PtxMemory> memory = {{"lhs", lhs.codes.data(), lhs.codes.size()},
                                   {"lhs scales", lhs.scales.data(), lhs.scales.size()},
                                   {"rhs", rhs.codes.data(), rhs.codes.size()},
                                   {"rhs scales", rhs.scales.data(), rhs.scales.size()}};
  if (kind.hasAlpha)
    memory.push_back({"alpha", alphas.data(), alphas.size() * sizeof(float)});
  if (kind.hasBounds())
    memory.push_back({"bounds", launch.bounds.data(), launch.bounds.size() * sizeof(int32_t)});
  memory.push_back({"result", result.data(), count * 2});
  std::vector<uint64_t> arguments;
  for (const PtxMemory &region : memory)
    arguments.push_back(reinterpret_cast<uint64_t>(region.begin));
  if (kind.isGrouped())
    arguments.push_back(launch.products.size());
  for (int64_t size : {sizes.m, sizes.n, sizes.k})
    arguments.push_back(uint64_t(size));
  // Two blocks: of most products, each has several tiles.
  runPtx(kernel, /*blocks=*/2, shared, arguments, memory);
  return compare(launch, lhs, rhs, alphas, result);
}

static int emulateAll(const std::string &planned, const std::string &ptx, const std::string &only) {
  auto kernels = parsePtx(readFile(ptx));
  const std::string text = readFile(planned);
  const std::regex launch("qtile.kernel @((\\w+)_\\d+)\\(.* shared (\\d+) \\{");
  Cases cases;
  for (std::sregex_iterator it(text.begin(), text.end(), launch), end; it != end; ++it)
    for (const Kind &kind : allKinds()) {
      if ((*it)[2] != kind.name || (*it)[1].str().find(only) == std::string::npos)
        continue;
      for (Sizes sizes : kind.isGrouped() ? groupedSizes : allSizes) {
        doing = (*it)[1].str() + " " + std::to_string(sizes.m) + "x" + std::to_string(sizes.n) + "x" +
                std::to_string(sizes.k);
        cases.add(
            emulate(kind, kernels.at((*it)[1]), std::stoul((*it)[3]), sizes, unsigned(cases.count() + 1)));
      }
    }
  return cases.finish();
}

int main(int argc, char **argv) {
  using Words = std::vector<std::string>;
  return runCommand(
      argc, argv,
      {{"kernels", 0, [](const Words &) { return std::fputs(moduleText().c_str(), stdout) < 0; }},
       {"emulate", 3, [](const Words &words) { return emulateAll(words[0], words[1], words[2]); }}});
}
