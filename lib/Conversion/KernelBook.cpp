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

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

Scaling fp8opt::scalingOf(qt::SchemeAttr scheme) { return QuantizeOp::getScalingOf(scheme); }

/// The type of codes as instructions name it; null where none takes them.
static Type typeOfCodes(qt::SchemeAttr scheme) {
  switch (scheme.getCode()) {
  case numerics::FormatId::F8E4M3FN:
    return Float8E4M3FNType::get(scheme.getContext());
  case numerics::FormatId::F8E5M2:
    return Float8E5M2Type::get(scheme.getContext());
  case numerics::FormatId::F4E2M1FN:
    return Float4E2M1FNType::get(scheme.getContext());
  default:
    return {};
  }
}

/// Why no kernel reads or writes codes of a scheme; empty where one does.
static std::string whyNoKernel(qt::SchemeAttr scheme) {
  if (!typeOfCodes(scheme))
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
    Type codes = GlobalType::get(scheme.getContext(), typeOfCodes(scheme));
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

/// What a diagnostic says, without the "'qtile.gemm' op " in front: it is about a product of the graph.
static std::string withoutOp(StringRef text) {
  auto [op, rest] = text.split("' op ");
  return (op.starts_with("'") && !rest.empty() ? rest : text).str();
}

KernelOrReason KernelBook::write(StringRef name, ArrayRef<Type> arguments,
                                 function_ref<void(OpBuilder &, ValueRange)> body) {
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  OperationState state(module.getLoc(), KernelOp::getOperationName());
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments(arguments, SmallVector<Location>(arguments.size(), module.getLoc()));
  auto &properties = state.getOrAddProperties<KernelOp::Properties>();
  properties.setSymName(builder.getStringAttr(name));
  properties.setFunctionType(TypeAttr::get(FunctionType::get(context, arguments, {})));
  properties.setTarget(FlatSymbolRefAttr::get(target.getSymNameAttr()));
  auto kernel = cast<KernelOp>(builder.create(state));
  builder.setInsertionPointToStart(&block);
  body(builder, block.getArguments());
  ReturnOp::create(builder, module.getLoc());
  // What is wrong with it is the reason.
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty())
      reason = withoutOp(diagnostic.str());
  });
  bool exists = succeeded(mlir::verify(kernel));
  for (Operation &op : block) {
    if (auto gemm = dyn_cast<GemmOp>(op); gemm && exists)
      exists = succeeded(rankGemmSchedules(gemm, target));
    if (auto quantize = dyn_cast<QuantizeOp>(op); quantize && exists)
      exists = succeeded(verifyQuantizeKernel(quantize));
    if (auto requantize = dyn_cast<RequantizeOp>(op); requantize && exists)
      exists = succeeded(verifyRequantizeKernel(requantize));
    if (auto dequantize = dyn_cast<DequantizeOp>(op); dequantize && exists)
      exists = succeeded(verifyDequantizeKernel(dequantize));
  }
  if (exists) {
    symbols.insert(kernel);
    return kernel;
  }
  kernel.erase();
  return "no kernel is for it: " + reason;
}

KernelOrReason KernelBook::product(const Product &product) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> arguments;
  for (qt::SchemeAttr scheme : {product.lhs, product.rhs}) {
    if (std::string reason = whyNoKernel(scheme); !reason.empty())
      return reason;
    arguments.append({GlobalType::get(context, typeOfCodes(scheme)), getScalesType(scheme)});
  }
  bool hasAlpha = numerics::hasTensorFactor(product.lhs.getNumerics(), product.rhs.getNumerics());
  if (hasAlpha)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  if (product.bias)
    arguments.push_back(GlobalType::get(context, product.bias));
  arguments.push_back(GlobalType::get(context, product.result));
  appendIntegers(arguments, context, product.isBatched ? 4 : 3);
  Scaling lhs = scalingOf(product.lhs), rhs = scalingOf(product.rhs);
  std::string name = "gemm_" + stringifyScaling(lhs).str();
  if (lhs != rhs)
    name += "_" + stringifyScaling(rhs).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    Value alpha = hasAlpha ? values[4] : Value();
    ValueRange rest = values.drop_front(hasAlpha ? 5 : 4), sizes = rest.take_back(3);
    Value bias = product.bias ? rest.front() : Value();
    rest = rest.drop_front(product.bias ? 1 : 0);
    auto grouping = product.isBatched ? GroupingAttr::get(context, Grouping::Batch) : GroupingAttr();
    Value groups = product.isBatched ? rest[1] : Value();
    GemmOp::create(builder, module.getLoc(), values[0], values[1], lhs, OperandLayout::Panels, values[2],
                   values[3], rhs, OperandLayout::Panels, alpha, rest[0], ResultLayout::RowMajor,
                   /*intoScheme=*/qt::SchemeAttr(), /*expressed=*/TypeAttr(),
                   /*intoScale=*/Value(), bias, product.accumulates, /*maps=*/Value(), sizes[0], sizes[1],
                   sizes[2], grouping, groups, /*bounds=*/Value(),
                   /*inner=*/Value(), /*lhsStrides=*/ValueRange(), /*rhsStrides=*/ValueRange(),
                   product.likely.empty() ? DenseI64ArrayAttr()
                                          : builder.getDenseI64ArrayAttr(product.likely));
  });
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
  std::string name = "gemm_" + stringifyOperandLayout(lhs.layout).str();
  if (lhs.layout != rhs.layout)
    name += "_" + stringifyOperandLayout(rhs.layout).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange batch = values.drop_front(4).drop_back(sizes), mnk = values.take_back(sizes);
    Value groups = isBatched ? batch[0] : Value(), inner = isBatched ? batch[1] : Value();
    auto grouping = isBatched ? GroupingAttr::get(context, Grouping::Batch) : GroupingAttr();
    GemmOp::create(
        builder, module.getLoc(), values[0], /*lhsScales=*/Value(), Scaling::None, lhs.layout, values[1],
        /*rhsScales=*/Value(), Scaling::None, rhs.layout, /*alpha=*/Value(), values[2],
        ResultLayout::RowMajor, /*intoScheme=*/qt::SchemeAttr(), /*expressed=*/TypeAttr(),
        /*intoScale=*/Value(), /*bias=*/Value(), /*accumulate=*/false, values[3], mnk[0], mnk[1], mnk[2],
        grouping, groups, /*bounds=*/Value(), inner, isBatched ? batch.slice(2, strides) : ValueRange(),
        isBatched ? batch.take_back(strides) : ValueRange(),
        likely.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(likely));
  });
}

KernelOrReason KernelBook::quantizer(const Quantizer &quantizer) {
  MLIRContext *context = module.getContext();
  if (std::string reason = whyNoKernel(quantizer.scheme); !reason.empty())
    return reason;
  bool hasAmax = QuantizeOp::isForTensor(quantizer.scheme);
  SmallVector<Type> arguments = {GlobalType::get(context, quantizer.source)};
  if (hasAmax)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  Outputs outputs = {quantizer.scheme, quantizer.isAlongColumns, quantizer.isAlongRows};
  outputs.appendTypes(arguments);
  appendIntegers(arguments, context, quantizer.isBatched ? 3 : 2);
  std::string name = "quantize_" + stringifyScaling(scalingOf(quantizer.scheme)).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange rest = values.drop_front(hasAmax ? 2 : 1), sizes = values.take_back(2);
    outputs.take(rest);
    QuantizeOp::create(builder, module.getLoc(), values[0], sizes[0], sizes[1],
                       quantizer.isBatched ? rest[0] : Value(), quantizer.scheme,
                       hasAmax ? values[1] : Value(), outputs.columnCodes, outputs.columnScales,
                       outputs.rowCodes, outputs.rowScales);
  });
}

KernelOrReason KernelBook::requantizer(const Requantizer &requantizer) {
  MLIRContext *context = module.getContext();
  for (qt::SchemeAttr scheme : {requantizer.from, requantizer.scheme})
    if (std::string reason = whyNoKernel(scheme); !reason.empty())
      return reason;
  SmallVector<Type> arguments = {GlobalType::get(context, typeOfCodes(requantizer.from)),
                                 GlobalType::get(context, Float32Type::get(context))};
  Outputs outputs = {requantizer.scheme, requantizer.isAlongColumns, requantizer.isAlongRows};
  outputs.appendTypes(arguments);
  appendIntegers(arguments, context, requantizer.isBatched ? 3 : 2);
  std::string name = "requantize_" + stringifyScaling(scalingOf(requantizer.scheme)).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange rest = values.drop_front(2), sizes = values.take_back(2);
    outputs.take(rest);
    RequantizeOp::create(builder, module.getLoc(), values[0], values[1], requantizer.from,
                         requantizer.expressed, sizes[0], sizes[1], requantizer.isBatched ? rest[0] : Value(),
                         requantizer.scheme, outputs.columnCodes, outputs.columnScales, outputs.rowCodes,
                         outputs.rowScales);
  });
}

KernelOrReason KernelBook::dequantizer(const Dequantizer &dequantizer) {
  MLIRContext *context = module.getContext();
  if (std::string reason = whyNoKernel(dequantizer.from); !reason.empty())
    return reason;
  SmallVector<Type> arguments = {GlobalType::get(context, typeOfCodes(dequantizer.from)),
                                 GlobalType::get(context, Float32Type::get(context)),
                                 GlobalType::get(context, dequantizer.expressed)};
  appendIntegers(arguments, context, dequantizer.isBatched ? 3 : 2);
  std::string name = "dequantize_" + stringifyScaling(scalingOf(dequantizer.from)).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange sizes = values.take_back(2);
    DequantizeOp::create(builder, module.getLoc(), values[0], values[1], dequantizer.from,
                         dequantizer.isAlongRows ? Along::Rows : Along::Columns, sizes[0], sizes[1],
                         dequantizer.isBatched ? values[3] : Value(), values[2]);
  });
}

KernelOrReason KernelBook::amax(Type source, qt::SchemeAttr scheme, bool isBatched) {
  MLIRContext *context = module.getContext();
  SmallVector<Type> arguments = {GlobalType::get(context, source),
                                 GlobalType::get(context, Float32Type::get(context))};
  appendIntegers(arguments, context, isBatched ? 3 : 2);
  return write("amax", arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange sizes = values.take_back(2);
    qtile::AmaxOp::create(builder, module.getLoc(), values[0], sizes[0], sizes[1],
                          isBatched ? values[2] : Value(), scheme, values[1]);
  });
}
