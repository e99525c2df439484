// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qtile dialect: kernels as roles over rings of shared memory.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILE_H
#define FP8_OPT_DIALECT_QTILE_IR_QTILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "fp8-opt/Dialect/QTile/IR/QTileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileTypes.h.inc"

#include "fp8-opt/Dialect/QTile/IR/QTileDialect.h.inc"

#include "fp8-opt/Dialect/QTile/IR/QTileInterfaces.h.inc"

#define GET_OP_CLASSES
#include "fp8-opt/Dialect/QTile/IR/QTileOps.h.inc"

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILE_H
