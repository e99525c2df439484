// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sweeps and walks over the dependences of a role graph.

#include "RoleReach.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;
using namespace fp8opt::qt::roles;

static ArrayRef<ValueId> next(const RoleGraph &graph, ValueId id, Direction direction) {
  return direction == Direction::Sources ? graph.sources(id) : graph.users(id);
}

SmallVector<ValueId> Reach::add(ArrayRef<ValueId> starts) {
  SmallVector<ValueId> met;
  auto enter = [&](ValueId id) {
    if (seen.test(id))
      return;
    seen.set(id);
    met.push_back(id);
  };
  for_each(starts, enter);
  for (size_t i = 0; i < met.size(); ++i)
    for (ValueId id : next(graph, met[i], direction))
      if (!stop || !stop(id))
        enter(id);
  return met;
}

BitVector fp8opt::qt::roles::reach(const RoleGraph &graph, ArrayRef<ValueId> starts, Direction direction) {
  Reach all(graph, direction);
  all.add(starts);
  return all.get();
}

BitVector fp8opt::qt::roles::reaching(const RoleGraph &graph, ArrayRef<ValueId> targets, const Stop &stop) {
  BitVector seen(graph.size());
  SmallVector<ValueId> open;
  auto enter = [&](ValueId id) {
    if (seen.test(id))
      return;
    seen.set(id);
    if (!stop(id))
      open.push_back(id);
  };
  for_each(targets, enter);
  while (!open.empty())
    for_each(graph.sources(open.pop_back_val()), enter);
  return seen;
}

SmallVector<ValueId> fp8opt::qt::roles::walkNear(const RoleGraph &graph, ValueId start, Direction direction,
                                                 const Stop &stop) {
  SmallVector<ValueId> met = {start};
  DenseSet<ValueId> seen = {start};
  for (size_t i = 0; i < met.size(); ++i)
    for (ValueId id : next(graph, met[i], direction))
      if (!stop(id) && seen.insert(id).second)
        met.push_back(id);
  return met;
}

std::vector<uint64_t> fp8opt::qt::roles::findDependents(const RoleGraph &graph, ArrayRef<ValueId> values) {
  assert(values.size() <= 64);
  std::vector<uint64_t> dependents(graph.size());
  for (auto [bit, value] : enumerate(values))
    dependents[value] |= uint64_t(1) << bit;
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = graph.size(); id-- > 0;)
      for (ValueId source : graph.sources(id)) {
        uint64_t joined = dependents[source] | dependents[id];
        changed |= source > id && joined != dependents[source]; // a loop carries it: sweep again
        dependents[source] = joined;
      }
  }
  return dependents;
}

Ancestry::Ancestry(const RoleGraph &graph)
    : graph(graph), place(graph.size()), last(graph.size()), first(graph.size(), ~0u) {
  findPath();
  for (ValueId id = 0; id < graph.size(); ++id)
    if (place[id])
      last[id] = first[id] = place[id];
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = 0; id < graph.size(); ++id)
      for (ValueId user : graph.users(id))
        if (last[user] < last[id]) {
          last[user] = last[id];
          changed |= user < id;
        }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId id = graph.size(); id-- > 0;)
      for (ValueId source : graph.sources(id))
        if (first[source] > first[id]) {
          first[source] = first[id];
          changed |= source > id;
        }
  }
}

void Ancestry::findPath() {
  std::vector<unsigned> length(graph.size());
  std::vector<ValueId> before(graph.size(), noValue);
  ValueId end = noValue;
  for (ValueId id = 0; id < graph.size(); ++id) {
    for (ValueId source : graph.sources(id))
      if (source < id && length[source] + 1 > length[id]) {
        length[id] = length[source] + 1;
        before[id] = source;
      }
    if (end == noValue || length[id] > length[end])
      end = id;
  }
  for (ValueId id = end; id != noValue; id = before[id])
    place[id] = length[id] + 1;
}

bool Ancestry::dependsOn(ValueId value, ValueId source) const {
  if (value == source || first[source] <= last[value])
    return true;
  // Only a loop around both leads from a value back to a later one.
  unsigned loop = graph.getOutermost(graph.getLoop(source));
  auto stop = [&](ValueId id) {
    return id < source && (!loop || graph.getOutermost(graph.getLoop(id)) != loop);
  };
  return is_contained(walkNear(graph, value, Direction::Sources, stop), source);
}
