// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the rules and keeps of a recipe are written.

#ifndef FP8_OPT_LIB_DIALECT_QT_IR_QTRECIPESYNTAX_H
#define FP8_OPT_LIB_DIALECT_QT_IR_QTRECIPESYNTAX_H

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "mlir/IR/OpImplementation.h"

namespace fp8opt::qt {

/// What narrows a line of a recipe down: each condition at most once, in any order; printed in one.
mlir::ParseResult parseConditions(mlir::OpAsmParser &parser, GemmAttr &gemm, mlir::ArrayAttr &sites,
                                  mlir::ArrayAttr &labels, mlir::ArrayAttr &except, mlir::IntegerAttr &first,
                                  mlir::IntegerAttr &last, mlir::DenseI64ArrayAttr &sizes);
void printConditions(mlir::OpAsmPrinter &printer, mlir::Operation *op, GemmAttr gemm, mlir::ArrayAttr sites,
                     mlir::ArrayAttr labels, mlir::ArrayAttr except, mlir::IntegerAttr first,
                     mlir::IntegerAttr last, mlir::DenseI64ArrayAttr sizes);

/// The same, behind which the line ends.
mlir::ParseResult parseLastConditions(mlir::OpAsmParser &parser, GemmAttr &gemm, mlir::ArrayAttr &sites,
                                      mlir::ArrayAttr &labels, mlir::ArrayAttr &except,
                                      mlir::IntegerAttr &first, mlir::IntegerAttr &last,
                                      mlir::DenseI64ArrayAttr &sizes);
void printLastConditions(mlir::OpAsmPrinter &printer, mlir::Operation *op, GemmAttr gemm,
                         mlir::ArrayAttr sites, mlir::ArrayAttr labels, mlir::ArrayAttr except,
                         mlir::IntegerAttr first, mlir::IntegerAttr last, mlir::DenseI64ArrayAttr sizes);

/// What a rule gives: `dual` or not, an arrow and the scheme.
mlir::ParseResult parseSchemeOfRule(mlir::OpAsmParser &parser, mlir::UnitAttr &dual, SchemeAttr &scheme);
void printSchemeOfRule(mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::UnitAttr dual,
                       SchemeAttr scheme);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_IR_QTRECIPESYNTAX_H
