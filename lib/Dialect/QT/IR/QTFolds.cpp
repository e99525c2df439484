// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds. Each changes no number under the condition at its head; docs/Spec.md, section Folds, has them all.
//
// qt.dequantize has none: decoding a constant would replace codes by numbers two or four times their size.

#include "QTConstants.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

/// quantize(dequantize(q)) is q where
/// - the scales are given and are q's own: deriving them again from the decoded values gives other scales for
/// one
///   amax in six;
/// - the expressed type has more mantissa bits than the code, so that rounding to it moves no value past the
/// midpoint
///   to the next code;
/// - the expressed type has the range of f32. In f16 a code of 256 under a scale of 256 decodes to infinity.
///
/// What remains is within one binade of the ends of f32: there, and for one NaN code among several, the fold
/// keeps the code that was there, which the two ops need not.
static Value quantizeOfOwnDecode(QuantizeOp op) {
  auto decode = op.getInput().getDefiningOp<DequantizeOp>();
  if (!decode || op.getScales().empty() || decode.getInput().getType() != op.getType())
    return {};
  const numerics::Format &code = numerics::format(op.getType().getScheme().getCode());
  Type expressed = op.getType().getElementType();
  // The width counts the implicit bit.
  if (expressed.isF16() || unsigned(code.mantissaBits) >= cast<FloatType>(expressed).getFPMantissaWidth() - 1)
    return {};
  Value source = decode.getInput();
  if (auto assemble = source.getDefiningOp<AssembleOp>())
    return llvm::equal(assemble.getScales(), op.getScales()) ? source : Value();
  auto apart = op.getScales().front().getDefiningOp<DisassembleOp>();
  bool own = apart && apart.getInput() == source && llvm::equal(apart.getScales(), op.getScales());
  return own ? source : Value();
}

/// A quantize of a constant is a constant: Numerics computes what the op means. Given scales must be
/// constants too.
static DenseAttr quantizeOfConstant(QuantizeOp op, QuantizeOp::FoldAdaptor adaptor) {
  // A given amax need not be the input's own.
  auto input = dyn_cast_or_null<ElementsAttr>(adaptor.getInput());
  if (!input || op.getAmax() || op.getType().getScheme().getRounding() == numerics::Rounding::Stochastic)
    return {};
  SmallVector<ElementsAttr> scales;
  for (Attribute given : adaptor.getScales()) {
    scales.push_back(dyn_cast_or_null<ElementsAttr>(given));
    if (!scales.back())
      return {};
  }
  return quantizeConstant(input, scales, op.getType());
}

OpFoldResult QuantizeOp::fold(FoldAdaptor adaptor) {
  if (Value source = quantizeOfOwnDecode(*this))
    return source;
  return quantizeOfConstant(*this, adaptor);
}

/// Exact: assembling computes nothing.
OpFoldResult AssembleOp::fold(FoldAdaptor adaptor) {
  if (auto apart = getCodes().getDefiningOp<DisassembleOp>())
    if (apart.getInput().getType() == getType() && apart.getCodes() == getCodes() &&
        llvm::equal(apart.getScales(), getScales()))
      return apart.getInput();
  auto codes = dyn_cast_or_null<ElementsAttr>(adaptor.getCodes());
  SmallVector<ElementsAttr> scales;
  for (Attribute level : adaptor.getScales())
    scales.push_back(dyn_cast_or_null<ElementsAttr>(level));
  if (!codes || llvm::is_contained(scales, ElementsAttr()))
    return {};
  return DenseAttr::get(getContext(), codes, scales);
}

/// Exact: what was assembled, or the parts of a constant, come apart as they are.
LogicalResult DisassembleOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (auto assemble = getInput().getDefiningOp<AssembleOp>()) {
    // A given scale may have a less static type than the result.
    if (!llvm::equal(assemble->getOperandTypes(), getResultTypes()))
      return failure();
    results.append(assemble->operand_begin(), assemble->operand_end());
    return success();
  }
  auto constant = dyn_cast_or_null<DenseAttr>(adaptor.getInput());
  if (!constant || constant.getCodes().getType() != getCodes().getType())
    return failure();
  for (auto [attr, scales] : llvm::zip_equal(constant.getScales(), getScales()))
    if (attr.getType() != scales.getType())
      return failure();
  results.push_back(constant.getCodes());
  results.append(constant.getScales().begin(), constant.getScales().end());
  return success();
}
