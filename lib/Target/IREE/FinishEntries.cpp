// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives entry points the form and the description that IREE's runtime and fp8-run need.

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Import/Signature.h"
#include "fp8-opt/Target/IREE/Passes.h"
#include "fp8-opt/Target/IREE/Reflection.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEFINISHENTRIESPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// The tensor without dimensions that a scalar becomes; null for what is a tensor.
static RankedTensorType boundaryType(Type type) {
  if (isa<TensorType>(type))
    return {};
  return RankedTensorType::get({}, type.isIndex() ? IntegerType::get(type.getContext(), 64) : type);
}

static void wrapArguments(func::FuncOp entry) {
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.front());
  for (BlockArgument argument : entry.getArguments()) {
    Type scalar = argument.getType();
    RankedTensorType type = boundaryType(scalar);
    if (!type)
      continue;
    argument.setType(type);
    auto element = tensor::ExtractOp::create(builder, argument.getLoc(), argument, ValueRange());
    Value value = element;
    if (scalar.isIndex())
      value = arith::IndexCastOp::create(builder, argument.getLoc(), scalar, value);
    argument.replaceUsesWithIf(value, [&](OpOperand &use) { return use.getOwner() != element; });
  }
}

static void wrapResults(func::ReturnOp end) {
  OpBuilder builder(end);
  for (OpOperand &result : end->getOpOperands()) {
    Value value = result.get();
    RankedTensorType type = boundaryType(value.getType());
    if (!type)
      continue;
    if (value.getType().isIndex())
      value = arith::IndexCastOp::create(builder, end.getLoc(), type.getElementType(), value);
    result.set(tensor::FromElementsOp::create(builder, end.getLoc(), type, value));
  }
}

/// Entry points take and return tensors only.
static void wrapScalars(func::FuncOp entry) {
  wrapArguments(entry);
  SmallVector<Type> results;
  for (auto end : entry.getOps<func::ReturnOp>()) {
    wrapResults(end);
    results = llvm::to_vector(end.getOperandTypes());
  }
  entry.setFunctionType(FunctionType::get(entry.getContext(), entry.front().getArgumentTypes(), results));
}

static bool isOurs(NamedAttribute attribute) {
  return isa_and_nonnull<qt::QTDialect, qtile::QTileDialect>(attribute.getNameDialect());
}

static DictionaryAttr withoutOurs(DictionaryAttr attributes) {
  return DictionaryAttr::get(attributes.getContext(),
                             llvm::filter_to_vector(attributes.getValue(), [](NamedAttribute attribute) {
                               return !isOurs(attribute);
                             }));
}

/// IREE does not know the dialects.
static void eraseOurAttributes(ModuleOp module) {
  module.walk([](Operation *op) {
    op->setDiscardableAttrs(withoutOurs(op->getDiscardableAttrDictionary()));
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return;
    SmallVector<DictionaryAttr> arguments, results;
    function.getAllArgAttrs(arguments);
    function.getAllResultAttrs(results);
    function.setAllArgAttrs(llvm::map_to_vector(arguments, withoutOurs));
    function.setAllResultAttrs(llvm::map_to_vector(results, withoutOurs));
  });
}

namespace {
struct FinishEntries : fp8opt::impl::IREEFinishEntriesPassBase<FinishEntries> {
  using IREEFinishEntriesPassBase::IREEFinishEntriesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto entry = module.lookupSymbol<func::FuncOp>(function);
    if (!entry || entry.isExternal()) {
      module.emitError() << "expected a function '" << function << "' with a body, got "
                         << (entry ? "a declaration" : "none");
      return signalPassFailure();
    }
    qt::QTDialect::SignatureAttrHelper helper(&getContext());
    if (!helper.isAttrPresent(module))
      numberSignature(module, entry);
    qt::SignatureAttr names = helper.getAttr(module);
    SmallVector<int64_t> weights = qt::findWeights(module);
    std::string unquantized = qt::unquantizedName(function);
    for (auto each : module.getOps<func::FuncOp>()) {
      bool isEntry = each == entry || each.getName() == unquantized;
      each.setVisibility(isEntry ? SymbolTable::Visibility::Public : SymbolTable::Visibility::Private);
      if (!isEntry)
        continue;
      if (each != entry)
        iree::setQuantizers(each, {});
      iree::setDescription(each, each.getFunctionType(), names, weights, device);
      wrapScalars(each);
    }
    eraseOurAttributes(module);
  }
};
} // namespace
