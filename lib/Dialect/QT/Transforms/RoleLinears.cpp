// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which products are of one linear layer.

#include "RoleAxes.h"
#include "RoleInference.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

namespace {
/// The work of findLinears.
class Linears {
public:
  explicit Linears(Inference &inference)
      : all(inference), graph(inference.graph), products(inference.products) {}
  void run();

private:
  using Place = std::pair<KeyId, uint64_t>; ///< a key, and the volume of a product that reads it

  LinearId nameLinear(const Product &product, int place, ArrayRef<AxisPart> sums);
  void nameFprops();
  void indexFprops();
  void joinTriangles();
  /// Joins each gradient product without GEMM to the only linear that has a use which lacks one like it.
  void joinByOperand();
  /// The only argument without fprop that a gradient meets is the weight of a linear whose fprop is dead,
  /// unless it is a buffer of the signature, as a preconditioner is.
  void nameDeadLinears();
  /// A wgrad whose fprop is elsewhere meets the gradient that its dgrad meets.
  void joinByGradient();
  /// Several linears read this value: the gradient tells which, by the products it comes from.
  void joinByConsumers();

  /// The GEMM of a gradient product that shares a key with an fprop. Without weight, operand B counts as
  /// weight.
  Gemm kindFor(const Product &fprop, KeyId shared) const;
  /// Whether the product sums the same axes of a weight as its fprop: then it is not its dgrad.
  bool sumsAlike(const Product &product, const Product &fprop, KeyId weight);
  void join(Product &product, int place, ArrayRef<ProductId> fprops);
  void set(Product &product, LinearId linear, Gemm gemm, KeyId shared);
  ArrayRef<AxisPart> summed(ValueId operand);

  /// What the product of an fprop reaches without crossing a product: fprops, as linear and their other key.
  const llvm::DenseSet<std::pair<LinearId, KeyId>> &consumers(ProductId fprop);
  /// The products that a gradient comes from without crossing a product.
  SmallVector<ProductId> producers(ValueId gradient);

  Inference &all;
  RoleGraph &graph;
  std::vector<Product> &products;
  TupleNumbers names;
  /// How often a linear uses a key, and how many gradient products are known that share it: as many as uses,
  /// if all are.
  DenseMap<std::pair<LinearId, KeyId>, unsigned> uses, taken;
  /// By what they read; the second has one fprop for each linear.
  DenseMap<Place, SmallVector<ProductId, 2>> fpropsAt, linearsAt;
  DenseMap<ValueId, SmallVector<ProductId, 2>> fpropsReading;
  DenseMap<ValueId, SmallVector<AxisPart>> summedAxes;
  DenseMap<ProductId, llvm::DenseSet<std::pair<LinearId, KeyId>>> consumersOf;
};
} // namespace

ArrayRef<AxisPart> Linears::summed(ValueId operand) {
  auto [found, isMissing] = summedAxes.try_emplace(operand);
  if (isMissing)
    found->second = traceSummedAxis(graph, operand);
  return found->second;
}

LinearId Linears::nameLinear(const Product &product, int place, ArrayRef<AxisPart> sums) {
  KeyId weight = product.keys[place];
  SmallVector<uint64_t, 8> name = {weight};
  for (const AxisPart &part : sums)
    name.append({uint64_t(part.axis), uint64_t(part.stride), uint64_t(part.size)});
  LinearId id = names.get(name);
  if (size_t(id) == all.linears.size()) {
    Linear linear;
    linear.argument = graph.getKeyArgument(weight);
    linear.hasWeight = true;
    auto addPart = [&](int argument) {
      if (linear.argument < 0 && argument >= 0 && !llvm::is_contained(linear.parts, argument))
        linear.parts.push_back(argument);
    };
    for (KeyId part : graph.getParts(weight))
      addPart(graph.getKeyArgument(part));
    if (!graph.isStoredKey(weight))
      llvm::for_each(findMatrixArguments(graph, product.operands[place]), addPart);
    for (const AxisPart &part : sums) // The axes are told of arguments only.
      if (linear.argument >= 0 && (linear.sums.empty() || linear.sums.back() != part.axis))
        linear.sums.push_back(part.axis);
    all.linears.push_back(linear);
  }
  return id;
}

void Linears::nameFprops() {
  for (Product &product : products) {
    if (!product.isFprop())
      continue;
    if (int place = product.weightPlace(); place >= 0) {
      product.linear = nameLinear(product, place, summed(product.operands[place]));
      continue;
    }
    // Two words, which no weight and its parts are.
    product.linear = names.get({product.keys[0], product.keys[1]});
    if (size_t(product.linear) == all.linears.size())
      all.linears.emplace_back();
  }
}

void Linears::indexFprops() {
  llvm::DenseSet<std::pair<Place, LinearId>> known;
  llvm::DenseSet<std::tuple<LinearId, KeyId, KeyId>> knownUses; // recomputed ones are no more uses
  for (auto [id, product] : llvm::enumerate(products)) {
    if (!product.isFprop())
      continue;
    if (knownUses.insert({product.linear, product.keys[0], product.keys[1]}).second)
      for (KeyId key : product.keys)
        ++uses[{product.linear, key}];
    for (int each : {0, 1}) {
      Place place = {product.keys[each], product.volume};
      fpropsReading[product.operands[each]].push_back(id);
      fpropsAt[place].push_back(id);
      if (known.insert({place, product.linear}).second)
        linearsAt[place].push_back(id);
    }
  }
}

void Linears::set(Product &product, LinearId linear, Gemm gemm, KeyId shared) {
  product.linear = linear;
  product.gemm = gemm;
  ++taken[{linear, shared}];
}

Gemm Linears::kindFor(const Product &fprop, KeyId shared) const {
  int place = fprop.weightPlace();
  return shared == fprop.keys[place < 0 ? 1 : place] ? Gemm::Dgrad : Gemm::Wgrad;
}

void Linears::joinTriangles() {
  for (const Triangle &triangle : all.triangles) {
    ProductId fpropId = triangle.edges[triangle.fprop];
    const Product &fprop = products[fpropId];
    for (ProductId edge : triangle.edges) {
      if (edge == fpropId)
        continue;
      KeyId shared = products[edge].keys[fprop.reads(products[edge].keys[0]) ? 0 : 1];
      set(products[edge], fprop.linear, kindFor(fprop, shared), shared);
    }
  }
}

bool Linears::sumsAlike(const Product &product, const Product &fprop, KeyId key) {
  int at = fprop.keys[0] == key ? 0 : 1;
  if (fprop.roles[at] != Role::Weight)
    return false;
  return summed(product.operands[product.keys[0] == key ? 0 : 1]) == summed(fprop.operands[at]);
}

void Linears::join(Product &product, int place, ArrayRef<ProductId> fprops) {
  KeyId key = product.keys[place];
  llvm::MapVector<LinearId, Gemm> open;
  for (ProductId id : fprops) {
    const Product &fprop = products[id];
    std::pair shared = {fprop.linear, key};
    if (taken.lookup(shared) < uses.lookup(shared) && !sumsAlike(product, fprop, key))
      open[fprop.linear] = kindFor(fprop, key);
  }
  if (open.empty() || llvm::any_of(open, [&](auto &entry) { return entry.second != open.front().second; }))
    return;
  // Where fprops compete, only the GEMM is known.
  set(product, open.size() == 1 ? open.front().first : noLinear, open.front().second, key);
}

void Linears::joinByOperand() {
  for (Product &product : products)
    if (int gradient = product.placeOf(Role::Gradient); !product.gemm && gradient >= 0)
      join(product, 1 - gradient, linearsAt.lookup({product.keys[1 - gradient], product.volume}));
}

void Linears::nameDeadLinears() {
  llvm::DenseSet<KeyId> haveFprop;
  for (const Product &product : products)
    if (product.isFprop())
      haveFprop.insert(product.keys.begin(), product.keys.end());
  llvm::MapVector<Place, SmallVector<ProductId, 1>> meeting;
  for (auto [id, product] : llvm::enumerate(products)) {
    int gradient = product.placeOf(Role::Gradient), weight = product.weightPlace();
    if (!product.gemm && gradient >= 0 && weight >= 0 && !haveFprop.contains(product.keys[weight]) &&
        all.getKind(product.keys[weight]) != ValueKind::Buffer)
      meeting[{product.keys[gradient], product.volume}].push_back(id);
  }
  for (auto &[place, ids] : meeting) {
    auto isAnnotated = [&](ProductId id) {
      return all.getAnnotated(products[id].keys[products[id].weightPlace()]) == Role::Weight;
    };
    if (llvm::any_of(ids, isAnnotated))
      llvm::erase_if(ids, [&](ProductId id) { return !isAnnotated(id); });
    if (ids.size() != 1)
      continue;
    // The fprop would sum what the dgrad keeps.
    Product &product = products[ids.front()];
    int weight = product.weightPlace();
    product.isGuess = !isAnnotated(ids.front()) && all.getKind(product.keys[weight]) != ValueKind::Parameter;
    SmallVector<AxisPart> kept = traceFreeAxis(graph, product.operands[weight]);
    set(product, nameLinear(product, weight, kept), Gemm::Dgrad, product.keys[weight]);
  }
}

void Linears::joinByGradient() {
  DenseMap<Place, llvm::SmallSetVector<LinearId, 2>> dgradsAt;
  llvm::DenseSet<LinearId> haveWgrad;
  for (const Product &product : products) {
    if (product.gemm == Gemm::Wgrad)
      haveWgrad.insert(product.linear);
    if (product.gemm == Gemm::Dgrad && product.weightPlace() >= 0)
      for (KeyId key : product.keys)
        dgradsAt[{key, product.volume}].insert(product.linear);
  }
  for (Product &product : products) {
    int gradient = product.placeOf(Role::Gradient);
    if (product.linear != noLinear || product.gemm == Gemm::Dgrad || gradient < 0)
      continue;
    auto dgrads = dgradsAt.find({product.keys[gradient], product.volume});
    if (dgrads == dgradsAt.end())
      continue;
    auto open = llvm::make_filter_range(dgrads->second, [&](LinearId id) { return !haveWgrad.contains(id); });
    if (!llvm::hasSingleElement(open))
      continue;
    LinearId linear = *open.begin();
    set(product, linear, Gemm::Wgrad, product.keys[1 - gradient]);
    haveWgrad.insert(linear);
    product.roles[1 - gradient] = Role::Activation; // also if it is an argument
  }
}

const llvm::DenseSet<std::pair<LinearId, KeyId>> &Linears::consumers(ProductId id) {
  auto [found, isMissing] = consumersOf.try_emplace(id);
  if (!isMissing)
    return found->second;
  auto stop = [&](ValueId value) { return all.productOf.contains(value) || all.cotangent.test(value); };
  for (ValueId value : walkNear(graph, products[id].result, Direction::Users, stop))
    if (auto reading = fpropsReading.find(value); reading != fpropsReading.end())
      for (ProductId reader : reading->second)
        if (reader != id) {
          const Product &product = products[reader];
          for (int place : {0, 1})
            if (product.operands[place] == value)
              found->second.insert({product.linear, product.keys[1 - place]});
        }
  return found->second;
}

SmallVector<ProductId> Linears::producers(ValueId gradient) {
  auto stop = [&](ValueId value) { return all.productOf.contains(value) || !all.cotangent.test(value); };
  llvm::SetVector<ProductId> result;
  auto add = [&](ValueId value) {
    if (auto product = all.productOf.find(value); product != all.productOf.end())
      result.insert(product->second);
  };
  for (ValueId value : walkNear(graph, gradient, Direction::Sources, stop)) {
    add(value);
    llvm::for_each(graph.sources(value), add);
  }
  return result.takeVector();
}

void Linears::joinByConsumers() {
  for (Product &product : products) {
    int gradient = product.placeOf(Role::Gradient);
    if (product.linear != noLinear || gradient < 0)
      continue;
    SmallVector<ProductId, 2> competing = fpropsAt.lookup({product.keys[1 - gradient], product.volume});
    if (competing.empty())
      continue;
    SmallVector<ProductId> from = producers(product.operands[gradient]);
    llvm::erase_if(competing, [&](ProductId fprop) {
      const auto &reached = consumers(fprop);
      return llvm::none_of(from, [&](ProductId id) {
        const Product &producer = products[id];
        return reached.contains({producer.linear, producer.keys[0]}) ||
               reached.contains({producer.linear, producer.keys[1]});
      });
    });
    join(product, 1 - gradient, competing);
  }
}

void Linears::run() {
  nameFprops();
  indexFprops();
  joinTriangles();
  joinByOperand();
  nameDeadLinears();
  joinByGradient();
  joinByConsumers();
}

void fp8opt::qt::roles::findLinears(Inference &inference) { Linears(inference).run(); }
