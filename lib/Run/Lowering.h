// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps from a graph on tensors to LLVM functions, and what they tell each other.

#ifndef FP8_OPT_LIB_RUN_LOWERING_H
#define FP8_OPT_LIB_RUN_LOWERING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <vector>

namespace fp8opt::run {

/// How the loops of one structured op are nested, outermost first.
struct LoopPlan {
  llvm::SmallVector<unsigned> order;
  /// The last `innerReductions` loops carry in registers what they reduce.
  unsigned innerReductions = 0;
  /// The innermost loop is parallel: its iterations are independent whatever the operands alias.
  bool parallelInnermost = false;
  /// The outermost loop is parallel: it may be cut into pieces.
  bool parallelOutermost = false;
  /// Cost of one outermost iteration in simple operations; an estimate that takes dynamic sizes for large.
  int64_t work = 1;

  /// Whether all iterations of the inner reductions write one element of this result.
  bool isCarried(mlir::linalg::LinalgOp op, mlir::OpOperand &init) const;
};

/// The sum of any element keeps its order in every plan.
LoopPlan planLoops(mlir::linalg::LinalgOp op);

/// True if the op is a contraction of f32, bf16 or f16 inputs that multiplies and adds in f32.
bool isF32Contraction(mlir::linalg::LinalgOp op);

/// What is known of a function that holds one structured op.
struct Kernel {
  /// Its first two arguments are the bounds of the outermost loop, which may run in pieces on several
  /// threads.
  bool hasRange = false;
  bool parallelInnermost = false;
  int64_t work = 1;
};

struct Assertion {
  mlir::Location where;
  std::string message;
  /// Whether it is none of the graph's own: qt.check.
  bool isCheck = false;
  /// Whether it compares two integers, which the running program tells.
  bool hasNumbers = false;
};

/// A function that is called from outside, with the types it had on tensors.
struct Entry {
  std::string name;
  mlir::FunctionType type;
};

/// What earlier steps find out and later steps and the running program need.
struct LoweringState {
  std::vector<Entry> entries;
  llvm::StringMap<Kernel> kernels;
  std::vector<Assertion> assertions;
};

/// Functions of the tool that lowered programs call. The running program is their first argument, which
/// `bindRuntime` adds.
namespace symbol {
constexpr llvm::StringLiteral kContract = "fp8_contract";
constexpr llvm::StringLiteral kFail = "fp8_fail";
constexpr llvm::StringLiteral kParallel = "fp8_parallel";
constexpr llvm::StringLiteral kRecordQuantizer = "fp8_record_quantizer";
constexpr llvm::StringLiteral kRuntime = "fp8_runtime";
// The memref dialect's lowering chooses these.
constexpr llvm::StringLiteral kAlloc = "_mlir_memref_to_llvm_alloc";
constexpr llvm::StringLiteral kFree = "_mlir_memref_to_llvm_free";
constexpr llvm::StringLiteral kCopy = "memrefCopy";
} // namespace symbol

/// Name of the function `void (void **arguments, void **results)` that calls entry `name`.
std::string packedName(llvm::StringRef name);

// The steps, in order. Each is one file.

/// Makes everything but the entries private and the entries' arguments read-only.
mlir::LogicalResult protectArguments(mlir::ModuleOp module, const LoweringState &state);
/// An error for a function that calls itself, as without an end it would overflow the stack, and buffers need
/// a call tree; and for one that calls what has no body.
mlir::LogicalResult verifyCalls(mlir::ModuleOp module);
/// An error for a constant that memory does not hold: a number that a program repeats becomes all of it.
mlir::LogicalResult verifyConstants(mlir::ModuleOp module);
/// An error for an op on tensors that cannot be lowered to memory, as one of a dialect for another engine.
mlir::LogicalResult verifyOps(mlir::ModuleOp module);
/// Replaces ops like a softmax, and those that lay tensors out in tiles, by the simpler ones they stand for.
mlir::LogicalResult decomposeAggregates(mlir::ModuleOp module);
/// Requires tensors. Asserts that casts to static sizes hold and integer divisions have a result. Before
/// anything folds by what a cast promises.
void assertPromises(mlir::ModuleOp module);
/// Requires tensors. Upstream's canonicalization, which learns sizes that are 0, and then without the slices
/// and pads of nothing that it would leave: they do not verify, or not as buffers.
void canonicalizeTensors(mlir::ModuleOp module);
/// Requires memrefs. Asserts that sizes agree and accesses stay inside wherever that is not known before the
/// run.
void assertAccesses(mlir::ModuleOp module);
/// Requires memrefs. Moves every structured op into a function of its own, equal ones once, and calls that.
mlir::LogicalResult outlineKernels(mlir::ModuleOp module, LoweringState &state);
/// Requires outlined kernels. Frees every buffer after its last use where that is plain to see; the others
/// live until the program ends.
void freeBuffers(mlir::ModuleOp module, const LoweringState &state);
/// Gives every kernel its loops, or the call of the contraction routine.
mlir::LogicalResult emitKernels(mlir::ModuleOp module, const LoweringState &state);
void emitContraction(mlir::linalg::LinalgOp op);
/// Rewrites the views that split a dimension into several dynamic ones by their sizes and strides.
void expandShapes(mlir::ModuleOp module);
/// Computes arithmetic of floats narrower than f32 in f32 and rounds each result by integer operations.
mlir::LogicalResult expandSmallFloats(mlir::ModuleOp module);
/// Converts what is left to the llvm dialect; assertions become calls that name an element of
/// state.assertions.
mlir::LogicalResult convertToLLVM(mlir::ModuleOp module, LoweringState &state);
/// Adds the program to calls of the tool's functions, the pieces of parallel loops, and the packed entries.
mlir::LogicalResult bindRuntime(mlir::ModuleOp module, const LoweringState &state);

/// All of it, after `prepare` has added what lowers other dialects to linalg on tensors.
mlir::LogicalResult lowerProgram(mlir::ModuleOp module, LoweringState &state,
                                 llvm::function_ref<void(mlir::PassManager &)> prepare);

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_LOWERING_H
