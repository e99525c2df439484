// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention on keys and values that a cache holds.

#include "RoleInference.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

/// Whether the product is of several matrices.
static bool isBatched(const Product &product) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(product.op->getResult(0).getType()).getShape();
  return llvm::any_of(shape.drop_back(2), [](int64_t size) { return size != 1; });
}

/// Whether the weight may be what a cache holds: neither constant nor annotated, and not of parameters alone.
static bool mayBeCached(const Inference &all, const Product &product) {
  int place = product.weightPlace();
  KeyId key = product.keys[place];
  if (all.graph.isStoredKey(key))
    return !all.graph.isConstantKey(key) && all.getAnnotated(key) != Role::Weight &&
           all.getKind(key) != ValueKind::Parameter;
  return llvm::any_of(findMatrixArguments(all.graph, product.operands[place]), [&](int argument) {
    return all.kinds[argument] != ValueKind::Parameter && all.annotated[argument] != Role::Weight;
  });
}

void fp8opt::qt::roles::demoteCaches(Inference &all) {
  const RoleGraph &graph = all.graph;
  SmallVector<ProductId> mayAttend;
  DenseMap<ValueId, SmallVector<ProductId, 1>> readers;
  bool hasCached = false;
  for (auto [id, product] : llvm::enumerate(all.products)) {
    bool hasWeight = product.weightPlace() >= 0;
    if (!product.isFprop() || !isBatched(product) || (hasWeight && !mayBeCached(all, product)))
      continue;
    hasCached |= hasWeight;
    mayAttend.push_back(id);
    for (ValueId operand : product.operands)
      readers[operand].push_back(id);
  }
  if (!hasCached)
    return;
  auto demote = [&](Product &product) {
    if (int place = product.weightPlace(); place >= 0) {
      product.roles[place] = Role::Activation;
      product.isGuess = false;
      product.isUndecided = true;
    }
  };
  auto stop = [&](ValueId id) { return all.productOf.contains(id) || all.cotangent.test(id); };
  for (ProductId id : mayAttend) {
    Product &score = all.products[id];
    SmallVector<ValueId> way = walkNear(graph, score.result, Direction::Users, stop);
    if (llvm::none_of(way, [&](ValueId id) { return !graph.getSummedExponentials(id).empty(); }))
      continue;
    for (ValueId value : way)
      for (ProductId reader : readers.lookup(value))
        if (reader != id) {
          demote(score);
          demote(all.products[reader]);
        }
  }
}
