// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that is run: names, kinds and types of its arguments, and names of its results.

#include "fp8-opt/Run/EntryPoint.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Import/Signature.h"
#include "fp8-opt/Report/ProgramText.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

/// A graph that launches kernels runs where they do.
static llvm::Error checkIsForProcessors(ModuleOp module, StringRef path) {
  qtile::LaunchOp launch;
  module.walk([&](qtile::LaunchOp op) {
    launch = op;
    return WalkResult::interrupt();
  });
  if (!launch)
    return llvm::Error::success();
  StringRef target = launch.getKernelOp().getTarget();
  qt::StepAttr reached = qt::QTDialect::StepAttrHelper(module.getContext()).getAttr(module);
  std::string from = reached ? " --from=" + qt::stringifyStep(reached.getValue()).str() : "";
  return llvm::createStringError(
      locationText(launch.getLoc()) + ": expected a graph that processors run, got '" + path +
      "', which launches kernels of target '" + target + "'; fp8-opt " + path + from + " --target=" + target +
      " -o NAME.vmfb compiles it for that device, where fp8-run runs NAME.vmfb");
}

llvm::Expected<func::FuncOp> fp8opt::run::findFunction(ModuleOp module, StringRef name, StringRef path) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return llvm::createStringError("expected a function '" + name + "' in '" + path +
                                   "', got none; name one with --function");
  if (function.isExternal())
    return llvm::createStringError("expected a function '" + name + "' with a body, got a declaration");
  if (llvm::Error error = checkIsForProcessors(module, path))
    return error;
  return function;
}

llvm::Expected<qt::SignatureAttr> fp8opt::run::findSignature(ModuleOp module, func::FuncOp function,
                                                             StringRef signaturePath) {
  qt::QTDialect::SignatureAttrHelper helper(module.getContext());
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (first.empty())
      first = diagnostic.str();
    return success();
  });
  if (!signaturePath.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(signaturePath);
    if (!buffer)
      return llvm::createStringError("expected a signature at '" + signaturePath +
                                     "': " + buffer.getError().message());
    if (failed(readSignature(module, function, **buffer)))
      return llvm::createStringError(first);
  } else if (!helper.isAttrPresent(module)) {
    numberSignature(module, function);
  }
  qt::SignatureAttr found = helper.getAttr(module);
  if (found.getArguments().size() != function.getNumArguments() ||
      found.getResults().size() != function.getNumResults())
    return llvm::createStringError("expected names for " + Twine(function.getNumArguments()) +
                                   " arguments and " + Twine(function.getNumResults()) + " results of '" +
                                   function.getName() + "', got " + Twine(found.getArguments().size()) +
                                   " and " + Twine(found.getResults().size()));
  return found;
}

llvm::Expected<EntryPoint> fp8opt::run::describeEntry(FunctionType type, qt::SignatureAttr names,
                                                      ArrayRef<int64_t> weights) {
  EntryPoint entry;
  llvm::SmallDenseSet<int64_t> isWeight(weights.begin(), weights.end());
  for (auto [index, named, argument] : llvm::enumerate(names.getArguments(), type.getInputs())) {
    std::string name = named.getName().str();
    auto value = valueType(argument);
    if (!value)
      return llvm::createStringError("argument '" + name + "': " + llvm::toString(value.takeError()));
    bool isGuessed = named.getKind() == qt::ValueKind::Unknown && isWeight.contains(int64_t(index));
    bool isParameter = named.getKind() == qt::ValueKind::Parameter || isGuessed;
    if (isGuessed)
      entry.guessedParameters.push_back("'" + name + "'");
    entry.arguments.push_back(
        {std::move(name), isParameter ? ArgumentKind::Parameter : ArgumentKind::Other, std::move(*value)});
  }
  for (qt::NamedValueAttr result : names.getResults())
    entry.resultNames.push_back(result.getName().str());
  return entry;
}

std::vector<NamedTensor> fp8opt::run::nameResults(const EntryPoint &entry, std::vector<Tensor> tensors) {
  std::vector<NamedTensor> named;
  for (auto [name, tensor] : llvm::zip_first(entry.resultNames, tensors))
    named.push_back({name, std::move(tensor)});
  return named;
}
