// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses, the forward half, gradients, and which edge of a triangle is the fprop.

#include "RoleAxes.h"
#include "RoleInference.h"

#include <map>

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

Inference::Inference(FunctionOpInterface function)
    : graph(function), forward(graph.size()), cotangent(graph.size()) {
  auto &qt = *function->getContext()->getLoadedDialect<QTDialect>();
  auto helper = qt.getRoleAttrHelper();
  auto module = function->getParentOfType<ModuleOp>();
  SignatureAttr signature = module ? qt.getSignatureAttrHelper().getAttr(module) : SignatureAttr();
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    auto role = function.getArgAttrOfType<RoleAttr>(i, helper.getName());
    annotated.push_back(role ? std::optional(role.getValue()) : std::nullopt);
    bool isNamed = signature && i < signature.getArguments().size();
    kinds.push_back(isNamed ? signature.getArguments()[i].getKind() : ValueKind::Unknown);
  }
}

namespace {
/// The work of findHalves.
class Halves {
public:
  explicit Halves(Inference &inference)
      : all(inference), graph(inference.graph), products(inference.products),
        fromGradients(graph, Direction::Users) {}
  LogicalResult run();

private:
  SmallVector<ValueId> findLosses();
  /// The key that an edge of a triangle does not touch, and the operands that are views of it.
  KeyId opposite(const Triangle &triangle, int edge);
  SmallVector<ValueId> operandsAt(const Triangle &triangle, KeyId key);

  void orientByAnnotation(const BitVector &ofAnnotated);
  void orientByLoss();
  void orientByDependence();
  void orientRecomputed();
  void findForwardWithoutLoss(const BitVector &ofAnnotated);
  /// The values opposite to the fprop are gradients.
  void seed(const Triangle &triangle);
  void findGradientsOutsideTriangles();
  /// The starts are gradients, and so is what is computed from them and not forward.
  void addGradients(ArrayRef<ValueId> starts);
  /// No fprop may depend on an argument that the user says is a gradient.
  LogicalResult verifyAnnotated(const BitVector &ofAnnotated);
  LogicalResult reportOpen();
  /// In a loop that trains, the first linear has no triangle, as its input is frozen.
  LogicalResult reportCarriedWeights();

  Inference &all;
  RoleGraph &graph;
  std::vector<Product> &products;
  SmallVector<ValueId> seeds;
  Reach fromGradients;
};
} // namespace

SmallVector<ValueId> Halves::findLosses() {
  SmallVector<ValueId> scalars, losses;
  for (ValueId id : graph.returned()) {
    Type type = graph.getValue(id).getType();
    auto shaped = dyn_cast<ShapedType>(type);
    if (isa<FloatType>(getElementTypeOrSelf(type)) &&
        (!shaped || (shaped.hasRank() && shaped.getRank() == 0)))
      scalars.push_back(id);
  }
  // A scalar that depends on a product is a loss, unless it depends on a gradient: then on a whole triangle.
  for (size_t start = 0; start < scalars.size(); start += 64) {
    ArrayRef<ValueId> some = ArrayRef(scalars).slice(start).take_front(64);
    std::vector<uint64_t> dependents = findDependents(graph, some);
    uint64_t ofProduct = 0, ofTriangle = 0;
    for (const Product &product : products)
      ofProduct |= dependents[product.result];
    for (const Triangle &triangle : all.triangles) {
      uint64_t whole = ~uint64_t(0);
      for (ProductId edge : triangle.edges)
        whole &= dependents[products[edge].result];
      ofTriangle |= whole;
    }
    for (auto [bit, id] : llvm::enumerate(some))
      if ((ofProduct & ~ofTriangle) >> bit & 1)
        losses.push_back(id);
  }
  return losses;
}

KeyId Halves::opposite(const Triangle &triangle, int edge) {
  const Product &product = products[triangle.edges[edge]];
  const Product &next = products[triangle.edges[(edge + 1) % 3]];
  return product.reads(next.keys[0]) ? next.keys[1] : next.keys[0];
}

SmallVector<ValueId> Halves::operandsAt(const Triangle &triangle, KeyId key) {
  SmallVector<ValueId> operands;
  for (ProductId edge : triangle.edges)
    for (int place : {0, 1})
      if (products[edge].keys[place] == key)
        operands.push_back(products[edge].operands[place]);
  return operands;
}

/// The fprop of a triangle is the only edge for which `holds`. Returns for how many it does.
static int orient(Triangle &triangle, function_ref<bool(int edge)> holds) {
  SmallVector<int, 3> edges;
  llvm::copy_if(llvm::seq(0, 3), std::back_inserter(edges), holds);
  if (edges.size() == 1)
    triangle.fprop = edges[0];
  return edges.size();
}

void Halves::seed(const Triangle &triangle) {
  if (triangle.fprop >= 0)
    llvm::append_range(seeds, operandsAt(triangle, opposite(triangle, triangle.fprop)));
}

/// What the user says of arguments tells more than what depends on what.
void Halves::orientByAnnotation(const BitVector &ofAnnotated) {
  auto isPrimal = [&](KeyId key) {
    std::optional<Role> role = all.getAnnotated(key);
    return role && *role != Role::Gradient;
  };
  for (Triangle &triangle : all.triangles) {
    int count = orient(triangle, [&](int edge) {
      return llvm::all_of(operandsAt(triangle, opposite(triangle, edge)),
                          [&](ValueId id) { return ofAnnotated.test(id); });
    });
    if (!count)
      orient(triangle, [&](int edge) { return llvm::all_of(products[triangle.edges[edge]].keys, isPrimal); });
  }
}

void Halves::orientByLoss() {
  for (Triangle &triangle : all.triangles)
    if (triangle.fprop < 0)
      orient(triangle, [&](int edge) { return all.forward.test(products[triangle.edges[edge]].result); });
}

/// Without a loss the gradient depends on the fprop, unless the loss is linear in it: then the first result
/// does.
void Halves::orientByDependence() {
  if (llvm::all_of(all.triangles, [](const Triangle &triangle) { return triangle.fprop >= 0; }))
    return;
  Ancestry ancestry(graph);
  BitVector first = reach(graph, graph.returned().take_front(1), Direction::Sources);
  for (Triangle &triangle : all.triangles) {
    if (triangle.fprop >= 0)
      continue;
    int count = orient(triangle, [&](int edge) {
      return llvm::all_of(operandsAt(triangle, opposite(triangle, edge)), [&](ValueId id) {
        return ancestry.dependsOn(id, products[triangle.edges[edge]].result);
      });
    });
    if (!count)
      orient(triangle, [&](int edge) { return first.test(products[triangle.edges[edge]].result); });
  }
}

/// Without a loss: what the fprops depend on, and nothing that depends on a gradient.
void Halves::findForwardWithoutLoss(const BitVector &ofAnnotated) {
  Reach slice(graph, Direction::Sources);
  for (const Triangle &triangle : all.triangles)
    if (triangle.fprop >= 0)
      slice.add(products[triangle.edges[triangle.fprop]].result);
  if (all.triangles.empty() || ofAnnotated.any()) {
    slice.add(graph.returned());
    for (ValueId id : ofAnnotated.set_bits())
      seeds.push_back(id);
  }
  all.forward = slice.get();
  all.forward.reset(reach(graph, seeds, Direction::Users));
}

void Halves::addGradients(ArrayRef<ValueId> starts) {
  for (ValueId id : fromGradients.add(starts))
    if (!all.forward.test(id))
      all.cotangent.set(id);
  for (ValueId id : starts)
    all.cotangent.set(id);
}

/// A weight summed over axes that no forward product of it sums meets a gradient; so does, outside loops, a
/// value that is computed from products and is neither forward nor equal to a forward value.
void Halves::findGradientsOutsideTriangles() {
  llvm::DenseSet<unsigned> forwardNumbers;
  for (ValueId id : all.forward.set_bits())
    forwardNumbers.insert(graph.getNumber(id));
  SmallVector<ValueId> results;
  for (const Product &product : products)
    results.push_back(product.result);
  BitVector ofProducts = reach(graph, results, Direction::Users);

  DenseMap<KeyId, SmallVector<SmallVector<AxisPart>, 2>> summed;
  for (const Product &product : products)
    for (int place : {0, 1})
      if (all.forward.test(product.result) && graph.isStoredKey(product.keys[place])) {
        auto parts = traceSummedAxis(graph, product.operands[place]);
        auto &known = summed[product.keys[place]];
        if (!llvm::is_contained(known, parts))
          known.push_back(parts);
      }

  for (const Product &product : products) {
    if (all.forward.test(product.result) || all.touchesGradient(product))
      continue;
    SmallVector<ValueId, 2> found;
    for (int place : {0, 1}) {
      ValueId operand = product.operands[place];
      KeyId key = product.keys[place];
      bool isForward = forwardNumbers.contains(graph.getNumber(operand)) ||
                       forwardNumbers.contains(graph.getKeyNumber(key));
      if (!product.loop && !isForward && !forwardNumbers.empty() && ofProducts.test(operand))
        found.push_back(operand);
      auto known = summed.find(key);
      if (known != summed.end() && !llvm::is_contained(known->second, traceSummedAxis(graph, operand)))
        found.push_back(product.operands[1 - place]);
    }
    addGradients(found);
  }
}

/// Recomputed products: none of the edges is forward, exactly one touches no gradient.
void Halves::orientRecomputed() {
  for (Triangle &triangle : all.triangles)
    if (triangle.fprop < 0)
      orient(triangle, [&](int edge) { return !all.touchesGradient(products[triangle.edges[edge]]); });
}

LogicalResult Halves::verifyAnnotated(const BitVector &ofAnnotated) {
  for (const Triangle &triangle : all.triangles)
    if (triangle.fprop >= 0 && ofAnnotated.test(products[triangle.edges[triangle.fprop]].result))
      return products[triangle.edges[triangle.fprop]].op->emitOpError(
          "expected a forward product to depend on no gradient, got one that depends on an argument whose "
          "qt.role is "
          "gradient");
  return success();
}

LogicalResult Halves::reportOpen() {
  constexpr unsigned maxReported = 8;
  unsigned count = 0;
  for (const Triangle &triangle : all.triangles) {
    if (triangle.fprop >= 0 || ++count > maxReported)
      continue;
    InFlightDiagnostic error =
        products[triangle.edges[0]].op->emitOpError("expected exactly one of the three products over three "
                                                    "values to be forward, got none that stands out; set "
                                                    "qt.role on a function argument that one of them reads, "
                                                    "or give one training step at a time");
    for (ProductId edge : ArrayRef(triangle.edges).drop_front())
      error.attachNote(products[edge].op->getLoc()) << "another of the three products";
    if (count == maxReported)
      error.attachNote() << "further products like these are not reported";
  }
  return failure(count > 0);
}

LogicalResult Halves::reportCarriedWeights() {
  // Two products of one size and loop over one value, which they sum differently.
  std::map<std::tuple<KeyId, uint64_t, unsigned>, SmallVector<std::pair<ProductId, int>, 2>> meetings;
  for (auto [id, product] : llvm::enumerate(products))
    for (int place : {0, 1})
      if (KeyId key = product.keys[place]; product.loop && product.keys[0] != product.keys[1] &&
                                           all.getAnnotated(key) != Role::Weight &&
                                           all.getKind(key) != ValueKind::Parameter)
        meetings[{key, product.volume, product.loop}].push_back({id, place});
  auto feeds = [&](std::pair<ProductId, int> from, std::pair<ProductId, int> to) {
    const Product &reader = products[to.first];
    return reach(graph, products[from.first].result, Direction::Users).test(reader.operands[1 - to.second]);
  };
  // As a gradient changes a weight: through the loop's carry, and through no other product.
  auto changes = [&](std::pair<ProductId, int> from, std::pair<ProductId, int> to) {
    ValueId result = products[from.first].result, operand = products[to.first].operands[1 - to.second];
    return operand < result && llvm::is_contained(walkNear(
                                                      graph, result, Direction::Users,
                                                      [&](ValueId id) { return all.productOf.contains(id); }),
                                                  operand);
  };
  auto summed = [&](std::pair<ProductId, int> at) {
    return traceSummedAxis(graph, products[at.first].operands[at.second]);
  };
  for (auto &[meeting, at] : meetings)
    for (auto [i, one] : llvm::enumerate(at))
      for (auto other : ArrayRef(at).drop_front(i + 1))
        if (summed(one) != summed(other) &&
            ((feeds(one, other) && changes(other, one)) || (feeds(other, one) && changes(one, other)))) {
          InFlightDiagnostic error =
              products[one.first].op->emitOpError("expected a loop whose products do not change what they "
                                                  "read in the next round, got two that give each other an "
                                                  "operand, as where it trains a weight");
          int argument = graph.getKeyArgument(std::get<0>(meeting));
          if (argument >= 0)
            error << "; if argument " << argument << ", which both read, is a weight, set its qt.role";
          error.attachNote(products[other.first].op->getLoc()) << "the other product";
          return error;
        }
  return success();
}

LogicalResult Halves::run() {
  SmallVector<ValueId> annotatedArguments;
  for (auto [argument, role] : llvm::enumerate(all.annotated))
    if (role == Role::Gradient)
      annotatedArguments.push_back(argument);
  BitVector ofAnnotated = reach(graph, annotatedArguments, Direction::Users);

  SmallVector<ValueId> losses = findLosses();
  all.hasLoss = !losses.empty();
  all.forward = reach(graph, losses, Direction::Sources);
  orientByAnnotation(ofAnnotated);
  all.hasLoss ? orientByLoss() : orientByDependence();
  if (failed(verifyAnnotated(ofAnnotated)))
    return failure();
  llvm::append_range(seeds, annotatedArguments);
  for (const Triangle &triangle : all.triangles)
    seed(triangle);
  if (!all.hasLoss)
    findForwardWithoutLoss(ofAnnotated);
  addGradients(seeds);
  findGradientsOutsideTriangles();
  orientRecomputed();
  if (failed(reportOpen()))
    return failure();
  return reportCarriedWeights();
}

LogicalResult fp8opt::qt::roles::findHalves(Inference &inference) { return Halves(inference).run(); }
