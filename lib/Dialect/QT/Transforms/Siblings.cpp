// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers of one tensor in several orientations, which one pass over it could make.

#include "Siblings.h"

#include "Views.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

Siblings::Siblings(FunctionOpInterface function) {
  Views views;
  function.walk([&](QuantizeOp op) {
    if (op->getNumOperands() != 1)
      return;
    Key key = {op->getBlock(), views.orient(op.getInput()).number, op.getHalfAttr()};
    keys[op] = key;
    members[key].insert(op);
  });
}

/// Whether the change of shape that a quantizer reads, transposed or not, takes its blocks apart.
static bool isFixed(QuantizeOp quantizer) {
  Value value = quantizer.getInput();
  QTensorType type = quantizer.getType();
  while (auto view = value.getDefiningOp<ScaleTransparentOp>()) {
    bool isTranspose = isa<linalg::TransposeOp>(view);
    if (!isTranspose && view.getMoving() != Moving::Reshapes)
      return false;
    WhyNot why;
    SmallVector<QTensorType> types = view.getQuantizedTypes(type, why);
    if (!isTranspose || types.empty())
      return types.empty();
    type = types.front();
    value = view.getMovedOperands().front();
  }
  return false;
}

bool Siblings::hasFixed(QuantizeOp quantizer) const {
  auto key = keys.find(quantizer);
  return key != keys.end() && llvm::any_of(members.find(key->second)->second, [&](Operation *other) {
           return other != quantizer && isFixed(cast<QuantizeOp>(other));
         });
}

void Siblings::replace(QuantizeOp quantizer, QuantizeOp above, Operation *view) {
  auto known = keys.find(quantizer);
  if (known == keys.end())
    return;
  Key key = known->second;
  keys.erase(known);
  members[key].remove(quantizer);
  if (!isa<linalg::TransposeOp>(view))
    return;
  keys[above] = key;
  members[key].insert(above);
}
