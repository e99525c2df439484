// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops that quantize have in common.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEINTERFACES_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def QTile_QuantizerInterface : OpInterface<"QuantizerInterface"> {
  let cppNamespace = "::fp8opt::qtile";
  let description = [{
    An op that leaves codes in panels and their scales, along the columns of a matrix, along its rows, or both; what it does not
    write is null. The threads that write them do not ask where the numbers came from.
  }];
  let methods = [
    InterfaceMethod<"How it quantizes, with the contraction last.", "::fp8opt::qt::SchemeAttr", "getScheme">,
    InterfaceMethod<"What shares a scale of the innermost level.", "::fp8opt::qtile::Scaling", "getScaling">,
    InterfaceMethod<"What qtile.amax left, where it is read; else null.", "::mlir::Value", "getAmax">,
    InterfaceMethod<"Codes along columns.", "::mlir::Value", "getColumnCodes">,
    InterfaceMethod<"Their scales.", "::mlir::Value", "getColumnScales">,
    InterfaceMethod<"Codes along rows.", "::mlir::Value", "getRowCodes">,
    InterfaceMethod<"Their scales.", "::mlir::Value", "getRowScales">];
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEINTERFACES_TD
