// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a tile in panels to a row-major matrix. It is run beside a loop that multiplies, whose time it must
// not take: what does not change is computed once, loads go before stores, and the assembler does not unroll.

#include "KernelValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// A row of a panel, and the chunks in it that are exchanged by the row, over eight rows.
constexpr int64_t rowBytes = 128, chunkBytes = 16, chunksPerRow = rowBytes / chunkBytes, exchangeRows = 8;
/// Chunks that a thread has on the way at a time.
constexpr int64_t chunksAtOnce = 4;

namespace {
/// Eight threads a row, so that a warp writes whole lines. Thread t has chunk t mod 8 of rows t / 8, t / 8 +
/// threads / 8, ...
class TileStore {
public:
  TileStore(OpBuilder &builder, qtile::StoreTileOp op, qtile::StoreTileOp::Adaptor adaptor)
      : write(builder, op.getLoc()), op(op), adaptor(adaptor), tile(op.getTile().getType()),
        element(op.getInto().getType().getElementType()),
        elements(chunkBytes * 8 / element.getIntOrFloatBitWidth()),
        rowsAtOnce(op.getThreads() / chunksPerRow) {}

  void create() {
    // A row of the matrix starts at a multiple of 16 bytes only if its length is one.
    Value isWhole = write.equal(write.bitAnd(op.getN(), elements - 1), 0);
    chunk = write.bitAnd(op.getThread(), chunksPerRow - 1);
    first = write.shiftRight(op.getThread(), llvm::Log2_64(chunksPerRow));
    auto branch = scf::IfOp::create(write.builder, write.loc, isWhole, /*withElseRegion=*/true);
    for (bool byChunks : {true, false}) {
      OpBuilder::InsertionGuard guard(write.builder);
      write.builder.setInsertionPointToStart(byChunks ? branch.thenBlock() : branch.elseBlock());
      storePanels(byChunks);
    }
  }

private:
  void storePanels(bool byChunks) {
    Value row = write.add(op.getRow(), first);
    // Rows of the matrix from the thread's first on; as signed numbers, since there may be none.
    Value rows = write.subtract(op.getM(), row);
    Value end = endOfColumns();
    Value rowStart = write.multiply(write.widen(row), write.widen(op.getN()));
    Value tileStart = write.add(adaptor.getTile(), write.multiply(first, rowBytes));
    scf::ForOp panels = loop(llvm::divideCeil(tile.getBytesPerRow(), rowBytes), 1, {});
    Value panel = panels.getInductionVar();
    Value column = write.add(write.add(op.getColumn(), write.multiply(panel, chunksPerRow * elements)),
                             write.multiply(chunk, elements));
    // Whoever has no column has no row either: one comparison in the loop below.
    Value hasColumn = write.isBelow(column, end);
    Value start = write.add(tileStart, write.multiply(panel, tile.getRows() * rowBytes));
    Value to = write.element(adaptor.getInto(), write.add(rowStart, write.widen(column)), element);
    storeRows(byChunks, start, to, write.select(hasColumn, rows, write.constant(0)),
              write.subtract(end, column));
  }

  /// Of the matrix, or of the tile where its last panel is in use in part.
  Value endOfColumns() {
    if (tile.getBytesPerRow() % rowBytes == 0)
      return op.getN();
    Value end = write.add(op.getColumn(), tile.getColumns());
    return write.select(write.isBelow(end, op.getN()), end, op.getN());
  }

  /// One panel: `rows` of the matrix are left, `columns` of its columns.
  void storeRows(bool byChunks, Value start, Value to, Value rows, Value columns) {
    int64_t atOnce = std::max<int64_t>(1, std::min(chunksAtOnce, tile.getRows() / rowsAtOnce));
    int64_t step = atOnce * rowsAtOnce;
    assert(step % exchangeRows == 0 && "a thread's rows of a turn repeat their exchange in the next");
    SmallVector<Value> from;
    for (int64_t i = 0; i < atOnce; ++i) {
      Value exchanged = write.bitXor(chunk, write.bitAnd(write.add(first, i * rowsAtOnce), exchangeRows - 1));
      from.push_back(write.add(start, write.shiftLeft(exchanged, llvm::Log2_64(chunkBytes))));
    }
    Value stride = write.multiply(write.widen(op.getN()), rowsAtOnce);
    scf::ForOp turns = loop(tile.getRows(), step, to);
    Value turn = turns.getInductionVar(), pointer = turns.getRegionIterArgs()[0];
    SmallVector<Value> values;
    for (int64_t i = 0; i < atOnce; ++i)
      values.push_back(load(write.add(from[i], write.multiply(turn, rowBytes)), i * rowsAtOnce * rowBytes));
    for (auto [i, value] : llvm::enumerate(values)) {
      OpBuilder::InsertionGuard guard(write.builder);
      Value inside = write.isBelowSigned(write.add(turn, i * rowsAtOnce), rows);
      auto branch = scf::IfOp::create(write.builder, write.loc, inside, /*withElseRegion=*/false);
      Value target = pointer;
      pointer = write.element(pointer, stride, element);
      write.builder.setInsertionPointToStart(branch.thenBlock());
      if (byChunks)
        LLVM::StoreOp::create(write.builder, write.loc, value, target, /*alignment=*/chunkBytes);
      else
        storeElements(value, target, columns);
    }
    scf::YieldOp::create(write.builder, write.loc, pointer);
  }

  Value load(Value address, int64_t offset) {
    Type words = VectorType::get(4, write.builder.getI32Type());
    return LLVM::LoadOp::create(write.builder, write.loc, words,
                                write.sharedPointer(write.add(address, offset)), /*alignment=*/chunkBytes);
  }

  void storeElements(Value words, Value to, Value columns) {
    Type stored = write.builder.getIntegerType(element.getIntOrFloatBitWidth());
    Value values =
        LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(elements, stored), words);
    for (int64_t i = 0; i < elements; ++i) {
      OpBuilder::InsertionGuard guard(write.builder);
      Value inside = write.isBelowSigned(write.constant(i), columns);
      auto branch = scf::IfOp::create(write.builder, write.loc, inside, /*withElseRegion=*/false);
      write.builder.setInsertionPointToStart(branch.thenBlock());
      Value value = LLVM::ExtractElementOp::create(write.builder, write.loc, values, write.constant(i));
      LLVM::StoreOp::create(write.builder, write.loc, value,
                            write.element(to, write.constant(i, 64), stored));
    }
  }

  /// Up to a constant, in the body of which ops are then written. The assembler would unroll it and spill.
  scf::ForOp loop(int64_t end, int64_t step, ValueRange carried) {
    auto loop = scf::ForOp::create(write.builder, write.loc, write.constant(0), write.constant(end),
                                   write.constant(step), carried);
    auto unroll = LLVM::LoopUnrollAttr::get(op.getContext(), /*disable=*/write.builder.getBoolAttr(true), {},
                                            {}, {}, {}, {}, {});
    loop->setAttr("llvm.loop_annotation",
                  LLVM::LoopAnnotationAttr::get(op.getContext(), {}, {}, {}, unroll, {}, {}, {}, {}, {}, {},
                                                {}, {}, {}, {}, {}));
    write.builder.setInsertionPointToStart(loop.getBody());
    return loop;
  }

  Writer write;
  qtile::StoreTileOp op;
  qtile::StoreTileOp::Adaptor adaptor;
  qtile::SharedType tile;
  Type element;
  /// Of a chunk, and rows between those of a thread.
  int64_t elements, rowsAtOnce;
  Value chunk, first;
};

struct ConvertStoreTile : KernelPattern<qtile::StoreTileOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StoreTileOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    TileStore(rewriter, op, adaptor).create();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateStorePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         const Kernels &kernels) {
  patterns.add<ConvertStoreTile>(types, patterns.getContext(), kernels);
}
