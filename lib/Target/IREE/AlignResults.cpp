// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps what kernels write at addresses that they can write.

#include "UnlinkedOps.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEALIGNRESULTSPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// The widest access of a kernel to a result, in bytes.
static constexpr int64_t alignment = 16;

/// Whether a part at `offsets` of a row-major tensor begins at a multiple of the alignment, whatever the
/// values of sizes and offsets that are not known.
static bool isAligned(RankedTensorType type, ArrayRef<OpFoldResult> offsets) {
  const int64_t bits = type.getElementTypeBitWidth();
  int64_t stride = 1;
  for (int64_t dimension : llvm::reverse(llvm::seq(type.getRank()))) {
    // From here on, every element begins at a multiple.
    if (stride * bits % (alignment * 8) == 0)
      return true;
    // Each offset for itself: a size that is not known multiplies those in the dimensions before it.
    std::optional<int64_t> known = getConstantIntValue(offsets[dimension]);
    if (!known || *known * stride * bits % (alignment * 8) != 0)
      return false;
    if (!type.isDynamicDim(dimension))
      stride *= type.getDimSize(dimension);
  }
  return true;
}

/// Whether a part of another tensor is made of this one, also under another name, at an address that may be
/// no multiple of the alignment.
static bool mayBePlacedBetween(Value tensor) {
  return llvm::any_of(tensor.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp, tensor::ReshapeOp>(op))
      return op->getNumResults() == 1 && mayBePlacedBetween(op->getResult(0));
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      return use.get() == insert.getSource() && !isAligned(insert.getType(), insert.getMixedOffsets());
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      return !isAligned(pad.getResultType(), pad.getMixedLowPad());
    if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
      // The first part begins where the whole does; of the others the sizes before them are added up.
      Builder builder(op);
      SmallVector<OpFoldResult> offsets(concat.getResultType().getRank(), builder.getIndexAttr(0));
      int64_t before = 0;
      for (Value input : concat.getInputs().take_front(use.getOperandNumber())) {
        int64_t size = cast<RankedTensorType>(input.getType()).getDimSize(concat.getDim());
        if (ShapedType::isDynamic(size))
          return true;
        before += size;
      }
      offsets[concat.getDim()] = builder.getIndexAttr(before);
      return !isAligned(concat.getResultType(), offsets);
    }
    return false;
  });
}

namespace {
struct AlignResults : fp8opt::impl::IREEAlignResultsPassBase<AlignResults> {
  using IREEAlignResultsPassBase::IREEAlignResultsPassBase;

  void runOnOperation() override {
    SmallVector<Value> results;
    getOperation().walk([&](qtile::LaunchOp launch) {
      llvm::copy_if(launch.getResults(), std::back_inserter(results), mayBePlacedBetween);
    });
    if (!results.empty() && failed(iree::verifyTakesIREEOps(getOperation())))
      return signalPassFailure();
    for (Value result : results)
      iree::readBefore(result.getParentBlock()->getTerminator(), result);
  }
};
} // namespace
