// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products and the triangles that they make.

#include "NormalProduct.h"
#include "RoleInference.h"
#include "fp8-opt/Import/Contraction.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

static LogicalResult addProduct(Inference &inference, QuantizableOp op) {
  Value lhs = op.getLhsOperand().get(), rhs = op.getRhsOperand().get(), result = op->getResult(0);
  auto lhsType = dyn_cast<RankedTensorType>(lhs.getType()),
       rhsType = dyn_cast<RankedTensorType>(rhs.getType());
  if (!lhsType || !rhsType || lhsType.getRank() < 2 || rhsType.getRank() != lhsType.getRank())
    return op.emitOpError() << "expected operands of shape [batch..., m, k] and [batch..., n, k], got "
                            << lhs.getType() << " and " << rhs.getType();
  RoleGraph &graph = inference.graph;
  Product product{op,
                  {graph.getId(lhs), graph.getId(rhs)},
                  graph.getId(result),
                  {graph.getKey(graph.getId(lhs)), graph.getKey(graph.getId(rhs))},
                  rhsType.getShape().take_back(2)[0],
                  rhsType.getShape().back(),
                  1,
                  graph.getLoop(graph.getId(result))};
  auto count = [&](int64_t size) { product.volume *= ShapedType::isDynamic(size) ? 1 : size; };
  llvm::for_each(lhsType.getShape(), count);
  count(product.n);
  inference.productOf[product.result] = inference.products.size();
  inference.products.push_back(product);
  return success();
}

LogicalResult fp8opt::qt::roles::findProducts(Inference &inference) {
  for (Operation *op : inference.graph.candidates()) {
    if (std::optional<Contraction> match = matchContraction(op); match && !match->isProduct()) {
      inference.noProducts.push_back(op);
      continue;
    }
    if (failed(verifyNormalProduct(op)))
      return failure();
    if (failed(addProduct(inference, cast<QuantizableOp>(op))))
      return failure();
  }
  return success();
}

namespace {
/// Products by what they read.
class Meetings {
public:
  explicit Meetings(ArrayRef<Product> products);

  ArrayRef<ProductId> at(KeyId key) const { return byKey[key]; }
  /// The products of two keys with this volume.
  ArrayRef<ProductId> of(KeyId a, KeyId b, uint64_t volume) const {
    auto found = byPair.find({{std::min(a, b), std::max(a, b)}, volume});
    return found == byPair.end() ? ArrayRef<ProductId>() : ArrayRef(found->second);
  }

private:
  std::vector<SmallVector<ProductId, 3>> byKey;
  DenseMap<std::pair<std::pair<KeyId, KeyId>, uint64_t>, SmallVector<ProductId, 1>> byPair;
};
} // namespace

Meetings::Meetings(ArrayRef<Product> products) {
  for (auto [id, product] : llvm::enumerate(products)) {
    auto [a, b] = product.keys;
    byKey.resize(std::max<size_t>(byKey.size(), std::max(a, b) + 1));
    if (a == b) // a product of a value with itself has no gradient triangle
      continue;
    byKey[a].push_back(id);
    byKey[b].push_back(id);
    byPair[{{std::min(a, b), std::max(a, b)}, product.volume}].push_back(id);
  }
}

void fp8opt::qt::roles::findTriangles(Inference &inference) {
  ArrayRef<Product> products = inference.products;
  Meetings meetings(products);
  for (auto [id, product] : llvm::enumerate(products)) {
    auto [a, b] = product.keys;
    if (a == b)
      continue;
    // Each triangle is found at its first edge, from the side with fewer neighbours.
    bool fromSecond = meetings.at(b).size() <= meetings.at(a).size();
    KeyId near = fromSecond ? b : a, far = fromSecond ? a : b;
    SmallVector<std::pair<ProductId, ProductId>> found;
    for (ProductId next : meetings.at(near)) {
      KeyId third = products[next].other(near);
      if (next <= id || third == far || products[next].volume != product.volume)
        continue;
      for (ProductId last : meetings.of(far, third, product.volume))
        if (last > id)
          found.push_back(fromSecond ? std::pair(next, last) : std::pair(last, next));
    }
    llvm::sort(found);
    for (auto [atSecond, atFirst] : found)
      inference.triangles.push_back({{ProductId(id), atSecond, atFirst}});
  }
}
