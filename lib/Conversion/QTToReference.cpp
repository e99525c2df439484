// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers quantized tensors and their ops to plain linalg and arith.

#include "Blocks.h"
#include "Reference.h"

#include "fp8-opt/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/Transforms/StructuralTypeConversions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fp8opt {
#define GEN_PASS_DEF_CONVERTQTTOREFERENCEPASS
#include "fp8-opt/Conversion/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// A quantized operand as the values the conversion made of it.
static Parts partsOf(Value original, ValueRange converted) {
  return {cast<qt::QTensorType>(original.getType()), converted.front(),
          llvm::to_vector(converted.drop_front())};
}

static SmallVector<Value> flatten(const Parts &parts) {
  SmallVector<Value> values = {parts.codes};
  values.append(parts.scales);
  return values;
}

namespace {
struct Quantize : OpConversionPattern<qt::QuantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::QuantizeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Parts parts = emitQuantize(rewriter, op.getLoc(), adaptor.getInput(), op.getType(), adaptor.getScales(),
                               adaptor.getAmax());
    rewriter.replaceOpWithMultiple(op, {flatten(parts)});
    return success();
  }
};

/// The reference has no loop that quantizes in two orientations: one quantizer after the other, of equal
/// bits.
struct MultiQuantize : OpConversionPattern<qt::MultiQuantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::MultiQuantizeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op.expand(rewriter));
    return success();
  }
};

struct Amax : OpConversionPattern<qt::AmaxOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::AmaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, emitAmax(rewriter, op.getLoc(), adaptor.getInput(), op.getBlocks()));
    return success();
  }
};

struct Dequantize : OpConversionPattern<qt::DequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::DequantizeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, emitDequantize(rewriter, op.getLoc(), partsOf(op.getInput(), adaptor.getInput())));
    return success();
  }
};

struct Requantize : OpConversionPattern<qt::RequantizeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::RequantizeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value numbers = emitDequantize(rewriter, op.getLoc(), partsOf(op.getInput(), adaptor.getInput()));
    Parts parts = emitQuantize(rewriter, op.getLoc(), numbers, op.getType(), ValueRange(), Value());
    rewriter.replaceOpWithMultiple(op, {flatten(parts)});
    return success();
  }
};

struct Matmul : OpConversionPattern<qt::MatmulOp> {
  Matmul(const TypeConverter &types, MLIRContext *context, bool ordered)
      : OpConversionPattern(types, context), ordered(ordered) {}
  LogicalResult matchAndRewrite(qt::MatmulOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value addend = op.getAddend() ? adaptor.getAddend().front() : Value();
    SmallVector<Value> results = {emitMatmul(rewriter, op.getLoc(), partsOf(op.getLhs(), adaptor.getLhs()),
                                             partsOf(op.getRhs(), adaptor.getRhs()), addend, op.getType(),
                                             ordered)};
    for (Attribute blocks : op.getBlocks().value_or(rewriter.getArrayAttr({})))
      results.push_back(emitAmax(rewriter, op.getLoc(), results.front(), cast<qt::AmaxAttr>(blocks)));
    rewriter.replaceOp(op, results);
    return success();
  }
  bool ordered;
};

/// Codes and the scales of each level per block are permuted alike; scales per tensor stay as they are.
struct Transpose : OpConversionPattern<qt::TransposeOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::TransposeOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (Value part : adaptor.getInput()) {
      auto type = cast<RankedTensorType>(part.getType());
      if (type.getRank() != op.getType().getRank()) {
        results.push_back(part);
        continue;
      }
      SmallVector<OpFoldResult> from = emitSizes(rewriter, op.getLoc(), part), to;
      for (int64_t dim : op.getPermutation())
        to.push_back(from[dim]);
      Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), to, type.getElementType());
      results.push_back(
          linalg::TransposeOp::create(rewriter, op.getLoc(), part, empty, op.getPermutation())->getResult(0));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
};

struct Constant : OpConversionPattern<qt::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto constant = [&](ElementsAttr values) -> Value {
      return arith::ConstantOp::create(rewriter, op.getLoc(), cast<TypedAttr>(values));
    };
    SmallVector<Value> parts = {constant(op.getValue().getCodes())};
    for (ElementsAttr scales : op.getValue().getScales())
      parts.push_back(constant(scales));
    rewriter.replaceOpWithMultiple(op, {parts});
    return success();
  }
};

struct Assemble : OpConversionPattern<qt::AssembleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::AssembleOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {adaptor.getOperands()});
    return success();
  }
};

struct Disassemble : OpConversionPattern<qt::DisassembleOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(qt::DisassembleOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};
} // namespace

namespace {
/// Attributes of the arguments and results of a function whose types are about to become several each. The
/// conversion of a signature would leave them at the numbers they had.
class BoundaryAttributes {
public:
  BoundaryAttributes(func::FuncOp function, const TypeConverter &types) : function(function) {
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes()))
      spread(types, type, function.getArgAttrDict(index), arguments);
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      spread(types, type, function.getResultAttrDict(index), results);
    function.removeArgAttrsAttr();
    function.removeResAttrsAttr();
  }
  /// Gives each part of an argument or result the attributes of the whole.
  void restore() {
    function.setAllArgAttrs(arguments);
    function.setAllResultAttrs(results);
  }

private:
  static void spread(const TypeConverter &types, Type type, DictionaryAttr attributes,
                     SmallVectorImpl<DictionaryAttr> &into) {
    SmallVector<Type> parts;
    (void)types.convertTypes(type, parts);
    into.append(parts.size(), attributes ? attributes : DictionaryAttr::get(type.getContext()));
  }

  func::FuncOp function;
  SmallVector<DictionaryAttr> arguments, results;
};

struct ConvertQTToReference : fp8opt::impl::ConvertQTToReferencePassBase<ConvertQTToReference> {
  using ConvertQTToReferencePassBase::ConvertQTToReferencePassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    MLIRContext *context = &getContext();
    for (qt::RecipeOp recipe : llvm::make_early_inc_range(module.getOps<qt::RecipeOp>()))
      recipe.erase();

    TypeConverter types;
    types.addConversion([](Type type) { return type; });
    types.addConversion(
        [](qt::QTensorType type, SmallVectorImpl<Type> &parts) -> std::optional<LogicalResult> {
          llvm::append_range(parts, type.getPartTypes());
          return success();
        });
    RewritePatternSet patterns(context);
    patterns.add<Quantize, MultiQuantize, Amax, Dequantize, Requantize, Transpose, Constant, Assemble,
                 Disassemble>(types, context);
    patterns.add<Matmul>(types, context, orderedProducts);
    populateViewsToReference(patterns, types);
    ConversionTarget target(*context);
    target.addIllegalDialect<qt::QTDialect>();
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns, types);
    populateCallOpTypeConversionPattern(patterns, types);
    populateReturnOpTypeConversionPattern(patterns, types);
    scf::populateSCFStructuralTypeConversionsAndLegality(types, patterns, target);
    cf::populateCFStructuralTypeConversionsAndLegality(types, patterns, target);
    // The arguments of blocks after the first are converted with the branches to them.
    target.addDynamicallyLegalOp<func::FuncOp>(
        [&](func::FuncOp function) { return types.isSignatureLegal(function.getFunctionType()); });
    target.markUnknownOpDynamicallyLegal([&](Operation *op) { return types.isLegal(op); });
    SmallVector<BoundaryAttributes> attributes;
    for (auto function : module.getOps<func::FuncOp>())
      attributes.emplace_back(function, types);
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
    for (BoundaryAttributes &ofFunction : attributes)
      ofFunction.restore();
  }
};
} // namespace
