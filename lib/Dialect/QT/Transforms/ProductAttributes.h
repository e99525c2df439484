// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes write on products before they are quantized.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PRODUCTATTRIBUTES_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PRODUCTATTRIBUTES_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt {

/// The names of what role inference writes on every product that it understands.
llvm::SmallVector<mlir::StringAttr> roleAttributes(QTDialect &qt);
/// Of all that is written on products before quantization, which takes it off.
llvm::SmallVector<mlir::StringAttr> productAttributes(QTDialect &qt);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_PRODUCTATTRIBUTES_H
