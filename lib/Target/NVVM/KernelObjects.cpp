// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers, translates and assembles the kernels of a graph one by one.

#include "fp8-opt/Target/NVVM/KernelObjects.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Process/WholeFile.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// The kernel, with its target, in a module of its own.
static OwningOpRef<ModuleOp> moduleOf(qtile::KernelOp kernel) {
  OwningOpRef<ModuleOp> alone = ModuleOp::create(kernel.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(alone->getBody());
  if (qtile::TargetOp target = kernel.getTargetOp())
    builder.clone(*target);
  builder.clone(*kernel);
  return alone;
}

static LogicalResult writeObject(qtile::KernelOp kernel, const Chip &chip, StringRef ptxas, StringRef folder,
                                 KernelObjects &objects) {
  OwningOpRef<ModuleOp> alone = moduleOf(kernel);
  FailureOr<std::vector<KernelLaunch>> launches = lowerKernels(*alone, chip);
  if (failed(launches))
    return failure();
  FailureOr<std::string> ptx = translateToPTX(*alone, chip);
  if (failed(ptx))
    return failure();
  FailureOr<Assembled> assembled = assemble(*alone, *std::move(ptx), chip, ptxas);
  if (failed(assembled))
    return failure();
  if (assembled->hasCubin()) {
    bool hasKernel = llvm::any_of(assembled->functions, [&](const FunctionReport &report) {
      return report.isKernel && report.name == kernel.getSymName();
    });
    if (!hasKernel)
      return kernel.emitOpError() << "expected the cubin to have a kernel of this name, got none";
  }
  llvm::append_range(objects.slowness, findSlowness(*assembled));
  SmallString<128> path(folder);
  llvm::sys::path::append(path, kernel.getSymName() + objects.ending);
  StringRef content = assembled->hasCubin() ? assembled->cubin : assembled->ptx;
  if (llvm::Error error = writeWhole(path, [&](raw_ostream &os) { os << content; }))
    return kernel.emitError(llvm::toString(std::move(error)));
  return success();
}

FailureOr<KernelObjects> fp8opt::nvvm::writeKernelObjects(ModuleOp module, const Chip &chip, StringRef ptxas,
                                                          StringRef folder) {
  KernelObjects objects;
  objects.ending = ptxas.empty() ? ptxEnding : cubinEnding;
  for (auto kernel : module.getOps<qtile::KernelOp>())
    if (failed(writeObject(kernel, chip, ptxas, folder, objects)))
      return failure();
  return objects;
}
