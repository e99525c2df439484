// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes of a quantized tensor's dimensions, made of numbers.

#ifndef FP8_OPT_LIB_CONVERSION_REPEATVIEW_H
#define FP8_OPT_LIB_CONVERSION_REPEATVIEW_H

#include "mlir/IR/Builders.h"

namespace fp8opt {

/// Whether an op changes dimensions of a quantized tensor alone, so that numbers can follow: qt.transpose,
/// qt.reshape.
bool isRepeatable(mlir::Operation *op);
/// The same change of numbers.
mlir::Value repeatView(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *op,
                       mlir::Value numbers);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_REPEATVIEW_H
