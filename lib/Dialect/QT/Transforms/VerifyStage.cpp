// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what each step of the walk promises to the next one.

#include "AmaxReaders.h"
#include "ProductAttributes.h"
#include "QuantizerGroups.h"
#include "Remaking.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Import/Contraction.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// What a step promises. Each check stops at the first op that breaks it, with an error that names the pass
/// to run.
class StepPromise {
public:
  StepPromise(ModuleOp module, func::FuncOp entry)
      : module(module), entry(entry), qt(*module.getContext()->getLoadedDialect<QTDialect>()),
        symbols(module), roleNames(roleAttributes(qt)), productNames(productAttributes(qt)) {}

  LogicalResult checkImport();
  LogicalResult checkRoles();
  LogicalResult checkSchemes();
  LogicalResult checkQuantize();
  LogicalResult checkAxes();
  LogicalResult checkFuse();
  LogicalResult checkKernels(Step after);

private:
  using Match = std::optional<Contraction>;

  LogicalResult checkUnused();
  LogicalResult checkCall(Operation *op);
  LogicalResult checkNormalForm(Operation *op, const Match &match);
  LogicalResult checkRoles(Operation *op, const Match &match);
  LogicalResult checkQuantize(Operation *op, const Match &match, bool isPlanned);
  LogicalResult checkReport(size_t contractions);

  /// Makes checks of each op one after the other, all in one walk: on a big graph a walk is what they take.
  template <typename... CheckTs> LogicalResult each(CheckTs... checks) {
    WalkResult walked = entry.walk([&](Operation *op) {
      Match match = matchContraction(op);
      return (failed(checks(op, match)) || ...) ? WalkResult::interrupt() : WalkResult::advance();
    });
    return failure(walked.wasInterrupted());
  }
  auto call() {
    return [this](Operation *op, const Match &) { return checkCall(op); };
  }
  auto normalForm() {
    return [this](Operation *op, const Match &match) { return checkNormalForm(op, match); };
  }
  auto roles() {
    return [this](Operation *op, const Match &match) { return checkRoles(op, match); };
  }
  bool isKept(Operation *op) { return qt.getKeptAttrHelper().isAttrPresent(op); }
  /// Whether the step that infers roles must say something about this op: what it is, or why it is none.
  static bool isContraction(Operation *op, const Match &match) {
    if (isa<QuantizableOp>(op))
      return true;
    return match && (match->isProduct() || match->reason == NoProduct::NoM ||
                     match->reason == NoProduct::NoN || match->reason == NoProduct::NoK);
  }
  ModuleOp module;
  func::FuncOp entry;
  QTDialect &qt;
  SymbolTable symbols;
  SmallVector<StringAttr> roleNames, productNames;
};
} // namespace

LogicalResult StepPromise::checkUnused() {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPrivate() && !function.isExternal() && SymbolTable::symbolKnownUseEmpty(function, module))
      return function.emitOpError() << "expected no private function that nothing uses, got '"
                                    << function.getName() << "'; run fp8-import-linalg first";
  return success();
}

LogicalResult StepPromise::checkCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  auto callee = call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
  if (!callee || callee.isExternal())
    return success();
  return op->emitOpError() << "expected calls of functions with a body to be inlined, got one of '"
                           << call.getCallee() << "'; run fp8-import-linalg first";
}

LogicalResult StepPromise::checkNormalForm(Operation *op, const Match &match) {
  if (match && match->isProduct() && !match->isNormal())
    return op->emitOpError()
           << "expected matrix products as linalg.contract of [batch..., m, k] and [batch..., n, k] "
              "with an accumulator of f32 or f64, got another form; run fp8-import-linalg first";
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (!generic || generic.getNumParallelLoops() != generic.getNumLoops())
    return success();
  for (auto [number, argument] : llvm::enumerate(generic.getRegionOutputArgs()))
    if (!argument.use_empty())
      return op->emitOpError()
             << "expected an all-parallel op not to read its outputs, got a body that reads output " << number
             << "; run fp8-import-linalg first";
  return success();
}

LogicalResult StepPromise::checkImport() {
  return failure(failed(checkUnused()) || failed(each(call(), normalForm())));
}

LogicalResult StepPromise::checkRoles(Operation *op, const Match &match) {
  SmallVector<StringAttr> missing, present;
  for (StringAttr name : roleNames)
    (op->getDiscardableAttr(name) ? present : missing).push_back(name);
  bool kept = isKept(op);
  if (!isContraction(op, match)) {
    if (present.empty() || kept)
      return success();
    return op->emitOpError() << "expected " << present.front().getValue()
                             << " on contractions only; run qt-infer-roles last";
  }
  GivenAttr given = qt.getGivenAttrHelper().getAttr(op);
  bool needsNoRole =
      given && given.holds(false) && given.holds(true) && qt.getSchemesAttrHelper().isAttrPresent(op);
  if (kept || missing.empty() || needsNoRole)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expected all of ");
  llvm::interleaveComma(roleNames, diagnostic, [&](StringAttr name) { diagnostic << name.getValue(); });
  diagnostic << " on a contraction, or qt.kept, got it without ";
  llvm::interleaveComma(missing, diagnostic, [&](StringAttr name) { diagnostic << name.getValue(); });
  diagnostic << "; run qt-infer-roles first";
  return diagnostic;
}

LogicalResult StepPromise::checkRoles() {
  // What rebuilds an op may drop its attributes, so no contraction may be without; what names an op anew may
  // keep them.
  return each(normalForm(), roles());
}

LogicalResult StepPromise::checkReport(size_t contractions) {
  auto recipes = llvm::to_vector(module.getOps<RecipeOp>());
  if (recipes.size() != 1)
    return module.emitOpError() << "expected one qt.recipe in the module, got " << recipes.size()
                                << "; run qt-assign-schemes first";
  ReportAttr report = qt.getReportAttrHelper().getAttr(module);
  if (!report)
    return module.emitOpError()
           << "expected a qt.report on the module, got none; run qt-assign-schemes first";
  if (report.getRecipe() != recipes.front().getSymNameAttr())
    return module.emitOpError() << "expected a report about recipe '" << recipes.front().getSymName()
                                << "', the module's, got one about '" << report.getRecipe().getValue()
                                << "'; run qt-assign-schemes first";
  if (report.getEntries().size() != contractions)
    return module.emitOpError() << "expected an entry in the report for each of " << contractions
                                << " contractions, got " << report.getEntries().size()
                                << "; run qt-assign-schemes last";
  return success();
}

LogicalResult StepPromise::checkSchemes() {
  size_t contractions = 0;
  auto decided = [&](Operation *op, const Match &match) -> LogicalResult {
    bool schemes = qt.getSchemesAttrHelper().isAttrPresent(op), kept = isKept(op);
    contractions += schemes || kept;
    if (schemes == kept && (schemes || isContraction(op, match)))
      return op->emitOpError() << "expected exactly one of qt.schemes and qt.kept, got "
                               << (kept ? "both" : "none") << "; run qt-assign-schemes first";
    return success();
  };
  return failed(each(normalForm(), roles(), decided)) ? failure() : checkReport(contractions);
}

/// Whether an op may have a quantized tensor as operand or result: what moves it, and what knows it.
static bool mayTouchQuantized(Operation *op) {
  return isa_and_nonnull<QTDialect, func::FuncDialect, scf::SCFDialect, cf::ControlFlowDialect>(
      op->getDialect());
}

/// What a plan computes or copies again is marked as of the backward half.
LogicalResult StepPromise::checkQuantize(Operation *op, const Match &match, bool isPlanned) {
  bool mayHaveHalf =
      isPlanned && (isa<linalg::GenericOp>(op) || copiesElements(op)) && !isContraction(op, match);
  for (StringAttr name : productNames)
    if (op->getDiscardableAttr(name) && !(mayHaveHalf && name == qt.getHalfAttrHelper().getName()))
      return op->emitOpError() << "expected no " << name.getValue()
                               << " after quantization; run qt-materialize-quantization "
                                  "first";
  if (isContraction(op, match) && !isKept(op))
    return op->emitOpError() << "expected a contraction that is left to have qt.kept, got none; run "
                                "qt-materialize-quantization first";
  if (mayTouchQuantized(op))
    return success();
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()), op->getResultTypes()))
    if (isa<QTensorType>(type))
      return op->emitOpError() << "expected quantized tensors only on ops of qt, func, scf and cf, got "
                               << type;
  return success();
}

LogicalResult StepPromise::checkQuantize() {
  auto quantized = [this](Operation *op, const Match &match) { return checkQuantize(op, match, false); };
  return failure(failed(checkUnused()) || failed(each(call(), quantized)));
}

LogicalResult StepPromise::checkAxes() {
  using Key = std::tuple<Block *, Value, Type, Attribute>;
  llvm::DenseMap<Key, QuantizeOp> seen;
  auto planned = [this](Operation *op, const Match &match) { return checkQuantize(op, match, true); };
  auto shared = [&](Operation *op, const Match &) -> LogicalResult {
    auto quantize = dyn_cast<QuantizeOp>(op);
    if (!quantize || !quantize.getScales().empty())
      return success();
    Key key{op->getBlock(), quantize.getInput(), quantize.getType(), quantize.getHalfAttr()};
    auto [earlier, inserted] = seen.try_emplace(key, quantize);
    if (inserted)
      return success();
    InFlightDiagnostic diagnostic =
        op->emitOpError("expected each value to be quantized once by one scheme in one "
                        "half, got a second time; run qt-match-operand-axes first");
    diagnostic.attachNote(earlier->second.getLoc()) << "the first is here";
    return diagnostic;
  };
  return failure(failed(checkUnused()) || failed(each(call(), planned, shared)));
}

LogicalResult StepPromise::checkFuse() {
  if (failed(checkAxes()))
    return failure();
  SmallVector<QuantizerGroup> groups = findQuantizerGroups(entry, [](QuantizeOp) {});
  if (!groups.empty()) {
    QuantizerGroup &group = groups.front();
    bool isTransposed = group.quantizers.size() == 1;
    Operation *second = isTransposed ? group.orientations.back().op : group.quantizers[1];
    InFlightDiagnostic diagnostic =
        second->emitOpError("expected one op for all quantizations of a tensor in one half, got a ")
        << (isTransposed ? "transpose of one" : "second") << "; run qt-merge-quantizers first";
    diagnostic.attachNote(group.quantizers[0].getLoc()) << "the first is here";
    return diagnostic;
  }
  for (const AmaxReader &reader : findAmaxReaders(entry, AmaxBlocks::Whole)) {
    if (!reader.origin.refusal.empty())
      continue;
    InFlightDiagnostic diagnostic = reader.op->emitOpError(
        "expected an amax from the op that computes the tensor, which can return it, got a "
        "pass over the tensor; run qt-fuse-amax first");
    diagnostic.attachNote(reader.origin.value.getLoc()) << "the tensor is computed here";
    return diagnostic;
  }
  return success();
}

/// The first op in a kernel that a step should have replaced.
template <typename... Ops> static Operation *findIn(qtile::KernelOp kernel) {
  for (Operation &op : kernel.getBody().front())
    if (isa<Ops...>(op))
      return &op;
  return nullptr;
}

LogicalResult StepPromise::checkKernels(Step after) {
  if (!qtile::QTileDialect::SharesAttrHelper(module.getContext()).getAttr(module))
    return module.emitError(
        "expected qtile.shares, what became of each product, got none; run convert-qt-to-qtile first");
  for (auto kernel : module.getOps<qtile::KernelOp>()) {
    if (after >= Step::Schedule && findIn<qtile::GemmOp>(kernel) && !kernel.getSchedule())
      return kernel.emitOpError(
          "expected a schedule for its product, got none; run qtile-choose-schedule first");
    if (after < Step::Expand)
      continue;
    if (Operation *op =
            findIn<qtile::GemmOp, qtile::QuantizeOp, qtile::AmaxOp, qtile::RequantizeOp, qtile::DequantizeOp>(
                kernel))
      return op->emitOpError("expected roles or threads, got what they compute; run qtile-expand-gemm and "
                             "qtile-expand-quantize first");
  }
  return success();
}

static LogicalResult check(StepPromise &&promise, Step after) {
  switch (after) {
  case Step::Import:
    return promise.checkImport();
  case Step::Roles:
    return promise.checkRoles();
  case Step::Schemes:
    return promise.checkSchemes();
  case Step::Quantize:
    return promise.checkQuantize();
  case Step::Axes:
    return promise.checkAxes();
  case Step::Fuse:
    return promise.checkFuse();
  case Step::Kernels:
  case Step::Schedule:
  case Step::Expand:
    return promise.checkKernels(after);
  }
  llvm_unreachable("every step promises something");
}

/// Verifies the discardable attributes of one op.
static LogicalResult verifyAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (Dialect *dialect = attribute.getNameDialect())
      if (failed(dialect->verifyOperationAttribute(op, attribute)))
        return failure();
  return success();
}

/// Verifies what a step may have changed: not the program as imported, which no step after import touches,
/// and of steps that only write attributes, these. From the last step for a processor on all ops.
static LogicalResult verifyOps(ModuleOp module, func::FuncOp entry, Step after) {
  if (after == Step::Import || after >= Step::Fuse)
    return verify(module);
  if (failed(verifyAttributes(module)))
    return failure();
  if (after != Step::Roles && after != Step::Schemes)
    return verify(entry);
  for (RecipeOp recipe : module.getOps<RecipeOp>())
    if (failed(verify(recipe)))
      return failure();
  return failure(entry.walk([](Operation *op) { return WalkResult(verifyAttributes(op)); }).wasInterrupted());
}

namespace {
struct VerifyStage : qt::impl::VerifyStagePassBase<VerifyStage> {
  using VerifyStagePassBase::VerifyStagePassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    // First: what a step promises is asked of ops that are valid.
    if (failed(verifyOps(getOperation(), entry, after)))
      return signalPassFailure();
    if (failed(check(StepPromise(getOperation(), entry), after)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
