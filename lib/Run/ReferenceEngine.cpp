// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on the exact reference.

#include "Clock.h"
#include "Median.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Run/Engine.h"
#include "fp8-opt/Run/InstrumentQuantizers.h"

#include <ctime>

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

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
  auto graph = openGraph(module, request);
  if (!graph)
    return graph.takeError();

  ProgramOptions options;
  options.entries = {request.function};
  std::string unquantized = qt::unquantizedName(request.function);
  if (request.comparesUnquantized)
    options.entries.push_back(unquantized);
  options.poison = request.poison;
  options.prepare = [](PassManager &manager) { manager.addPass(createConvertQTToReferencePass()); };

  Results results;
  results.quantizers = instrumentQuantizers(graph->function);
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<void> compiling = request.begin("compiling " + request.path);
  auto program = Program::compile(module, options);
  compiling.reset();
  results.compileSeconds = secondsSince(start);
  if (!program)
    return program.takeError();
  std::vector<const Tensor *> pointers;
  for (const Tensor &value : graph->values)
    pointers.push_back(&value);
  start = std::chrono::steady_clock::now();
  std::shared_ptr<void> running = request.begin("running " + request.path);
  if (request.comparesUnquantized) {
    auto tensors = runSteps(**program, unquantized, pointers, request.steps, results.referenceStep);
    if (!tensors)
      return tensors.takeError();
    results.reference = nameResults(graph->entry, std::move(*tensors));
  }
  auto tensors = runSteps(**program, request.function, pointers, request.steps, results.step);
  if (!tensors)
    return tensors.takeError();
  running.reset();
  results.runSeconds = secondsSince(start);
  results.values = nameResults(graph->entry, std::move(*tensors));
  results.isCounted = true;
  results.counts = (*program)->quantizers();
  return results;
}
