// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a program count what its quantizers do to the numbers.

#include "fp8-opt/Run/InstrumentQuantizers.h"
#include "QuantizerNames.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QT/Transforms/ExpandQuantizers.h"
#include "fp8-opt/Emit/ElementaryEmitter.h"
#include "fp8-opt/Numerics/Error.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

namespace {
/// Writes the sums over one quantizer's elements.
class Counter {
public:
  Counter(OpBuilder &builder, qt::QuantizeOp op)
      : builder(builder), loc(op.getLoc()), op(op),
        code(numerics::format(op.getType().getScheme().getCode())) {}

  void emit(func::FuncOp record, int64_t number);

private:
  SmallVector<Value> body(ValueRange elements);

  OpBuilder &builder;
  Location loc;
  qt::QuantizeOp op;
  const numerics::Format &code;
};
} // namespace

/// Elements: the value, its code, what that stands for, then the sums so far.
SmallVector<Value> Counter::body(ValueRange elements) {
  ElementaryEmitter emit(builder, loc);
  auto error = numerics::elementError(emit, code, emit.wordOfFloat(elements[0]),
                                      emit.wordOfFloat(elements[2]), emit.wordOfStored(elements[1]));
  ValueRange sums = elements.drop_front(3);
  SmallVector<Value> results;
  for (Value count : {error.nonfinite, error.saturated, error.flushed}) {
    Value wide = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), count);
    results.push_back(arith::AddIOp::create(builder, loc, sums[results.size()], wide));
  }
  for (Value square : {error.signal, error.noise})
    results.push_back(arith::AddFOp::create(builder, loc, sums[results.size()], square));
  return results;
}

void Counter::emit(func::FuncOp record, int64_t number) {
  builder.setInsertionPointAfter(op);
  qt::QTensorType type = op.getType();
  SmallVector<Type> parts = type.getPartTypes();
  auto apart =
      qt::DisassembleOp::create(builder, loc, parts.front(), ArrayRef(parts).drop_front(), op.getResult());
  Value decoded = qt::DequantizeOp::create(builder, loc, op.getInput().getType(), op.getResult());
  unsigned rank = type.getRank();
  AffineMap element = AffineMap::getMultiDimIdentityMap(rank, builder.getContext());
  AffineMap sum = AffineMap::get(rank, 0, builder.getContext());
  SmallVector<Value> zeros;
  Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
  for (Type sumType : {i64, i64, i64, f64, f64}) {
    Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType));
    Value empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>(), sumType);
    zeros.push_back(linalg::FillOp::create(builder, loc, zero, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(3, element);
  maps.append(5, sum);
  auto sums = linalg::GenericOp::create(
      builder, loc, TypeRange(ValueRange(zeros)), ValueRange{op.getInput(), apart.getCodes(), decoded}, zeros,
      maps, SmallVector<utils::IteratorType>(rank, utils::IteratorType::reduction),
      [&](OpBuilder &inside, Location loc, ValueRange elements) {
        OpBuilder::InsertionGuard guard(builder);
        builder.restoreInsertionPoint(inside.saveInsertionPoint());
        linalg::YieldOp::create(builder, loc, body(elements));
      });
  builder.setInsertionPointAfter(sums);
  SmallVector<Value> arguments = {arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(number))};
  Value elements = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  for (unsigned axis = 0; axis < rank; ++axis) {
    Value size = builder.createOrFold<tensor::DimOp>(loc, op.getInput(), axis);
    elements = arith::MulIOp::create(builder, loc, elements,
                                     arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size));
  }
  arguments.push_back(elements);
  for (Value result : sums.getResults())
    arguments.push_back(tensor::ExtractOp::create(builder, loc, result, ValueRange()));
  func::CallOp::create(builder, loc, record, arguments);
}

std::vector<QuantizerDescription> fp8opt::run::instrumentQuantizers(func::FuncOp function) {
  qt::expandQuantizers(function);
  SmallVector<qt::QuantizeOp> quantizers;
  function.walk([&](qt::QuantizeOp op) { quantizers.push_back(op); });
  std::vector<QuantizerDescription> descriptions;
  if (quantizers.empty())
    return descriptions;
  // A graph of nothing but quantizers has loaded none of these.
  function.getContext()
      ->loadDialect<arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect>();
  OpBuilder builder(function);
  Type i64 = builder.getI64Type(), f64 = builder.getF64Type();
  auto record = func::FuncOp::create(builder, function.getLoc(), "fp8_record_quantizer",
                                     builder.getFunctionType({i64, i64, i64, i64, i64, f64, f64}, {}));
  record.setPrivate();
  auto module = function->getParentOfType<ModuleOp>();
  QuantizerNames names(qt::QTDialect::ReportAttrHelper(module.getContext()).getAttr(module),
                       qt::QTDialect::SignatureAttrHelper(module.getContext()).getAttr(module));
  for (auto [number, op] : llvm::enumerate(quantizers)) {
    descriptions.push_back(describeQuantizer(op.getType(), op.getLoc()));
    descriptions.back().operand = names.nameOf(op);
    Counter(builder, op).emit(record, number);
  }
  return descriptions;
}
