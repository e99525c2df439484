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

static std::string noCodes(qt::SchemeAttr scheme) {
  return "no kernel is for codes of " + std::string(numerics::format(scheme.getCode()).name);
}

static std::string noScaling(qt::SchemeAttr scheme) {
  std::string text = "no kernel is for the scales of ";
  llvm::raw_string_ostream(text) << scheme;
  return text;
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
      reason = diagnostic.str();
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
    Type codes = typeOfCodes(scheme);
    if (!codes)
      return noCodes(scheme);
    if (scalingOf(scheme) == Scaling::None)
      return noScaling(scheme);
    arguments.append({GlobalType::get(context, codes), getScalesType(scheme)});
  }
  bool hasAlpha = numerics::hasTensorFactor(product.lhs.getNumerics(), product.rhs.getNumerics());
  if (hasAlpha)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  arguments.push_back(GlobalType::get(context, product.result));
  arguments.append(product.isBatched ? 4 : 3, IntegerType::get(context, 32));
  Scaling lhs = scalingOf(product.lhs), rhs = scalingOf(product.rhs);
  std::string name = "gemm_" + stringifyScaling(lhs).str();
  if (lhs != rhs)
    name += "_" + stringifyScaling(rhs).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    Value alpha = hasAlpha ? values[4] : Value();
    ValueRange rest = values.drop_front(hasAlpha ? 5 : 4), sizes = rest.take_back(3);
    auto grouping = product.isBatched ? GroupingAttr::get(context, Grouping::Batch) : GroupingAttr();
    Value groups = product.isBatched ? rest[1] : Value();
    GemmOp::create(builder, module.getLoc(), values[0], values[1], lhs, OperandLayout::Panels, values[2],
                   values[3], rhs, OperandLayout::Panels, alpha, rest[0], product.accumulates,
                   /*maps=*/Value(), sizes[0], sizes[1], sizes[2], grouping, groups, /*bounds=*/Value(),
                   product.likely.empty() ? DenseI64ArrayAttr()
                                          : builder.getDenseI64ArrayAttr(product.likely));
  });
}

KernelOrReason KernelBook::product(std::pair<Matrix, Matrix> operands, Type result,
                                   ArrayRef<int64_t> likely) {
  MLIRContext *context = module.getContext();
  Matrix lhs = operands.first, rhs = operands.second;
  SmallVector<Type> arguments;
  for (Type element : {lhs.element, rhs.element, result, Type(IntegerType::get(context, 8))})
    arguments.push_back(GlobalType::get(context, element));
  arguments.append(3, IntegerType::get(context, 32));
  std::string name = "gemm_" + stringifyOperandLayout(lhs.layout).str();
  if (lhs.layout != rhs.layout)
    name += "_" + stringifyOperandLayout(rhs.layout).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    GemmOp::create(
        builder, module.getLoc(), values[0], /*lhsScales=*/Value(), Scaling::None, lhs.layout, values[1],
        /*rhsScales=*/Value(), Scaling::None, rhs.layout, /*alpha=*/Value(), values[2], /*accumulate=*/false,
        values[3], values[4], values[5], values[6], /*grouping=*/GroupingAttr(), /*groups=*/Value(),
        /*bounds=*/Value(), likely.empty() ? DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(likely));
  });
}

KernelOrReason KernelBook::quantizer(const Quantizer &quantizer) {
  MLIRContext *context = module.getContext();
  Type codes = typeOfCodes(quantizer.scheme);
  if (!codes)
    return noCodes(quantizer.scheme);
  Scaling scaling = scalingOf(quantizer.scheme);
  if (scaling == Scaling::None)
    return noScaling(quantizer.scheme);
  bool hasAmax = QuantizeOp::isForTensor(quantizer.scheme);
  SmallVector<Type> arguments = {GlobalType::get(context, quantizer.source)};
  if (hasAmax)
    arguments.push_back(GlobalType::get(context, Float32Type::get(context)));
  for (bool isWanted : {quantizer.isAlongColumns, quantizer.isAlongRows})
    if (isWanted)
      arguments.append({GlobalType::get(context, codes), getScalesType(quantizer.scheme)});
  arguments.append(quantizer.isBatched ? 3 : 2, IntegerType::get(context, 32));
  std::string name = "quantize_" + stringifyScaling(scaling).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    unsigned next = 1;
    auto take = [&](bool isWanted) { return isWanted ? values[next++] : Value(); };
    Value amax = take(hasAmax);
    Value columnCodes = take(quantizer.isAlongColumns), columnScales = take(quantizer.isAlongColumns);
    Value rowCodes = take(quantizer.isAlongRows), rowScales = take(quantizer.isAlongRows);
    Value batch = take(quantizer.isBatched);
    QuantizeOp::create(builder, module.getLoc(), values[0], values[next], values[next + 1], batch,
                       quantizer.scheme, amax, columnCodes, columnScales, rowCodes, rowScales);
  });
}

KernelOrReason KernelBook::requantizer(const Requantizer &requantizer) {
  MLIRContext *context = module.getContext();
  for (qt::SchemeAttr scheme : {requantizer.from, requantizer.scheme}) {
    if (!typeOfCodes(scheme))
      return noCodes(scheme);
    if (scalingOf(scheme) == Scaling::None)
      return noScaling(scheme);
  }
  SmallVector<Type> arguments = {GlobalType::get(context, typeOfCodes(requantizer.from)),
                                 GlobalType::get(context, Float32Type::get(context))};
  for (bool isWanted : {requantizer.isAlongColumns, requantizer.isAlongRows})
    if (isWanted)
      arguments.append(
          {GlobalType::get(context, typeOfCodes(requantizer.scheme)), getScalesType(requantizer.scheme)});
  arguments.append(requantizer.isBatched ? 3 : 2, IntegerType::get(context, 32));
  std::string name = "requantize_" + stringifyScaling(scalingOf(requantizer.scheme)).str();
  return write(name, arguments, [&](OpBuilder &builder, ValueRange values) {
    unsigned next = 2;
    auto take = [&](bool isWanted) { return isWanted ? values[next++] : Value(); };
    Value columnCodes = take(requantizer.isAlongColumns), columnScales = take(requantizer.isAlongColumns);
    Value rowCodes = take(requantizer.isAlongRows), rowScales = take(requantizer.isAlongRows);
    Value batch = take(requantizer.isBatched);
    RequantizeOp::create(builder, module.getLoc(), values[0], values[1], requantizer.from,
                         requantizer.expressed, values[next], values[next + 1], batch, requantizer.scheme,
                         columnCodes, columnScales, rowCodes, rowScales);
  });
}

KernelOrReason KernelBook::dequantizer(const Dequantizer &dequantizer) {
  MLIRContext *context = module.getContext();
  Type codes = typeOfCodes(dequantizer.from);
  if (!codes)
    return noCodes(dequantizer.from);
  Scaling scaling = scalingOf(dequantizer.from);
  if (scaling == Scaling::None)
    return noScaling(dequantizer.from);
  SmallVector<Type> arguments = {GlobalType::get(context, codes),
                                 GlobalType::get(context, Float32Type::get(context)),
                                 GlobalType::get(context, dequantizer.expressed)};
  arguments.append(dequantizer.isBatched ? 3 : 2, IntegerType::get(context, 32));
  std::string name = "dequantize_" + stringifyScaling(scaling).str();
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
  arguments.append(isBatched ? 3 : 2, IntegerType::get(context, 32));
  return write("amax", arguments, [&](OpBuilder &builder, ValueRange values) {
    ValueRange sizes = values.take_back(2);
    qtile::AmaxOp::create(builder, module.getLoc(), values[0], sizes[0], sizes[1],
                          isBatched ? values[2] : Value(), scheme, values[1]);
  });
}
