// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Casts between f32 and floats of at most eight bits, by the integer arithmetic of Numerics.

#ifndef FP8_OPT_EMIT_CODECASTS_H
#define FP8_OPT_EMIT_CODECASTS_H

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// Whether a type is a float of at most eight bits that Numerics defines.
bool isCodeFloat(mlir::Type type);

/// The f32 that a scalar of such a type is; exact.
mlir::Value emitDecode(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// A scalar f32 rounded to such a type, to nearest even. A cast of a graph is arithmetic, not quantization:
/// what overflows becomes infinity, or NaN where the type has none.
mlir::Value emitEncode(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value f32, mlir::Type type);

} // namespace fp8opt

#endif // FP8_OPT_EMIT_CODECASTS_H
