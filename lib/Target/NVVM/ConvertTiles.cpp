// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory on the way of a result to memory, and named barriers.

#include "KernelValues.h"

#include "fp8-opt/Layout/Layouts.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// Chunks that are exchanged within a row of a panel.
constexpr int64_t chunksPerRow = panelBytes / chunkBytes;
/// Columns of elements of 16 bits in a chunk.
constexpr int64_t chunkColumns = chunkBytes / 2;

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

/// Of 16 bits four 8x8 matrices at a time: 16 rows of a warp, 16 columns. Of f32 each thread writes its own
/// two columns of a row.
struct ConvertStageFragment : KernelPattern<qtile::StageFragmentOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StageFragmentOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    if (op.getTile().getType().getElementType().isF32())
      stageWide(write, op, adaptor);
    else
      stageMatrices(write, op, adaptor);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Eight columns are two chunks, of which the thread with columns 2p and 2p + 1 has half of number p / 2.
  void stageWide(Writer &write, qtile::StageFragmentOp op, OpAdaptor adaptor) const {
    const KernelValues &values = kernels.of(op);
    SmallVector<Value> registers = write.parts(adaptor.getFragment());
    Value rowInEight = write.shiftRight(values.lane, 2), pair = write.bitAnd(values.lane, 3);
    Value row = write.add(rowInEight, write.shiftLeft(write.bitAnd(values.warp, 3), 4));
    Value chunk = write.bitXor(write.shiftRight(pair, 1), rowInEight);
    Value start = write.add(adaptor.getTile(), write.multiply(write.add(adaptor.getRow(), row), panelBytes));
    start = write.add(start, write.multiply(write.bitAnd(pair, 1), chunkBytes / 2));
    int64_t panel = op.getTile().getType().getRows() * panelBytes;
    for (size_t i = 0; i < registers.size(); i += 2) {
      // Registers are in the order of 8 columns, then the row 8 below, then two columns.
      int64_t columns = i / 4, below = i / 2 % 2, chunks = columns % (chunksPerRow / 2) * 2;
      Value address = write.add(start, write.multiply(write.bitXor(chunk, chunks), chunkBytes));
      address = write.add(address, columns / (chunksPerRow / 2) * panel + below * exchangeRows * panelBytes);
      LLVM::StoreOp::create(write.builder, write.loc, pairOf(write, registers, i),
                            write.sharedPointer(address), /*alignment=*/chunkBytes / 2);
    }
  }

  void stageMatrices(Writer &write, qtile::StageFragmentOp op, OpAdaptor adaptor) const {
    const KernelValues &values = kernels.of(op);
    SmallVector<Value> registers = write.parts(adaptor.getFragment());
    // Thread l gives the address of row l mod 16, in the left or the right half of the 16 columns.
    Value rowInEight = write.bitAnd(values.lane, 7);
    Value row = write.bitAnd(values.lane, 15);
    // 64 rows are a warpgroup's, of which each warp has 16; else they are this warp's.
    if (op.getFragment().getType().getRows() == 64)
      row = write.add(row, write.shiftLeft(write.bitAnd(values.warp, 3), 4));
    Value chunk = write.bitXor(write.shiftRight(values.lane, 4), rowInEight);
    Value start = write.add(adaptor.getTile(), write.multiply(write.add(adaptor.getRow(), row), panelBytes));
    int64_t panel = op.getTile().getType().getRows() * panelBytes;
    for (int64_t column = 0, end = op.getFragment().getType().getColumns(); column < end;
         column += 2 * chunkColumns) {
      int64_t chunks = column / chunkColumns % chunksPerRow;
      Value address = write.add(write.add(start, write.multiply(write.bitXor(chunk, chunks), chunkBytes)),
                                column / chunkColumns / chunksPerRow * panel);
      int64_t matrices = std::min<int64_t>(4, 2 * ((end - column) / chunkColumns));
      SmallVector<Value> sources;
      for (int64_t matrix = 0; matrix < matrices; ++matrix)
        sources.push_back(roundPair(write, op.getTile().getType().getElementType(), registers,
                                    (column / chunkColumns + matrix / 2) * 4 + matrix % 2 * 2));
      NVVM::StMatrixOp::create(write.builder, op.getLoc(), write.sharedPointer(address), sources,
                               NVVM::MMALayout::row, NVVM::LdStMatrixShapeAttr::get(op.getContext(), 8, 8),
                               NVVM::LdStMatrixEltType::B16);
    }
  }

  /// Registers i and i + 1.
  static Value pairOf(Writer &write, ArrayRef<Value> registers, int64_t i) {
    Value pair =
        LLVM::UndefOp::create(write.builder, write.loc, VectorType::get(2, write.builder.getF32Type()));
    for (int64_t part : {0, 1})
      pair = LLVM::InsertElementOp::create(write.builder, write.loc, pair, registers[i + part],
                                           write.constant(part));
    return pair;
  }

  /// The same as two elements of 16 bits in one register.
  static Value roundPair(Writer &write, Type element, ArrayRef<Value> registers, int64_t i) {
    Type narrow = VectorType::get(2, element);
    Value rounded = LLVM::FPTruncOp::create(write.builder, write.loc, narrow, pairOf(write, registers, i));
    return LLVM::BitcastOp::create(write.builder, write.loc, write.builder.getI32Type(), rounded);
  }
};
} // namespace

void fp8opt::nvvm::populateTilePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        const Kernels &kernels) {
  patterns.add<ConvertAlloc, ConvertSubtile, ConvertBarriers, ConvertStageFragment,
               ConvertBarrierUse<qtile::SyncOp, NVVM::BarrierOp>,
               ConvertBarrierUse<qtile::ArriveOp, NVVM::BarrierArriveOp>>(types, patterns.getContext(),
                                                                          kernels);
}
