// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings a linalg-on-tensors module of any exporter into the one form that the rest of the compiler reads.

#ifndef FP8_OPT_IMPORT_IMPORT_H
#define FP8_OPT_IMPORT_IMPORT_H

#include "fp8-opt/Import/Contraction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

namespace fp8opt {

struct ImportOptions {
  /// The function that is compiled; all other functions serve it or are left alone.
  llvm::StringRef function = "main";
};

/// What import has changed.
struct ImportCounts {
  unsigned inlinedCalls = 0;
  unsigned transposedCopies = 0;
  unsigned concatenations = 0; // that were spelled out
  unsigned broadcasts = 0;     // products that read an operand before it is repeated along their batch
  unsigned products = 0;       // matrix products, also those that had the normal form
  unsigned normalized = 0;     // brought into the normal form
  unsigned leftAlone = 0;      // contractions that are no matrix product
  unsigned readOutputs = 0;    // all-parallel generics that read their output
  /// Products whose sum, or whose single products, were rounded to a type narrower than the accumulator: how
  /// many for each pair of that type and the accumulator.
  llvm::MapVector<std::pair<mlir::Type, mlir::Type>, unsigned> widenedSums, widenedProducts;
};

/// Brings the entry function into normal form: calls inlined, matrix products as linalg.contract with an f32
/// or f64 accumulator, transposing copies as linalg.transpose, no all-parallel generic that reads its output.
/// On failure an error is emitted and the module is as it was. Never merges two equal computations.
mlir::LogicalResult importLinalg(mlir::ModuleOp module, const ImportOptions &options, ImportCounts &counts);

/// An error for an op of a dialect that is lowered to linalg first.
mlir::LogicalResult verifyDialects(mlir::Operation *root);

/// An error for a constant whose resource is not there, or has other bytes than its type.
mlir::LogicalResult verifyResources(mlir::Operation *root);

/// The function `name` of `module`, which must have a body; null, with an error that lists the functions
/// there are.
mlir::func::FuncOp findEntry(mlir::ModuleOp module, llvm::StringRef name);

/// Inlines every function with a body that `entry` calls, directly or not, and erases private functions that
/// nothing public uses. Fails with an error, before any change, on recursion and on a callee of several
/// blocks called from a region that holds one.
mlir::LogicalResult inlineCalls(mlir::ModuleOp module, mlir::func::FuncOp entry, ImportCounts &counts);

/// Replaces a matrix product by its normal form and returns that; does nothing to one that has it.
mlir::linalg::ContractOp normalizeContraction(mlir::RewriterBase &rewriter, const Contraction &contraction);

/// Where operands of a matrix product, or of one that lacks m or n for it, are repeated along dimensions of
/// its batch and nowhere else, replaces it by one that reads them before: such a dimension is then an m or an
/// n, and each sum the same. Not where another operand or the result would have to be transposed for that.
/// Returns what stands for `op` now, which may be itself.
mlir::linalg::LinalgOp readBeforeBroadcasts(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op);

/// Replaces an all-parallel generic that copies with permuted dimensions by linalg.transpose.
mlir::LogicalResult nameTranspose(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp generic);

/// Writes concatenations that are spelled out, of static sizes, as tensor.concat; returns how many: a generic
/// that chooses the part that each element is of, and a chain of insertions that fill a tensor along one
/// dimension.
unsigned nameConcatenations(mlir::RewriterBase &rewriter, mlir::func::FuncOp function);

/// Gives an all-parallel generic that reads its outputs one more input for each of them, and unread outputs
/// instead.
mlir::LogicalResult separateReadOutputs(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp generic);

/// readBeforeBroadcasts with normalizeContraction, nameTranspose and separateReadOutputs as patterns.
void populateImportPatterns(mlir::RewritePatternSet &patterns);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_IMPORT_H
