// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory on the way of a result to memory, and named barriers.

#include "KernelValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// A row of a panel, and the chunks in it that are exchanged.
constexpr int64_t rowBytes = 128, chunkBytes = 16, chunksPerRow = rowBytes / chunkBytes;
/// Rows that a loop of a store does at a time, for each of its threads.
constexpr int64_t storeUnroll = 4;
/// Columns of bf16 in a chunk.
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

/// Four 8x8 matrices at a time: 16 rows of a warp, 16 columns.
struct ConvertStageFragment : KernelPattern<qtile::StageFragmentOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StageFragmentOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    const KernelValues &values = kernels.of(op);
    SmallVector<Value> registers = write.parts(adaptor.getFragment());
    // Thread l gives the address of row l mod 16, in the left or the right half of the 16 columns.
    Value rowInEight = write.bitAnd(values.lane, 7);
    Value row = write.add(write.bitAnd(values.lane, 15), write.shiftLeft(write.bitAnd(values.warp, 3), 4));
    Value chunk = write.bitXor(write.shiftRight(values.lane, 4), rowInEight);
    Value start = write.add(adaptor.getTile(), write.multiply(write.add(adaptor.getRow(), row), rowBytes));
    int64_t panel = op.getTile().getType().getRows() * rowBytes;
    for (int64_t column = 0, end = op.getFragment().getType().getColumns(); column < end;
         column += 2 * chunkColumns) {
      int64_t chunks = column / chunkColumns % chunksPerRow;
      Value address = write.add(write.add(start, write.multiply(write.bitXor(chunk, chunks), chunkBytes)),
                                column / chunkColumns / chunksPerRow * panel);
      int64_t matrices = std::min<int64_t>(4, 2 * ((end - column) / chunkColumns));
      SmallVector<Value> sources;
      for (int64_t matrix = 0; matrix < matrices; ++matrix)
        sources.push_back(
            roundPair(write, registers, (column / chunkColumns + matrix / 2) * 4 + matrix % 2 * 2));
      NVVM::StMatrixOp::create(rewriter, op.getLoc(), write.sharedPointer(address), sources,
                               NVVM::MMALayout::row, NVVM::LdStMatrixShapeAttr::get(op.getContext(), 8, 8),
                               NVVM::LdStMatrixEltType::B16);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Registers i and i + 1 as two bf16 in one register.
  static Value roundPair(Writer &write, ArrayRef<Value> registers, int64_t i) {
    Type wide = VectorType::get(2, write.builder.getF32Type()),
         narrow = VectorType::get(2, write.builder.getBF16Type());
    Value pair = LLVM::UndefOp::create(write.builder, write.loc, wide);
    for (int64_t part : {0, 1})
      pair = LLVM::InsertElementOp::create(write.builder, write.loc, pair, registers[i + part],
                                           write.constant(part));
    Value rounded = LLVM::FPTruncOp::create(write.builder, write.loc, narrow, pair);
    return LLVM::BitcastOp::create(write.builder, write.loc, write.builder.getI32Type(), rounded);
  }
};

/// Chunks of 16 bytes: eight threads a row, so that a warp writes whole lines.
struct ConvertStoreTile : KernelPattern<qtile::StoreTileOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StoreTileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    qtile::SharedType tile = op.getTile().getType();
    int64_t width = tile.getElementType().getIntOrFloatBitWidth() / 8;
    // A row of the matrix starts at a multiple of 16 bytes only if its length is one.
    Value isWhole = write.equal(write.bitAnd(op.getN(), chunkBytes / width - 1), 0);
    auto branch = scf::IfOp::create(rewriter, op.getLoc(), isWhole, /*withElseRegion=*/true);
    for (bool byChunks : {true, false}) {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(byChunks ? branch.thenBlock() : branch.elseBlock());
      storePanels(write, op, adaptor, byChunks);
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  struct Chunk {
    Value address, row, column;
  };

  /// Of the matrix, or of the tile where its last panel is in use in part.
  static Value endOfColumns(Writer &write, qtile::StoreTileOp op) {
    qtile::SharedType tile = op.getTile().getType();
    if (tile.getBytesPerRow() % rowBytes == 0)
      return op.getN();
    Value end = write.add(op.getColumn(), tile.getColumns());
    return write.select(write.isBelow(end, op.getN()), end, op.getN());
  }

  static Value loop(Writer &write, int64_t end, int64_t step) {
    auto loop = scf::ForOp::create(write.builder, write.loc, write.constant(0), write.constant(end),
                                   write.constant(step));
    write.builder.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  }

  static void storePanels(Writer &write, qtile::StoreTileOp op, OpAdaptor adaptor, bool byChunks) {
    qtile::SharedType tile = op.getTile().getType();
    int64_t elements = chunkBytes * 8 / tile.getElementType().getIntOrFloatBitWidth();
    int64_t rowsAtOnce = op.getThreads() / chunksPerRow;
    Value chunk = write.bitAnd(op.getThread(), chunksPerRow - 1),
          first = write.shiftRight(op.getThread(), llvm::Log2_64(chunksPerRow));
    Value panel = loop(write, llvm::divideCeil(tile.getBytesPerRow(), rowBytes), 1);
    Value column = write.add(write.add(op.getColumn(), write.multiply(panel, chunksPerRow * elements)),
                             write.multiply(chunk, elements));
    Value start = write.add(adaptor.getTile(), write.multiply(panel, tile.getRows() * rowBytes));
    int64_t unroll = std::max<int64_t>(1, std::min(storeUnroll, tile.getRows() / rowsAtOnce));
    Value block = loop(write, tile.getRows(), unroll * rowsAtOnce);
    for (int64_t i = 0; i < unroll; ++i) {
      Value row = write.add(write.add(block, first), i * rowsAtOnce);
      Value exchanged = write.bitXor(chunk, write.bitAnd(row, chunksPerRow - 1));
      Value address =
          write.add(write.add(start, write.multiply(row, rowBytes)), write.multiply(exchanged, chunkBytes));
      storeChunk(write, op, adaptor, {address, write.add(op.getRow(), row), column}, byChunks);
    }
  }

  static void storeChunk(Writer &write, qtile::StoreTileOp op, OpAdaptor adaptor, Chunk chunk,
                         bool byChunks) {
    Type words = VectorType::get(4, write.builder.getI32Type());
    Value value = LLVM::LoadOp::create(write.builder, write.loc, words, write.sharedPointer(chunk.address),
                                       /*alignment=*/chunkBytes);
    Value inside = write.isBelow(chunk.row, op.getM());
    if (byChunks)
      inside = arith::AndIOp::create(write.builder, write.loc, inside,
                                     write.isBelow(chunk.column, endOfColumns(write, op)));
    OpBuilder::InsertionGuard guard(write.builder);
    auto branch = scf::IfOp::create(write.builder, write.loc, inside, /*withElseRegion=*/false);
    write.builder.setInsertionPointToStart(branch.thenBlock());
    Value offset =
        arith::MulIOp::create(write.builder, write.loc, write.widen(chunk.row), write.widen(op.getN()));
    offset = write.add(offset, write.widen(chunk.column));
    Type element = op.getInto().getType().getElementType();
    if (byChunks)
      LLVM::StoreOp::create(write.builder, write.loc, value,
                            write.element(adaptor.getInto(), offset, element), /*alignment=*/chunkBytes);
    else
      storeElements(write, op, adaptor, value, offset, chunk.column);
  }

  static void storeElements(Writer &write, qtile::StoreTileOp op, OpAdaptor adaptor, Value words,
                            Value offset, Value column) {
    unsigned bits = op.getInto().getType().getElementType().getIntOrFloatBitWidth();
    Type element = write.builder.getIntegerType(bits);
    int64_t count = chunkBytes * 8 / bits;
    Value elements =
        LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(count, element), words);
    for (int64_t i = 0; i < count; ++i) {
      OpBuilder::InsertionGuard guard(write.builder);
      Value inside = write.isBelow(write.add(column, i), endOfColumns(write, op));
      auto branch = scf::IfOp::create(write.builder, write.loc, inside, /*withElseRegion=*/false);
      write.builder.setInsertionPointToStart(branch.thenBlock());
      Value one = LLVM::ExtractElementOp::create(write.builder, write.loc, elements, write.constant(i));
      LLVM::StoreOp::create(write.builder, write.loc, one,
                            write.element(adaptor.getInto(), write.add(offset, i), element));
    }
  }
};
} // namespace

void fp8opt::nvvm::populateTilePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        const Kernels &kernels) {
  patterns.add<ConvertAlloc, ConvertSubtile, ConvertBarriers, ConvertStageFragment, ConvertStoreTile,
               ConvertBarrierUse<qtile::SyncOp, NVVM::BarrierOp>,
               ConvertBarrierUse<qtile::ArriveOp, NVVM::BarrierArriveOp>>(types, patterns.getContext(),
                                                                          kernels);
}
