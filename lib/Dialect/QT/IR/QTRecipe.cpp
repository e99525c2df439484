// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes: which rule an operand gets, and what makes a recipe wrong.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt::qt;

#define GET_OP_CLASSES
#include "fp8-opt/Dialect/QT/IR/QTOps.cpp.inc"

void QTDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "fp8-opt/Dialect/QT/IR/QTOps.cpp.inc"
      >();
}

SchemeAttr RecipeOp::getScheme(Role role, Gemm gemm) {
  SchemeAttr forAll;
  for (RuleOp rule : getBody().getOps<RuleOp>()) {
    if (rule.getRole() != role)
      continue;
    if (!rule.getGemm())
      forAll = rule.getScheme();
    else if (*rule.getGemm() == gemm)
      return rule.getScheme();
  }
  return forAll;
}

/// The roles of the two operands of a product.
static std::pair<Role, Role> rolesOf(Gemm gemm) {
  switch (gemm) {
  case Gemm::Fprop:
    return {Role::Activation, Role::Weight};
  case Gemm::Dgrad:
    return {Role::Gradient, Role::Weight};
  case Gemm::Wgrad:
    return {Role::Gradient, Role::Activation};
  }
  llvm_unreachable("a product is one of three");
}

/// The last size of the innermost block: the block along K of an operand laid contraction-last. -1 if one
/// covers K.
static int64_t blockAlongK(SchemeAttr scheme) {
  const std::vector<int64_t> &block = scheme.getScales()[0].getLevel().block;
  return block.empty() ? -1 : block.back();
}

LogicalResult RecipeOp::verifyRegions() {
  for (Operation &op : getBody().getOps())
    if (!isa<RuleOp, KeepOp>(op)) // C1
      return emitOpError() << "expected only qt.rule and qt.keep in a recipe, got " << op.getName();
  SmallVector<RuleOp> rules(getBody().getOps<RuleOp>());
  for (auto [index, rule] : llvm::enumerate(rules)) // C2
    for (RuleOp earlier : ArrayRef(rules).take_front(index))
      if (rule.getRole() == earlier.getRole() && rule.getGemm() == earlier.getGemm()) {
        InFlightDiagnostic diagnostic = rule.emitOpError()
                                        << "expected one rule for each role and product, got a second for "
                                        << stringifyRole(rule.getRole());
        diagnostic.attachNote(earlier.getLoc()) << "the first is here";
        return diagnostic;
      }
  for (Gemm gemm : {Gemm::Fprop, Gemm::Dgrad, Gemm::Wgrad}) { // C3
    auto [first, second] = rolesOf(gemm);
    SchemeAttr a = getScheme(first, gemm), b = getScheme(second, gemm);
    if (!a || !b)
      continue;
    int64_t blockA = blockAlongK(a), blockB = blockAlongK(b);
    if (blockA == 1 || blockB == 1)
      return emitOpError()
             << "expected schemes blocked along the last dimension, which operands contract, got a "
                "block of 1 for the "
             << stringifyRole(blockA == 1 ? first : second) << " of " << stringifyGemm(gemm);
    if (blockA > 0 && blockB > 0 && std::max(blockA, blockB) % std::min(blockA, blockB) != 0)
      return emitOpError() << "expected blocks of which the larger is a multiple of the smaller in "
                           << stringifyGemm(gemm) << ", got " << blockA << " for the " << stringifyRole(first)
                           << " and " << blockB << " for the " << stringifyRole(second);
  }
  return success();
}

LogicalResult KeepOp::verify() {
  int given = int(bool(getSitesAttr())) + int(bool(getLabelsAttr())) + int(bool(getFirstAttr())) +
              int(bool(getLastAttr()));
  if (given != 1) // C1
    return emitOpError() << "expected exactly one of sites, labels, first and last, got " << given;
  if (getSites() && getSites()->empty()) // C2
    return emitOpError("expected at least one site, got []");
  if (getLabels() && getLabels()->empty())
    return emitOpError("expected at least one label, got []");
  if (getLabels() && llvm::is_contained(*getLabels(), StringAttr::get(getContext())))
    return emitOpError("expected labels that not every name contains, got an empty one");
  for (auto [name, count] : {std::pair("first", getFirst()), std::pair("last", getLast())})
    if (count && int64_t(*count) < 1)
      return emitOpError() << "expected '" << name << "' to be at least 1, got " << int64_t(*count);
  return success();
}
