// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives the operands of each contraction the schemes of a recipe, or says why not.

#include "RecipeUse.h"

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QT/Transforms/ProductExtents.h"
#include "fp8-opt/Import/Contraction.h"
#include "fp8-opt/Import/Import.h"
#include "fp8-opt/Recipes/RecipeLibrary.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_ASSIGNSCHEMESPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Whether arguments have names of their own: without a signature import numbers them.
static bool hasNames(ModuleOp module) {
  SignatureAttr signature = QTDialect::SignatureAttrHelper(module.getContext()).getAttr(module);
  if (!signature)
    return false;
  return llvm::any_of(llvm::enumerate(signature.getArguments()), [](auto argument) {
    return argument.value().getName().getValue() != "arg" + std::to_string(argument.index());
  });
}

namespace {
/// A recipe applied to a module.
class Assigner {
public:
  Assigner(ModuleOp module, func::FuncOp function, RecipeOp recipe)
      : module(module), function(function), recipe(recipe), use(recipe, hasNames(module)),
        qt(*module.getContext()->getLoadedDialect<QTDialect>()) {}

  /// Writes `qt.schemes` or `qt.kept` on every contraction, and the report on the module.
  LogicalResult run(bool remarks);

  unsigned numQuantized = 0, numKept = 0;

private:
  LogicalResult assign(Operation *op);
  /// Why the recipe, or the op itself, keeps this contraction in high precision; null if nothing does.
  KeptAttr whyKept(Operation *op, const ContractionFacts &facts, ArrayRef<KeepOp> keeps, SchemeAttr lhs,
                   SchemeAttr rhs);
  /// Checks that two schemes can meet in this product; where one came with the graph, a mismatch keeps it.
  LogicalResult verifySchemes(Operation *op, RuleOp lhs, RuleOp rhs, SchemesAttr schemes);
  /// "recipe NAME has no rule for role weight", or what keeps the rules that it has from this operand.
  std::string whyNoRule(const ContractionFacts &facts, Role role, bool isRhs);
  /// The scheme of an operand that came as codes and scales, else null.
  SchemeAttr givenScheme(Operation *op, bool isRhs);
  /// Says of a wgrad by which scheme its activation was quantized in the fprop, where a rule asks for that.
  LogicalResult markDual(Operation *wgrad);
  StringRef label(Operation *op);
  EntryAttr entry(Operation *op);
  KeptAttr kept(KeptBy by, const Twine &detail) {
    return KeptAttr::get(module.getContext(), by, StringAttr::get(module.getContext(), detail));
  }

  ModuleOp module;
  func::FuncOp function;
  RecipeOp recipe;
  RecipeUse use;
  QTDialect &qt;
  int64_t numLayers = 0;
  SmallVector<Operation *> duals;              // the wgrads whose activation has a rule with 'dual'
  llvm::DenseMap<int64_t, SchemeAttr> inFprop; // of the activation, by the number of the linear layer
};
} // namespace

/// The name of the weight that a linear layer reads, from the signature; empty without one. Of one that is
/// joined, the names of its parts.
StringRef Assigner::label(Operation *op) {
  LinearAttr linear = qt.getLinearAttrHelper().getAttr(op);
  SignatureAttr signature = qt.getSignatureAttrHelper().getAttr(module);
  if (!linear || !signature)
    return "";
  SmallVector<StringRef> names;
  auto add = [&](int64_t argument) {
    if (argument >= 0 && size_t(argument) < signature.getArguments().size())
      names.push_back(signature.getArguments()[argument].getName().getValue());
  };
  add(linear.getArgument());
  llvm::for_each(linear.getParts(), add);
  return StringAttr::get(module.getContext(), llvm::join(names, ", "));
}

/// What a report counts a keep under: the first of its conditions.
static KeptBy kindOf(const Conditions &conditions) {
  if (conditions.sites)
    return KeptBy::Site;
  if (conditions.labels || conditions.except)
    return KeptBy::Label;
  if (conditions.first || conditions.last)
    return KeptBy::Position;
  return conditions.gemm ? KeptBy::Product : KeptBy::Size;
}

SchemeAttr Assigner::givenScheme(Operation *op, bool isRhs) {
  GivenAttr given = qt.getGivenAttrHelper().getAttr(op);
  auto decode =
      op->getNumOperands() > 1 ? op->getOperand(isRhs).getDefiningOp<DequantizeOp>() : DequantizeOp();
  return given && given.holds(isRhs) && decode ? decode.getInput().getType().getScheme() : SchemeAttr();
}

std::string Assigner::whyNoRule(const ContractionFacts &facts, Role role, bool isRhs) {
  std::string text = "recipe " + recipe.getSymName().str();
  RuleOp last;
  unsigned count = 0;
  for (RuleOp rule : recipe.getBody().getOps<RuleOp>())
    if (rule.getRole() == role) {
      last = rule;
      ++count;
    }
  if (!last)
    return text + " has no rule for role " + stringifyRole(role).str();
  std::string why = last.isFor(role, isRhs) ? last.getConditions().describeFailure(facts)
                    : isRhs                 ? "is for left operands, not the right one"
                                            : "is for right operands, not the left one";
  if (count == 1)
    return text + " has one rule for role " + stringifyRole(role).str() + ", which " + why;
  return text + " has " + std::to_string(count) + " rules for role " + stringifyRole(role).str() +
         ", none of them for this operand; the last " + why;
}

KeptAttr Assigner::whyKept(Operation *op, const ContractionFacts &facts, ArrayRef<KeepOp> keeps,
                           SchemeAttr lhs, SchemeAttr rhs) {
  if (!keeps.empty()) {
    Conditions conditions = KeepOp(keeps.front()).getConditions();
    return kept(kindOf(conditions), conditions.describe(facts) + " by recipe " + recipe.getSymName());
  }
  RolesAttr roles = qt.getRolesAttrHelper().getAttr(op);
  for (bool isRhs : {false, true})
    if (!(isRhs ? rhs : lhs))
      return kept(KeptBy::NoRule, whyNoRule(facts, isRhs ? roles.getRhs() : roles.getLhs(), isRhs));
  auto byType = [&](StringRef does, Type element) {
    std::string text;
    llvm::raw_string_ostream(text) << does << element;
    return kept(KeptBy::ElementType, text);
  };
  for (Value operand : op->getOperands().take_front(2)) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (!isExpressed(element))
      return byType("no scheme reads elements of type ", element);
  }
  if (Type sum = getElementTypeOrSelf(op->getResult(0).getType()); !sum.isF32())
    return byType("no quantized product accumulates in ", sum);
  return {};
}

/// Batch, m, n and k extents of a contraction; -1 is dynamic. One that is no product (role inference has
/// given it no site) has its iteration space as k.
static SmallVector<int64_t> sizes(Operation *op, bool isProduct) {
  if (isProduct) {
    auto quantizable = cast<QuantizableOp>(op);
    return extentsOfProduct(quantizable.getLhsOperand().get(), quantizable.getRhsOperand().get());
  }
  SmallVector<int64_t> loops;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    loops = linalgOp.getStaticLoopRanges();
    // The product of other numbers than floats, or of another body.
    if (std::optional<Contraction> match = matchContraction(op); match && match->hasProductDims()) {
      auto extent = [&](ArrayRef<unsigned> of) {
        return extentOf(llvm::map_to_vector(of, [&](unsigned dim) { return loops[dim]; }));
      };
      return {extent(match->batch), extent(match->m), extent(match->n), extent(match->k)};
    }
  }
  return {1, 1, 1, extentOf(loops)};
}

LogicalResult Assigner::verifySchemes(Operation *op, RuleOp lhs, RuleOp rhs, SchemesAttr schemes) {
  if (lhs && rhs && failed(rhs.verifyPair(lhs, qt.getGemmAttrHelper().getAttr(op).getValue(), op)))
    return failure();
  QTensorType types[2];
  SchemeAttr both[] = {schemes.getLhs(), schemes.getRhs()};
  RuleOp rules[] = {lhs, rhs};
  for (auto [operand, scheme, quantized, rule] : llvm::zip(op->getOperands(), both, types, rules)) {
    auto emitError = [op, rule = rule]() mutable -> InFlightDiagnostic {
      if (!rule)
        return op->emitOpError();
      InFlightDiagnostic error = rule.emitOpError();
      error.attachNote(op->getLoc()) << "for this contraction";
      return error;
    };
    auto type = cast<RankedTensorType>(operand.getType());
    quantized =
        QTensorType::getChecked(emitError, op->getContext(), type.getShape(), type.getElementType(), scheme);
    if (!quantized)
      return failure();
  }
  if (MatmulOp::nestAlongK(types[0], types[1]))
    qt.getSchemesAttrHelper().setAttr(op, schemes);
  else
    qt.getKeptAttrHelper().setAttr(
        op,
        kept(KeptBy::Given, "the blocks of its operands along K, of which the graph has brought some, do not "
                            "divide one another"));
  return success();
}

LogicalResult Assigner::assign(Operation *op) {
  RolesAttr roles = qt.getRolesAttrHelper().getAttr(op);
  GemmAttr gemm = qt.getGemmAttrHelper().getAttr(op);
  // What role inference has said stands; what an earlier recipe has decided does not.
  KeptAttr before = qt.getKeptAttrHelper().getAttr(op);
  SchemeAttr givenLhs = givenScheme(op, /*isRhs=*/false), givenRhs = givenScheme(op, /*isRhs=*/true);
  if (givenLhs && givenRhs) {
    // What is left to decide is nothing: no role is needed, and there is no high precision to keep it in.
    op->removeDiscardableAttr(qt.getKeptAttrHelper().getName());
    return verifySchemes(op, RuleOp(), RuleOp(), SchemesAttr::get(op->getContext(), givenLhs, givenRhs));
  }
  // Of two activations one of which may be a weight, a rule may hold all the same.
  bool isUndecided = before && before.getBy() == KeptBy::NoRole && roles;
  if (before && !gemm)
    return success();
  if (!roles || !gemm)
    return op->emitOpError("expected qt.roles and qt.gemm on a contraction; run qt-infer-roles first");
  op->removeDiscardableAttr(qt.getKeptAttrHelper().getName());
  op->removeDiscardableAttr(qt.getSchemesAttrHelper().getName());
  op->removeDiscardableAttr(qt.getDualAttrHelper().getName());
  op->removeDiscardableAttr(qt.getPromotedAttrHelper().getName());
  SmallVector<int64_t> extents = sizes(op, isa<QuantizableOp>(op));
  ContractionFacts facts = {gemm.getValue(), qt.getSiteAttrHelper().getAttr(op),
                            label(op),       qt.getLayerAttrHelper().getAttr(op),
                            numLayers,       ArrayRef(extents).drop_front()};
  RecipeLines lines = use.addContraction(op, facts, roles);
  if (givenLhs)
    lines.lhs.clear();
  if (givenRhs)
    lines.rhs.clear();
  RuleOp lhs = lines.lhs.empty() ? RuleOp() : lines.lhs.back();
  RuleOp rhs = lines.rhs.empty() ? RuleOp() : lines.rhs.back();
  SchemeAttr lhsScheme = lhs ? lhs.getScheme() : givenLhs, rhsScheme = rhs ? rhs.getScheme() : givenRhs;
  if (KeptAttr reason = whyKept(op, facts, lines.keeps, lhsScheme, rhsScheme)) {
    qt.getKeptAttrHelper().setAttr(op, isUndecided ? before : reason);
    return success();
  }
  if (failed(verifySchemes(op, lhs, rhs, SchemesAttr::get(op->getContext(), lhsScheme, rhsScheme))))
    return failure();
  if (!qt.getSchemesAttrHelper().isAttrPresent(op))
    return success();
  use.addQuantized(lines);
  if (!lines.promotes.empty())
    qt.getPromotedAttrHelper().setAttr(op, UnitAttr::get(op->getContext()));
  if ((lhs && lhs.getDual()) || (rhs && rhs.getDual()))
    duals.push_back(op);
  LinearAttr linear = qt.getLinearAttrHelper().getAttr(op);
  for (RuleOp rule : {lhs, rhs})
    if (rule && linear && gemm.getValue() == Gemm::Fprop && rule.getRole() == Role::Activation)
      inFprop.try_emplace(linear.getId(), rule.getScheme());
  return success();
}

LogicalResult Assigner::markDual(Operation *wgrad) {
  LinearAttr linear = qt.getLinearAttrHelper().getAttr(wgrad);
  SchemeAttr first = linear ? inFprop.lookup(linear.getId()) : SchemeAttr();
  if (!first)
    return wgrad->emitRemark(
               "quantizes its activation from high precision: no fprop of its layer is quantized, of "
               "which it could be requantized"),
           success();
  auto quantizable = cast<QuantizableOp>(wgrad);
  bool isRhs = qt.getRolesAttrHelper().getAttr(wgrad).getRhs() == Role::Activation;
  Value operand = (isRhs ? quantizable.getRhsOperand() : quantizable.getLhsOperand()).get();
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<int64_t> turned(type.getShape());
  std::swap(turned[turned.size() - 2], turned.back());
  if (!QTensorType::getChecked([wgrad] { return wgrad->emitOpError(); }, wgrad->getContext(),
                               ArrayRef<int64_t>(turned), type.getElementType(), first))
    return failure();
  qt.getDualAttrHelper().setAttr(wgrad, first);
  return success();
}

EntryAttr Assigner::entry(Operation *op) {
  MLIRContext *context = op->getContext();
  StringRef name = label(op);
  return EntryAttr::get(context, op->getLoc(), sizes(op, qt.getSiteAttrHelper().isAttrPresent(op)),
                        name.empty() ? StringAttr() : StringAttr::get(context, name),
                        qt.getRolesAttrHelper().getAttr(op), qt.getGemmAttrHelper().getAttr(op),
                        qt.getHalfAttrHelper().getAttr(op), qt.getSiteAttrHelper().getAttr(op),
                        qt.getLinearAttrHelper().getAttr(op), qt.getLayerAttrHelper().getAttr(op),
                        qt.getSchemesAttrHelper().getAttr(op), qt.getKeptAttrHelper().getAttr(op),
                        qt.getGivenAttrHelper().getAttr(op));
}

/// Quantizers get no random bits in this version.
static LogicalResult verifyRoundings(RecipeOp recipe) {
  for (RuleOp rule : recipe.getBody().getOps<RuleOp>())
    if (rule.getScheme().getRounding() == numerics::Rounding::Stochastic)
      return rule.emitOpError("expected a rounding that needs no random bits, got stochastic");
  return success();
}

LogicalResult Assigner::run(bool remarks) {
  if (failed(verifyRoundings(recipe)))
    return failure();
  SmallVector<Operation *> contractions;
  Operation *unknown = nullptr;
  function.walk([&](Operation *op) {
    if (LayerAttr layer = qt.getLayerAttrHelper().getAttr(op))
      numLayers = std::max(numLayers, layer.getIndex() + 1);
    if (qt.getRolesAttrHelper().isAttrPresent(op) || qt.getKeptAttrHelper().isAttrPresent(op))
      contractions.push_back(op);
    else if (isa<QuantizableOp>(op))
      contractions.push_back(op);
    else if (unknown)
      return;
    else if (std::optional<Contraction> match = matchContraction(op); match && match->isProduct())
      unknown = op;
  });
  // A report without it would be silent about it.
  if (unknown)
    return unknown->emitOpError("expected qt.roles and qt.gemm on a contraction; run fp8-import-linalg and "
                                "qt-infer-roles first");
  SmallVector<EntryAttr> entries;
  for (Operation *op : contractions) {
    if (failed(assign(op)))
      return failure();
    EntryAttr made = entry(op);
    entries.push_back(made);
    ++(made.getKept() ? numKept : numQuantized);
    if (made.getKept() && remarks)
      op->emitRemark() << "stays in high precision: " << made.getKept().getDetail().getValue();
  }
  for (Operation *wgrad : duals)
    if (failed(markDual(wgrad)))
      return failure();
  use.remark();
  qt.getReportAttrHelper().setAttr(
      module, ReportAttr::get(module.getContext(), StringAttr::get(module.getContext(), recipe.getSymName()),
                              entries));
  return success();
}

namespace {
struct AssignSchemes : qt::impl::AssignSchemesPassBase<AssignSchemes> {
  using AssignSchemesPassBase::AssignSchemesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp entry = findEntry(module, function);
    if (!entry)
      return signalPassFailure();
    StepAttr step = getContext().getLoadedDialect<QTDialect>()->getStepAttrHelper().getAttr(module);
    if (step && step.getValue() >= Step::Quantize) {
      emitError(entry.getLoc()) << "expected a program that is not quantized yet, got one after step "
                                << stringifyStep(step.getValue());
      return signalPassFailure();
    }
    FailureOr<RecipeOp> chosen = recipe.empty() ? getRecipe(module) : setRecipe(module, recipe);
    if (failed(chosen))
      return signalPassFailure();
    Assigner assigner(module, entry, *chosen);
    if (failed(assigner.run(remarks)))
      return signalPassFailure();
    numQuantized += assigner.numQuantized;
    numKept += assigner.numKept;
  }
};
} // namespace
