// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recipes: which rule an operand gets, and what makes a recipe wrong.

#include "QTRecipeSyntax.h"

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

/// The conditions of a line.
template <typename OpT> static Conditions conditionsOf(OpT op) {
  return {op.getGemmAttr(), op.getSitesAttr(), op.getLabelsAttr(), op.getExceptAttr(),
          op.getFirst(),    op.getLast(),      op.getSizes()};
}
Conditions RuleOp::getConditions() { return conditionsOf(*this); }
Conditions KeepOp::getConditions() { return conditionsOf(*this); }
Conditions PromoteOp::getConditions() { return conditionsOf(*this); }

bool RuleOp::isFor(Role role, bool isRhs) { return getRole() == role && !(isRhs ? getLhs() : getRhs()); }

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

/// Whether an operand can have this role: in a dgrad of attention both operands of the fprop are activations.
static bool hasRole(Gemm gemm, Role role) {
  auto [first, second] = rolesOf(gemm);
  return role == first || role == second || (gemm == Gemm::Dgrad && role == Role::Activation);
}

/// The last size of the innermost block: the block along K of an operand laid contraction-last. -1 if one
/// covers K.
static int64_t blockAlongK(SchemeAttr scheme) {
  const std::vector<int64_t> &block = scheme.getScales()[0].getLevel().block;
  return block.empty() ? -1 : block.back();
}

bool RuleOp::covers(RuleOp other) {
  return getRole() == other.getRole() && (!getLhs() || other.getLhs()) && (!getRhs() || other.getRhs()) &&
         getConditions().cover(other.getConditions());
}

LogicalResult RecipeOp::verifyRegions() {
  for (Operation &op : getBody().getOps())
    if (!isa<RuleOp, KeepOp, PromoteOp>(op)) // C1
      return emitOpError() << "expected only qt.rule, qt.keep and qt.promote in a recipe, got "
                           << op.getName();
  SmallVector<RuleOp> rules(getBody().getOps<RuleOp>());
  for (auto [index, rule] : llvm::enumerate(rules)) // C2
    for (RuleOp earlier : ArrayRef(rules).take_front(index))
      if (rule.covers(earlier)) {
        InFlightDiagnostic diagnostic = rule.emitOpError()
                                        << "expected a rule that leaves something to earlier ones "
                                           "for "
                                        << stringifyRole(rule.getRole())
                                        << ", got one that hides another; the last that selects "
                                           "an operand counts";
        diagnostic.attachNote(earlier.getLoc()) << "this one is hidden";
        return diagnostic;
      }
  for (RuleOp rule : rules)
    for (auto keep : getBody().getOps<KeepOp>())
      if (keep.getConditions().cover(rule.getConditions())) {
        InFlightDiagnostic diagnostic =
            rule.emitOpError() << "expected a rule for contractions that are quantized, got one of which all "
                                  "are kept in high precision";
        diagnostic.attachNote(keep.getLoc()) << "this one keeps them";
        return diagnostic;
      }
  for (Gemm gemm : {Gemm::Fprop, Gemm::Dgrad, Gemm::Wgrad}) { // C3
    auto [first, second] = rolesOf(gemm);
    // No site, label, layer or sizes: only rules without such conditions hold.
    const int64_t sizes[] = {ShapedType::kDynamic, ShapedType::kDynamic, ShapedType::kDynamic};
    ContractionFacts facts;
    facts.gemm = gemm;
    facts.sizes = sizes;
    RuleOp a, b;
    for (RuleOp rule : rules)
      if (rule.getConditions().hold(facts)) {
        a = rule.isFor(first, /*isRhs=*/false) ? rule : a;
        b = rule.isFor(second, /*isRhs=*/true) ? rule : b;
      }
    if (a && b && failed(b.verifyPair(a, gemm)))
      return failure();
  }
  return success();
}

LogicalResult RuleOp::verifyPair(RuleOp other, Gemm gemm, Operation *contraction) {
  int64_t block = blockAlongK(getScheme()), otherBlock = blockAlongK(other.getScheme());
  if (block < 0 || otherBlock < 0 || std::max(block, otherBlock) % std::min(block, otherBlock) == 0)
    return success();
  InFlightDiagnostic diagnostic =
      emitOpError() << "expected blocks of which the larger is a multiple of the smaller "
                       "in "
                    << stringifyGemm(gemm) << ", got " << block << " for the " << stringifyRole(getRole())
                    << " and " << otherBlock << " for the " << stringifyRole(other.getRole());
  diagnostic.attachNote(other.getLoc()) << "the rule for the " << stringifyRole(other.getRole());
  if (contraction)
    diagnostic.attachNote(contraction->getLoc()) << "for this contraction";
  return diagnostic;
}

LogicalResult RuleOp::verify() {
  if (getLhs() && getRhs()) // C1
    return emitOpError("expected one of 'lhs' and 'rhs', got both; a rule without them is for both operands");
  if (failed(getConditions().verify([&] { return emitOpError(); }))) // C2
    return failure();
  if (blockAlongK(getScheme()) == 1) // C3
    return emitOpError(
        "expected a scheme blocked along the last dimension, which operands contract, got a block of 1");
  if (getDual() && (getRole() != Role::Activation || getGemm() != Gemm::Wgrad)) // C4
    return emitOpError() << "expected 'dual' on a rule for activations in wgrad, got one for "
                         << stringifyRole(getRole()) << " in "
                         << (getGemm() ? stringifyGemm(*getGemm()) : "all products");
  if (getGemm() && !hasRole(*getGemm(), getRole())) // C5
    return emitOpError() << "expected a role that an operand of " << stringifyGemm(*getGemm()) << " has, got "
                         << stringifyRole(getRole());
  return success();
}

LogicalResult KeepOp::verify() {
  if (getConditions().isEmpty()) // C1
    return emitOpError("expected at least one of in, sites, labels, except, first, last and sizes, got none");
  return getConditions().verify([&] { return emitOpError(); }); // C2
}

LogicalResult PromoteOp::verify() {
  return getConditions().verify([&] { return emitOpError(); }); // C1
}
