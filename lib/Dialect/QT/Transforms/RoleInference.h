// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the matrix products of a function, and the steps that find it out.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEINFERENCE_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEINFERENCE_H

#include "RoleReach.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt::roles {

using ProductId = unsigned;
using LinearId = int;
constexpr LinearId noLinear = -1;

/// One matrix product A[batch..., m, k] x B[batch..., n, k].
struct Product {
  mlir::Operation *op;
  std::array<ValueId, 2> operands;
  ValueId result;
  std::array<KeyId, 2> keys;
  int64_t n;
  int64_t k;
  /// The size of the iteration space; a dynamic extent counts as one.
  uint64_t volume;
  unsigned loop;

  std::array<Role, 2> roles = {Role::Activation, Role::Activation};
  std::optional<Gemm> gemm = std::nullopt; ///< absent: unknown
  Half half = Half::Forward;
  std::optional<Site> site = std::nullopt;
  LinearId linear = noLinear;
  int layer = -1, place = -1; ///< the repeated block and the place in it; -1: none
  bool isOfSeveral = false;   ///< nothing tells which use of the weight it belongs to, hence which block
  bool isGuess = false;       ///< nothing tells for sure which of its operands is the weight, or that one is
  bool isUndecided = false;   ///< none of them is, though one is stored

  bool isFprop() const { return gemm == Gemm::Fprop; }
  KeyId other(KeyId key) const { return keys[0] == key ? keys[1] : keys[0]; }
  bool reads(KeyId key) const { return keys[0] == key || keys[1] == key; }
  /// The place of the only operand of a role; -1 where there is none or are two.
  int placeOf(Role role) const { return (roles[0] == role) == (roles[1] == role) ? -1 : roles[1] == role; }
  /// The place of the weight, the first if both are; -1 without.
  int weightPlace() const { return roles[0] == Role::Weight ? 0 : roles[1] == Role::Weight ? 1 : -1; }
};

/// Three products over the same three keys, pairwise: an fprop, its dgrad and its wgrad.
struct Triangle {
  std::array<ProductId, 3> edges;
  int fprop = -1; ///< which edge is the fprop; -1: not oriented
};

/// A linear layer: the products over one weight and one set of its axes.
struct Linear {
  int argument = -1; ///< the function argument that holds the weight; -1: constants, several or nothing do
  bool hasWeight = false;
  llvm::SmallVector<int64_t> sums = {}, parts = {};
};

/// Everything that is found out about one function. The steps below fill it in their order.
struct Inference {
  RoleGraph graph;
  std::vector<Product> products;
  llvm::SmallVector<mlir::Operation *> noProducts; ///< contractions without m, n or k
  llvm::DenseMap<ValueId, ProductId> productOf;    ///< by result
  std::vector<Triangle> triangles;
  llvm::SmallVector<std::optional<Role>> annotated; ///< by argument
  llvm::SmallVector<ValueKind> kinds;               ///< by argument, as the signature says
  bool hasLoss = false;
  llvm::BitVector forward;   ///< what the loss depends on
  llvm::BitVector cotangent; ///< gradients and what is computed from them
  std::vector<Linear> linears;

  explicit Inference(mlir::FunctionOpInterface function);

  bool isGradient(const Product &product, int place) const { return cotangent.test(product.operands[place]); }
  bool touchesGradient(const Product &product) const {
    return isGradient(product, 0) || isGradient(product, 1);
  }
  /// The role that the user gave to the argument a key is a view of.
  std::optional<Role> getAnnotated(KeyId key) const {
    int argument = graph.getKeyArgument(key);
    return argument < 0 ? std::nullopt : annotated[argument];
  }
  /// The kind that the signature gives to the argument a key is a view of.
  ValueKind getKind(KeyId key) const {
    int argument = graph.getKeyArgument(key);
    return argument < 0 ? ValueKind::Unknown : kinds[argument];
  }
};

/// Finds the products. Linear.
/// Requires products in the normal form of import: an error says so at the first that is not.
llvm::LogicalResult findProducts(Inference &inference);

/// Finds the triangles, in the order of their first edge. For each product the neighbours of its operand with
/// fewer of them: linear where operands meet few others, and never above products to the power of 3/2.
void findTriangles(Inference &inference);

/// Finds the losses, what is forward, what is a gradient, and the fprop of each triangle. A bounded number of
/// sweeps, one for 64 scalar results, and near walks (Ancestry) where no loss is returned. An error at its
/// products is given for each triangle without fprop.
llvm::LogicalResult findHalves(Inference &inference);

/// Gives products their halves and the roles of their operands, and fprops their GEMM. A bounded number of
/// sweeps.
void findRoles(Inference &inference);

/// The arguments of two dimensions or more that a value is computed from, in their order. Costs what is read.
llvm::SmallVector<int> findMatrixArguments(const RoleGraph &graph, ValueId id);

/// Keys and values of attention that come from a cache, of which nothing says that they are weights, are
/// activations. A near walk for each product of several matrices that a cache or no weight is in.
void demoteCaches(Inference &inference);

/// Joins products into linears. Linear, apart from near walks for
/// products whose fprop is told only by what it reaches.
void findLinears(Inference &inference);

/// Gives products their sites. Seven sweeps, and a near walk for each score and each integer and comparison
/// that no product reads.
void findSites(Inference &inference);

/// Gives the products of block linears their positions. One sweep, and as many comparisons of numbers as the
/// square of the forward linears.
void findPositions(Inference &inference);

} // namespace fp8opt::qt::roles

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEINFERENCE_H
