// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a module: one that says what it computes for each thing that a graph needs.

#ifndef FP8_OPT_LIB_CONVERSION_KERNELBOOK_H
#define FP8_OPT_LIB_CONVERSION_KERNELBOOK_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <variant>

namespace fp8opt {

/// A kernel, or why the target has none, as the end of a sentence "it stays because ...".
using KernelOrReason = std::variant<qtile::KernelOp, std::string>;

/// Writes kernels at the end of a module. Equal ones are merged by qtile-merge-kernels.
class KernelBook {
public:
  KernelBook(mlir::ModuleOp module, qtile::TargetOp target)
      : module(module), target(target), symbols(module) {}

  /// What a product multiplies and makes.
  struct Product {
    qt::SchemeAttr lhs, rhs;
    mlir::Type result;
    bool isBatched;
    /// Of the numbers that are added to columns; null where there are none.
    mlir::Type bias;
    /// Whether it is added to what the result holds; whether each 128 of the contraction are a sum of their
    /// own.
    bool accumulates, promoted;
    /// See likelySizes.
    llvm::SmallVector<int64_t> likely;
  };
  /// Arguments: codes and scales of the left, then of the right operand; under a level for all of a tensor
  /// beside others, alpha; numbers for columns, if there are some; the result; matrices of a batch; m, n, k.
  KernelOrReason product(const Product &product);

  /// An operand in the graph's own numbers, and how it lies.
  struct Matrix {
    mlir::Type element;
    qtile::OperandLayout layout;
  };
  /// Arguments: both operands; the result, what the operands are described in; of a batch how many, how many
  /// of them are inner ones, and the strides of the left and of the right operand; m, n, k.
  KernelOrReason product(std::pair<Matrix, Matrix> operands, mlir::Type result, bool isBatched,
                         llvm::ArrayRef<int64_t> likely);

  /// Arguments: the source, what an amax kernel left of it where that is read, codes and scales along
  /// columns, those along rows; matrices of a batch; rows and columns of the source.
  struct Quantizer {
    mlir::Type source;
    qt::SchemeAttr scheme;
    bool isAlongColumns, isAlongRows, isBatched;
  };
  KernelOrReason quantizer(const Quantizer &quantizer);
  /// Why there is no such kernel; empty where there is one. Writes none.
  std::string whyNoQuantizer(const Quantizer &quantizer);

  /// Arguments: codes along the columns of a matrix, and their scales; codes and scales along columns, those
  /// along rows; matrices of a batch; rows and columns of each.
  struct Requantizer {
    qt::SchemeAttr from;
    /// What the codes stand for.
    mlir::Type expressed;
    qt::SchemeAttr scheme;
    bool isAlongColumns, isAlongRows, isBatched;
  };
  KernelOrReason requantizer(const Requantizer &requantizer);

  /// Arguments: codes and scales, the numbers; matrices of a batch; rows and columns of these.
  struct Dequantizer {
    qt::SchemeAttr from;
    bool isAlongRows;
    mlir::Type expressed;
    bool isBatched;
  };
  KernelOrReason dequantizer(const Dequantizer &dequantizer);

  /// Arguments: the source, the amaxes that are raised; matrices of a batch; rows and columns.
  KernelOrReason amax(mlir::Type source, qt::SchemeAttr scheme, bool isBatched);

private:
  /// A kernel that is in no module yet, or why the target has none.
  using Draft = std::variant<mlir::OwningOpRef<qtile::KernelOp>, std::string>;
  Draft draft(mlir::StringRef name, llvm::ArrayRef<mlir::Type> arguments,
              llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body);
  Draft draftQuantizer(const Quantizer &quantizer);
  /// Puts it into the module, under a name that no other has.
  KernelOrReason write(Draft kernel);

  mlir::ModuleOp module;
  qtile::TargetOp target;
  mlir::SymbolTable symbols;
};

/// Sizes m, n, k, and of a batch how many, that the schedule of a product is chosen for; empty where they are
/// not known.
llvm::SmallVector<int64_t> likelySizes(mlir::RankedTensorType result, int64_t contracted, bool isBatched);

/// What shares a scale under a scheme of one level; none where no layout of scales is for it.
qtile::Scaling scalingOf(qt::SchemeAttr scheme);

/// The same as a product beside `other` reads it: beside scales per row, one for all of an operand is the
/// scale of each of its rows.
qtile::Scaling scalingBeside(qt::SchemeAttr scheme, qt::SchemeAttr other);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_KERNELBOOK_H
