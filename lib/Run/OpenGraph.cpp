// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every engine begins with: the function, its names, and values for its arguments.

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Run/Engine.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

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

llvm::Expected<OpenGraph> fp8opt::run::openGraph(ModuleOp module, const RunRequest &request) {
  auto function = findFunction(module, request.function, request.path);
  if (!function)
    return function.takeError();
  // It launches no kernel, so the device that it was compiled for says nothing to an engine.
  for (auto target : llvm::make_early_inc_range(module.getOps<qtile::TargetOp>()))
    target.erase();
  auto names = findSignature(module, *function, request.signaturePath);
  if (!names)
    return names.takeError();
  auto entry = describeEntry(function->getFunctionType(), *names, qt::findWeights(module));
  if (!entry)
    return entry.takeError();
  auto values = argumentsFor(*entry, request);
  if (!values)
    return values.takeError();
  return OpenGraph{*function, std::move(*entry), std::move(*values)};
}
