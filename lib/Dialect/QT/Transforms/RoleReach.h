// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reachability over a role graph, by sweeps of the whole graph or by walks that stay near.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEREACH_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEREACH_H

#include "RoleGraph.h"

namespace fp8opt::qt::roles {

enum class Direction { Sources, Users };
using Stop = std::function<bool(ValueId)>;

/// The values reached from a growing set of starts. Starts are reached whether or not `stop` holds for them;
/// other values for which it holds are not reached. However often starts are added, all of it is one sweep.
class Reach {
public:
  Reach(const RoleGraph &graph, Direction direction, Stop stop = {})
      : graph(graph), direction(direction), stop(std::move(stop)), seen(graph.size()) {}
  /// Returns what is reached for the first time.
  llvm::SmallVector<ValueId> add(llvm::ArrayRef<ValueId> starts);
  bool contains(ValueId id) const { return seen.test(id); }
  const llvm::BitVector &get() const { return seen; }

private:
  const RoleGraph &graph;
  Direction direction;
  Stop stop;
  llvm::BitVector seen;
};

/// One sweep.
llvm::BitVector reach(const RoleGraph &graph, llvm::ArrayRef<ValueId> starts, Direction direction);

/// The values from which some target is reached, crossing no value for which `stop` holds: a value for which
/// it holds may only be the first of the way. One sweep.
llvm::BitVector reaching(const RoleGraph &graph, llvm::ArrayRef<ValueId> targets, const Stop &stop);

/// What Reach gives for these starts, in the order it is met. Costs what it returns, not the size of the
/// graph.
llvm::SmallVector<ValueId> walkNear(const RoleGraph &graph, ValueId start, Direction direction,
                                    const Stop &stop);

/// For every value the set of those values, of at most 64, that depend on it, as bits. One sweep, and one
/// more for each way back around a loop.
std::vector<uint64_t> findDependents(const RoleGraph &graph, llvm::ArrayRef<ValueId> values);

/// Whether a value depends on another, for many pairs.
///
/// A longest path through the graph answers most: a source that leads to the path at or before the place
/// where the path leads to the value is one the value depends on. In a training step the path runs through
/// every layer, forward and back, and a pair of a product and its gradient meets it in its own layer. Three
/// sweeps in all; what the path does not answer is walked, between source and value.
class Ancestry {
public:
  explicit Ancestry(const RoleGraph &graph);
  bool dependsOn(ValueId value, ValueId source) const;

private:
  void findPath();

  const RoleGraph &graph;
  std::vector<unsigned> place;       ///< on the path, from 1; 0 beside it
  std::vector<unsigned> last, first; ///< the last place that leads here; the first place that this leads to
};

} // namespace fp8opt::qt::roles

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEREACH_H
