// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What warps do together, and what barriers in shared memory count. Lane 4 g + p, as PTX documents fragments.

#include "PtxWarp.h"
#include "PtxMachine.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <array>
#include <cstring>
#include <vector>

using namespace fp8opt;
using namespace fp8opt::test;

static bool starts(const std::string &text, const char *prefix) { return text.rfind(prefix, 0) == 0; }

constexpr unsigned lanes = 32, matrices = 4, rowsOfMatrix = 8;

bool fp8opt::test::isWarpInstruction(const std::string &opcode) {
  return opcode == "ldmatrix.sync.aligned.m8n8.x4.shared.b16" ||
         opcode == "stmatrix.sync.aligned.m8n8.x4.shared.b16" || starts(opcode, "mma.sync.aligned.") ||
         opcode == "bar.warp.sync";
}

// Lane 8 i + r names row r of matrix i; lane 4 r + p has four bytes of that row.

static void loadMatrices(const PtxWarp &warp) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      uint32_t word;
      std::memcpy(&word, warp.address(matrices, rowsOfMatrix * matrix + lane / 4) + lane % 4 * 4, 4);
      warp.set(matrix, lane, word);
    }
}

static void storeMatrices(const PtxWarp &warp) {
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      uint32_t word = uint32_t(warp.value(1 + matrix, lane));
      std::memcpy(warp.address(0, rowsOfMatrix * matrix + lane / 4) + lane % 4 * 4, &word, 4);
    }
}

namespace {
/// All numbers of a format.
std::vector<float> tableOf(numerics::FormatId id) {
  numerics::Host host;
  std::vector<float> numbers;
  for (uint32_t code = 0; code < (1u << numerics::format(id).bits()); ++code)
    numbers.push_back(numerics::floatOf(numerics::decode(host, numerics::format(id), code)));
  return numbers;
}

const std::vector<float> &numbersOf(const std::string &name) {
  static const std::map<std::string, std::vector<float>> tables = {
      {"e4m3", tableOf(numerics::FormatId::F8E4M3FN)},
      {"e5m2", tableOf(numerics::FormatId::F8E5M2)},
      {"e2m1", tableOf(numerics::FormatId::F4E2M1FN)},
      {"ue4m3", tableOf(numerics::FormatId::F8E4M3FN)},
      {"ue8m0", tableOf(numerics::FormatId::F8E8M0FNU)}};
  auto found = tables.find(name);
  if (found == tables.end())
    refuse("no format " + name);
  return found->second;
}

/// "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3".
struct ScaledMma {
  unsigned k, bits, blocks;
  const std::vector<float> &lhs, &rhs, &scales;
};
ScaledMma parseMma(const std::string &opcode) {
  std::vector<std::string> words;
  for (size_t at = 0; at <= opcode.size();) {
    size_t end = std::min(opcode.find('.', at), opcode.size());
    words.push_back(opcode.substr(at, end - at));
    at = end + 1;
  }
  if (words.size() != 14 || words[7] != "block_scale")
    refuse("no instruction " + opcode);
  unsigned k = std::stoul(words[3].substr(words[3].find('k') + 1));
  // 32 bytes of each row; the register of scales has four.
  return {k,
          256 / k,
          unsigned(words[8][11] - '0'),
          numbersOf(words[10]),
          numbersOf(words[11]),
          numbersOf(words[13])};
}
} // namespace

/// Operands: four sums, A in four registers, B in two, four addends; then scales, byte and lane of A, and of
/// B.
static void multiply(const std::string &opcode, const PtxWarp &warp) {
  static std::map<std::string, ScaledMma> known;
  auto found = known.find(opcode);
  if (found == known.end())
    found = known.emplace(opcode, parseMma(opcode)).first;
  const ScaledMma &mma = found->second;
  constexpr unsigned rows = 16, columns = 8, firstOfA = 4, firstOfB = 8, firstOfC = 10, ofA = 14, ofB = 17,
                     operands = 20;
  std::array<std::array<uint32_t, lanes>, operands> words;
  for (unsigned operand = firstOfA; operand < operands; ++operand)
    for (unsigned lane = 0; lane < lanes; ++lane)
      words[operand][lane] = uint32_t(warp.value(operand, lane));
  const unsigned inWord = 32 / mma.bits;
  auto code = [&](unsigned first, unsigned held, unsigned lane, unsigned element) {
    return (words[first + held][lane] >> (element * mma.bits)) & ((1u << mma.bits) - 1);
  };
  auto scale = [&](unsigned first, unsigned lane, unsigned block) {
    const unsigned byte = words[first + 1][lane] + block;
    return double(mma.scales[(words[first][lane] >> (8 * byte)) & 0xFF]);
  };
  const unsigned threadOfA = words[ofA + 2][0], threadOfB = words[ofB + 2][0];
  std::array<std::array<double, 64>, rows> a;
  std::array<std::array<double, 64>, columns> b;
  for (unsigned k = 0; k < mma.k; ++k) {
    const unsigned half = k / (4 * inWord), p = k / inWord % 4, element = k % inWord,
                   block = k * mma.blocks / mma.k;
    for (unsigned row = 0; row < rows; ++row)
      a[row][k] = mma.lhs[code(firstOfA, 2 * half + row / 8, 4 * (row % 8) + p, element)] *
                  scale(ofA, 4 * (row % 8) + 2 * threadOfA + row / 8, block);
    for (unsigned column = 0; column < columns; ++column)
      b[column][k] =
          mma.rhs[code(firstOfB, half, 4 * column + p, element)] * scale(ofB, 4 * column + threadOfB, block);
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned held = 0; held < 4; ++held) {
      const unsigned row = lane / 4 + held / 2 * 8, column = lane % 4 * 2 + held % 2;
      double sum = numerics::floatOf(words[firstOfC + held][lane]);
      for (unsigned k = 0; k < mma.k; ++k)
        sum += a[row][k] * b[column][k];
      if (sum == sum && double(float(sum)) != sum)
        refuse("a sum that f32 does not hold exactly");
      warp.set(held, lane, numerics::bitsOf(float(sum)));
    }
}

void fp8opt::test::runWarpInstruction(const std::string &opcode, const PtxWarp &warp) {
  if (starts(opcode, "ldmatrix"))
    loadMatrices(warp);
  else if (starts(opcode, "stmatrix"))
    storeMatrices(warp);
  else if (starts(opcode, "mma"))
    multiply(opcode, warp);
}

// Barriers.

std::optional<BarrierAction> fp8opt::test::barrierAction(const std::string &opcode) {
  if (opcode == "mbarrier.init.shared.b64")
    return BarrierAction::Initialize;
  if (opcode == "mbarrier.arrive.shared::cta.b64")
    return BarrierAction::Arrive;
  if (opcode == "mbarrier.arrive.expect_tx.shared.b64")
    return BarrierAction::ArriveExpect;
  // What the cache is told of a copy changes nothing that it copies.
  if (opcode == "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes" ||
      opcode == "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint")
    return BarrierAction::Copy;
  return std::nullopt;
}

PtxBarriers::State &PtxBarriers::at(PtxWord address) {
  auto found = states.find(address);
  if (found == states.end())
    refuse("no barrier at " + std::to_string(address));
  return found->second;
}

void PtxBarriers::turn(State &state) {
  if (state.missing > 0 || state.bytes != 0)
    return;
  state.phase ^= 1;
  state.missing = state.arrivals;
}

void PtxBarriers::initialize(PtxWord address, int64_t arrivals) {
  states[address] = {arrivals, arrivals, 0, 0};
}

void PtxBarriers::arrive(PtxWord address, int64_t expectedBytes) {
  State &state = at(address);
  if (state.missing == 0)
    refuse("an arrival too many at barrier " + std::to_string(address));
  state.bytes += expectedBytes;
  --state.missing;
  turn(state);
}

void PtxBarriers::complete(PtxWord address, int64_t bytes) {
  State &state = at(address);
  state.bytes -= bytes;
  turn(state);
}

bool PtxBarriers::isComplete(PtxWord address, PtxWord parity) { return at(address).phase != parity; }
