// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of one launch: how many tiles they have, and which of them a tile is of.

#include "GemmKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

namespace {
/// Rows or elements along the contraction from `begin` to `end`.
struct Bounds {
  Value begin, end;
};
} // namespace

static Bounds loadBounds(GemmKernel &kernel, Value group) {
  IndexEmitter &emit = kernel.emit;
  auto load = [&](Value number) -> Value {
    return LoadOp::create(emit.builder, emit.loc, emit.builder.getI32Type(), kernel.gemm.getBounds(),
                          emit.widen(number), /*count=*/Value(), /*aligned=*/false);
  };
  if (kernel.gemm.getGrouping() == Grouping::CountedRows)
    return {emit.constant(0), load(group)};
  Value first = emit.mul(group, 2);
  return {load(first), load(emit.add(first, 1))};
}

static Value countRowTiles(GemmKernel &kernel, const Bounds &rows) {
  return kernel.emit.ceilDiv(kernel.emit.sub(rows.end, rows.begin), kernel.schedule.getTile()[0]);
}

Value fp8opt::countTiles(GemmKernel &kernel) {
  IndexEmitter &emit = kernel.emit;
  std::optional<Grouping> grouping = kernel.gemm.getGrouping();
  if (!hasGroupsOfRows(kernel.gemm)) {
    Value ofProduct = emit.mul(kernel.rowTiles, kernel.columnTiles);
    return grouping ? emit.mul(ofProduct, kernel.gemm.getGroups()) : ofProduct;
  }
  auto addGroup = [&](Value group, ValueRange sum) -> SmallVector<Value> {
    return {emit.add(sum.front(), countRowTiles(kernel, loadBounds(kernel, group)))};
  };
  Value rowTiles =
      writeLoop(emit, emit.constant(0), kernel.gemm.getGroups(), emit.constant(1), emit.constant(0), addGroup)
          .front();
  return emit.mul(rowTiles, kernel.columnTiles);
}

SmallVector<Value> fp8opt::firstGroup(GemmKernel &kernel) {
  if (!hasGroupsOfRows(kernel.gemm))
    return {};
  return {kernel.emit.constant(0), kernel.emit.constant(0)};
}

/// A group has tiles as it has rows: from the group of the tile before on, until one has this tile. `state`
/// is that group and its first tile, and becomes those of this tile.
static ProductOfTile walkGroups(GemmKernel &kernel, Value number, SmallVectorImpl<Value> &state) {
  IndexEmitter &emit = kernel.emit;
  Type i32 = emit.builder.getI32Type();
  auto isBehind = [&](OpBuilder &builder, Location loc, ValueRange values) {
    Value group = values[0], first = values[1];
    Bounds rows = loadBounds(kernel, group);
    Value end = emit.add(first, emit.mul(countRowTiles(kernel, rows), kernel.columnTiles));
    Value condition = emit.compare(arith::CmpIPredicate::uge, number, end);
    scf::ConditionOp::create(builder, loc, condition, ValueRange{group, first, end, rows.begin, rows.end});
  };
  auto next = [&](OpBuilder &builder, Location loc, ValueRange values) {
    scf::YieldOp::create(builder, loc, ValueRange{emit.add(values[0], 1), values[2]});
  };
  auto walk = scf::WhileOp::create(emit.builder, emit.loc, SmallVector<Type>(5, i32), state, isBehind, next);
  state.assign({walk.getResult(0), walk.getResult(1)});
  Bounds rows = {walk.getResult(3), walk.getResult(4)};
  ProductOfTile product;
  product.number = emit.sub(number, state[1]);
  product.rowTiles = countRowTiles(kernel, rows);
  product.rhs = state[0];
  product.resultEnd = rows.end;
  product.blocks = product.stages = kernel.contractionBlocks;
  if (kernel.gemm.getGrouping() == Grouping::Rows) {
    product.lhsRow = product.resultRow = rows.begin;
  } else {
    product.lhs = product.result = state[0];
    product.resultRow = emit.mul(state[0], kernel.gemm.getM());
    product.resultEnd = emit.add(product.resultRow, rows.end);
  }
  return product;
}

/// Where scales are loaded before the loop over the contraction, a stage is waited for: an empty group has
/// one that nobody multiplies.
static void boundContraction(GemmKernel &kernel, Value group, ProductOfTile &product) {
  IndexEmitter &emit = kernel.emit;
  Bounds elements = loadBounds(kernel, group);
  int64_t ofPanel = kernel.tiles.operands.getTiles().front().getColumns();
  product.blocks = emit.ceilDiv(emit.sub(elements.end, elements.begin), ofPanel);
  product.firstBlock = emit.min(emit.div(elements.begin, ofPanel), emit.sub(kernel.contractionBlocks, 1));
  product.isEmpty = emit.isEqual(product.blocks, 0);
  product.stages = isPromoted(kernel.gemm) ? emit.select(product.isEmpty, emit.constant(1), product.blocks)
                                           : product.blocks;
}

ProductOfTile fp8opt::findProduct(GemmKernel &kernel, Value number, SmallVectorImpl<Value> &state) {
  IndexEmitter &emit = kernel.emit;
  std::optional<Grouping> grouping = kernel.gemm.getGrouping();
  if (hasGroupsOfRows(kernel.gemm))
    return walkGroups(kernel, number, state);
  ProductOfTile product;
  product.number = number;
  product.rowTiles = kernel.rowTiles;
  product.resultEnd = kernel.gemm.getM();
  product.blocks = product.stages = kernel.contractionBlocks;
  if (!grouping)
    return product;
  Value ofProduct = emit.mul(kernel.rowTiles, kernel.columnTiles);
  Value group = emit.div(number, ofProduct);
  product.number = emit.rem(number, ofProduct);
  product.result = group;
  product.resultRow = emit.mul(group, kernel.gemm.getM());
  product.resultEnd = emit.add(product.resultRow, kernel.gemm.getM());
  if (grouping == Grouping::Contraction)
    boundContraction(kernel, group, product);
  else
    product.lhs = product.rhs = group;
  return product;
}
