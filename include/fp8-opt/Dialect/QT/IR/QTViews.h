// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When moving the elements of a tensor moves whole blocks: the one condition under which quantizing what was
// moved has the codes and scales of moving what was quantized. Verifiers of the view ops check it, models of
// other dialects' views ask it. Included by QT.h.

#ifndef FP8_OPT_DIALECT_QT_IR_QTVIEWS_H
#define FP8_OPT_DIALECT_QT_IR_QTVIEWS_H

namespace fp8opt::qt {

/// Why a view does not move whole blocks, as a message ("expected ..., got ..."). Empty: it does. The sizes
/// of types and static lists are ShapedType::kDynamic where they are not known.
using WhyNot = std::string;

/// The trait of ops of this dialect that move elements of quantized tensors, codes and scales alike, and
/// compute nothing.
template <typename OpT> class MovesCodes : public mlir::OpTrait::TraitBase<OpT, MovesCodes> {};

/// What an op that only moves elements does to the memory of its operands.
enum class Moving {
  /// Writes all of their elements elsewhere.
  Copies,
  /// Nothing: the result is the operand's memory under another shape.
  Reshapes,
  /// Leaves elements of the operand, the only one, out. Such an op implements OffsetSizeAndStrideOpInterface.
  ReadsPart
};

/// The shapes and schemes of a reshape in either direction; group i lists the dimensions of the larger rank
/// that are dimension i of the smaller one.
WhyNot whyNotReshape(QTensorType from, QTensorType to, llvm::ArrayRef<mlir::ReassociationIndices> groups);
/// A slice within the tensor; `sizes` are those of the result.
WhyNot whyNotSlice(QTensorType from, llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                   llvm::ArrayRef<int64_t> strides);
/// Operands of one scheme that follow each other along `dim`.
WhyNot whyNotConcat(llvm::ArrayRef<QTensorType> operands, int64_t dim);
/// `to` repeats `from` along the new dimensions `dimensions`.
WhyNot whyNotBroadcast(QTensorType from, QTensorType to, llvm::ArrayRef<int64_t> dimensions);
/// Plus zeros added around the tensor.
WhyNot whyNotPad(QTensorType from, llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high);

/// The type of a quantized operand of shape `from` whose reshape is `to`, transpose is `to`, broadcast is
/// `to`; null, with `why`, where there is none.
QTensorType reshapedFrom(llvm::ArrayRef<int64_t> from, QTensorType to,
                         llvm::ArrayRef<mlir::ReassociationIndices> groups, WhyNot &why);
QTensorType transposedFrom(QTensorType to, llvm::ArrayRef<int64_t> permutation, WhyNot &why);
QTensorType broadcastFrom(llvm::ArrayRef<int64_t> from, QTensorType to, llvm::ArrayRef<int64_t> dimensions,
                          WhyNot &why);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_IR_QTVIEWS_H
