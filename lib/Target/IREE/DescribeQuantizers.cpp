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

/// What IREE calls it; `no_inline` of func is not kept.
static constexpr llvm::StringLiteral kNoInline = "noinline";

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
  func::FuncOp aroundGlobals(const Twine &name, TypeRange results);
  void clearGlobals();
  func::FuncOp readGlobals();

  func::FuncOp function;
  OpBuilder builder;
  /// Per new result: the value, or the global that holds it.
  struct Exposed {
    Type type;
    Value value;
    StringAttr global;
  };
  SmallVector<Exposed> exposed;
  SmallVector<Exposed> throughGlobals() {
    return llvm::filter_to_vector(exposed,
                                  [](const Exposed &part) { return static_cast<bool>(part.global); });
  }
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

/// A global that each execution overwrites. It has no initial value: IREE 3.13 takes the size of a global
/// that has one for that of a constant of as many bytes, and then refuses what it made
/// (iree-util-fuse-globals: "marked as immutable but the global is mutable").
void Exposer::exposeThroughGlobal(Value part) {
  std::string name = (function.getName() + "_quantizer_" + Twine(exposed.size())).str();
  OpBuilder outside(function);
  auto global =
      ml_program::GlobalOp::create(outside, part.getLoc(), name, part.getType(), /*is_mutable=*/true,
                                   Attribute(), outside.getStringAttr("private"));
  ml_program::GlobalStoreOp::create(builder, part.getLoc(), FlatSymbolRefAttr::get(global.getSymNameAttr()),
                                    part);
  exposed.push_back({part.getType(), Value(), global.getSymNameAttr()});
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

/// A function of its own around the globals: IREE 3.13 moves loads and stores of globals past a loop that
/// stores to them, and leaves calls of what it must not inline where they are.
func::FuncOp Exposer::aroundGlobals(const Twine &name, TypeRange results) {
  builder.setInsertionPointAfter(function);
  auto around =
      func::FuncOp::create(builder, function.getLoc(), name.str(), builder.getFunctionType({}, results));
  around.setPrivate();
  around->setAttr(kNoInline, builder.getUnitAttr());
  builder.setInsertionPointToStart(around.addEntryBlock());
  return around;
}

/// Zeros first, for what does not execute. One function for each: IREE 3.13 takes globals for one where a
/// block stores the same value to all of them, whatever others store.
void Exposer::clearGlobals() {
  Location loc = function.getLoc();
  for (const Exposed &part : throughGlobals()) {
    func::FuncOp clear = aroundGlobals(part.global.getValue() + "_clear", {});
    auto type = cast<RankedTensorType>(part.type);
    auto zeros = DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType()));
    ml_program::GlobalStoreOp::create(builder, loc, FlatSymbolRefAttr::get(part.global),
                                      arith::ConstantOp::create(builder, loc, zeros));
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(&function.getBody().front());
    func::CallOp::create(builder, loc, clear, ValueRange());
  }
}

/// The function that returns what the last executions left.
func::FuncOp Exposer::readGlobals() {
  SmallVector<Type> types =
      llvm::map_to_vector(throughGlobals(), [](const Exposed &part) { return part.type; });
  func::FuncOp last = aroundGlobals(function.getName() + "_quantizers_last", types);
  SmallVector<Value> values;
  for (const Exposed &part : throughGlobals())
    values.push_back(ml_program::GlobalLoadOp::create(builder, function.getLoc(), part.type,
                                                      FlatSymbolRefAttr::get(part.global)));
  func::ReturnOp::create(builder, function.getLoc(), values);
  return last;
}

LogicalResult Exposer::finish() {
  SmallVector<unsigned> positions(exposed.size(), function.getNumResults());
  SmallVector<Type> types = llvm::map_to_vector(exposed, [](const Exposed &part) { return part.type; });
  SmallVector<DictionaryAttr> attributes(exposed.size(), DictionaryAttr::get(function.getContext()));
  if (failed(function.insertResults(positions, types, attributes)))
    return failure();
  func::FuncOp last;
  if (!throughGlobals().empty()) {
    clearGlobals();
    last = readGlobals();
  }
  for (auto end : function.getOps<func::ReturnOp>()) {
    builder.setInsertionPoint(end);
    SmallVector<Value> read;
    if (last)
      read = func::CallOp::create(builder, end.getLoc(), last, ValueRange()).getResults();
    auto next = read.begin();
    for (const Exposed &part : exposed)
      end.getOperandsMutable().append(part.global ? *next++ : part.value);
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
