// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on IREE's CPU back end.

#include "Clock.h"
#include "IREERuntime.h"
#include "fp8-opt/Run/CheckQuantizers.h"

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Report/ProgramText.h"
#include "fp8-opt/Run/Engine.h"
#include "fp8-opt/Target/IREE/Compiler.h"
#include "fp8-opt/Target/IREE/Exit.h"
#include "fp8-opt/Target/IREE/Reflection.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

/// The exit's passes; the first error with its place.
static llvm::Error runExit(ModuleOp module, const iree::ExitOptions &options) {
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && first.empty())
      first = locationText(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
  // IREE's dialects are not linked.
  module.getContext()->allowUnregisteredDialects();
  PassManager manager(module.getContext());
  iree::addExit(manager, options);
  return succeeded(manager.run(module)) ? llvm::Error::success() : llvm::createStringError(first);
}

/// Reads back what the exposed quantizers did.
static llvm::Error checkQuantizers(const iree::EntryReflection &entry, ArrayRef<Tensor> exposed,
                                   Results &results) {
  results.isCounted = true;
  for (const iree::Quantizer &quantizer : entry.quantizers) {
    QuantizerCheck check;
    numerics::QuantizationError counts;
    if (quantizer.isExposed) {
      auto checked = checkQuantizer(quantizer, exposed, counts);
      if (!checked)
        return checked.takeError();
      check = *checked;
    }
    results.checks.push_back(check);
    results.counts.push_back(counts);
  }
  return llvm::Error::success();
}

/// Runs a compiled module by what its entry says of itself.
static llvm::Error runModule(IREERuntime &runtime, StringRef vmfb, const iree::EntryReflection &reflection,
                             std::vector<Tensor> values, const EntryPoint &entry, const RunRequest &request,
                             bool checks, Results &results) {
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<void> running = request.begin("running " + request.path);
  if (llvm::Error error = runtime.setArguments(std::move(values)))
    return error;
  if (request.comparesUnquantized) {
    auto call = runtime.call(vmfb, qt::unquantizedName(request.function), request.steps);
    if (!call)
      return call.takeError();
    results.reference = nameResults(entry, std::move(call->results));
    results.referenceStep = call->seconds;
    results.referencePeakBytes = call->peakBytes;
  }
  auto call = runtime.call(vmfb, request.function, request.steps);
  if (!call)
    return call.takeError();
  results.runSeconds = secondsSince(start);
  results.step = call->seconds;
  results.peakBytes = call->peakBytes;
  if (call->results.size() < entry.resultNames.size())
    return llvm::createStringError("expected " + Twine(entry.resultNames.size()) +
                                   " results from IREE's runtime, got " + Twine(call->results.size()));
  for (const iree::Quantizer &quantizer : reflection.quantizers)
    results.quantizers.push_back(describeQuantizer(quantizer.type, quantizer.location));
  if (checks)
    if (llvm::Error error = checkQuantizers(
            reflection, ArrayRef(call->results).drop_front(entry.resultNames.size()), results))
      return error;
  results.values = nameResults(entry, std::move(call->results));
  return llvm::Error::success();
}

llvm::Expected<Results> fp8opt::run::runOnIREE(ModuleOp module, const RunRequest &request,
                                               const IREEOptions &options) {
  auto graph = openGraph(module, request);
  if (!graph)
    return graph.takeError();
  auto compiler = iree::findCompiler({options.compiler});
  if (!compiler)
    return compiler.takeError();
  auto runtime = IREERuntime::create(options.python, *compiler);
  if (!runtime)
    return runtime.takeError();

  Results results;
  auto start = std::chrono::steady_clock::now();
  std::shared_ptr<void> compiling = request.begin("compiling " + request.path);
  // What is not run is not compiled.
  if (!request.comparesUnquantized)
    if (auto other = module.lookupSymbol<func::FuncOp>(qt::unquantizedName(request.function)))
      other.erase();
  if (llvm::Error error = runExit(
          module, {request.function, options.checkQuantizers, Machine::Processor, /*objectEnding=*/""}))
    return error;
  auto reflection = iree::parseReflection(iree::reflectionStrings(graph->function), module.getContext());
  if (!reflection)
    return reflection.takeError();
  std::string vmfb = runtime->temporaryFile("graph.vmfb");
  if (llvm::Error error =
          iree::compileModule(module, *compiler, Machine::Processor, /*objectFolder=*/"", vmfb))
    return error;
  compiling.reset();
  results.compileSeconds = secondsSince(start);
  if (llvm::Error error = runModule(*runtime, vmfb, *reflection, std::move(graph->values), graph->entry,
                                    request, options.checkQuantizers, results))
    return error;
  return results;
}

llvm::Expected<Results> fp8opt::run::runCompiledByIREE(MLIRContext &context, const RunRequest &request,
                                                       const IREEOptions &options) {
  if (!request.signaturePath.empty())
    return llvm::createStringError("expected no --signature: '" + request.path +
                                   "' carries the names it was compiled with");
  if (options.checkQuantizers)
    return llvm::createStringError("expected a graph for --check-quantizers, got '" + request.path +
                                   "', which was compiled without; give the graph, with --engine=iree");
  auto runtime = IREERuntime::create(options.python, findProgram(options.compiler, "iree-compile"));
  if (!runtime)
    return runtime.takeError();
  auto functions = runtime->reflection(request.path);
  if (!functions)
    return functions.takeError();
  auto found = functions->find(request.function);
  if (found == functions->end())
    return llvm::createStringError("expected a function '" + request.function + "' in '" + request.path +
                                   "', got none");
  auto reflection = iree::parseReflection(found->second, &context);
  if (!reflection)
    return reflection.takeError();
  if (request.comparesUnquantized && !functions->contains(qt::unquantizedName(request.function)))
    return llvm::createStringError("expected a function '" + qt::unquantizedName(request.function) +
                                   "' to compare with in '" + request.path + "', got none");
  auto entry = describeEntry(reflection->type, reflection->names, reflection->weights);
  if (!entry)
    return entry.takeError();
  auto values = argumentsFor(*entry, request);
  if (!values)
    return values.takeError();
  Results results;
  if (llvm::Error error = runModule(*runtime, request.path, *reflection, std::move(*values), *entry, request,
                                    /*checks=*/false, results))
    return error;
  return results;
}
