// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs all versions of a program as one and compares their bits.

#include "Check.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Run/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

#include <array>
#include <cmath>

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::random;
using namespace fp8opt::run;

using Results = std::vector<Tensor>;

static std::string entryName(size_t version) { return "version" + std::to_string(version); }

/// One module with the programs of all versions, under names of their own.
static OwningOpRef<ModuleOp> join(const Versions &versions, Location location) {
  OwningOpRef<ModuleOp> joined = ModuleOp::create(location);
  for (auto [index, version] : llvm::enumerate(versions.list)) {
    OwningOpRef<ModuleOp> copy = version.module.get().clone();
    for (auto function : copy->getOps<func::FuncOp>()) {
      bool isMain = function.getName() == "main";
      std::string name = entryName(index) + (isMain ? "" : "_" + function.getName().str());
      (void)SymbolTable::replaceAllSymbolUses(function, StringAttr::get(copy->getContext(), name), *copy);
      function.setName(name);
    }
    for (auto function : llvm::make_early_inc_range(copy->getOps<func::FuncOp>()))
      function->moveBefore(joined->getBody(), joined->getBody()->end());
  }
  return joined;
}

static std::string bitsText(const Tensor &tensor, int64_t index) {
  auto width = size_t(bytesPerElement(tensor.type));
  std::string text = "0x";
  for (size_t byte = width; byte-- > 0;)
    text += llvm::formatv("{0:x-2}", tensor.bytes[size_t(index) * width + byte]).str();
  return llvm::formatv("{0} ({1})", text, tensor.at(index)).str();
}

/// The first difference of two results, or nothing.
static std::string firstDifference(const Tensor &got, const Tensor &expected) {
  if (got.shape != expected.shape || got.type != expected.type)
    return "is " + got.typeText() + " instead of " + expected.typeText();
  if (got.bytes == expected.bytes)
    return "";
  auto width = bytesPerElement(got.type);
  int64_t differ = 0, first = -1;
  for (int64_t i = 0, count = got.numElements(); i < count; ++i) {
    if (std::equal(got.bytes.begin() + i * width, got.bytes.begin() + (i + 1) * width,
                   expected.bytes.begin() + i * width) ||
        (isFloat(got.type) && std::isnan(got.at(i)) && std::isnan(expected.at(i))))
      continue;
    first = differ++ ? first : i;
  }
  if (!differ)
    return "";
  return llvm::formatv("({0}) differs in {1} elements, first in number {2}: {3} instead of {4}",
                       got.typeText(), differ, first, bitsText(got, first), bitsText(expected, first));
}

namespace {
class Checker {
public:
  Checker(const RandomGraph &graph, const Versions &versions, Verdict &verdict)
      : graph(graph), versions(versions), verdict(verdict) {}

  void compile(Location location);
  void runAll();

private:
  void runOn(size_t number, const Run &run);
  void compare(const Version &version, const Results &got, StringRef origin, const Results &expected);

  const RandomGraph &graph;
  const Versions &versions;
  Verdict &verdict;
  std::unique_ptr<Program> program;
  SmallVector<Type> arguments;
  std::string where;
};
} // namespace

void Checker::compile(Location location) {
  ProgramOptions options;
  options.entries.clear();
  for (size_t i = 0; i < versions.list.size(); ++i)
    options.entries.push_back(entryName(i));
  options.prepare = [](PassManager &manager) { manager.addPass(createConvertQTToReferencePass()); };
  options.threads = 1;
  // Most of the time goes into compiling.
  options.optimize = false;
  auto main = versions.list.front().module.get().lookupSymbol<func::FuncOp>("main");
  arguments.assign(main.getArgumentTypes().begin(), main.getArgumentTypes().end());
  auto compiled = Program::compile(*join(versions, location), options);
  if (compiled)
    program = std::move(*compiled);
  else
    verdict.failure = "does not compile to machine code: " + llvm::toString(compiled.takeError());
}

void Checker::compare(const Version &version, const Results &got, StringRef origin, const Results &expected) {
  for (size_t i = 0; i < got.size(); ++i) {
    std::string difference = firstDifference(got[i], expected[i]);
    if (difference.empty())
      continue;
    verdict.failure = llvm::formatv("after {0}, {1}: result {2} {3} after {4}", version.after, where, i,
                                    difference, origin);
    verdict.result = unsigned(i);
    return;
  }
}

void Checker::runOn(size_t number, const Run &run) {
  where = llvm::formatv("run {0} ({1} values)", number, run.values == Values::Special ? "special" : "normal");
  auto values = makeArguments(graph, run, arguments);
  if (!values) {
    verdict.failure = llvm::toString(values.takeError());
    return;
  }
  std::vector<const Tensor *> pointers;
  for (const Tensor &value : *values)
    pointers.push_back(&value);
  std::array<std::optional<Results>, 3> expected;
  std::array<StringRef, 3> origins;
  for (auto [index, version] : llvm::enumerate(versions.list)) {
    auto results = program->run(entryName(index), pointers);
    if (!results) {
      verdict.failure =
          llvm::formatv("after {0}, {1}: {2}", version.after, where, llvm::toString(results.takeError()));
      return;
    }
    auto origin = unsigned(version.origin);
    if (!expected[origin]) {
      expected[origin] = std::move(*results);
      origins[origin] = version.after;
      continue;
    }
    compare(version, *results, origins[origin], *expected[origin]);
    if (!verdict.failure.empty())
      return;
  }
}

void Checker::runAll() {
  for (size_t i = 0; verdict.failure.empty() && i < graph.runs.size(); ++i)
    runOn(i, graph.runs[i]);
}

Verdict fp8opt::random::check(ModuleOp written, const RandomGraph &graph, Mutation mutation) {
  Versions versions = makeVersions(written, graph, mutation);
  Verdict verdict;
  verdict.failure = versions.breach;
  verdict.refusal = versions.refusal;
  verdict.versions = unsigned(versions.list.size());
  verdict.products = versions.products;
  verdict.quantizedProducts = versions.quantizedProducts;
  verdict.isMutated = versions.isMutated;
  if (!verdict.failure.empty() || !verdict.refusal.empty() || versions.list.empty())
    return verdict;
  Checker checker(graph, versions, verdict);
  checker.compile(written.getLoc());
  if (verdict.failure.empty())
    checker.runAll();
  return verdict;
}
