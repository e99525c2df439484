// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the elements of a matrix product meet between the last product and the store: scales of rows and
// columns, alpha, numbers for columns; and the factor that codes are made under.

#include "GemmKernel.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

Value fp8opt::promoteAlone(GemmKernel &kernel, Value fragment, Value first, Value second, Value columns) {
  return PromoteOp::create(kernel.builder(), kernel.loc(), fragment.getType(), fragment,
                           ValueRange{first, second}, columns,
                           /*sum=*/Value());
}

// Factors.

/// Of an array that has a number for each matrix of a stack; `matrix` is null where there is one.
static Value loadCell(GemmKernel &kernel, Value cells, Value matrix) {
  Value offset = matrix ? kernel.emit.widen(matrix) : kernel.emit.widen(0);
  return LoadOp::create(kernel.builder(), kernel.loc(), kernel.builder().getF32Type(), cells, offset,
                        /*count=*/Value(), /*aligned=*/false);
}

/// The product of the scales of both operands, or what is given for it.
static Value loadAlpha(GemmKernel &kernel, const ProductOfTile &product) {
  GemmOp gemm = kernel.gemm;
  if (gemm.getAlpha())
    return loadCell(kernel, gemm.getAlpha(), product.rhs);
  if (gemm.getLhsScaling() != Scaling::Tensor)
    return {};
  return kernel.emit.mulF(loadCell(kernel, gemm.getLhsScales(), product.lhs),
                          loadCell(kernel, gemm.getRhsScales(), product.rhs));
}

static Value loadEncodeFactor(GemmKernel &kernel, const ProductOfTile &product) {
  GemmOp gemm = kernel.gemm;
  if (!gemm.getIntoScale())
    return {};
  ArithEmitter arith(kernel.builder(), kernel.loc());
  numerics::SchemeArithmetic<ArithEmitter> arithmetic(arith, gemm.getIntoScheme()->getNumerics(),
                                                      qt::formatOfExpressed(*gemm.getExpressed()));
  Value stored = arith.wordOfFloat(loadCell(kernel, gemm.getIntoScale(), product.result));
  return arith.floatOfWord(arithmetic.givenEncodeFactor({stored}), kernel.builder().getF32Type());
}

ResultFactors fp8opt::loadCommonFactors(GemmKernel &kernel) {
  ResultFactors common;
  if (!hasStacks(kernel.gemm))
    common.alpha = loadAlpha(kernel, ProductOfTile());
  if (!hasStackOfResults(kernel.gemm))
    common.encode = loadEncodeFactor(kernel, ProductOfTile());
  return common;
}

ResultFactors fp8opt::loadFactors(GemmKernel &kernel, const ProductOfTile &product, ResultFactors common) {
  if (hasStacks(kernel.gemm))
    common.alpha = loadAlpha(kernel, product);
  if (hasStackOfResults(kernel.gemm))
    common.encode = loadEncodeFactor(kernel, product);
  return common;
}

void fp8opt::multiplyByAlpha(GemmKernel &kernel, SmallVectorImpl<Value> &fragments, ResultFactors factors) {
  if (factors.alpha)
    for (Value &fragment : fragments)
      fragment = promoteAlone(kernel, fragment, factors.alpha, factors.alpha, /*columns=*/Value());
}

// Rows and columns.

static Value loadColumns(GemmKernel &kernel, Value tile) {
  OpBuilder &builder = kernel.builder();
  auto type = ColumnsType::get(builder.getContext(), kernel.schedule.getTile()[1], builder.getF32Type());
  return LoadColumnsOp::create(builder, kernel.loc(), type, tile);
}

namespace {
/// Scales of rows and columns of a tile, in registers.
struct RowScales {
  Value columns;
  SmallVector<LoadRowsOp> rows;
};
} // namespace

static RowScales loadRowScales(GemmKernel &kernel, const Consumer &consumer, ValueRange tiles) {
  RowScales scales;
  scales.columns = loadColumns(kernel, tiles[1]);
  Type scale = kernel.builder().getF32Type();
  for (Value row : consumer.rows)
    scales.rows.push_back(LoadRowsOp::create(kernel.builder(), kernel.loc(), scale, scale, tiles[0], row));
  return scales;
}

Value fp8opt::finishProducts(GemmKernel &kernel, const Consumer &consumer, ResultFactors factors,
                             SmallVectorImpl<Value> &fragments, Value stage) {
  const bool hasBias = static_cast<bool>(kernel.gemm.getBias());
  ValueRange tiles;
  if (stage)
    tiles = writeWait(kernel, kernel.ofResult, stage);
  // A stage is released as soon as all of it is in registers, of which there are not enough for scales and
  // bias at a time.
  if (isScaledByRow(kernel.gemm)) {
    RowScales scales = loadRowScales(kernel, consumer, tiles);
    if (!hasBias)
      writeRelease(kernel, kernel.ofResult, stage);
    for (auto [fragment, row] : llvm::zip_equal(fragments, scales.rows))
      fragment = promoteAlone(kernel, fragment, row.getFirst(), row.getSecond(), scales.columns);
  }
  multiplyByAlpha(kernel, fragments, factors);
  if (hasBias) {
    Value bias = loadColumns(kernel, tiles.back());
    writeRelease(kernel, kernel.ofResult, stage);
    for (Value &fragment : fragments)
      fragment = AddColumnsOp::create(kernel.builder(), kernel.loc(), fragment.getType(), fragment, bias)
                     .getResult();
  }
  return stage ? writeAdvance(kernel, kernel.ofResult, stage) : Value();
}
