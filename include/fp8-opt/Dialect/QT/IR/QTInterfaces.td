// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes ask of other dialects' ops.

#ifndef FP8_OPT_DIALECT_QT_IR_QTINTERFACES_TD
#define FP8_OPT_DIALECT_QT_IR_QTINTERFACES_TD

include "mlir/IR/OpBase.td"

def QT_QuantizableOp : OpInterface<"QuantizableOp"> {
  let cppNamespace = "::fp8opt::qt";
  let description = [{
    An op that contracts two operands and can be computed on their codes. The op is in the normal form: operand A is
    [batch..., M, K], operand B is [batch..., N, K], the result [batch..., M, N].
  }];
  let methods = [
    InterfaceMethod<"Operand A, of shape [batch..., M, K].", "::mlir::OpOperand &", "getLhsOperand">,
    InterfaceMethod<"Operand B, of shape [batch..., N, K].", "::mlir::OpOperand &", "getRhsOperand">,
    InterfaceMethod<"What the sums are added to, of shape [batch..., M, N]; null if they start from zero.",
                    "::mlir::Value", "getAddend">,
    InterfaceMethod<[{Builds the product of quantized operands that replaces this op's result, of the same type, with
                      `promoted` as qt.matmul has it. The insertion point is the op's.}],
                    "::mlir::Value", "buildQuantized", (ins "::mlir::OpBuilder &":$builder, "::mlir::Value":$lhs,
                                                            "::mlir::Value":$rhs, "bool":$promoted)>,
  ];
}

def QT_ScaleTransparentOp : OpInterface<"ScaleTransparentOp"> {
  let cppNamespace = "::fp8opt::qt";
  let description = [{
    An op with one result that moves elements of its operands and computes nothing, so that it can be applied to codes
    and scales instead, wherever it moves whole blocks. Exact: quantizing the result of the op gives, bit for bit, what
    the op makes of its operands quantized.
  }];
  let methods = [
    InterfaceMethod<[{The tensors it moves, in order. Empty: this one computes, though others of its name only move.}],
                    "::llvm::SmallVector<::mlir::Value>", "getMovedOperands">,
    InterfaceMethod<[{The types of the moved operands, quantized, of which the op makes `result`, its own result
                      quantized. Empty, with the reason in `why`, where the op would break blocks.}],
                    "::llvm::SmallVector<::fp8opt::qt::QTensorType>", "getQuantizedTypes",
                    (ins "::fp8opt::qt::QTensorType":$result, "::fp8opt::qt::WhyNot &":$why)>,
    InterfaceMethod<[{Builds the op on quantized operands of the types of `getQuantizedTypes`, and returns a value of
                      type `result`.}],
                    "::mlir::Value", "buildQuantized", (ins "::mlir::OpBuilder &":$builder,
                                                            "::mlir::ValueRange":$operands,
                                                            "::fp8opt::qt::QTensorType":$result)>,
    InterfaceMethod<"What moving does to the memory of the operands.", "::fp8opt::qt::Moving", "getMoving", (ins), "",
                    "return ::fp8opt::qt::Moving::Copies;">,
  ];
}

def QT_AmaxProducer : OpInterface<"AmaxProducer"> {
  let cppNamespace = "::fp8opt::qt";
  let description = [{
    An op that could return the amax of what it computes beside it, so that no later op reads all of it for that. The
    amax is of the values as they are stored, rounded to the result's type.
  }];
  let methods = [
    InterfaceMethod<[{Why the op cannot return this amax of one of its results, as the end of a sentence that begins
                      with the name of the op; empty if it can.}],
                    "::std::string", "whyNoAmax", (ins "unsigned":$result, "::fp8opt::qt::AmaxAttr":$blocks)>,
    InterfaceMethod<[{Builds a copy of the op that returns these amaxes too, each of a result, in front of the op, and
                      returns the values for the op's results, then those for the amaxes. All of them can be
                      returned.}],
                    "::llvm::SmallVector<::mlir::Value>", "buildWithAmaxes",
                    (ins "::mlir::OpBuilder &":$builder,
                         "::llvm::ArrayRef<::std::pair<unsigned, ::fp8opt::qt::AmaxAttr>>":$wanted)>,
  ];
}

#endif // FP8_OPT_DIALECT_QT_IR_QTINTERFACES_TD
