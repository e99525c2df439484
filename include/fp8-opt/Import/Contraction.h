// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a contraction is, and whether it is a matrix product: the one answer that import, roles and report
// share.

#ifndef FP8_OPT_IMPORT_CONTRACTION_H
#define FP8_OPT_IMPORT_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>
#include <optional>

namespace fp8opt {

/// Why a contraction is not a matrix product. The first reason that holds, in this order.
enum class NoProduct {
  None,
  Packed,   // mmt4d: somebody has chosen a layout already
  Encoding, // a tensor type with an encoding, which views do not keep
  Maps,     // a map that is no projected permutation, as in a convolution
  OneSided, // a dimension summed over one operand only, or of the result only
  NoM,
  NoN,
  NoK,
  ElementType, // integers, or floats that neither f32 nor f64 holds
  Fused,       // math.fma of operands whose product the accumulator would have to round
  Body,        // a body that is no sum of products of two inputs
};

/// The reason as a phrase that follows "no matrix product: ".
llvm::StringRef describe(NoProduct reason);

/// A linalg op on tensors with two inputs whose body adds one product of them to its output, over at least
/// one reduction. Of reason Body are ops with another body or another number of inputs that multiply two
/// elements, of inputs or read by tensor.extract, or that add to their output what depends on two inputs with
/// an m, an n and a k.
/// Loop dimensions by class:
///
///     class   in left, right, result   order
///     batch   yes yes yes              of the result
///     m       yes no  yes              of the left operand
///     n       no  yes yes              of the right operand
///     k       yes yes no               of the left operand
///     unit    yes yes yes              of the result; a batch of one, which is none
///
/// The classes are filled if `reason` is None or NoM and what follows it, of Body only where two inputs have
/// an m, an n and a k. Refers into the op's body: valid until the op is changed.
struct Contraction {
  mlir::linalg::LinalgOp op;
  NoProduct reason = NoProduct::None;
  llvm::SmallVector<unsigned> batch, m, n, k, unit;

  /// The casts of the body on the way from each input to the product, in order of application.
  std::array<llvm::SmallVector<mlir::Operation *, 2>, 2> casts;
  /// The type in which the body multiplies. It carries its sum in the element type of the result.
  mlir::Type productType;
  /// Whether the body adds its product without rounding it (math.fma).
  bool isFused = false;

  bool isProduct() const { return reason == NoProduct::None; }
  /// Whether nothing but its dimensions may keep it from being a matrix product.
  bool addsProducts() const { return reason <= NoProduct::NoK; }
  /// Whether it has the dimensions of a matrix product, as what is none for its types or its body may.
  bool hasProductDims() const { return !m.empty() && !n.empty() && !k.empty(); }
  /// The first type of operands, products and result that is no float of a sum of f32 or f64; null if none.
  mlir::Type getUnreadType() const;
  mlir::Value getLhs() const { return getOperand(0); }
  mlir::Value getRhs() const { return getOperand(1); }
  mlir::Value getOperand(unsigned index) const;
  mlir::Value getInit() const;

  /// The type of an operand's elements after the last cast that narrows them: what is multiplied, exactly.
  mlir::Type getNarrowestType(unsigned index) const;
  /// f64 if an operand or the result is f64, else f32. Meaningful for float contractions only.
  mlir::FloatType getAccumulatorType() const;
  /// True for the normal form: linalg.contract over (b..., m, n, k) with maps (b..., m, k), (b..., n, k) and
  /// (b..., m, n), with a result of the accumulator type, and no b of size 1.
  bool isNormal() const;
};

/// The contraction that `op` is; nullopt if it is none.
std::optional<Contraction> matchContraction(mlir::Operation *op);

/// The maps of the normal form with so many batch dimensions.
llvm::SmallVector<mlir::AffineMap, 3> getNormalMaps(mlir::MLIRContext *context, unsigned batchDims);

/// True if every element is known to be +0.0: a fill, a splat constant, or a view of one. -0.0 is not zero
/// here.
bool isZeroFilled(mlir::Value tensor);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_CONTRACTION_H
