// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the quantizers that are tested; runs them as PTX on the host; writes what a device must make of
// them.
//
//   fp8-quantizers kernels                       the module
//   fp8-quantizers emulate PLANNED PTX [NAME]    compares with Numerics
//   fp8-quantizers cases PLANNED FOLDER [NAME] [MOST]
//                                                launches and expected bytes, for launch_quantizers.py
//   fp8-quantizers launches PLANNED ROWS COLUMNS launches alone
//   fp8-quantizers codes FORMAT NUMBERS CODES    codes that Numerics makes of numbers in f32, files of bytes
// NAME: only kernels with it in their names. MOST: elements of a matrix. PLANNED is the module after
// qtile-plan-rings.

#include "PtxProgram.h"
#include "QuantizerCases.h"

#include "fp8-opt/Numerics/Arithmetic.h"
#include "fp8-opt/Numerics/Host.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>

using namespace fp8opt;
using namespace fp8opt::numerics;
using namespace fp8opt::test;

constexpr int64_t mostOnDevice = 1100000;

namespace {
/// What a kernel says of its launch.
struct Launch {
  unsigned threads = 0, shared = 0;
  std::string grid;
};

/// An expression of affine maps on s0, s1, ...
class Evaluator {
public:
  Evaluator(const std::string &text, std::vector<int64_t> symbols)
      : text(text), symbols(std::move(symbols)) {}
  int64_t sum() {
    int64_t value = product();
    while (take("+"))
      value += product();
    return value;
  }

private:
  bool take(const std::string &word) {
    while (at < text.size() && text[at] == ' ')
      ++at;
    if (text.compare(at, word.size(), word) != 0)
      return false;
    at += word.size();
    return true;
  }
  int64_t product() {
    int64_t value = factor();
    while (true) {
      if (take("*"))
        value *= factor();
      else if (take("ceildiv")) {
        int64_t divisor = factor();
        value = (value + divisor - 1) / divisor;
      } else if (take("floordiv"))
        value /= factor();
      else
        return value;
    }
  }
  int64_t factor() {
    if (take("(")) {
      int64_t value = sum();
      take(")");
      return value;
    }
    for (size_t i = 0; i < symbols.size(); ++i)
      if (take("s" + std::to_string(i)))
        return symbols[i];
    int64_t value = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      value = 10 * value + (text[at++] - '0');
    return value;
  }

  const std::string &text;
  std::vector<int64_t> symbols;
  size_t at = 0;
};
} // namespace

static std::map<std::string, Launch> readLaunches(const std::string &module) {
  std::map<std::string, Launch> launches;
  std::map<std::string, std::string> maps;
  std::istringstream lines(module);
  std::string line;
  std::smatch match;
  const std::regex map("^(#map[0-9]*) = affine_map<\\(\\)\\[s0, s1(?:, s2)?\\] -> \\((.*)\\)>$");
  const std::regex kernel("qtile.kernel @(\\w+)\\(.* threads (\\d+) resident \\d+ grid "
                          "(#map\\d*|affine_map<.*>) shared (\\d+) \\{");
  while (std::getline(lines, line)) {
    if (std::regex_search(line, match, map))
      maps[match[1]] = match[2];
    if (std::regex_search(line, match, kernel))
      launches[match[1]] = {unsigned(std::stoul(match[2])), unsigned(std::stoul(match[4])), maps[match[3]]};
  }
  return launches;
}

namespace {
/// One matrix, or a batch, through one quantizer, and the amax kernel before it.
struct Case {
  Quantizer quantizer;
  std::vector<Matrix> matrices;

  int64_t rows() const { return matrices.front().rows; }
  int64_t columns() const { return matrices.front().columns; }
};

Case makeCase(const Quantizer &quantizer, int64_t rows, int64_t columns, Filling filling, unsigned seed) {
  Case made = {quantizer, {makeMatrix(quantizer.source, rows, columns, filling, seed)}};
  for (int64_t i = 1; i < quantizer.batch; ++i)
    made.matrices.push_back(makeMatrix(quantizer.source, rows, columns, filling, seed + unsigned(i) * 1000));
  return made;
}

/// The integers of a kernel, in their order.
std::vector<int64_t> integersOf(const Quantizer &quantizer, int64_t rows, int64_t columns) {
  if (quantizer.batch)
    return {quantizer.batch, rows, columns};
  return {rows, columns};
}

/// An output of a kernel with a guard behind it, both filled with a poison.
template <typename T> struct Guarded {
  explicit Guarded(size_t size) : values(size + guard, poison()) {}
  static T poison() {
    T value;
    std::memset(&value, 0xA5, sizeof value);
    return value;
  }
  bool isGuardWhole() const {
    return std::all_of(values.end() - guard, values.end(), [](T value) { return value == poison(); });
  }
  static constexpr size_t guard = 64;
  std::vector<T> values;
};
} // namespace

/// All fillings and sizes for a kernel, small enough to be emulated or not.
template <typename F> static void forEachCase(const Quantizer &quantizer, int64_t most, F run) {
  const int64_t sizes[] = {1, 7, 16, 64, 120, 128, 129, 192, 1000, 4096};
  unsigned seed = 1;
  auto runNext = [&](int64_t rows, int64_t columns) {
    Filling filling = seed % 3 ? Filling::Normal : Filling::Special;
    run(makeCase(quantizer, rows, columns, filling, seed));
    ++seed;
  };
  for (int64_t rows : sizes)
    for (int64_t columns : sizes)
      if (rows * columns <= most)
        runNext(rows, columns);
  // Rows that a block of threads holds alone or some of, as a whole or in part, or reads twice.
  const std::pair<int64_t, int64_t> ofRows[] = {{9, 4096},  {5, 8192}, {3, 9000}, {3, 16376},
                                                {2, 32768}, {2, 8191}, {1, 32776}};
  if (quantizer.from.empty() && quantizer.isByRow())
    for (auto [rows, columns] : ofRows)
      runNext(rows, columns);
  // All patterns in a matrix are large; on the host one kernel for each scheme is enough.
  if (most < 512 * 128 && (quantizer.batch || quantizer.name.rfind("columns_", 0) != 0))
    return;
  run(makeCase(quantizer, 512, 128, Filling::Patterns, 0));
  for (unsigned exponent : {0, 6, 14})
    run(makeCase(quantizer, 128, 512, Filling::SmallPatterns, exponent));
}

static std::string describe(const Case &test) {
  return test.quantizer.name + " " + std::to_string(test.rows()) + "x" + std::to_string(test.columns()) +
         " filling " + std::to_string(int(test.matrices.front().filling));
}

static size_t emulate(const Case &test, std::map<std::string, PtxKernel> &kernels,
                      std::map<std::string, Launch> &launches) {
  const Quantizer &quantizer = test.quantizer;
  std::vector<uint32_t> amaxes(size_t(quantizer.countAmaxes(test.rows(), test.columns())) *
                               test.matrices.size());
  auto run = [&](const std::string &name, std::vector<PtxMemory> memory) {
    const Launch &launch = launches.at(name);
    std::vector<uint64_t> arguments;
    for (const PtxMemory &region : memory)
      arguments.push_back(reinterpret_cast<uint64_t>(region.begin));
    const std::vector<int64_t> integers = integersOf(quantizer, test.rows(), test.columns());
    arguments.insert(arguments.end(), integers.begin(), integers.end());
    int64_t blocks = Evaluator(launch.grid, integers).sum();
    runPtx(kernels.at(name), unsigned(blocks), launch.shared, arguments, memory);
  };
  std::vector<Array> inputs = inputsOf(quantizer, test.matrices);
  std::vector<PtxMemory> memory;
  for (Array &input : inputs)
    memory.push_back({"source", input.bytes.data(), input.bytes.size()});
  if (!amaxes.empty()) {
    memory.push_back({"amax", amaxes.data(), 4 * amaxes.size()});
    run(quantizer.amaxName(), memory);
  }
  const std::vector<Array> expected = expect(quantizer, test.matrices);
  std::vector<Guarded<uint8_t>> outputs;
  for (const Array &array : expected)
    outputs.emplace_back(array.bytes.size());
  for (size_t i = 0; i < expected.size(); ++i)
    memory.push_back({"output", outputs[i].values.data(), expected[i].bytes.size()});
  run(quantizer.name, memory);
  size_t differences = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    differences += countDifferences(expected[i], outputs[i].values) + !outputs[i].isGuardWhole();
  return differences;
}

static int emulateAll(const std::string &planned, const std::string &ptx, const std::string &only) {
  auto launches = readLaunches(readFile(planned));
  auto kernels = parsePtx(readFile(ptx));
  Cases cases;
  for (const Quantizer &quantizer : allQuantizers()) {
    if (quantizer.isAmax() || quantizer.name.find(only) == std::string::npos)
      continue;
    auto run = [&](const Case &test) {
      doing = describe(test);
      cases.add(emulate(test, kernels, launches));
    };
    // Scales that are codes take many instructions: few cases, of which one has several tiles and panels each
    // way.
    forEachCase(quantizer, quantizer.batch ? 4000 : quantizer.isCoded() ? 9000 : 25000, run);
    if (quantizer.isCoded() && !quantizer.batch)
      run(makeCase(quantizer, 150, 290, Filling::Special, 1));
  }
  return cases.finish();
}

template <typename T> static void writeFile(const std::string &path, const std::vector<T> &values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(values.data()), std::streamsize(values.size() * sizeof(T)));
}

/// A line: kernel, blocks, threads, shared memory, matrices of a batch or 0, rows, columns; the amax kernel,
/// its blocks and shared memory, and how many amaxes of a matrix it finds, or "-" and zeros; how many arrays
/// are read; then each array that is written: the type of its numbers, or "code".
static std::string describeLaunch(const Quantizer &quantizer, const std::map<std::string, Launch> &launches,
                                  int64_t rows, int64_t columns) {
  const std::vector<Matrix> sample = {makeMatrix(quantizer.source, 1, 1, Filling::Normal, 0)};
  std::ostringstream line;
  const Launch &launch = launches.at(quantizer.name);
  const std::vector<int64_t> integers = integersOf(quantizer, rows, columns);
  line << quantizer.name << ' ' << Evaluator(launch.grid, integers).sum() << ' ' << launch.threads << ' '
       << launch.shared << ' ' << quantizer.batch << ' ' << rows << ' ' << columns << ' ';
  if (int64_t amaxes = quantizer.countAmaxes(rows, columns)) {
    const Launch &amax = launches.at(quantizer.amaxName());
    line << quantizer.amaxName() << ' ' << Evaluator(amax.grid, integers).sum() << ' ' << amax.shared << ' '
         << amaxes;
  } else {
    line << "- 0 0 0";
  }
  line << ' ' << inputsOf(quantizer, sample).size();
  for (const Array &array : expect(quantizer, sample))
    line << ' ' << (array.number ? format(*array.number).name : "code");
  return line.str();
}

/// The bytes that a kernel reads, in files N.in0, N.in1, and must write, in N.out0, N.out1 and so on;
/// N.written0 says which bytes these are. cases.txt has a line for each, N and the launch.
static int writeCases(const std::string &planned, const std::string &folder, const std::string &only,
                      int64_t most) {
  auto launches = readLaunches(readFile(planned));
  std::ofstream list(folder + "/cases.txt");
  size_t number = 0;
  for (const Quantizer &quantizer : allQuantizers()) {
    if (quantizer.isAmax() || quantizer.name.find(only) == std::string::npos)
      continue;
    forEachCase(quantizer, most, [&](const Case &test) {
      std::string file = folder + "/" + std::to_string(number);
      list << number++ << ' ' << describeLaunch(quantizer, launches, test.rows(), test.columns()) << '\n';
      size_t place = 0;
      for (const Array &input : inputsOf(quantizer, test.matrices))
        writeFile(file + ".in" + std::to_string(place++), input.bytes);
      place = 0;
      for (const Array &output : expect(quantizer, test.matrices)) {
        writeFile(file + ".out" + std::to_string(place), output.bytes);
        writeFile(file + ".written" + std::to_string(place++), output.isWritten);
      }
    });
  }
  std::printf("%zu cases\n", number);
  return 0;
}

static int writeLaunches(const std::string &planned, int64_t rows, int64_t columns) {
  auto launches = readLaunches(readFile(planned));
  for (const Quantizer &quantizer : allQuantizers())
    if (!quantizer.isAmax())
      std::printf("%s\n", describeLaunch(quantizer, launches, rows, columns).c_str());
  return 0;
}

static int writeCodes(const std::string &name, const std::string &numbers, const std::string &codes) {
  const std::optional<FormatId> id = formatNamed(name);
  if (!id) {
    std::fprintf(stderr, "expected the name of a format, got '%s'\n", name.c_str());
    return 1;
  }
  const std::string bytes = readFile(numbers);
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), 4 * words.size());
  std::vector<uint8_t> made;
  Host host;
  for (uint32_t word : words)
    made.push_back(uint8_t(encode(host, format(*id), Conversion(), word, 0)));
  writeFile(codes, made);
  std::printf("%zu codes of %s\n", made.size(), name.c_str());
  return 0;
}

int main(int argc, char **argv) {
  using Words = std::vector<std::string>;
  return runCommand(
      argc, argv,
      {{"kernels", 0, [](const Words &) { return std::fputs(moduleText().c_str(), stdout) < 0; }},
       {"emulate", 3, [](const Words &words) { return emulateAll(words[0], words[1], words[2]); }},
       {"cases", 4,
        [](const Words &words) {
          return writeCases(words[0], words[1], words[2],
                            words[3].empty() ? mostOnDevice : std::stoll(words[3]));
        }},
       {"codes", 3, [](const Words &words) { return writeCodes(words[0], words[1], words[2]); }},
       {"launches", 3, [](const Words &words) {
          return writeLaunches(words[0], std::stoll(words[1]), std::stoll(words[2]));
        }}});
}
