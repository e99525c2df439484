// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversion of everything that is left to the llvm dialect.

#include "Lowering.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/FunctionCallUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace fp8opt::run;

namespace {
/// A failed assertion calls the tool, which does not return.
struct AssertToCall : OpConversionPattern<cf::AssertOp> {
  AssertToCall(LLVMTypeConverter &converter, LoweringState &state)
      : OpConversionPattern(converter, &converter.getContext()), state(state) {}

  LogicalResult matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const final {
    Location loc = op.getLoc();
    int64_t number = int64_t(state.assertions.size());
    auto compared = adaptor.getArg().getDefiningOp<LLVM::ICmpOp>();
    bool hasNumbers = compared && isa<IntegerType>(compared.getLhs().getType()) &&
                      compared.getLhs().getType().getIntOrFloatBitWidth() <= 64;
    bool isCheck = fp8opt::qt::QTDialect::CheckAttrHelper(getContext()).isAttrPresent(op);
    state.assertions.push_back({loc, op.getMsg().str(), isCheck, hasNumbers});
    auto module = op->getParentOfType<ModuleOp>();
    Type i64 = rewriter.getI64Type();
    auto fail = LLVM::lookupOrCreateFn(rewriter, module, symbol::kFail, {i64, i64, i64},
                                       LLVM::LLVMVoidType::get(getContext()));
    if (failed(fail))
      return failure();
    Block *before = op->getBlock();
    Block *after = rewriter.splitBlock(before, std::next(op->getIterator()));
    Block *failing = rewriter.createBlock(before->getParent());
    Value id = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(number));
    auto number64 = [&](Value value) -> Value {
      if (!hasNumbers)
        return id;
      return value.getType() == i64 ? value : LLVM::SExtOp::create(rewriter, loc, i64, value);
    };
    Value left = number64(hasNumbers ? compared.getLhs() : Value());
    Value right = number64(hasNumbers ? compared.getRhs() : Value());
    LLVM::CallOp::create(rewriter, loc, *fail, ValueRange{id, left, right});
    LLVM::UnreachableOp::create(rewriter, loc);
    rewriter.setInsertionPointToEnd(before);
    rewriter.replaceOpWithNewOp<LLVM::CondBrOp>(op, adaptor.getArg(), after, ValueRange(), failing,
                                                ValueRange());
    return success();
  }

  LoweringState &state;
};
} // namespace

LogicalResult fp8opt::run::convertToLLVM(ModuleOp module, LoweringState &state) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.allocLowering = LowerToLLVMOptions::AllocLowering::Malloc;
  options.useGenericFunctions = true;
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  arith::populateArithExpandOpsPatterns(patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFuncToLLVMConversionPatterns(converter, patterns);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  patterns.add<AssertToCall>(converter, state);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  target.addIllegalDialect<arith::ArithDialect, func::FuncDialect, cf::ControlFlowDialect>();
  return applyFullConversion(module, target, std::move(patterns));
}
