// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pointers of a kernel point to: in which layout, of which sizes. A launch is held against it.

#ifndef FP8_OPT_LIB_DIALECT_QTILE_IR_POINTEES_H
#define FP8_OPT_LIB_DIALECT_QTILE_IR_POINTEES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include <optional>

namespace fp8opt::qtile {

/// A size of a pointee: an integer argument of the kernel, divided and rounded up; 1 where there is none.
struct Extent {
  mlir::Value integer;
  int64_t divisor = 1;
};

/// What a pointer points to.
struct Pointee {
  mlir::Value pointer;
  /// None: row major.
  std::optional<StoredKind> layout;
  /// Of what is stored, the batch first if there is one; none where the kernel has strides for them or only
  /// their number counts.
  std::optional<llvm::SmallVector<Extent>> sizes;
};

/// The pointees of the one op that says what a kernel computes, in no order. Empty once that is expanded.
llvm::SmallVector<Pointee> pointeesOf(KernelOp kernel);

/// Holds the tensor that a launch has for a pointer, argument `number` of the kernel, against its pointee.
/// `integers` are the kernel's integer arguments, `values` what the launch has for them.
llvm::LogicalResult verifyPointee(LaunchOp launch, unsigned number, const Pointee &pointee,
                                  mlir::RankedTensorType tensor, mlir::ValueRange integers,
                                  mlir::ValueRange values);

/// Holds the memory for maps, and what lies by strides, against the tensors that the launch has for pointers.
llvm::LogicalResult verifyLaunchedMatrices(LaunchOp launch, KernelOp kernel,
                                           llvm::ArrayRef<mlir::Value> tensors);

} // namespace fp8opt::qtile

#endif // FP8_OPT_LIB_DIALECT_QTILE_IR_POINTEES_H
