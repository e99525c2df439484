// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists the quantizers of a function, and makes their numbers results of it.

#include "fp8-opt/Dialect/QT/Transforms/ExpandQuantizers.h"
#include "fp8-opt/Target/IREE/Passes.h"
#include "fp8-opt/Target/IREE/Reflection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEDESCRIBEQUANTIZERSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

namespace {
/// Carries values out of a function, from wherever they are computed.
class Exposer {
public:
  Exposer(func::FuncOp function) : function(function), builder(function) {}

  /// Whether the parts of this quantizer could be carried out.
  bool expose(qt::QuantizeOp op);
  /// Adds what was exposed to the results.
  LogicalResult finish();

private:
  SmallVector<Value> partsOf(qt::QuantizeOp op);
  void exposeThroughGlobal(Value part);

  func::FuncOp function;
  OpBuilder builder;
  /// Per new result: the value, or the global that holds it.
  struct Exposed {
    Type type;
    Value value;
    StringAttr global;
  };
  SmallVector<Exposed> exposed;
};
} // namespace

SmallVector<Value> Exposer::partsOf(qt::QuantizeOp op) {
  builder.setInsertionPointAfter(op);
  SmallVector<Type> types = op.getType().getPartTypes();
  auto apart = qt::DisassembleOp::create(builder, op.getLoc(), types.front(), ArrayRef(types).drop_front(),
                                         op.getResult());
  SmallVector<Value> parts = {op.getInput()};
  llvm::append_range(parts, apart.getResults());
  return parts;
}

/// A global that each execution overwrites.
void Exposer::exposeThroughGlobal(Value part) {
  auto type = cast<RankedTensorType>(part.getType());
  std::string name = (function.getName() + "_quantizer_" + Twine(exposed.size())).str();
  OpBuilder outside(function);
  Attribute zeros = DenseElementsAttr::get(type, outside.getZeroAttr(type.getElementType()));
  auto global = ml_program::GlobalOp::create(outside, part.getLoc(), name, type, /*is_mutable=*/true, zeros,
                                             outside.getStringAttr("private"));
  auto symbol = FlatSymbolRefAttr::get(global.getSymNameAttr());
  ml_program::GlobalStoreOp::create(builder, part.getLoc(), symbol, part);
  exposed.push_back({type, Value(), global.getSymNameAttr()});
}

bool Exposer::expose(qt::QuantizeOp op) {
  bool isPlain = op->getParentOp() == function && function.getBody().hasOneBlock();
  auto hasStaticShape = [](Type type) { return cast<RankedTensorType>(type).hasStaticShape(); };
  if (!isPlain &&
      !(hasStaticShape(op.getInput().getType()) && llvm::all_of(op.getType().getPartTypes(), hasStaticShape)))
    return false;
  for (Value part : partsOf(op)) {
    if (isPlain)
      exposed.push_back({part.getType(), part, StringAttr()});
    else
      exposeThroughGlobal(part);
  }
  return true;
}

LogicalResult Exposer::finish() {
  SmallVector<unsigned> positions(exposed.size(), function.getNumResults());
  SmallVector<Type> types = llvm::map_to_vector(exposed, [](const Exposed &part) { return part.type; });
  SmallVector<DictionaryAttr> attributes(exposed.size(), DictionaryAttr::get(function.getContext()));
  if (failed(function.insertResults(positions, types, attributes)))
    return failure();
  for (auto end : function.getOps<func::ReturnOp>()) {
    builder.setInsertionPoint(end);
    SmallVector<Value> values;
    for (const Exposed &part : exposed)
      values.push_back(part.global ? ml_program::GlobalLoadOp::create(builder, end.getLoc(), part.type,
                                                                      FlatSymbolRefAttr::get(part.global))
                                         .getResult()
                                   : part.value);
    end.getOperandsMutable().append(values);
  }
  return success();
}

namespace {
struct DescribeQuantizers : fp8opt::impl::IREEDescribeQuantizersPassBase<DescribeQuantizers> {
  using IREEDescribeQuantizersPassBase::IREEDescribeQuantizersPassBase;
  void runOnOperation() override {
    auto entry = getOperation().lookupSymbol<func::FuncOp>(function);
    if (!entry)
      return;
    qt::expandQuantizers(entry);
    SmallVector<iree::Quantizer> quantizers;
    Exposer exposer(entry);
    SmallVector<qt::QuantizeOp> ops;
    entry.walk([&](qt::QuantizeOp op) { ops.push_back(op); });
    for (qt::QuantizeOp op : ops) {
      bool isExposed = expose && exposer.expose(op);
      quantizers.push_back({op.getType(), op.getLoc(), !op.getScales().empty(), isExposed});
    }
    iree::setQuantizers(entry, quantizers);
    if (expose && failed(exposer.finish()))
      signalPassFailure();
  }
};
} // namespace
