// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of a program whose numbers nothing here knows: for people, and as JSON.

#include "fp8-opt/Report/LeftAlone.h"

#include "fp8-opt/Report/ProgramText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace fp8opt;

static bool isOfFloats(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && isa<FloatType>(shaped.getElementType());
}

/// Whether what the op computes is known to no step: an op that is not registered, one on vectors, or a call
/// that import could not inline.
static bool isUnknown(Operation *op) {
  return !op->isRegistered() || isa_and_nonnull<vector::VectorDialect>(op->getDialect()) ||
         isa<func::CallOp>(op);
}

static std::string nameOf(Operation *op) {
  std::string name = op->getName().getStringRef().str();
  auto call = dyn_cast<func::CallOp>(op);
  return call ? name + " @" + call.getCallee().str() : name;
}

/// Two operands of a matrix product, or a tensor of which not even the rank is known.
static bool readsTwoMatrices(Operation *op) {
  return llvm::count_if(op->getOperandTypes(), [](Type type) {
           return isOfFloats(type) &&
                  (!cast<ShapedType>(type).hasRank() || cast<ShapedType>(type).getRank() >= 2);
         }) >= 2;
}

SmallVector<LeftAlone> fp8opt::findLeftAlone(func::FuncOp entry) {
  SmallVector<LeftAlone> found;
  entry.walk([&](Operation *op) {
    if (!isUnknown(op) ||
        (llvm::none_of(op->getOperandTypes(), isOfFloats) && llvm::none_of(op->getResultTypes(), isOfFloats)))
      return;
    std::string name = nameOf(op);
    auto *kind = llvm::find_if(found, [&](const LeftAlone &each) { return each.name == name; });
    if (kind == found.end())
      kind = &found.emplace_back(LeftAlone{name, 0, op->getLoc(), std::nullopt});
    ++kind->count;
    if (!kind->firstOfMatrices && readsTwoMatrices(op))
      kind->firstOfMatrices = op->getLoc();
  });
  return found;
}

void fp8opt::printLeftAlone(raw_ostream &os, ArrayRef<LeftAlone> kinds) {
  for (const LeftAlone &kind : kinds)
    os << locationText(kind.first) << ": left alone: " << kind.count << " x '" << kind.name
       << "' (unknown op: what it computes is not known, so nothing in it is quantized"
       << (kind.count == 1 ? "" : "; the first is here") << ")\n";
}

llvm::json::Array fp8opt::leftAloneToJson(ArrayRef<LeftAlone> kinds) {
  llvm::json::Array array;
  for (const LeftAlone &kind : kinds)
    array.push_back(llvm::json::Object{{"op", jsonText(kind.name)},
                                       {"count", kind.count},
                                       {"location", jsonText(locationText(kind.first))},
                                       {"reads_two_matrices", bool(kind.firstOfMatrices)}});
  return array;
}

LogicalResult fp8opt::checkStrict(ArrayRef<LeftAlone> kinds) {
  LogicalResult result = success();
  for (const LeftAlone &kind : kinds)
    if (kind.firstOfMatrices)
      result = emitError(*kind.firstOfMatrices)
               << "expected every product to be one that is known, got '" << kind.name
               << "', an unknown op that reads two matrices and may multiply them";
  return result;
}
