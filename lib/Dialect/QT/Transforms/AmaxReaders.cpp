// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who reads a whole tensor for its amax, and which op could have returned that amax.

#include "AmaxReaders.h"

#include "Views.h"
#include "fp8-opt/Dialect/QT/Transforms/MemoryCost.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr int64_t kWhole = ShapedType::kDynamic;

AmaxAttr fp8opt::qt::amaxOfFullBlock(MLIRContext *context, ArrayRef<int64_t> block, numerics::NanAmax nan) {
  SmallVector<int64_t> spelled(block);
  llvm::replace(spelled, kWhole, int64_t(-1));
  return AmaxAttr::get(context, spelled, nan);
}

/// Whether an op shows all of a ranked tensor, or a part of it.
static bool shows(Operation *op) {
  return isFreeView(op) || (isa_and_nonnull<tensor::CastOp, tensor::ReshapeOp>(op) &&
                            isa<RankedTensorType>(op->getOperand(0).getType()));
}

/// The block in the layout of what a view shows; nothing if the view has no such block.
static std::optional<SmallVector<int64_t>> blockBefore(Operation *view, ArrayRef<int64_t> block) {
  if (isa<tensor::CastOp>(view))
    return llvm::to_vector(block);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(view)) {
    // Which dimensions become which is not known: all of the tensor stays all of it.
    for (auto [along, size] : llvm::zip_equal(block, cast<ShapedType>(reshape.getType()).getShape()))
      if (along != kWhole && size != 1)
        return std::nullopt;
    return SmallVector<int64_t>(cast<ShapedType>(reshape.getSource().getType()).getRank(), kWhole);
  }
  if (auto transpose = dyn_cast<linalg::TransposeOp>(view))
    return applyPermutation(block, invertPermutationVector(transpose.getPermutation()));
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view)) {
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<int64_t> before(shape.size(), 1);
    for (auto [along, group] : llvm::zip_equal(block, collapse.getReassociationIndices())) {
      auto split = splitBlock(along, shape.slice(group.front(), group.size()));
      if (!split)
        return std::nullopt;
      llvm::copy(*split, before.begin() + group.front());
    }
    return before;
  }
  auto expand = dyn_cast<tensor::ExpandShapeOp>(view);
  if (!expand)
    return std::nullopt;
  SmallVector<int64_t> before;
  for (const ReassociationIndices &group : expand.getReassociationIndices()) {
    std::optional<int64_t> joined =
        joinBlocks(block.slice(group.front(), group.size()),
                   expand.getResultType().getShape().slice(group.front(), group.size()));
    if (!joined)
      return std::nullopt;
    before.push_back(*joined);
  }
  return before;
}

static std::string quoted(Operation *op) { return "'" + op->getName().getStringRef().str() + "' op "; }

static AmaxOrigin traceAmax(Value value, ArrayRef<int64_t> block, numerics::NanAmax nan);

/// Why the amax of a concatenation is not made of those of its parts; empty if it is, and some part's comes
/// for nothing.
static std::string whyNotOfParts(tensor::ConcatOp concat, ArrayRef<int64_t> block, numerics::NanAmax nan) {
  uint64_t dim = concat.getDim();
  for (auto [index, part] : llvm::enumerate(concat.getInputs())) {
    auto type = cast<RankedTensorType>(part.getType());
    for (int64_t other = 0; other < type.getRank(); ++other)
      if (other != int64_t(dim) && type.getDimSize(other) != concat.getResultType().getDimSize(other))
        return "knows other sizes than its parts";
    bool isLast = index + 1 == concat.getInputs().size();
    bool endsBlock = block[dim] == 1 || block[dim] == kWhole || isLast ||
                     (!type.isDynamicDim(dim) && type.getDimSize(dim) % block[dim] == 0);
    if (!endsBlock)
      return "joins its parts inside the blocks that share an amax";
  }
  auto comesAlong = [&](Value part) { return traceAmax(part, block, nan).refusal.empty(); };
  return llvm::any_of(concat.getInputs(), comesAlong) ? "" : "joins parts that come without an amax";
}

/// "argument 'w'", or "value 2, from 0, that the loop at model.mlir:7:3 carries".
static std::string describe(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto function = dyn_cast<func::FuncOp>(parent)) {
    auto module = function->getParentOfType<ModuleOp>();
    SignatureAttr signature =
        module ? QTDialect::SignatureAttrHelper(module.getContext()).getAttr(module) : SignatureAttr();
    if (signature && argument.getArgNumber() < signature.getArguments().size())
      return ("argument '" + signature.getArguments()[argument.getArgNumber()].getName().getValue() + "'")
          .str();
    return "argument " + std::to_string(argument.getArgNumber());
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  auto loop = dyn_cast<LoopLikeOpInterface>(parent);
  auto carried = loop ? loop.getRegionIterArgs() : ValueRange();
  if (auto place = llvm::find(carried, Value(argument)); place != carried.end())
    os << "value " << place - carried.begin() << ", from 0, that the loop";
  else
    os << "block argument " << argument.getArgNumber() << ", from 0, of the op";
  if (auto file = parent->getLoc()->findInstanceOf<FileLineColLoc>())
    os << " at " << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  os << (loop ? " carries" : "");
  return text;
}

/// Why the op that computes a value cannot return this amax; empty if it can.
static std::string whyNot(Value value, ArrayRef<int64_t> block, numerics::NanAmax nan) {
  auto result = dyn_cast<OpResult>(value);
  if (!result) {
    return describe(cast<BlockArgument>(value)) + " is computed outside";
  }
  Operation *op = result.getOwner();
  if (matchPattern(op, m_Constant()))
    return "a constant is computed before the run";
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    std::string reason = whyNotOfParts(concat, block, nan);
    return reason.empty() ? reason : quoted(op) + reason;
  }
  auto producer = dyn_cast<AmaxProducer>(op);
  if (!producer)
    return quoted(op) + "returns no amax";
  std::string reason =
      producer.whyNoAmax(result.getResultNumber(), amaxOfFullBlock(value.getContext(), block, nan));
  return reason.empty() ? reason : quoted(op) + reason;
}

static AmaxOrigin traceAmax(Value value, ArrayRef<int64_t> block, numerics::NanAmax nan) {
  AmaxOrigin origin;
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  origin.block.assign(block.begin(), block.end());
  for (auto [along, size] : llvm::zip_equal(origin.block, shape))
    if (size > 0 && along > 1 && along >= size)
      along = kWhole;
  while (Operation *op = value.getDefiningOp()) {
    if (!shows(op))
      break;
    std::optional<SmallVector<int64_t>> before = blockBefore(op, origin.block);
    if (!before) {
      origin.value = value;
      origin.refusal = isa<tensor::ExtractSliceOp>(op)
                           ? quoted(op) + "shows a part of what is computed before it"
                           : quoted(op) + "cuts through the blocks that share an amax";
      return origin;
    }
    origin.views.push_back({op, origin.block});
    origin.block = *before;
    value = op->getOperand(0);
  }
  origin.value = value;
  origin.refusal = whyNot(value, origin.block, nan);
  return origin;
}

SmallVector<AmaxReader> fp8opt::qt::findAmaxReaders(func::FuncOp function, AmaxBlocks which) {
  SmallVector<AmaxReader> readers;
  auto note = [&](Operation *op, unsigned result, Value read, AmaxAttr blocks) {
    int64_t rank = cast<RankedTensorType>(read.getType()).getRank();
    readers.push_back(
        {op, result, read, blocks, traceAmax(read, blocks.getFullBlock(rank), blocks.getNan())});
  };
  auto noteQuantizer = [&](Operation *op, unsigned result, Value read, QTensorType type) {
    SchemeAttr scheme = type.getScheme();
    if (which == AmaxBlocks::All || timesRead(scheme) > 1)
      note(op, result, read, scheme.getAmax(scheme.getScales().size() - 1));
  };
  function.walk([&](Operation *op) {
    if (auto amax = dyn_cast<AmaxOp>(op)) {
      note(op, 0, amax.getInput(), amax.getBlocks());
    } else if (auto quantize = dyn_cast<QuantizeOp>(op)) {
      if (quantize.getScales().empty() && !quantize.getAmax())
        noteQuantizer(op, 0, quantize.getInput(), quantize.getType());
    } else if (auto multi = dyn_cast<MultiQuantizeOp>(op)) {
      for (unsigned result = 0; result < multi.getNumResults(); ++result)
        if (!multi.getAmax(result))
          noteQuantizer(op, result, multi.getInput(), multi.getUnpermutedType(result));
    }
  });
  return readers;
}

/// The amax of a view's result from that of its operand.
static Value carryThrough(OpBuilder &builder, Location loc, Value amax, const AmaxOrigin::View &view) {
  auto shape = cast<RankedTensorType>(view.op->getResult(0).getType()).getShape();
  RankedTensorType type =
      amaxOfFullBlock(builder.getContext(), view.block, numerics::NanAmax::Propagate).getResultType(shape);
  if (isa<tensor::CastOp>(view.op))
    return type == amax.getType() ? amax : tensor::CastOp::create(builder, loc, type, amax).getResult();
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view.op))
    return tensor::CollapseShapeOp::create(builder, loc, type, amax, collapse.getReassociationIndices());
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view.op)) {
    // A dimension with several blocks of which the number is not known has blocks of one element.
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape()))
      if (!ShapedType::isDynamic(known))
        size = builder.getIndexAttr(known);
    return tensor::ExpandShapeOp::create(builder, loc, type, amax, expand.getReassociationIndices(), sizes);
  }
  ArrayRef<int64_t> permutation = cast<linalg::TransposeOp>(view.op).getPermutation();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, amax);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  return linalg::TransposeOp::create(builder, loc, amax, empty, permutation)->getResult(0);
}

Value fp8opt::qt::withoutDimensionsOfOne(OpBuilder &builder, Location loc, Value amax) {
  auto type = cast<RankedTensorType>(amax.getType());
  if (type.getRank() == 0 || !llvm::all_of(type.getShape(), [](int64_t size) { return size == 1; }))
    return amax;
  return tensor::CollapseShapeOp::create(builder, loc, amax, ArrayRef<ReassociationIndices>());
}

Value fp8opt::qt::carryAmax(OpBuilder &builder, Location loc, Value amax, const AmaxReader &reader) {
  RankedTensorType wanted =
      reader.blocks.getResultType(cast<RankedTensorType>(reader.read.getType()).getShape());
  auto type = cast<RankedTensorType>(amax.getType());
  if (type == wanted && reader.origin.views.empty())
    return amax;
  // One amax for all of the tensor is that in every view.
  if (type.getRank() == 0)
    return wanted.getRank() == 0
               ? amax
               : tensor::ExpandShapeOp::create(builder, loc, wanted, amax, ArrayRef<ReassociationIndices>())
                     .getResult();
  for (const AmaxOrigin::View &view : llvm::reverse(reader.origin.views))
    amax = carryThrough(builder, loc, amax, view);
  int64_t rank = cast<RankedTensorType>(amax.getType()).getRank();
  if (rank == wanted.getRank())
    return amax;
  // Per tensor: the last two dimensions have one block each, and the type is without them.
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (dim == 0 || dim < wanted.getRank())
      groups.emplace_back();
    groups.back().push_back(dim);
  }
  return tensor::CollapseShapeOp::create(builder, loc, wanted, amax, groups);
}

void fp8opt::qt::giveAmax(const AmaxReader &reader, Value amax) {
  if (auto op = dyn_cast<AmaxOp>(reader.op)) {
    op.replaceAllUsesWith(amax);
    op.erase();
  } else if (auto op = dyn_cast<QuantizeOp>(reader.op)) {
    op.getAmaxMutable().assign(amax);
  } else {
    auto multi = cast<MultiQuantizeOp>(reader.op);
    SmallVector<int64_t> reads(multi.getNumResults(), -1);
    if (std::optional<ArrayRef<int64_t>> present = multi.getReads())
      reads.assign(present->begin(), present->end());
    auto known = llvm::find(multi.getAmaxes(), amax);
    reads[reader.result] = std::distance(multi.getAmaxes().begin(), known);
    if (known == multi.getAmaxes().end())
      multi.getAmaxesMutable().append(amax);
    multi.setReads(reads);
  }
}
