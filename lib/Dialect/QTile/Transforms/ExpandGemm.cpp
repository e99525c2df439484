// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the roles of matrix products.

#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Kernels/Gemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_EXPANDGEMMPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
struct ExpandGemmPass : qtile::impl::ExpandGemmPassBase<ExpandGemmPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      for (auto gemm : llvm::make_early_inc_range(kernel.getBody().getOps<GemmOp>())) {
        if (failed(expandGemm(gemm)))
          return signalPassFailure();
        ++numExpanded;
      }
  }
};
} // namespace
