// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact meaning of quantized ops in plain linalg and arith.

#ifndef FP8_OPT_LIB_CONVERSION_REFERENCE_H
#define FP8_OPT_LIB_CONVERSION_REFERENCE_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fp8opt {

/// A quantized value taken apart: codes, then the scales of each level, of QTensorType::getPartTypes().
struct Parts {
  qt::QTensorType type;
  mlir::Value codes;
  llvm::SmallVector<mlir::Value> scales;
};

/// Codes and scales of `input` under `type`. With `given` those are the scales, with `amax` that is the amax
/// of the outermost level.
Parts emitQuantize(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input, qt::QTensorType type,
                   mlir::ValueRange given, mlir::Value amax);

/// The amax of each block of `input`.
mlir::Value emitAmax(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value input, qt::AmaxAttr amax);

/// The numbers that codes and scales stand for, of the expressed type.
mlir::Value emitDequantize(mlir::OpBuilder &builder, mlir::Location loc, const Parts &parts);

/// The product of quantized operands; `addend` may be null. `ordered` as the pass option `ordered-products`.
mlir::Value emitMatmul(mlir::OpBuilder &builder, mlir::Location loc, const Parts &lhs, const Parts &rhs,
                       mlir::Value addend, mlir::RankedTensorType type, bool ordered);

/// The lowering of the ops that move quantized tensors, for the conversion that makes their parts of them.
void populateViewsToReference(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_REFERENCE_H
