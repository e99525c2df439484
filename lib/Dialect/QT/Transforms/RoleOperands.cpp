// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roles of operands.

#include "RoleAxes.h"
#include "RoleInference.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

namespace {
/// The work of findRoles.
///
/// A weight is what depends on no data. Data are the inputs that annotations, the signature and types name,
/// and what an operand that turned out to be an activation is computed from; so they grow from product to
/// product.
class Operands {
public:
  explicit Operands(Inference &inference);
  void run();

private:
  void assignHalves();
  void findMeetings();
  bool mayBeStoredWeight(KeyId key) const;
  bool isStoredParameter(KeyId key) const;
  bool isState(KeyId key) const;
  bool isUnnamed(KeyId key) const;
  /// What is computed from matrices and depends on no data and on no product, but for parts of weights.
  bool mayBeComputedWeight(ValueId operand) const;
  bool isParameter(const Product &product, int place) const;
  /// A product of two parameters that is added to a third one, as an adapter that is merged.
  bool isPartOfWeight(const Product &product) const;
  /// Whether the operand is computed from the other one, which is stored.
  bool dependsOnOther(const Product &product, int place) const;
  /// The place of the operand that `holds` is true of, if it is true of one.
  template <typename Holds> static std::optional<int> findOnly(Holds holds) {
    bool first = holds(0), second = holds(1);
    return first == second ? std::nullopt : std::optional<int>(second);
  }
  /// The place of the activation of two that are stored.
  int dataPlace(Product &product) const;
  /// The place of the weight where an operand that is computed may be it; none if that cannot be told.
  std::optional<int> findComputedWeight(Product &product) const;
  void assignFprop(Product &product);
  void addData(ValueId activation);
  /// Inputs of linears that are arguments themselves are activations.
  void demoteInputs();

  Inference &all;
  RoleGraph &graph;
  std::vector<Product> &products;
  llvm::DenseSet<KeyId> meetsGradient, meetsUsed; ///< the second: in a product that a result depends on
  llvm::DenseSet<KeyId> computed;                 ///< weights
  DenseMap<KeyId, llvm::SmallDenseSet<KeyId, 2>> partners; ///< what a key meets in products without gradient
  llvm::DenseSet<ValueId> partsOfWeights;                  ///< results
  Reach data, behindData;
  Reach fromMatrices, fromOthers, fromCodes; ///< of arguments and constants; others than parameters
  Reach fromProducts;                        ///< but for parts of weights
};
} // namespace

/// Tokens and positions are wider.
static bool isCode(Type element) {
  return element.isIntOrFloat() && element.getIntOrFloatBitWidth() <= 8 && !element.isInteger(1);
}

Operands::Operands(Inference &inference)
    : all(inference), graph(inference.graph), products(inference.products), data(graph, Direction::Users),
      behindData(graph, Direction::Sources), fromMatrices(graph, Direction::Users),
      fromOthers(graph, Direction::Users), fromCodes(graph, Direction::Users),
      fromProducts(graph, Direction::Users) {}

SmallVector<int> fp8opt::qt::roles::findMatrixArguments(const RoleGraph &graph, ValueId id) {
  SmallVector<int> arguments;
  for (ValueId source : walkNear(graph, id, Direction::Sources, [](ValueId) { return false; }))
    if (source < graph.numArguments() && graph.isMatrix(source))
      arguments.push_back(source);
  llvm::sort(arguments);
  return arguments;
}

/// Without a loss, a product in a loop that also holds gradient products is backward.
void Operands::assignHalves() {
  llvm::DenseSet<unsigned> turned;
  for (const Product &product : products)
    if (product.loop && all.touchesGradient(product))
      turned.insert(product.loop);
  for (Product &product : products) {
    bool isForward = all.forward.test(product.result) && (all.hasLoss || !turned.contains(product.loop));
    product.half = isForward ? Half::Forward : Half::Backward;
  }
}

void Operands::findMeetings() {
  BitVector reachesResult = reach(graph, graph.returned(), Direction::Sources);
  for (const Product &product : products)
    for (int place : {0, 1}) {
      if (!all.touchesGradient(product))
        partners[product.keys[place]].insert(product.keys[1 - place]);
      if (all.isGradient(product, place)) {
        meetsGradient.insert(product.keys[1 - place]);
        if (reachesResult.test(product.result))
          meetsUsed.insert(product.keys[1 - place]);
      }
    }

  SmallVector<ValueId> inputs, matrices, others, codes;
  for (ValueId id = 0; id < graph.size(); ++id) {
    Value value = graph.getValue(id);
    Type element = getElementTypeOrSelf(value.getType());
    bool isMatrix = graph.isMatrix(id);
    DenseElementsAttr constant;
    if (id >= graph.numArguments()) {
      // One number repeated holds nothing.
      Operation *op = value.getDefiningOp();
      if (!isMatrix || !op || !op->hasTrait<OpTrait::ConstantLike>() ||
          (matchPattern(value, m_Constant(&constant)) && constant.isSplat()))
        continue;
    } else {
      ValueKind kind = all.kinds[id];
      std::optional<Role> role = all.annotated[id];
      bool isIndex = element.isInteger(32) || element.isInteger(64);
      if (role != Role::Weight &&
          (role || kind == ValueKind::Input || (kind != ValueKind::Parameter && isIndex))) {
        inputs.push_back(id);
        continue;
      }
      if (role != Role::Weight && kind != ValueKind::Parameter)
        others.push_back(id);
    }
    if (isMatrix)
      matrices.push_back(id);
    if (isMatrix && isCode(element))
      codes.push_back(id);
  }
  data.add(inputs);
  fromMatrices.add(matrices);
  fromOthers.add(others);
  fromCodes.add(codes);
  SmallVector<ValueId> results;
  for (const Product &product : products)
    if (isPartOfWeight(product))
      partsOfWeights.insert(product.result);
    else
      results.push_back(product.result);
  fromProducts.add(results);
}

/// What is stored and not said to be data, nor a part of it.
bool Operands::mayBeStoredWeight(KeyId key) const {
  return llvm::all_of(graph.getParts(key), [&](KeyId part) {
    if (std::optional<Role> role = all.getAnnotated(part))
      return *role != Role::Activation;
    return graph.isStoredKey(part) && all.getKind(part) != ValueKind::Input;
  });
}

bool Operands::mayBeComputedWeight(ValueId operand) const {
  return fromMatrices.contains(operand) && !data.contains(operand) && !fromProducts.contains(operand);
}

/// A buffer of the signature that holds no codes, as of a cache or of a preconditioner.
bool Operands::isState(KeyId key) const {
  int argument = graph.getKeyArgument(key);
  return argument >= 0 && all.kinds[argument] == ValueKind::Buffer && !all.annotated[argument] &&
         !isCode(getElementTypeOrSelf(graph.getValue(argument).getType()));
}

/// A constant, though the signature has parameters.
bool Operands::isUnnamed(KeyId key) const {
  return graph.isConstantKey(key) && llvm::is_contained(all.kinds, ValueKind::Parameter);
}

/// A concatenation is a parameter if all its parts are.
bool Operands::isStoredParameter(KeyId key) const {
  return graph.isStoredKey(key) && llvm::all_of(graph.getParts(key), [&](KeyId part) {
           return all.getKind(part) == ValueKind::Parameter;
         });
}

/// What is computed is a parameter if all is that it is computed from.
bool Operands::isParameter(const Product &product, int place) const {
  KeyId key = product.keys[place];
  if (graph.isStoredKey(key))
    return isStoredParameter(key);
  return mayBeComputedWeight(product.operands[place]) && !fromOthers.contains(product.operands[place]);
}

bool Operands::isPartOfWeight(const Product &product) const {
  if (!isStoredParameter(product.keys[0]) || !isStoredParameter(product.keys[1]))
    return false;
  // Casts and factors keep the shape.
  auto shapeOf = [&](ValueId id) {
    auto type = dyn_cast<RankedTensorType>(graph.getValue(id).getType());
    return type ? type.getShape() : ArrayRef<int64_t>();
  };
  ArrayRef<int64_t> shape = shapeOf(product.result);
  auto isOther = [&](ValueId id) { return shapeOf(id) != shape; };
  for (ValueId sum : walkNear(graph, product.result, Direction::Users, isOther))
    if (sum != product.result && llvm::any_of(graph.sources(sum), [&](ValueId addend) {
          return !isOther(addend) && isStoredParameter(graph.getKey(addend));
        }))
      return true;
  return false;
}

/// The activation is the one beside an annotated weight, or beside a constant, else the one that meets a
/// gradient elsewhere in a program that trains, else the one that the signature calls no parameter beside one
/// that it does, else a vector beside a matrix, else the one that meets a gradient, else the one with more
/// free dimensions, else A. In a program that differentiates its inputs, what meets a gradient is the weight;
/// a linear that has both gradients tells that it trains.
int Operands::dataPlace(Product &product) const {
  for (int place : {0, 1})
    if (all.getAnnotated(product.keys[place]) == Role::Weight)
      return 1 - place;
  if (auto place = findOnly([&](int at) { return graph.isConstantKey(product.keys[at]); }))
    return 1 - *place;
  auto met = findOnly([&](int at) { return meetsGradient.contains(product.keys[at]); });
  if (met && !all.triangles.empty())
    return *met;
  if (auto place = findOnly([&](int at) { return isParameter(product, at); }))
    return 1 - *place;
  auto isVector = [&](int at) {
    ValueId stored = graph.getStored(graph.getKeyNumber(product.keys[at]));
    auto type = dyn_cast<ShapedType>(graph.getValue(stored).getType());
    return type && type.hasRank() && type.getRank() < 2;
  };
  if (auto place = findOnly(isVector))
    return *place;
  auto free = [&](int place) { return traceFreeAxis(graph, product.operands[place]).size(); };
  if (met) {
    product.isGuess = free(*met) <= free(1 - *met);
    return *met;
  }
  // The left one with more is what both conventions call the activation.
  product.isGuess = free(0) <= free(1);
  auto meetsSeveral = [&](int at) { return partners.lookup(product.keys[at]).size() > 1; };
  return free(1) > free(0) && (!meetsSeveral(0) || meetsSeveral(1));
}

bool Operands::dependsOnOther(const Product &product, int place) const {
  KeyId other = product.keys[1 - place];
  if (graph.isStoredKey(product.keys[place]) || !graph.isStoredKey(other))
    return false;
  SmallVector<ValueId> sources =
      walkNear(graph, product.operands[place], Direction::Sources, [](ValueId) { return false; });
  return llvm::any_of(graph.getParts(other), [&](KeyId part) {
    return llvm::is_contained(sources, graph.getStored(graph.getKeyNumber(part)));
  });
}

/// The annotated one, else the only constant, the one of parameters alone, the one of codes, or the one that
/// the other is computed from (data depends on weights, as in a loop over layers, and weights on no data),
/// else B if it is stored, else the one with fewer free dimensions, else the one beside an operand that meets
/// a gradient elsewhere, else the one that is stored.
std::optional<int> Operands::findComputedWeight(Product &product) const {
  if (auto place = findOnly([&](int at) { return all.getAnnotated(product.keys[at]) == Role::Weight; }))
    return place;
  if (auto place = findOnly([&](int at) { return graph.isConstantKey(product.keys[at]); }))
    return place;
  if (auto place = findOnly([&](int at) { return isParameter(product, at); }))
    return place;
  if (auto place = findOnly([&](int at) { return fromCodes.contains(product.operands[at]); }))
    return place;
  if (auto place = findOnly([&](int at) { return dependsOnOther(product, at); }))
    return 1 - *place;
  if (graph.isStoredKey(product.keys[1]))
    return 1;
  auto free = [&](int place) { return traceFreeAxis(graph, product.operands[place]).size(); };
  if (free(0) != free(1))
    return free(1) < free(0);
  auto met = findOnly([&](int at) { return meetsUsed.contains(product.keys[at]); });
  auto stored = findOnly([&](int at) { return graph.isStoredKey(product.keys[at]); });
  product.isGuess = met || stored;
  return met ? std::optional(1 - *met) : stored;
}

void Operands::addData(ValueId activation) {
  if (data.contains(activation))
    return;
  SmallVector<ValueId> arguments;
  for (ValueId id : behindData.add(activation))
    if (id < graph.numArguments() && all.annotated[id] != Role::Weight &&
        all.kinds[id] != ValueKind::Parameter)
      arguments.push_back(id);
  data.add(arguments);
}

void Operands::assignFprop(Product &product) {
  product.gemm = Gemm::Fprop;
  bool isStored[2], isComputed[2];
  for (int place : {0, 1}) {
    isStored[place] = mayBeStoredWeight(product.keys[place]);
    isComputed[place] =
        !graph.isStoredKey(product.keys[place]) && mayBeComputedWeight(product.operands[place]);
  }
  std::optional<int> weight;
  if (partsOfWeights.contains(product.result)) {
    weight = findOnly([&](int at) { return all.getAnnotated(product.keys[at]) == Role::Weight; });
    product.isUndecided = !weight;
  } else if (isStored[0] && isStored[1]) {
    weight = 1 - dataPlace(product);
  } else if ((isStored[0] || isComputed[0]) && (isStored[1] || isComputed[1])) {
    weight = findComputedWeight(product);
    product.isUndecided = !weight;
  } else if (isStored[0] || isStored[1]) {
    product.isUndecided = isState(product.keys[isStored[1]]);
    if (!product.isUndecided)
      weight = isStored[1];
  } else {
    weight = findOnly([&](int at) { return isComputed[at] && data.contains(product.operands[1 - at]); });
  }
  if (!weight)
    return;
  product.roles[*weight] = Role::Weight;
  if (isComputed[*weight])
    computed.insert(product.keys[*weight]);
  if (!product.isGuess)
    addData(product.operands[1 - *weight]);
  product.isGuess |= isUnnamed(product.keys[*weight]);
}

void Operands::demoteInputs() {
  DenseMap<KeyId, unsigned> inputs;
  llvm::DenseSet<KeyId> weights;
  for (const Product &product : products)
    if (int place = product.weightPlace(); product.isFprop() && place >= 0) {
      weights.insert(product.keys[place]);
      if (product.keys[0] != product.keys[1])
        ++inputs[product.keys[1 - place]];
    }
  for (const Product &product : products)
    for (KeyId key : product.keys)
      if (product.isUndecided && !weights.contains(key))
        ++inputs[key];
  for (Product &product : products)
    for (int place : {0, 1}) {
      KeyId key = product.keys[place], other = product.keys[1 - place];
      if (product.roles[place] != Role::Weight || !inputs.contains(key) ||
          all.getAnnotated(key) == Role::Weight)
        continue;
      product.roles[place] = Role::Activation;
      // The guess was wrong: the other one is the weight, if no other product takes it for its input.
      if (product.isGuess && key != other && inputs.lookup(other) == 1 && mayBeStoredWeight(other)) {
        product.roles[1 - place] = Role::Weight;
        break;
      }
    }
}

void Operands::run() {
  assignHalves();
  findMeetings();
  for (Product &product : products)
    if (!all.touchesGradient(product))
      assignFprop(product);
  demoteCaches(all);
  for (Product &product : products)
    for (int place : {0, 1})
      if (all.isGradient(product, place))
        product.roles[place] = Role::Gradient;
      else if (all.touchesGradient(product) &&
               (mayBeStoredWeight(product.keys[place]) || computed.contains(product.keys[place])))
        product.roles[place] = Role::Weight;
  demoteInputs();
}

void fp8opt::qt::roles::findRoles(Inference &inference) { Operands(inference).run(); }
