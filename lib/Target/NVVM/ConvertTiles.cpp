// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory on the way of a result to memory, copies of their panels, and named barriers.

#include "KernelValues.h"

#include "fp8-opt/Layout/Layouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

namespace {
struct ConvertAlloc : KernelPattern<qtile::AllocOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::AllocOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    rewriter.replaceOp(op, write.add(kernels.of(op).shared, *op.getOffset()));
    return success();
  }
};

struct ConvertSubtile : KernelPattern<qtile::SubtileOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::SubtileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, write.add(adaptor.getTile(), write.multiply(adaptor.getIndex(), op.getType().getBytes())));
    return success();
  }
};

struct ConvertBarriers : KernelPattern<qtile::BarriersOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::BarriersOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, Writer(rewriter, op.getLoc()).constant(*op.getFirst()));
    return success();
  }
};

template <typename OpT, typename BarrierOpT> struct ConvertBarrierUse : KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value number = write.add(adaptor.getBarriers(), adaptor.getIndex());
    Value threads = write.constant(op.getBarriers().getType().getThreads());
    create(write, number, threads);
    rewriter.eraseOp(op);
    return success();
  }

private:
  static void create(Writer &write, Value number, Value threads) {
    if constexpr (std::is_same_v<BarrierOpT, NVVM::BarrierOp>)
      NVVM::BarrierOp::create(write.builder, write.loc, TypeRange(), number, threads,
                              NVVM::BarrierReductionAttr(), Value());
    else
      NVVM::BarrierArriveOp::create(write.builder, write.loc, number, threads);
  }
};

/// The copy engine reads by another way than threads write.
struct ConvertCopyFence : KernelPattern<qtile::CopyFenceOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::CopyFenceOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = op.getContext();
    rewriter.replaceOpWithNewOp<NVVM::FenceProxyOp>(
        op, NVVM::ProxyKindAttr::get(context, NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta));
    return success();
  }
};

/// A panel at a time, each one run; the copies are waited for until they have read the tile.
struct ConvertStorePanels : KernelPattern<qtile::StorePanelsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StorePanelsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    qtile::SharedType tile = op.getTile().getType();
    Value bytes = write.multiply(op.getCount(), panelBytes);
    for (int64_t panel = 0, end = tile.getBytesPerRow() / panelBytes; panel < end; ++panel) {
      OpBuilder::InsertionGuard guard(rewriter);
      // The first one is always there.
      if (panel)
        rewriter.setInsertionPointToStart(
            scf::IfOp::create(rewriter, op.getLoc(), write.isBelow(write.constant(panel), op.getPanels()),
                              /*withElseRegion=*/false)
                .thenBlock());
      Value line = write.add(op.getLine(), write.multiply(op.getApart(), write.constant(panel)));
      Value to = write.element(adaptor.getInto(), write.multiply(write.widen(line), panelBytes),
                               rewriter.getI8Type());
      Value from = write.sharedPointer(write.add(adaptor.getTile(), panel * tile.getRows() * panelBytes));
      NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(rewriter, op.getLoc(), to, from, bytes,
                                                   /*l2CacheHint=*/Value(), /*byteMask=*/Value());
    }
    NVVM::CpAsyncBulkCommitGroupOp::create(rewriter, op.getLoc());
    NVVM::CpAsyncBulkWaitGroupOp::create(rewriter, op.getLoc(), /*group=*/uint32_t(0),
                                         /*read=*/rewriter.getUnitAttr());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateTilePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        const Kernels &kernels) {
  patterns.add<ConvertAlloc, ConvertSubtile, ConvertBarriers, ConvertCopyFence, ConvertStorePanels,
               ConvertBarrierUse<qtile::SyncOp, NVVM::BarrierOp>,
               ConvertBarrierUse<qtile::ArriveOp, NVVM::BarrierArriveOp>>(types, patterns.getContext(),
                                                                          kernels);
}
