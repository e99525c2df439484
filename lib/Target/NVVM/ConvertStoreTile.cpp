// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a tile in panels to a row-major matrix. It is run beside a loop that multiplies, whose time it must
// not take: what does not change is computed once, loads go before stores, and the assembler does not unroll.

#include "KernelValues.h"

#include "fp8-opt/Layout/Layouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

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
    Value exchanged = write.bitXor(chunk, write.bitAnd(first, exchangeRows - 1));
    Value tileStart = write.add(adaptor.getTile(), write.multiply(first, panelBytes));
    scf::ForOp panels = loop(llvm::divideCeil(tile.getBytesPerRow(), panelBytes), 1, {});
    Value panel = panels.getInductionVar();
    Value column = write.add(write.add(op.getColumn(), write.multiply(panel, chunksPerRow * elements)),
                             write.multiply(chunk, elements));
    Value from = write.add(write.add(tileStart, write.multiply(panel, tile.getRows() * panelBytes)),
                           write.shiftLeft(exchanged, llvm::Log2_64(chunkBytes)));
    if (!byChunks)
      return storeElementRows({from, row, column, rows, write.subtract(end, column)});
    // Whoever has no column has no row either: one comparison in the loop.
    Value none = write.constant(0);
    storeChunkRows({from, row, column, write.select(write.isBelow(column, end), rows, none), Value()});
  }

  /// Of the matrix, or of the tile where its last panel is in use in part.
  Value endOfColumns() {
    if (tile.getBytesPerRow() % panelBytes == 0)
      return op.getN();
    Value end = write.add(op.getColumn(), tile.getColumns());
    return write.select(write.isBelow(end, op.getN()), end, op.getN());
  }

  /// Of a thread in a panel: the address of its first chunk, where that belongs, and what is left of the
  /// matrix from there.
  struct Part {
    Value from, row, column, rows, columns;
  };

  Value target(Value row, Value column) {
    Value offset = write.multiply(write.widen(row), write.widen(op.getN()));
    return write.element(adaptor.getInto(), write.add(offset, write.widen(column)), element);
  }

  void storeChunkRows(Part part) {
    int64_t step = op.getAtOnce() * rowsAtOnce;
    assert(step % exchangeRows == 0 && "a thread's rows of a turn repeat their exchange in the next");
    Value stride = write.multiply(write.widen(op.getN()), rowsAtOnce);
    scf::ForOp turns = loop(tile.getRows(), step, target(part.row, part.column));
    Value turn = turns.getInductionVar(), to = turns.getRegionIterArgs()[0];
    Value address = write.add(part.from, write.multiply(turn, panelBytes));
    SmallVector<Value> values;
    for (int64_t row = 0; row < step; row += rowsAtOnce)
      // The exchange of this row and of the first one differ by the rows between them, if those are fewer
      // than 8.
      values.push_back(
          load(write.add(write.bitXor(address, row % exchangeRows * chunkBytes), row * panelBytes)));
    for (auto [i, value] : llvm::enumerate(values)) {
      Value inside = write.isBelowSigned(write.add(turn, i * rowsAtOnce), part.rows);
      if (op.getAccumulate())
        addChunk(value, to, inside);
      else
        storeChunk(value, to, inside);
      to = write.element(to, stride, element);
    }
    scf::YieldOp::create(write.builder, write.loc, to);
  }

  /// A row a turn and an address a row: slower, with fewer registers.
  void storeElementRows(Part part) {
    Value turn = loop(tile.getRows(), rowsAtOnce, {}).getInductionVar();
    Value exchange = write.multiply(write.bitAnd(turn, exchangeRows - 1), chunkBytes);
    Value address = write.bitXor(write.add(part.from, write.multiply(turn, panelBytes)), exchange);
    Value inside = write.isBelowSigned(turn, part.rows);
    storeElements(load(address), target(write.add(part.row, turn), part.column),
                  write.select(inside, part.columns, write.constant(0)));
  }

  Value load(Value address) {
    Type words = VectorType::get(4, write.builder.getI32Type());
    return LLVM::LoadOp::create(write.builder, write.loc, words, write.sharedPointer(address),
                                /*alignment=*/chunkBytes);
  }

  /// One instruction under a predicate: of a branch, LLVM would move the load behind it.
  void storeChunk(Value words, Value to, Value inside) {
    SmallVector<Value> operands = {to};
    for (int64_t i = 0; i < 4; ++i)
      operands.push_back(LLVM::ExtractElementOp::create(write.builder, write.loc, words, write.constant(i)));
    StringAttr instruction =
        write.builder.getStringAttr("st.global.v4.b32 [{$r0}], {{$r1}, {$r2}, {$r3}, {$r4}};");
    NVVM::InlinePtxOp::create(write.builder, write.loc, TypeRange(), operands, ValueRange(), instruction,
                              inside);
  }

  /// Adds a chunk of f32 to what lies there.
  void addChunk(Value words, Value to, Value inside) {
    OpBuilder::InsertionGuard guard(write.builder);
    auto branch = scf::IfOp::create(write.builder, write.loc, inside, /*withElseRegion=*/false);
    write.builder.setInsertionPointToStart(branch.thenBlock());
    Type numbers = VectorType::get(elements, element);
    Value sum = add(LLVM::BitcastOp::create(write.builder, write.loc, numbers, words), to, numbers);
    LLVM::StoreOp::create(write.builder, write.loc, sum, to, /*alignment=*/chunkBytes);
  }

  /// What lies at `to` and a number, or numbers, of this type.
  Value add(Value number, Value to, Type type) {
    const unsigned alignment = isa<VectorType>(type) ? chunkBytes : element.getIntOrFloatBitWidth() / 8;
    Value there = LLVM::LoadOp::create(write.builder, write.loc, type, to, alignment);
    return LLVM::FAddOp::create(write.builder, write.loc, there, number);
  }

  /// The first `end` elements of a chunk.
  void storeElements(Value words, Value to, Value end) {
    Type stored = write.builder.getIntegerType(element.getIntOrFloatBitWidth());
    Value values =
        LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(elements, stored), words);
    for (int64_t i = 0; i < elements; ++i) {
      OpBuilder::InsertionGuard guard(write.builder);
      auto branch = scf::IfOp::create(write.builder, write.loc, write.isBelowSigned(write.constant(i), end),
                                      /*withElseRegion=*/false);
      write.builder.setInsertionPointToStart(branch.thenBlock());
      Value value = LLVM::ExtractElementOp::create(write.builder, write.loc, values, write.constant(i));
      Value place = write.element(to, write.constant(i, 64), stored);
      if (op.getAccumulate())
        value = add(LLVM::BitcastOp::create(write.builder, write.loc, element, value), place, element);
      LLVM::StoreOp::create(write.builder, write.loc, value, place);
    }
  }

  /// Up to a constant, in the body of which ops are then written. The assembler would unroll it and spill.
  scf::ForOp loop(int64_t end, int64_t step, ValueRange carried) {
    auto loop = scf::ForOp::create(write.builder, write.loc, write.constant(0), write.constant(end),
                                   write.constant(step), carried);
    auto unroll = LLVM::LoopUnrollAttr::get(op.getContext(), /*disable=*/write.builder.getBoolAttr(true), {},
                                            {}, {}, {}, {}, {});
    // The branch back takes it over by the name that it has there.
    OperationName branch(LLVM::BrOp::getOperationName(), op.getContext());
    loop->setDiscardableAttr(LLVM::BrOp::getLoopAnnotationAttrName(branch),
                             LLVM::LoopAnnotationAttr::get(op.getContext(), {}, {}, {}, unroll, {}, {}, {},
                                                           {}, {}, {}, {}, {}, {}, {}, {}));
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
