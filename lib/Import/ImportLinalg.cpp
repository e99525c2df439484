// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Import as a whole: calls, then transposes, then contractions, then outputs; and what it has to say.

#include "fp8-opt/Import/Import.h"
#include "fp8-opt/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

namespace fp8opt {
#define GEN_PASS_DEF_IMPORTLINALGPASS
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// Collected before any is rewritten.
static SmallVector<linalg::GenericOp> collectGenerics(func::FuncOp function) {
  SmallVector<linalg::GenericOp> generics;
  function.walk([&](linalg::GenericOp generic) { generics.push_back(generic); });
  return generics;
}

static void nameTransposes(RewriterBase &rewriter, func::FuncOp entry, ImportCounts &counts) {
  for (auto generic : collectGenerics(entry)) {
    rewriter.setInsertionPoint(generic);
    counts.transposedCopies += succeeded(nameTranspose(rewriter, generic));
  }
}

static void countRoundings(const Contraction &contraction, ImportCounts &counts) {
  FloatType accumulator = contraction.getAccumulatorType();
  if (Type sum = getElementTypeOrSelf(contraction.getInit());
      sum.getIntOrFloatBitWidth() < accumulator.getWidth())
    ++counts.widenedSums[{sum, accumulator}];
  else if (contraction.productType.getIntOrFloatBitWidth() < accumulator.getWidth())
    ++counts.widenedProducts[{contraction.productType, accumulator}];
}

static void normalizeContractions(RewriterBase &rewriter, func::FuncOp entry, ImportCounts &counts) {
  // Only contractions: fills and transposes are linalg ops too, and a rewrite erases those it leaves unread.
  SmallVector<linalg::LinalgOp> ops;
  entry.walk([&](linalg::LinalgOp op) {
    if (matchContraction(op))
      ops.push_back(op);
  });
  for (linalg::LinalgOp written : ops) {
    linalg::LinalgOp op = readBeforeBroadcasts(rewriter, written);
    counts.broadcasts += op != written;
    const Contraction contraction = *matchContraction(op);
    if (!contraction.isProduct()) {
      ++counts.leftAlone;
      contraction.op->emitRemark() << "left alone, no matrix product: " << describe(contraction.reason);
      continue;
    }
    ++counts.products;
    if (contraction.isNormal())
      continue;
    ++counts.normalized;
    countRoundings(contraction, counts);
    normalizeContraction(rewriter, contraction);
  }
}

static void separateOutputs(RewriterBase &rewriter, func::FuncOp entry, ImportCounts &counts) {
  for (auto generic : collectGenerics(entry)) {
    rewriter.setInsertionPoint(generic);
    counts.readOutputs += succeeded(separateReadOutputs(rewriter, generic));
  }
}

/// At the place of the function: they speak of all of it, and an op's remark may print the op.
static void remarkRoundings(Location loc, const ImportCounts &counts) {
  for (const auto &[types, count] : counts.widenedSums)
    emitRemark(loc) << llvm::formatv(
                           "accumulates in {1} and rounds once: {2} contraction{3} had a {0} accumulator",
                           types.first, types.second, count, count == 1 ? "" : "s")
                           .str();
  for (const auto &[types, count] : counts.widenedProducts)
    emitRemark(loc) << llvm::formatv("multiplies in {1}: {2} contraction{3} rounded every product to {0}",
                                     types.first, types.second, count, count == 1 ? "" : "s")
                           .str();
}

/// Products of buffers would be passed over in silence.
static LogicalResult verifyOnTensors(func::FuncOp function) {
  WalkResult walked = function.walk([](Operation *op) -> WalkResult {
    if (isa<linalg::LinalgOp>(op) && llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
      return op->emitError(
          "expected linalg on tensors, got operands in memory; give the graph as it is before "
          "bufferization");
    return success();
  });
  return failure(walked.wasInterrupted());
}

LogicalResult fp8opt::importLinalg(ModuleOp module, const ImportOptions &options, ImportCounts &counts) {
  func::FuncOp entry = findEntry(module, options.function);
  if (!entry)
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if ((function == entry || function.isPrivate()) &&
        (failed(verifyDialects(function)) || failed(verifyOnTensors(function)) ||
         failed(verifyResources(function))))
      return failure();
  if (failed(inlineCalls(module, entry, counts)))
    return failure();
  for (func::FuncOp function : module.getOps<func::FuncOp>())
    if (function != entry && !function.isDeclaration())
      function.emitRemark() << "left alone: only '" << entry.getName() << "' is compiled";
  IRRewriter rewriter(module.getContext());
  counts.concatenations += nameConcatenations(rewriter, entry);
  nameTransposes(rewriter, entry, counts);
  normalizeContractions(rewriter, entry, counts);
  separateOutputs(rewriter, entry, counts);
  remarkRoundings(entry.getLoc(), counts);
  return success();
}

namespace {

struct NormalizeContraction : OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op, PatternRewriter &rewriter) const final {
    linalg::LinalgOp read = readBeforeBroadcasts(rewriter, op);
    std::optional<Contraction> contraction = matchContraction(read);
    if (read == op && (!contraction || !contraction->isProduct() || contraction->isNormal()))
      return rewriter.notifyMatchFailure(op, "no matrix product, or in normal form");
    normalizeContraction(rewriter, *contraction);
    return success();
  }
};

struct ImportLinalg : fp8opt::impl::ImportLinalgPassBase<ImportLinalg> {
  using ImportLinalgPassBase::ImportLinalgPassBase;

  void runOnOperation() final {
    ImportOptions options;
    options.function = function;
    ImportCounts counts;
    if (failed(importLinalg(getOperation(), options, counts)))
      return signalPassFailure();
    inlinedCalls += counts.inlinedCalls;
    transposedCopies += counts.transposedCopies;
    concatenations += counts.concatenations;
    broadcasts += counts.broadcasts;
    products += counts.products;
    normalized += counts.normalized;
    leftAlone += counts.leftAlone;
    readOutputs += counts.readOutputs;
  }
};

} // namespace

void fp8opt::populateImportPatterns(RewritePatternSet &patterns) {
  patterns.add<NormalizeContraction>(patterns.getContext());
  patterns.add(+[](linalg::GenericOp op, PatternRewriter &rewriter) { return nameTranspose(rewriter, op); });
  patterns.add(
      +[](linalg::GenericOp op, PatternRewriter &rewriter) { return separateReadOutputs(rewriter, op); });
}
