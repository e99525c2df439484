// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes kernels, and asks their verifiers and their writers whether there is one.

#include "KernelBook.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Kernels/Gemm.h"
#include "fp8-opt/Kernels/Quantize.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

SmallVector<int64_t> fp8opt::likelySizes(RankedTensorType result, int64_t contracted, bool isBatched) {
  if (!result.hasStaticShape() || ShapedType::isDynamic(contracted))
    return {};
  SmallVector<int64_t> sizes = llvm::to_vector(result.getShape().take_back(2));
  sizes.push_back(contracted);
  if (isBatched)
    sizes.push_back(ShapedType::getNumElements(result.getShape().drop_back(2)));
  return sizes;
}

Scaling fp8opt::scalingOf(qt::SchemeAttr scheme) { return QuantizeOp::getScalingOf(scheme); }

Scaling fp8opt::scalingBeside(qt::SchemeAttr scheme, qt::SchemeAttr other) {
  Scaling scaling = scalingOf(scheme);
  return scaling == Scaling::Tensor && scalingOf(other) == Scaling::Row ? Scaling::Row : scaling;
}

/// Why no kernel reads or writes codes of a scheme; empty where one does.
static std::string whyNoKernel(qt::SchemeAttr scheme) {
  if (!getCodeType(scheme))
    return "no kernel is for codes of " + std::string(numerics::format(scheme.getCode()).name);
  std::string text;
  if (scalingOf(scheme) == Scaling::None)
    llvm::raw_string_ostream(text) << "no kernel is for the scales of " << scheme;
  return text;
}

static void appendIntegers(SmallVectorImpl<Type> &arguments, MLIRContext *context, unsigned count) {
  arguments.append(count, IntegerType::get(context, 32));
}

namespace {
/// What a quantizer leaves, in the order of its arguments: codes and scales along columns, along rows.
struct Outputs {
  qt::SchemeAttr scheme;
  bool isAlongColumns, isAlongRows;
  Value columnCodes = {}, columnScales = {}, rowCodes = {}, rowScales = {};

  void appendTypes(SmallVectorImpl<Type> &arguments) const {
    Type codes = GlobalType::get(scheme.getContext(), getCodeType(scheme));
    for (bool isWanted : {isAlongColumns, isAlongRows})
      if (isWanted)
        arguments.append({codes, getScalesType(scheme)});
  }

  /// Takes them from the front of the values.
  void take(ValueRange &values) {
    auto next = [&](bool isWanted) {
      Value value = isWanted ? values.front() : Value();
      values = values.drop_front(isWanted);
      return value;
    };
    columnCodes = next(isAlongColumns), columnScales = next(isAlongColumns);
    rowCodes = next(isAlongRows), rowScales = next(isAlongRows);
  }
};
} // namespace

/// Whether the target has such a kernel; an error where it has none.
static LogicalResult verifyKernel(KernelOp kernel, TargetOp target) {
  if (failed(mlir::verify(kernel)))
    return failure();
  for (Operation &op : kernel.getBody().front()) {
    // It is about a product of the graph, not about the op.
    auto emitError = [&] { return mlir::emitError(op.getLoc()); };
    LogicalResult exists =
        TypeSwitch<Operation *, LogicalResult>(&op)
            .Case([&](GemmOp gemm) { return verifyGemmKernel(gemm, target, emitError); })
            .Case([&](QuantizeOp quantize) { return verifyQuantizeKernel(quantize, emitError); })
            .Case([&](RequantizeOp again) { return verifyRequantizeKernel(again, emitError); })
            .Case([&](DequantizeOp inverse) { return verifyDequantizeKernel(inverse, emitError); })
            .Default(success());
    if (failed(exists))
      return failure();
  }
  return success();
}

KernelBook::Draft KernelBook::draft(StringRef name, ArrayRef<Type> arguments,
                                    function_ref<void(OpBuilder &, ValueRange)> body) {
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  OperationState state(module.getLoc(), KernelOp::getOperationName());
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments(arguments, SmallVector<Location>(arguments.size(), module.getLoc()));
  auto &properties = state.getOrAddProperties<KernelOp::Properties>();
  properties.setSymName(builder.getStringAttr(name));
  properties.setFunctionType(TypeAttr::get(FunctionType::get(context, arguments, {})));
  properties.setTarget(FlatSymbolRefAttr::get(target.getSymNameAttr()));
  OwningOpRef<KernelOp> kernel(cast<KernelOp>(builder.create(state)));
  builder.setInsertionPointToStart(&block);
  body(builder, block.getArguments());
  ReturnOp::create(builder, module.getLoc());
  // What is wrong with it is the reason.
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = diagnostic.str();
  });
  if (failed(verifyKernel(*kernel, target)))
    return "no kernel is for it: " + reason;
  return kernel;
}

KernelOrReason KernelBook::write(Draft kernel) {
  if (auto *reason = std::get_if<std::string>(&kernel))
    return *reason;
  KernelOp written = std::get<OwningOpRef<KernelOp>>(kernel).release();
  symbols.insert(written);
  return written;
}

static std::string nameOfGemm(StringRef lhs, StringRef rhs) {
  return lhs == rhs ? ("gemm_" + lhs).str() : ("gemm_" + lhs + "_" + rhs).str();
}

KernelOrReason KernelBook::product(const Product &product) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> arguments;
  for (qt::SchemeAttr scheme : {product.lhs, product.rhs}) {
    if (std::string reason = whyNoKernel(scheme); !reason.empty())
      return reason;
    arguments.append({GlobalType::get(context, getCodeType(scheme)), getScalesType(scheme)});
  }
  bool hasAlpha = numerics::hasTensorFactor(product.lhs.getNumerics(), product.rhs.getNumerics());
  if (hasAlpha)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  if (product.bias)
    arguments.push_back(GlobalType::get(context, product.bias));
  arguments.push_back(GlobalType::get(context, product.result));
  appendIntegers(arguments, context, product.isBatched ? 4 : 3);
  Scaling lhs = scalingBeside(product.lhs, product.rhs), rhs = scalingBeside(product.rhs, product.lhs);
  const bool promoted = product.promoted && mayBePromoted(lhs);
  std::string name = nameOfGemm(stringifyScaling(lhs), stringifyScaling(rhs)) + (promoted ? "_promoted" : "");
  return write(draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    Value alpha = hasAlpha ? values[4] : Value();
    ValueRange rest = values.drop_front(hasAlpha ? 5 : 4), sizes = rest.take_back(3);
    Value bias = product.bias ? rest.front() : Value();
    rest = rest.drop_front(product.bias ? 1 : 0);
    auto grouping = product.isBatched ? GroupingAttr::get(context, Grouping::Batch) : GroupingAttr();
    Value groups = product.isBatched ? rest[1] : Value();
    GemmOp::create(builder, module.getLoc(), values[0], values[1], lhs, OperandLayout::Panels, values[2],
                   values[3], rhs, OperandLayout::Panels, alpha, promoted, rest[0], ResultLayout::RowMajor,
                   /*intoScheme=*/qt::SchemeAttr(), /*expressed=*/TypeAttr(),
                   /*intoScale=*/Value(), bias, product.accumulates, /*maps=*/Value(), sizes[0], sizes[1],
                   sizes[2], grouping, groups, /*bounds=*/Value(),
                   /*inner=*/Value(), /*lhsStrides=*/ValueRange(), /*rhsStrides=*/ValueRange(),
                   product.likely.empty() ? DenseI64ArrayAttr()
                                          : builder.getDenseI64ArrayAttr(product.likely));
  }));
}

KernelOrReason KernelBook::product(std::pair<Matrix, Matrix> operands, Type result, bool isBatched,
                                   ArrayRef<int64_t> likely) {
  MLIRContext *context = module.getContext();
  Matrix lhs = operands.first, rhs = operands.second;
  SmallVector<Type> arguments;
  for (Type element : {lhs.element, rhs.element, result, Type(IntegerType::get(context, 8))})
    arguments.push_back(GlobalType::get(context, element));
  constexpr unsigned sizes = 3, strides = 3, ofBatch = 2 + 2 * strides;
  appendIntegers(arguments, context, isBatched ? ofBatch + sizes : sizes);
  std::string name = nameOfGemm(stringifyOperandLayout(lhs.layout), stringifyOperandLayout(rhs.layout));
  return write(draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange batch = values.drop_front(4).drop_back(sizes), mnk = values.take_back(sizes);
    Value groups = isBatched ? batch[0] : Value(), inner = isBatched ? batch[1] : Value();
    auto grouping = isBatched ? GroupingAttr::get(context, Grouping::Batch) : GroupingAttr();
    GemmOp::create(
        builder, module.getLoc(), values[0], /*lhsScales=*/Value(), Scaling::None, lhs.layout, values[1],
        /*rhsScales=*/Value(), Scaling::None, rhs.layout, /*alpha=*/Value(),
        /*promoted=*/false, values[2], ResultLayout::RowMajor, /*intoScheme=*/qt::SchemeAttr(),
        /*expressed=*/TypeAttr(),
        /*intoScale=*/Value(), /*bias=*/Value(), /*accumulate=*/false, values[3], mnk[0], mnk[1], mnk[2],
        grouping, groups, /*bounds=*/Value(), inner, isBatched ? batch.slice(2, strides) : ValueRange(),
        isBatched ? batch.take_back(strides) : ValueRange(),
        likely.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(likely));
  }));
}

KernelBook::Draft KernelBook::draftQuantizer(const Quantizer &quantizer) {
  MLIRContext *context = module.getContext();
  if (std::string reason = whyNoKernel(quantizer.scheme); !reason.empty())
    return reason;
  bool hasAmax = QuantizeOp::readsAmax(quantizer.scheme, quantizer.isAlongRows);
  SmallVector<Type> arguments = {GlobalType::get(context, quantizer.source)};
  if (hasAmax)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  Outputs outputs = {quantizer.scheme, quantizer.isAlongColumns, quantizer.isAlongRows};
  outputs.appendTypes(arguments);
  appendIntegers(arguments, context, quantizer.isBatched ? 3 : 2);
  std::string name = "quantize_" + stringifyScaling(scalingOf(quantizer.scheme)).str();
  return draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange rest = values.drop_front(hasAmax ? 2 : 1), sizes = values.take_back(2);
    outputs.take(rest);
    QuantizeOp::create(builder, module.getLoc(), values[0], sizes[0], sizes[1],
                       quantizer.isBatched ? rest[0] : Value(), quantizer.scheme,
                       hasAmax ? values[1] : Value(), outputs.columnCodes, outputs.columnScales,
                       outputs.rowCodes, outputs.rowScales);
  });
}

KernelOrReason KernelBook::quantizer(const Quantizer &quantizer) { return write(draftQuantizer(quantizer)); }

std::string KernelBook::whyNoQuantizer(const Quantizer &quantizer) {
  Draft draft = draftQuantizer(quantizer);
  auto *reason = std::get_if<std::string>(&draft);
  return reason ? *reason : std::string();
}

KernelOrReason KernelBook::requantizer(const Requantizer &requantizer) {
  MLIRContext *context = module.getContext();
  for (qt::SchemeAttr scheme : {requantizer.from, requantizer.scheme})
    if (std::string reason = whyNoKernel(scheme); !reason.empty())
      return reason;
  SmallVector<Type> arguments = {GlobalType::get(context, getCodeType(requantizer.from)),
                                 GlobalType::get(context, Float32Type::get(context))};
  Outputs outputs = {requantizer.scheme, requantizer.isAlongColumns, requantizer.isAlongRows};
  outputs.appendTypes(arguments);
  appendIntegers(arguments, context, requantizer.isBatched ? 3 : 2);
  std::string name = "requantize_" + stringifyScaling(scalingOf(requantizer.scheme)).str();
  return write(draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange rest = values.drop_front(2), sizes = values.take_back(2);
    outputs.take(rest);
    RequantizeOp::create(builder, module.getLoc(), values[0], values[1], requantizer.from,
                         requantizer.expressed, sizes[0], sizes[1], requantizer.isBatched ? rest[0] : Value(),
                         requantizer.scheme, outputs.columnCodes, outputs.columnScales, outputs.rowCodes,
                         outputs.rowScales);
  }));
}

KernelOrReason KernelBook::dequantizer(const Dequantizer &dequantizer) {
  MLIRContext *context = module.getContext();
  if (std::string reason = whyNoKernel(dequantizer.from); !reason.empty())
    return reason;
  SmallVector<Type> arguments = {GlobalType::get(context, getCodeType(dequantizer.from)),
                                 GlobalType::get(context, Float32Type::get(context)),
                                 GlobalType::get(context, dequantizer.expressed)};
  appendIntegers(arguments, context, dequantizer.isBatched ? 3 : 2);
  std::string name = "dequantize_" + stringifyScaling(scalingOf(dequantizer.from)).str();
  return write(draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange sizes = values.take_back(2);
    DequantizeOp::create(builder, module.getLoc(), values[0], values[1], dequantizer.from,
                         dequantizer.isAlongRows ? Along::Rows : Along::Columns, sizes[0], sizes[1],
                         dequantizer.isBatched ? values[3] : Value(), values[2]);
  }));
}

KernelOrReason KernelBook::amax(Type source, qt::SchemeAttr scheme, bool isBatched) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> arguments = {GlobalType::get(context, source),
                                 GlobalType::get(context, Float32Type::get(context))};
  appendIntegers(arguments, context, isBatched ? 3 : 2);
  StringRef name = QuantizeOp::isForTensor(scheme) ? "amax" : "amax_row";
  return write(draft(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange sizes = values.take_back(2);
    qtile::AmaxOp::create(builder, module.getLoc(), values[0], sizes[0], sizes[1],
                          isBatched ? values[2] : Value(), scheme, values[1]);
  }));
}
