// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps one of each set of equal kernels.

#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OperationSupport.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_MERGEKERNELSPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt::qtile;

/// But for their names.
static bool areEqual(KernelOp a, KernelOp b) {
  KernelOp::Properties properties = a.getProperties();
  properties.setSymName(b.getSymNameAttr());
  return properties == b.getProperties() &&
         OperationEquivalence::isRegionEquivalentTo(&a.getBody(), &b.getBody(),
                                                    OperationEquivalence::IgnoreLocations);
}

namespace {
struct MergeKernelsPass : fp8opt::qtile::impl::MergeKernelsPassBase<MergeKernelsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<KernelOp> kept;
    DenseMap<StringAttr, FlatSymbolRefAttr> merged;
    for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>())) {
      // A schedule has been chosen for the sizes; they say nothing more.
      if (kernel.getSchedule())
        for (auto gemm : kernel.getBody().getOps<GemmOp>())
          gemm.removeLikelyAttr();
      auto *equal = llvm::find_if(kept, [&](KernelOp other) { return areEqual(kernel, other); });
      if (equal == kept.end()) {
        kept.push_back(kernel);
        continue;
      }
      merged[kernel.getSymNameAttr()] = FlatSymbolRefAttr::get(equal->getSymNameAttr());
      kernel.erase();
    }
    module.walk([&](LaunchOp launch) {
      if (FlatSymbolRefAttr name = merged.lookup(launch.getKernelAttr().getAttr()))
        launch.setKernelAttr(name);
    });
    numMerged += merged.size();
  }
};
} // namespace
