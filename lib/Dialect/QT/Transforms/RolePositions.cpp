// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the blocks of a model begin that repeat, and in which of them a product stands.

#include "RoleInference.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace fp8opt::qt;
using namespace fp8opt::qt::roles;

namespace {
/// Consecutive forward linears that read one input, such as those of query, key and value. No block begins
/// within.
struct Group {
  unsigned first;    ///< its first linear, in their order
  unsigned count;    ///< its linears
  unsigned sizes;    ///< equal numbers are equal n and k of all its linears
  unsigned form;     ///< equal numbers are equal relations of them to the width of the model
  unsigned depth;    ///< the most linears on a way to its results
  bool reads, gives; ///< whether all its k, all its n are the width
};

/// Groups that repeat, each time after the last.
struct Run {
  size_t start, period, count;
  size_t end() const { return start + period * count; }
};

/// The work of findPositions.
class Positions {
public:
  explicit Positions(Inference &inference)
      : all(inference), graph(inference.graph), products(inference.products) {}
  void run();

private:
  void findForward();
  void findGroups();
  std::vector<unsigned> findDepths() const;
  /// What most n and k are, and the smallest of such.
  int64_t findWidth() const;

  /// Whether the groups from `at` on, as many as a period has, are like those one period later, which come
  /// after them.
  bool repeats(size_t at, size_t period, unsigned Group::*as) const;
  /// The longest run between two groups; of runs as long, one that begins and ends at the width of the model,
  /// of these one whose blocks begin with the most linears that read one input (query, key and value).
  std::optional<Run> findRun(size_t low, size_t high, size_t minPeriod, unsigned Group::*as) const;
  /// Finds the begins of blocks between two groups, beside a run if there is one.
  void split(size_t low, size_t high, const Run *beside = nullptr);
  void number();
  void copyToOthers();

  Inference &all;
  RoleGraph &graph;
  std::vector<Product> &products;
  SmallVector<ProductId> forward; ///< the linears' fprops, in program order
  std::vector<Group> groups;
  SmallVector<size_t> begins; ///< of blocks, as groups
};
} // namespace

void Positions::findForward() {
  for (auto [id, product] : llvm::enumerate(products))
    if (product.isFprop() && product.half == Half::Forward && product.site == Site::Linear)
      forward.push_back(id);
}

int64_t Positions::findWidth() const {
  std::map<int64_t, unsigned> counts;
  for (ProductId id : forward)
    for (int64_t size : {products[id].n, products[id].k})
      ++counts[size];
  auto most = llvm::max_element(counts, [](auto &a, auto &b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

std::vector<unsigned> Positions::findDepths() const {
  llvm::DenseSet<ValueId> results;
  for (ProductId id : forward)
    results.insert(products[id].result);
  std::vector<unsigned> depths(graph.size());
  for (ValueId id = 0; id < graph.size(); ++id) {
    for (ValueId source : graph.sources(id))
      if (source < id)
        depths[id] = std::max(depths[id], depths[source]);
    depths[id] += results.contains(id);
  }
  return depths;
}

void Positions::findGroups() {
  int64_t width = findWidth();
  std::vector<unsigned> depths = findDepths();
  TupleNumbers sizes, forms;
  auto input = [&](size_t at) {
    const Product &product = products[forward[at]];
    return product.keys[1 - product.weightPlace()];
  };
  for (size_t at = 0, end; at < forward.size(); at = end) {
    SmallVector<uint64_t> size, form;
    Group group{unsigned(at), 0, 0, 0, depths[products[forward[at]].result], true, true};
    for (end = at; end < forward.size() && input(end) == input(at); ++end) {
      const Product &product = products[forward[end]];
      size.append({uint64_t(product.n), uint64_t(product.k)});
      form.append({product.n == width, product.k == width});
      group.gives &= product.n == width;
      group.reads &= product.k == width;
    }
    group.count = end - at;
    group.sizes = sizes.get(size);
    group.form = forms.get(form);
    groups.push_back(group);
  }
}

bool Positions::repeats(size_t at, size_t period, unsigned Group::*as) const {
  for (size_t i = at; i < at + period; ++i)
    if (groups[i].*as != groups[i + period].*as)
      return false;
  return groups[at + period - 1].depth < groups[at + 2 * period - 1].depth;
}

std::optional<Run> Positions::findRun(size_t low, size_t high, size_t minPeriod, unsigned Group::*as) const {
  std::optional<Run> best;
  std::tuple<size_t, bool, unsigned> bestScore;
  std::vector<size_t> alike(groups.size() + 1);
  for (size_t period = minPeriod; 2 * period <= high - low; ++period) {
    // How many groups from each on are like those one period later.
    alike[high - period] = 0;
    for (size_t at = high - period; at-- > low;)
      alike[at] = groups[at].*as == groups[at + period].*as ? alike[at + 1] + 1 : 0;
    for (size_t at = low; at < high - period; ++at) {
      size_t count = 1, most = alike[at] / period + 1;
      auto last = [&](size_t block) { return groups[at + (block + 1) * period - 1].depth; };
      while (count < most && last(count - 1) < last(count))
        ++count;
      bool isWhole = groups[at].reads && groups[at + period - 1].gives;
      std::tuple score(count * period, isWhole, groups[at].count);
      if (count < 2 || (as == &Group::form && !isWhole) || (best && score <= bestScore))
        continue;
      best = Run{at, period, count};
      bestScore = score;
    }
  }
  return best;
}

void Positions::split(size_t low, size_t high, const Run *beside) {
  // Two like groups beside a run are more likely two linears of a stem than two blocks.
  std::optional<Run> run = findRun(low, high, beside ? 2 : 1, &Group::sizes);
  if (!run && !beside)
    run = findRun(low, high, 1, &Group::form);
  if (!run) {
    if (!beside)
      return;
    ArrayRef<Group> block = ArrayRef(groups).slice(beside->start, beside->period);
    auto isFirst = [&](const Group &group) { return group.sizes == block.front().sizes; };
    for (size_t at = low; at < high && llvm::count_if(block, isFirst) == 1; ++at)
      if (isFirst(groups[at]))
        begins.push_back(at);
    return;
  }
  // Blocks of other sizes, as the first ones of some models are.
  for (; run->start >= low + run->period && repeats(run->start - run->period, run->period, &Group::form);
       ++run->count)
    run->start -= run->period;
  while (run->end() + run->period <= high && repeats(run->end() - run->period, run->period, &Group::form))
    ++run->count;
  for (size_t block = 0; block < run->count; ++block)
    begins.push_back(run->start + block * run->period);
  split(low, run->start, &*run);
  split(run->end(), high, &*run);
}

/// What stands before the first block counts to it, what stands after a block to that one.
void Positions::number() {
  llvm::sort(begins);
  if (!begins.empty())
    begins.front() = 0;
  int layer = -1, place = 0;
  size_t next = 0;
  for (auto [at, id] : llvm::enumerate(forward)) {
    bool isBegin = next < begins.size() && groups[begins[next]].first == at;
    next += isBegin;
    if (isBegin || layer < 0) {
      ++layer;
      place = 0;
    }
    products[id].layer = layer;
    products[id].place = place++;
  }
}

/// Gradients and recomputed products stand where their forward product stands: that of their triangle, the
/// one with their activation, or the only one of their linear.
void Positions::copyToOthers() {
  DenseMap<std::pair<LinearId, KeyId>, ProductId> withInput;
  llvm::MapVector<LinearId, SmallVector<ProductId, 1>> ofLinear;
  for (ProductId id : forward) {
    const Product &product = products[id];
    withInput.try_emplace({product.linear, product.keys[1 - product.weightPlace()]}, id);
    ofLinear[product.linear].push_back(id);
  }
  std::vector<std::optional<KeyId>> inputs(products.size());
  for (const Triangle &triangle : all.triangles) {
    const Product &fprop = products[triangle.edges[triangle.fprop]];
    for (ProductId edge : triangle.edges)
      if (int weight = fprop.weightPlace(); weight >= 0 && fprop.linear == products[edge].linear)
        inputs[edge] = fprop.keys[1 - weight];
  }
  for (auto [id, product] : llvm::enumerate(products)) {
    auto linear = ofLinear.find(product.linear);
    if (product.layer >= 0 || linear == ofLinear.end())
      continue;
    std::optional<KeyId> input = inputs[id];
    for (int place : {0, 1})
      if (!input && product.roles[place] == Role::Activation)
        input = product.keys[place];
    ArrayRef<ProductId> fprops = linear->second;
    auto found = input ? withInput.find({product.linear, *input}) : withInput.end();
    if (found == withInput.end() && fprops.size() > 1) {
      product.isOfSeveral = true;
      continue;
    }
    const Product &fprop = products[found == withInput.end() ? fprops.front() : found->second];
    product.layer = fprop.layer;
    product.place = fprop.place;
  }
}

void Positions::run() {
  findForward();
  findGroups();
  split(0, groups.size());
  number();
  copyToOthers();
}

void fp8opt::qt::roles::findPositions(Inference &inference) { Positions(inference).run(); }
