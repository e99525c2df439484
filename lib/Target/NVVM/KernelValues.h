// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lowering of a kernel's ops shares: values at the kernel's start, types, and short ways to write
// ops.

#ifndef FP8_OPT_LIB_TARGET_NVVM_KERNELVALUES_H
#define FP8_OPT_LIB_TARGET_NVVM_KERNELVALUES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fp8opt::nvvm {

/// Address spaces of pointers.
constexpr unsigned globalSpace = 1, sharedSpace = 3, clusterSpace = 7;
/// Threads of a warp and of the group that issues a matrix product.
constexpr int64_t warpThreads = 32, groupThreads = 128;

/// Computed once at the start of a kernel; all i32 but `isFirstLane`.
struct KernelValues {
  /// Address of the shared memory of the block.
  mlir::Value shared;
  mlir::Value thread, lane;
  /// Equal in all threads of a warp, also for the assembler, which then keeps addresses in uniform registers.
  mlir::Value warp;
  mlir::Value isFirstLane;
};

/// The values of every kernel, and the plans of every ring, before any op is converted.
struct Kernels {
  llvm::DenseMap<mlir::Operation *, KernelValues> values;
  llvm::DenseMap<mlir::Value, qtile::RingPlanAttr> plans;

  const KernelValues &of(mlir::Operation *op) const {
    return values.find(op->getParentOfType<mlir::LLVM::LLVMFuncOp>())->second;
  }
};

/// Writes ops at one location.
class Writer {
public:
  Writer(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  mlir::Value constant(int64_t value, unsigned bits = 32);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value add(mlir::Value lhs, int64_t rhs);
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, int64_t rhs);
  mlir::Value shiftLeft(mlir::Value lhs, int64_t bits);
  mlir::Value shiftRight(mlir::Value lhs, int64_t bits);
  mlir::Value bitAnd(mlir::Value lhs, int64_t mask);
  mlir::Value bitXor(mlir::Value lhs, mlir::Value rhs);
  mlir::Value bitXor(mlir::Value lhs, int64_t rhs);
  mlir::Value select(mlir::Value condition, mlir::Value yes, mlir::Value no);
  mlir::Value equal(mlir::Value lhs, int64_t rhs);
  mlir::Value isBelow(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isBelowSigned(mlir::Value lhs, mlir::Value rhs);
  mlir::Value widen(mlir::Value value);
  /// The pointer to a byte of shared memory of this block, or as the cluster sees it.
  mlir::Value sharedPointer(mlir::Value address, unsigned space = sharedSpace);
  /// `offset` elements after a pointer.
  mlir::Value element(mlir::Value pointer, mlir::Value offset, mlir::Type type);
  /// Parts of a struct, and a struct of parts.
  mlir::SmallVector<mlir::Value> parts(mlir::Value whole);
  mlir::Value whole(mlir::Type type, mlir::ValueRange parts);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Registers of a thread that an accumulator of so many rows and columns takes.
int64_t registersOf(int64_t rows, int64_t columns);

/// A pattern that knows the kernels.
template <typename OpT> class KernelPattern : public mlir::OpConversionPattern<OpT> {
public:
  KernelPattern(const mlir::TypeConverter &types, mlir::MLIRContext *context, const Kernels &kernels)
      : mlir::OpConversionPattern<OpT>(types, context), kernels(kernels) {}

protected:
  const Kernels &kernels;
};

/// An op that is one of the values at the kernel's start.
template <typename OpT, mlir::Value KernelValues::*value> struct ConvertToValue : KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  mlir::LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, this->kernels.of(op).*value);
    return mlir::success();
  }
};

/// An op that is one instruction, without operands and of the same results.
template <typename OpT, typename InstructionT> struct ConvertToInstruction : KernelPattern<OpT> {
  using KernelPattern<OpT>::KernelPattern;

  mlir::LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<InstructionT>(op, mlir::TypeRange(op->getResultTypes()), mlir::ValueRange());
    return mlir::success();
  }
};

void populateRingPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          const Kernels &kernels);
void populateMapPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                         const Kernels &kernels);
void populateProductPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                             const Kernels &kernels);
void populateWarpProductPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                                 const Kernels &kernels);
void populateIndexPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           const Kernels &kernels);
void populateVectorPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                            const Kernels &kernels);
void populateMaximumPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                             const Kernels &kernels);
void populateCodePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          const Kernels &kernels);
void populateStorePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           const Kernels &kernels);
void populateStagePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                           const Kernels &kernels);
void populateTilePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          const Kernels &kernels);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_LIB_TARGET_NVVM_KERNELVALUES_H
