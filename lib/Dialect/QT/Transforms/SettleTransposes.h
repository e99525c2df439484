// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposes of codes go up to the quantizer that can write them.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SETTLETRANSPOSES_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SETTLETRANSPOSES_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/IR/Builders.h"

namespace fp8opt::qt {

/// Where `moved`, a quantized tensor, is moved by a view and then transposed, transposes first: what stands
/// at a quantizer, the quantizer can write. Views are collapses, concatenations, broadcasts, pads and, with
/// `alsoAboveSlices`, slices. Transposes of a transpose become one. A view that nothing reads any more is
/// erased, `moved` with it. Codes and scales stay as they are where a view would not keep them.
void settleTransposes(mlir::OpBuilder &builder, mlir::Value moved, bool alsoAboveSlices);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_SETTLETRANSPOSES_H
