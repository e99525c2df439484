// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on the exact reference.

#include "Median.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Run/Engine.h"
#include "fp8-opt/Run/InstrumentQuantizers.h"
#include "fp8-opt/Target/IREE/Reflection.h"

#include <chrono>
#include <ctime>

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

static double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

llvm::Expected<std::vector<Tensor>> fp8opt::run::argumentsFor(const EntryPoint &entry,
                                                              const RunRequest &request) {
  ArgumentSource source;
  source.path = request.argumentsPath;
  if (!source.path.empty()) {
    auto given = readTensorFile(source.path);
    if (!given)
      return given.takeError();
    source.given = std::move(*given);
  }
  if (!request.init.empty()) {
    auto seed = parseSeed(request.init);
    if (!seed)
      return seed.takeError();
    source.seed = *seed;
    if (!entry.guessedParameters.empty())
      request.remark("parameters for --init, because the report of the graph has them as weights and no "
                     "signature says what they are: " +
                     listNames(entry.guessedParameters));
  }
  return collectArguments(entry.arguments, source, request.remark);
}

/// Runs the function once, and then as often as steps are asked for; the seconds are those of a step.
static llvm::Expected<std::vector<Tensor>> runSteps(Program &program, StringRef function,
                                                    const std::vector<const Tensor *> &arguments,
                                                    unsigned steps, StepSeconds &seconds) {
  std::vector<double> taken, busy;
  for (unsigned step = 0;; ++step) {
    auto start = std::chrono::steady_clock::now();
    std::clock_t startBusy = std::clock();
    auto results = program.run(function, arguments);
    if (!results)
      return results.takeError();
    if (step > 0 || steps == 0) {
      taken.push_back(secondsSince(start));
      busy.push_back(double(std::clock() - startBusy) / CLOCKS_PER_SEC);
    }
    if (step == steps) {
      seconds = {median(std::move(taken)), median(std::move(busy))};
      return results;
    }
  }
}

llvm::Expected<Results> fp8opt::run::runOnReference(ModuleOp module, const RunRequest &request) {
  auto function = findFunction(module, request.function, request.path);
  if (!function)
    return function.takeError();
  auto names = findSignature(module, *function, request.signaturePath);
  if (!names)
    return names.takeError();
  auto entry = describeEntry(function->getFunctionType(), *names, iree::findWeights(module));
  if (!entry)
    return entry.takeError();
  auto values = argumentsFor(*entry, request);
  if (!values)
    return values.takeError();

  ProgramOptions options;
  options.entries = {request.function};
  std::string unquantized = qt::unquantizedName(request.function);
  if (request.comparesUnquantized)
    options.entries.push_back(unquantized);
  options.poison = request.poison;
  options.prepare = [](PassManager &manager) { manager.addPass(createConvertQTToReferencePass()); };

  Results results;
  results.quantizers = instrumentQuantizers(*function);
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<void> compiling = request.begin("compiling " + request.path);
  auto program = Program::compile(module, options);
  compiling.reset();
  results.compileSeconds = secondsSince(start);
  if (!program)
    return program.takeError();
  std::vector<const Tensor *> pointers;
  for (const Tensor &value : *values)
    pointers.push_back(&value);
  start = std::chrono::steady_clock::now();
  std::shared_ptr<void> running = request.begin("running " + request.path);
  if (request.comparesUnquantized) {
    auto tensors = runSteps(**program, unquantized, pointers, request.steps, results.referenceStep);
    if (!tensors)
      return tensors.takeError();
    results.reference = nameResults(*entry, std::move(*tensors));
  }
  auto tensors = runSteps(**program, request.function, pointers, request.steps, results.step);
  if (!tensors)
    return tensors.takeError();
  running.reset();
  results.runSeconds = secondsSince(start);
  results.values = nameResults(*entry, std::move(*tensors));
  results.isCounted = true;
  results.counts = (*program)->quantizers();
  return results;
}
