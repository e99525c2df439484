// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which block and which thread this is.

#include "KernelValues.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

namespace {
struct ConvertLane : KernelPattern<qtile::LaneOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LaneOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, kernels.of(op).lane);
    return success();
  }
};

struct ConvertThread : KernelPattern<qtile::ThreadOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::ThreadOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, kernels.of(op).thread);
    return success();
  }
};

/// A special register of the chip.
template <typename OpT, typename RegisterOpT> struct ConvertRegister : KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, RegisterOpT::create(rewriter, op.getLoc(), rewriter.getI32Type()));
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateIndexPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         const Kernels &kernels) {
  patterns.add<ConvertLane, ConvertThread, ConvertRegister<qtile::BlockOp, NVVM::BlockIdXOp>,
               ConvertRegister<qtile::BlocksOp, NVVM::GridDimXOp>,
               ConvertRegister<qtile::RankOp, NVVM::BlockInClusterIdXOp>>(types, patterns.getContext(),
                                                                          kernels);
}
