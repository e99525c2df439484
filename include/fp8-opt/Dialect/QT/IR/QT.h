// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qt dialect: quantized tensors, recipes, and what passes write on other dialects' ops.

#ifndef FP8_OPT_DIALECT_QT_IR_QT_H
#define FP8_OPT_DIALECT_QT_IR_QT_H

#include "fp8-opt/Numerics/Scheme.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fp8opt::numerics {
bool operator==(const ScaleLevel &lhs, const ScaleLevel &rhs);
llvm::hash_code hash_value(const ScaleLevel &level);
} // namespace fp8opt::numerics

// Attributes before types, types before interfaces, all before the dialect: its typed discardable attributes
// need the attribute classes complete.
#include "fp8-opt/Dialect/QT/IR/QTEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTTypes.h.inc"

namespace fp8opt::qt {

/// Whether a code can stand for numbers of this type: bf16, f16 or f32.
bool isExpressed(mlir::Type type);
/// The format of an expressed type.
numerics::FormatId formatOfExpressed(mlir::Type type);

} // namespace fp8opt::qt

#include "fp8-opt/Dialect/QT/IR/QTBlocks.h"
#include "fp8-opt/Dialect/QT/IR/QTViews.h"

#include "fp8-opt/Dialect/QT/IR/QTInterfaces.h.inc"

#include "fp8-opt/Dialect/QT/IR/QTDialect.h.inc"

#include "fp8-opt/Dialect/QT/IR/QTConditions.h"
#define GET_OP_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTOps.h.inc"

#endif // FP8_OPT_DIALECT_QT_IR_QT_H
