// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function as numbered values: what depends on what, what is a view of what, what is computed alike.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEGRAPH_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEGRAPH_H

#include "RoleNumbers.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace fp8opt::qt::roles {

/// Values are numbered in program order: arguments, then block arguments before and results after the body of
/// their op. An edge from a higher to a lower number is therefore carried by a loop, and there are no others.
using ValueId = unsigned;
constexpr ValueId noValue = ~0u;

/// A slice that a view takes: 0 is the whole. Equal static offsets, sizes and strides are one slice; dynamic
/// offsets are alike.
using SliceId = unsigned;
/// A value up to views: the structural number it starts from and the slices taken on the way.
using KeyId = unsigned;

/// What the sites of products are told by.
struct Marks {
  bool isExponential : 1; ///< an exponential is computed
  bool isLogarithm : 1;   ///< a logarithm is computed
  bool isSum : 1;         ///< a sum of elements, not of products
  bool isOneHot : 1;      ///< a comparison of integers for equality
};

/// A value whose elements depend on a comparison of floats: it says which elements of others are meant, or
/// holds those.
struct Comparison {
  ValueId result;
  /// What each side is computed from in the body. Never the same, as they are in a test for NaN.
  llvm::SmallVector<ValueId, 2> lhs, rhs;
};

/// Dependences between the values of one function. Built in one walk of the IR, linear in its size.
///
/// A result depends on the operands and captured values that its op reads; an `outs` operand whose block
/// argument is unread is none. Ops with region control flow map value by value. Nothing is asked about calls:
/// they read all operands.
class RoleGraph {
public:
  explicit RoleGraph(mlir::FunctionOpInterface function);

  unsigned size() const { return values.size(); }
  unsigned numArguments() const { return argumentCount; }
  mlir::Value getValue(ValueId id) const { return values[id]; }
  ValueId getId(mlir::Value value) const { return ids.lookup(value); }
  /// Whether a value is a tensor of two dimensions or more.
  bool isMatrix(ValueId id) const {
    auto type = llvm::dyn_cast<mlir::RankedTensorType>(values[id].getType());
    return type && type.getRank() >= 2;
  }
  llvm::ArrayRef<ValueId> sources(ValueId id) const { return slice(sourceStarts, sourceIds, id); }
  llvm::ArrayRef<ValueId> users(ValueId id) const { return slice(userStarts, userIds, id); }
  llvm::ArrayRef<ValueId> returned() const { return returnedIds; }
  /// The innermost loop region around the definition, 0 where there is none; regions are numbered from 1.
  unsigned getLoop(ValueId id) const { return loops[id]; }
  /// The outermost loop region around a loop region.
  unsigned getOutermost(unsigned loop) const { return outermost[loop]; }
  Marks getMarks(ValueId id) const { return marks[id]; }
  /// The exponentials that a value sums up, as a softmax does: itself where it also computes them; else none.
  llvm::SmallVector<ValueId, 1> getSummedExponentials(ValueId id) const;
  llvm::ArrayRef<ValueId> lookedUp() const { return lookedUpIds; }
  llvm::ArrayRef<Comparison> comparisons() const { return allComparisons; }
  /// The ops that may contract, in program order.
  llvm::ArrayRef<mlir::Operation *> candidates() const { return candidateOps; }

  /// Equal numbers are equal computations from equal leaves. Block arguments and results of control flow are
  /// leaves.
  unsigned getNumber(ValueId id) const { return numbers[id]; }
  /// The argument whose leaf a number is, or -1.
  int getArgument(unsigned number) const { return number < argumentCount ? int(number) : -1; }
  /// The value that holds what a weight can be: the argument, the constant or the concatenation of such that
  /// a number is; noValue if it is none. Vectors and scalars among the constants are no weights: masks,
  /// frequencies, bounds.
  ValueId getStored(unsigned number) const {
    if (number < argumentCount)
      return number;
    auto found = stored.find(number);
    return found == stored.end() ? noValue : found->second;
  }

  /// One step from a value towards what it is a view of; empty at the end. A slice that is taken, of what a
  /// loop has stacked, leads to the value of one iteration; hence the slices gathered so far are part of the
  /// walk.
  struct ViewWalk {
    ValueId value;
    llvm::SmallVector<SliceId, 4> slices = {};
  };
  /// Advances the walk; returns the op whose result was left if axes change there, null for a loop's carry.
  std::optional<mlir::Operation *> step(ViewWalk &walk) const;
  /// The end of the walk, as far as no slice is taken.
  ValueId getRoot(ValueId id) const;
  /// Linear in the length of the chain of views.
  KeyId getKey(ValueId id);
  /// The number a key starts from.
  unsigned getKeyNumber(KeyId key) const { return keyNumbers[key]; }
  int getKeyArgument(KeyId key) const { return getArgument(keyNumbers[key]); }
  bool isStoredKey(KeyId key) const { return getStored(keyNumbers[key]) != noValue; }
  bool isConstantKey(KeyId key) const;
  /// What a stored key is joined of in the end, each once; the key alone where it is no concatenation.
  llvm::SmallVector<KeyId> getParts(KeyId key);
  bool isOneHot(ValueId id) const;

private:
  struct View {
    ValueId source = noValue;
    SliceId slice = 0;
  };
  /// The values that may arrive at a block argument or result of control flow.
  using Arrivals = llvm::SmallVector<std::pair<ValueId, llvm::SmallVector<ValueId, 2>>, 8>;

  llvm::ArrayRef<ValueId> slice(const std::vector<unsigned> &starts, const std::vector<ValueId> &all,
                                ValueId id) const {
    return llvm::ArrayRef(all).slice(starts[id], starts[id + 1] - starts[id]);
  }
  ValueId add(mlir::Value value, unsigned loop);
  void addEdge(ValueId result, ValueId source) { edges.emplace_back(result, source); }
  /// Whether the result of an op is what a weight can be.
  bool makesStored(mlir::Operation *op);
  void visit(mlir::Block &block, unsigned loop);
  void visitControlFlow(mlir::RegionBranchOpInterface op, unsigned loop);
  void visitPlain(mlir::Operation *op, unsigned loop);
  void visitLinalg(mlir::linalg::LinalgOp op, ValueId result);
  void visitComparisons(mlir::linalg::LinalgOp op, ValueId result);
  void setView(mlir::Operation *op, ValueId result, llvm::ArrayRef<mlir::Value> read);
  /// Values that only pass through control flow are views; what a loop inserts slice by slice is stacked.
  void findCarriedViews(const Arrivals &arrivals);
  void findStacked(mlir::Operation *op, const Arrivals &arrivals);
  void sortEdges();

  unsigned argumentCount = 0;
  llvm::DenseMap<mlir::Value, ValueId> ids;
  std::vector<mlir::Value> values;
  std::vector<unsigned> numbers, loops, outermost = {0};
  std::vector<Marks> marks;
  std::vector<View> views;
  /// The op that inserts one slice per iteration, by the loop's result.
  llvm::DenseMap<ValueId, mlir::Operation *> stacked;
  /// Float constants of rank 2 or more, and concatenations of what is stored, by number.
  llvm::DenseMap<unsigned, ValueId> stored;
  llvm::SmallVector<ValueId> returnedIds, lookedUpIds;
  std::vector<mlir::Operation *> candidateOps;
  std::vector<Comparison> allComparisons;

  std::vector<std::pair<ValueId, ValueId>> edges;
  std::vector<unsigned> sourceStarts, userStarts;
  std::vector<ValueId> sourceIds, userIds;

  StructuralNumbers structures;
  TupleNumbers slices, keys;
  llvm::BitVector dynamicSlices;
  std::vector<unsigned> keyNumbers;
};

} // namespace fp8opt::qt::roles

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEGRAPH_H
