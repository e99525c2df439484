// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops on tensors.

#ifndef FP8_OPT_EMIT_ELEMENTWISE_H
#define FP8_OPT_EMIT_ELEMENTWISE_H

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// A tensor of `element` with the shape of the first of `tensors`, which all have one shape: each element is
/// what `compute` makes of those at its place.
mlir::Value
emitElementwise(mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange tensors, mlir::Type element,
                llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location, mlir::ValueRange)> compute);

} // namespace fp8opt

#endif // FP8_OPT_EMIT_ELEMENTWISE_H
