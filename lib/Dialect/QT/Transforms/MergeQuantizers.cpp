// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes one op of several quantizations of one tensor, so that one pass over it makes all of them.

#include "HalfBorder.h"
#include "QuantizerGroups.h"
#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/EraseUnread.h"
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

/// The tensor that a quantizer sees transposed.
static Value tensorOf(QuantizeOp first) {
  Value value = first.getInput();
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = transpose.getInput();
  return value;
}

/// The permutation that leads from one orientation of a tensor to another.
static SmallVector<int64_t> relative(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return applyPermutation(invertPermutationVector(from), to);
}

/// Whether a quantization of the tensor itself, transposed, gives a value of this type.
static bool canTransposeBack(QTensorType type, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse = invertPermutationVector(permutation);
  return succeeded(TransposeOp::getTransposedType(type, inverse, std::nullopt));
}

namespace {
/// Whether codes and their transpose are on one side of the border of their block.
class Sides {
public:
  explicit Sides(func::FuncOp function) : borders(findBorders(function)) {}
  bool areOne(Operation *op, Operation *other) {
    auto border = borders.find(op->getBlock());
    if (border == borders.end())
      return true;
    Operation *last = border->second;
    auto isBefore = [&](Operation *one) { return one == last || one->isBeforeInBlock(last); };
    return isBefore(op) == isBefore(other);
  }

private:
  llvm::MapVector<Block *, Operation *> borders;
};
} // namespace

/// Adds a quantizer that sees the tensor transposed by `permutation`, and the transposes of its codes.
static void add(QuantizerGroup &group, QuantizeOp op, ArrayRef<int64_t> permutation, Sides &sides) {
  group.quantizers.push_back(op);
  bool isRead = op->use_empty();
  SmallVector<QuantizerGroup::Orientation> transposes;
  for (Operation *user : op->getUsers()) {
    auto transpose = dyn_cast<TransposeOp>(user);
    if (!transpose || transpose->getBlock() != op->getBlock() || !sides.areOne(op, transpose)) {
      isRead = true;
      continue;
    }
    transposes.push_back({transpose, applyPermutation(permutation, transpose.getPermutation())});
  }
  if (isRead)
    group.orientations.push_back({op, llvm::to_vector(permutation)});
  group.orientations.append(transposes.rbegin(), transposes.rend()); // users stand in reverse order
}

SmallVector<QuantizerGroup> fp8opt::qt::findQuantizerGroups(func::FuncOp function,
                                                            function_ref<void(QuantizeOp)> refuse) {
  Views views;
  Sides sides(function);
  // Block of the control flow, number of the tensor, half.
  using Key = std::tuple<Block *, unsigned, const void *>;
  llvm::MapVector<Key, SmallVector<std::pair<QuantizeOp, SmallVector<int64_t>>>> byTensor;
  function.walk([&](QuantizeOp op) {
    if (!op.getScales().empty() || op.getAmax())
      return;
    Views::Oriented source = views.orient(op.getInput());
    byTensor[{op->getBlock(), source.number, op.getHalfAttr().getAsOpaquePointer()}].push_back(
        {op, source.permutation});
  });
  SmallVector<QuantizerGroup> groups;
  for (auto &[key, all] : byTensor) {
    QuantizerGroup group;
    // What is quantized is the tensor as the first one reaches it, which may be a view of what all have in
    // common.
    SmallVector<int64_t> origin = views.orient(tensorOf(all.front().first)).permutation;
    for (auto &[op, seen] : all) {
      SmallVector<int64_t> permutation = relative(origin, seen);
      if (canTransposeBack(op.getType(), permutation))
        add(group, op, permutation, sides);
      else if (all.size() > 1)
        refuse(op);
    }
    bool hasTranspose = llvm::any_of(group.orientations, [](const QuantizerGroup::Orientation &orientation) {
      return isa<TransposeOp>(orientation.op);
    });
    if (group.quantizers.size() > 1 || hasTranspose)
      groups.push_back(std::move(group));
  }
  return groups;
}

static void merge(OpBuilder &builder, QuantizerGroup &group) {
  QuantizeOp first = group.quantizers.front();
  // Equal orientations are one result.
  llvm::MapVector<std::pair<Type, Attribute>, unsigned> numbers;
  SmallVector<Type> types;
  SmallVector<SmallVector<int64_t>> permutations;
  for (const QuantizerGroup::Orientation &orientation : group.orientations) {
    Type type = orientation.op->getResult(0).getType();
    if (numbers
            .insert({{type, builder.getDenseI64ArrayAttr(orientation.permutation)}, unsigned(types.size())})
            .second) {
      types.push_back(type);
      permutations.push_back(orientation.permutation);
    }
  }
  SmallVector<Location> locations;
  for (QuantizeOp op : group.quantizers)
    locations.push_back(op.getLoc());
  builder.setInsertionPoint(first);
  auto merged = MultiQuantizeOp::create(builder, builder.getFusedLoc(locations), types, tensorOf(first),
                                        permutations, first.getHalfAttr());
  for (const QuantizerGroup::Orientation &orientation : group.orientations) {
    Value result = orientation.op->getResult(0);
    unsigned number =
        numbers.lookup({result.getType(), builder.getDenseI64ArrayAttr(orientation.permutation)});
    result.replaceAllUsesWith(merged.getResult(number));
    if (isa<TransposeOp>(orientation.op))
      orientation.op->erase();
  }
  for (QuantizeOp op : group.quantizers) {
    Value source = op.getInput();
    op.erase();
    eraseUnread(source);
  }
}

/// Codes that are read in other orientations only, on both sides of the border, are made in one of the near
/// side, and transposed from that on the far side.
static bool transposeFromNearSide(func::FuncOp function) {
  Sides sides(function);
  SmallVector<QuantizeOp> quantizers;
  function.walk([&](QuantizeOp op) { quantizers.push_back(op); });
  bool changed = false;
  for (QuantizeOp op : quantizers) {
    SmallVector<TransposeOp> near, far;
    bool isRead = false;
    for (Operation *user : op->getUsers()) {
      auto transpose = dyn_cast<TransposeOp>(user);
      if (!transpose || transpose->getBlock() != op->getBlock())
        isRead = true;
      else
        (sides.areOne(op, transpose) ? near : far).push_back(transpose);
    }
    if (isRead || near.empty())
      continue;
    TransposeOp first = near.back(); // users stand in reverse order
    for (TransposeOp transpose : far) {
      OpBuilder builder(transpose);
      SmallVector<int64_t> permutation = relative(first.getPermutation(), transpose.getPermutation());
      Value codes = first.getResult();
      if (!isIdentityPermutation(permutation))
        codes = TransposeOp::create(builder, transpose.getLoc(), transpose.getType(), codes, permutation);
      transpose.getResult().replaceAllUsesWith(codes);
      transpose.erase();
      changed = true;
    }
  }
  return changed;
}

/// Hoisting leaves quantizers behind whose codes are read in another orientation by now. Merged, they would
/// be computed and written for nobody.
static bool eraseUnreadQuantizers(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<QuantizeOp, TransposeOp>(op))
      ops.push_back(op);
  });
  bool changed = false;
  for (Operation *op : llvm::reverse(ops)) {
    if (!op->use_empty())
      continue;
    op->erase();
    changed = true;
  }
  return changed;
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
    bool changed = eraseUnreadQuantizers(entry);
    changed |= transposeFromNearSide(entry);
    SmallVector<QuantizerGroup> groups = findQuantizerGroups(entry, refuse);
    if (groups.empty() && !changed)
      markAllAnalysesPreserved(); // nothing to verify again
    for (QuantizerGroup &group : groups) {
      numMerged += group.quantizers.size();
      merge(builder, group);
    }
  }
};
} // namespace
