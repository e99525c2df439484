// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a model a product stands: its site.

#include "RoleInference.h"

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

namespace {
/// The work of findSites. Ways stop at contractions and at gradients.
class Sites {
public:
  explicit Sites(Inference &inference)
      : all(inference), graph(inference.graph), products(inference.products) {}
  void run();

private:
  void findEmbeddings();
  void findTables();
  void findWeightSites();
  void findScores();
  void findDispatches();
  void copyToGradients();

  bool stops(ValueId id) const { return contractions.test(id) || all.cotangent.test(id); }
  BitVector reachingAny(ArrayRef<ValueId> targets) const {
    return reaching(graph, targets, [this](ValueId id) { return stops(id); });
  }
  /// Exponentials that a sum adds up.
  SmallVector<ValueId> findSummedExponentials() const;
  SmallVector<ValueId> findMarked(function_ref<bool(Marks)> holds) const;
  /// What reaches an operand of an fprop.
  BitVector findUsed() const;
  /// Whether what is chosen by a value that these contractions give meets what another one gives.
  bool meetsOther(ValueId choice, const llvm::DenseSet<ValueId> &own) const;
  /// What choices are made of: integers, and contractions of which one value is compared with another, where
  /// they are used or meet what they choose from.
  SmallVector<ValueId> findChoices() const;
  llvm::DenseSet<ValueId> nearestContractions(ArrayRef<ValueId> of) const;
  bool isHeadWithoutLoss(const Product &product) const;

  Inference &all;
  RoleGraph &graph;
  std::vector<Product> &products;
  BitVector contractions;
  llvm::DenseSet<unsigned> tables; ///< what is looked up or one-hot contracted and stored, as numbers
  llvm::DenseSet<int64_t> tableRows;
  BitVector reachesSoftmax, reachesReturn;
};
} // namespace

SmallVector<ValueId> Sites::findMarked(function_ref<bool(Marks)> holds) const {
  SmallVector<ValueId> found;
  for (ValueId id = 0; id < graph.size(); ++id)
    if (holds(graph.getMarks(id)))
      found.push_back(id);
  return found;
}

SmallVector<ValueId> Sites::findSummedExponentials() const {
  SmallVector<ValueId> found;
  for (ValueId id = 0; id < graph.size(); ++id)
    if (!all.cotangent.test(id))
      llvm::append_range(found, graph.getSummedExponentials(id));
  return found;
}

BitVector Sites::findUsed() const {
  SmallVector<ValueId> operands;
  for (const Product &product : products)
    if (product.isFprop())
      for (ValueId operand : product.operands)
        if (!stops(operand))
          operands.push_back(operand);
  // The expert of a token may be gathered, and multiplied by a product of one row.
  for (Operation *op : graph.candidates())
    if (ValueId result = graph.getId(op->getResult(0));
        !all.productOf.contains(result) && graph.isMatrix(result) && !all.cotangent.test(result))
      llvm::copy_if(graph.sources(result), std::back_inserter(operands),
                    [&](ValueId id) { return !stops(id); });
  return reachingAny(operands);
}

llvm::DenseSet<ValueId> Sites::nearestContractions(ArrayRef<ValueId> of) const {
  llvm::DenseSet<ValueId> nearest;
  for (ValueId start : of) {
    if (contractions.test(start)) {
      nearest.insert(start);
      continue;
    }
    for (ValueId id : walkNear(graph, start, Direction::Sources, [this](ValueId id) { return stops(id); }))
      for (ValueId source : graph.sources(id))
        if (contractions.test(source))
          nearest.insert(source);
  }
  return nearest;
}

bool Sites::meetsOther(ValueId choice, const llvm::DenseSet<ValueId> &own) const {
  if (own.empty())
    return false;
  SmallVector<ValueId> chosen =
      walkNear(graph, choice, Direction::Users, [this](ValueId id) { return stops(id); });
  llvm::DenseSet<ValueId> inWay(llvm::from_range, chosen);
  // Sums of losses and metrics meet too, as scalars and vectors, and choose nothing.
  auto isOther = [&](ValueId source) {
    return !inWay.contains(source) && !all.cotangent.test(source) &&
           llvm::any_of(nearestContractions(source), [&](ValueId given) { return !own.contains(given); });
  };
  llvm::DenseSet<ValueId> seen;
  for (ValueId id : chosen)
    for (ValueId user : graph.users(id))
      if (!all.cotangent.test(user) && graph.isMatrix(user) && seen.insert(user).second &&
          llvm::any_of(graph.sources(user), isOther))
        return true;
  return false;
}

SmallVector<ValueId> Sites::findChoices() const {
  BitVector used = findUsed();
  SmallVector<ValueId> choices;
  for (ValueId id = 0; id < graph.size(); ++id)
    if (Type type = getElementTypeOrSelf(graph.getValue(id).getType());
        (type.isInteger(32) || type.isInteger(64)) &&
        (used.test(id) || (!all.cotangent.test(id) && meetsOther(id, nearestContractions(id)))))
      choices.push_back(id);
  // A threshold that the same product gave, as the k-th largest; one that does not depend on it is that of a
  // ReLU.
  for (const Comparison &comparison : graph.comparisons()) {
    if (all.cotangent.test(comparison.result))
      continue;
    llvm::DenseSet<ValueId> threshold = nearestContractions(comparison.rhs),
                            own = nearestContractions(comparison.lhs);
    SmallVector<ValueId> chosenBy;
    llvm::copy_if(own, std::back_inserter(chosenBy), [&](ValueId id) { return threshold.contains(id); });
    own.insert_range(threshold);
    if (!chosenBy.empty() && (used.test(comparison.result) || meetsOther(comparison.result, own)))
      llvm::append_range(choices, chosenBy);
  }
  return choices;
}

void Sites::findTables() {
  for (ValueId id : graph.lookedUp()) {
    KeyId key = graph.getKey(id);
    if (graph.isStoredKey(key))
      tables.insert(graph.getKeyNumber(key));
  }
}

void Sites::findEmbeddings() {
  for (Product &product : products)
    for (int place : {0, 1})
      if (product.isFprop() && product.roles[1 - place] == Role::Weight &&
          graph.isOneHot(product.operands[place])) {
        product.site = Site::Embedding;
        if (KeyId table = product.keys[1 - place]; graph.isStoredKey(table))
          tables.insert(graph.getKeyNumber(table));
      }
}

bool Sites::isHeadWithoutLoss(const Product &product) const {
  return !all.hasLoss && reachesReturn.test(product.result) && tableRows.contains(product.n);
}

void Sites::findWeightSites() {
  for (unsigned number : tables)
    if (auto type = dyn_cast<RankedTensorType>(graph.getValue(graph.getStored(number)).getType()))
      if (type.getRank() > 0)
        tableRows.insert(type.getDimSize(0));
  reachesSoftmax = reachingAny(findSummedExponentials());
  reachesReturn = reachingAny(graph.returned());
  BitVector reachesLogarithm = reachingAny(findMarked([](Marks marks) { return marks.isLogarithm; }));
  BitVector reachesChoice = reachingAny(findChoices());
  for (Product &product : products) {
    int place = product.weightPlace();
    if (!product.isFprop() || product.site || place < 0)
      continue;
    bool isLogSoftmax = reachesSoftmax.test(product.result) && reachesLogarithm.test(product.result);
    if (reachesChoice.test(product.result))
      product.site = Site::Router;
    else if (isLogSoftmax || tables.contains(graph.getKeyNumber(product.keys[place])) ||
             isHeadWithoutLoss(product))
      product.site = Site::Head;
    else
      product.site = Site::Linear;
  }
}

/// A product without weight whose sum of exponentials reaches another is a score, the other the values.
void Sites::findScores() {
  DenseMap<ValueId, SmallVector<ProductId, 1>> readers;
  for (auto [id, product] : llvm::enumerate(products))
    if (product.isFprop() && product.weightPlace() < 0)
      for (ValueId operand : product.operands)
        readers[operand].push_back(id);
  for (auto [id, product] : llvm::enumerate(products)) {
    if (!product.isFprop() || product.site || product.weightPlace() >= 0 ||
        !reachesSoftmax.test(product.result))
      continue;
    for (ValueId value :
         walkNear(graph, product.result, Direction::Users, [this](ValueId id) { return stops(id); }))
      for (ProductId reader : readers.lookup(value))
        if (reader != id) {
          product.site = Site::Score;
          products[reader].site = Site::Value;
        }
  }
}

/// What a router reaches is a mask; a product of masks is a mask, of a mask and data a dispatch.
void Sites::findDispatches() {
  Reach routed(graph, Direction::Users, [this](ValueId id) { return stops(id); });
  for (const Product &product : products)
    if (product.site == Site::Router)
      routed.add(product.result);
  for (Product &product : products) {
    if (!product.isFprop() || product.site)
      continue;
    bool first = routed.contains(product.operands[0]), second = routed.contains(product.operands[1]);
    product.site = first || second ? Site::Dispatch : Site::Other;
    if (first && second)
      routed.add(product.result);
  }
}

/// Gradients and recomputed products stand where their forward product stands.
void Sites::copyToGradients() {
  std::vector<std::optional<Site>> ofLinear(all.linears.size());
  DenseMap<std::pair<KeyId, uint64_t>, Site> ofKey;
  for (Half half : {Half::Backward, Half::Forward}) // the forward product's site holds
    for (const Product &product : products)
      if (product.isFprop() && product.half == half) {
        ofLinear[product.linear] = product.site;
        for (KeyId key : product.keys)
          ofKey[{key, product.volume}] = *product.site;
      }
  for (Product &product : products) {
    if (product.isFprop() && product.half == Half::Forward)
      continue;
    std::optional<Site> site = product.linear == noLinear ? std::nullopt : ofLinear[product.linear];
    for (int place : {0, 1})
      if (auto known = ofKey.find({product.keys[place], product.volume});
          !site && product.roles[place] != Role::Gradient && known != ofKey.end())
        site = known->second;
    bool isOfWeight = product.linear != noLinear && all.linears[product.linear].hasWeight;
    product.site = site.value_or(isOfWeight ? Site::Linear : Site::Other);
  }
}

void Sites::run() {
  contractions.resize(graph.size());
  for (Operation *op : graph.candidates())
    contractions.set(graph.getId(op->getResult(0)));
  findTables();
  findEmbeddings();
  findWeightSites();
  findScores();
  findDispatches();
  copyToGradients();
}

void fp8opt::qt::roles::findSites(Inference &inference) { Sites(inference).run(); }
