// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps IREE from computing a result in the memory of an argument.

#include "UnlinkedOps.h"

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEKEEPARGUMENTSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// Whether an op only reads an operand, and gives no other name to its memory.
static bool onlyReads(OpOperand &use) {
  Operation *op = use.getOwner();
  if (auto launch = dyn_cast<qtile::LaunchOp>(op))
    return !llvm::is_contained(launch.getTied(), static_cast<int64_t>(use.getOperandNumber()));
  if (auto styled = dyn_cast<DestinationStyleOpInterface>(op))
    return !styled.isDpsInit(&use);
  return isa<tensor::ExtractOp, tensor::DimOp, tensor::PadOp, tensor::ConcatOp, func::ReturnOp>(op);
}

/// Whether a tensor's memory is, or may be, the destination of an op, also under another name.
static bool mayBeWritten(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, tensor::ExtractSliceOp>(
            use.getOwner()))
      return mayBeWritten(use.getOwner()->getResult(0));
    return !onlyReads(use);
  });
}

namespace {
struct KeepArguments : fp8opt::impl::IREEKeepArgumentsPassBase<KeepArguments> {
  using IREEKeepArgumentsPassBase::IREEKeepArgumentsPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string unquantized = qt::unquantizedName(function);
    for (StringRef name : {StringRef(function), StringRef(unquantized)}) {
      auto entry = module.lookupSymbol<func::FuncOp>(name);
      if (!entry || entry.isExternal())
        continue;
      for (BlockArgument argument : entry.getArguments()) {
        if (!isa<TensorType>(argument.getType()) || !mayBeWritten(argument))
          continue;
        if (failed(iree::verifyTakesIREEOps(module)))
          return signalPassFailure();
        for (auto end : entry.getOps<func::ReturnOp>())
          iree::readBefore(end, argument);
      }
    }
  }
};
} // namespace
