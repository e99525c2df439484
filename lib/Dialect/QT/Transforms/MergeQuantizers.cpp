// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one op of several quantizations of one tensor, so that one pass over it makes all of them.

#include "EraseUnread.h"
#include "QuantizerGroups.h"
#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/MapVector.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_MERGEQUANTIZERSPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

/// Whether a quantization of the tensor itself, transposed, gives what `op` gives.
static bool canTransposeBack(QuantizeOp op, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  return succeeded(TransposeOp::getTransposedType(op.getType(), inverse, std::nullopt));
}

SmallVector<QuantizerGroup> fp8opt::qt::findQuantizerGroups(func::FuncOp function,
                                                            function_ref<void(QuantizeOp)> refuse) {
  Views views;
  // Block of the control flow, number of the tensor, half.
  using Key = std::tuple<Block *, unsigned, const void *>;
  llvm::MapVector<Key, QuantizerGroup> byTensor;
  function.walk([&](QuantizeOp op) {
    if (!op.getScales().empty() || op.getAmax())
      return;
    Views::Oriented source = views.orient(op.getInput());
    QuantizerGroup &group = byTensor[{op->getBlock(), source.number, op.getHalfAttr().getAsOpaquePointer()}];
    group.quantizers.push_back(op);
    group.permutations.push_back(source.permutation);
  });
  SmallVector<QuantizerGroup> groups;
  for (auto &[key, all] : byTensor) {
    if (all.quantizers.size() < 2)
      continue;
    QuantizerGroup group;
    for (auto [op, permutation] : llvm::zip_equal(all.quantizers, all.permutations)) {
      if (!canTransposeBack(op, permutation)) {
        refuse(op);
        continue;
      }
      group.quantizers.push_back(op);
      group.permutations.push_back(permutation);
    }
    if (group.quantizers.size() > 1)
      groups.push_back(std::move(group));
  }
  return groups;
}

/// The tensor that all quantizers of a group see transposed, as the first one reaches it.
static Value tensorOf(QuantizeOp first) {
  Value value = first.getInput();
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = transpose.getInput();
  return value;
}

static void merge(OpBuilder &builder, QuantizerGroup &group) {
  QuantizeOp first = group.quantizers.front();
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (QuantizeOp op : group.quantizers) {
    types.push_back(op.getType());
    locations.push_back(op.getLoc());
  }
  builder.setInsertionPoint(first);
  auto merged = MultiQuantizeOp::create(builder, builder.getFusedLoc(locations), types, tensorOf(first),
                                        group.permutations, first.getHalfAttr());
  for (auto [op, result] : llvm::zip_equal(group.quantizers, merged.getResults())) {
    Value source = op.getInput();
    op.replaceAllUsesWith(result);
    op.erase();
    eraseUnread(source);
  }
}

namespace {
struct MergeQuantizers : qt::impl::MergeQuantizersPassBase<MergeQuantizers> {
  using MergeQuantizersPassBase::MergeQuantizersPassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    OpBuilder builder(&getContext());
    auto refuse = [&](QuantizeOp op) {
      if (remarks)
        op.emitRemark(
            "quantized in a pass of its own: its scales per tensor belong to batch slices that are none "
            "of the tensor that others quantize");
    };
    SmallVector<QuantizerGroup> groups = findQuantizerGroups(entry, refuse);
    if (groups.empty())
      markAllAnalysesPreserved(); // nothing to verify again
    for (QuantizerGroup &group : groups) {
      numMerged += group.quantizers.size();
      merge(builder, group);
    }
  }
};
} // namespace
