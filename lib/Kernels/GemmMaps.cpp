// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row-major operands of a matrix product: their descriptions to the copy engine, and copies of their tiles.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

/// What runs along rows of the product and along its contraction, in the order in which the operand lies.
static std::pair<Value, Value> inOrder(OperandLayout layout, Value ofRows, Value ofContraction) {
  if (layout == OperandLayout::Transposed)
    return {ofContraction, ofRows};
  return {ofRows, ofContraction};
}

/// Rows along the contraction must be zeros where there are none; others are multiplied for nobody.
static Value writeMap(GemmKernel &kernel, Value operand, OperandLayout layout, std::pair<Value, Value> sizes,
                      ValueRange strides, unsigned number) {
  IndexEmitter &emit = kernel.emit;
  SharedType tile = kernel.tiles.operands.getTiles()[number];
  Value place = emit.add(emit.mul(kernel.block, mapsOfBlock), number);
  SmallVector<Value> outer;
  if (Value inner = kernel.gemm.getInner())
    outer = {inner, emit.div(kernel.gemm.getGroups(), inner)};
  auto type = TensorMapType::get(tile.getContext(), tile, outer.size());
  // What results are staged in is not used before the first operands are there.
  return TensorMapOp::create(emit.builder, emit.loc, type, operand, sizes.first, sizes.second, outer, strides,
                             /*clip=*/layout == OperandLayout::RowMajor, kernel.gemm.getMaps(), place,
                             kernel.staging);
}

void fp8opt::writeMaps(GemmKernel &kernel) {
  GemmOp gemm = kernel.gemm;
  OperandLayout lhs = gemm.getLhsLayout(), rhs = gemm.getRhsLayout();
  if (lhs != OperandLayout::Panels)
    kernel.lhsMap =
        writeMap(kernel, gemm.getLhs(), lhs, inOrder(lhs, gemm.getM(), gemm.getK()), gemm.getLhsStrides(), 0);
  if (rhs != OperandLayout::Panels)
    kernel.rhsMap =
        writeMap(kernel, gemm.getRhs(), rhs, inOrder(rhs, gemm.getN(), gemm.getK()), gemm.getRhsStrides(), 1);
}

SmallVector<Value> fp8opt::findMatrix(GemmKernel &kernel, const ProductOfTile &product) {
  Value inner = kernel.gemm.getInner();
  if (!inner)
    return {};
  return {kernel.emit.rem(product.lhs, inner), kernel.emit.div(product.lhs, inner)};
}

SmallVector<TileCopy> fp8opt::operandTileCopies(GemmKernel &kernel, ResultTile tile, ArrayRef<Value> matrix,
                                                Value block) {
  GemmOp gemm = kernel.gemm;
  SmallVector<TileCopy> copies;
  if (!gemm.getMaps())
    return copies;
  Value contracted = kernel.emit.mul(block, getContractionOfStage(gemm.getLhs().getType()));
  auto lhs = inOrder(gemm.getLhsLayout(), tile.row, contracted);
  auto rhs = inOrder(gemm.getRhsLayout(), tile.column, contracted);
  if (kernel.lhsMap)
    copies.push_back({kernel.lhsMap, lhs.first, lhs.second, 0, matrix});
  if (kernel.rhsMap)
    copies.push_back({kernel.rhsMap, rhs.first, rhs.second, 1, matrix});
  return copies;
}
