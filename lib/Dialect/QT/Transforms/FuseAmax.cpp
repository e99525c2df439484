// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets the op that computes a tensor return its amax, so that quantizing reads the tensor once.

#include "AmaxReaders.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

namespace fp8opt::qt {
#define GEN_PASS_DEF_FUSEAMAXPASS
#include "fp8-opt/Dialect/QT/Transforms/Passes.h.inc"
} // namespace fp8opt::qt

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

static constexpr int64_t kWhole = ShapedType::kDynamic;
// One amax of the producer stands for so many elements where its blocks have them: few enough to leave outer
// loops parallel, enough for the amaxes to be small beside the tensor.
static constexpr int64_t kElementsPerAmax = 64;
// With so many, the outermost loop is not reduced for more.
static constexpr int64_t kFewestElementsPerAmax = 16;

/// The part of a block over which the producer itself takes the amax: innermost dimensions only.
static SmallVector<int64_t> partOfBlock(ArrayRef<int64_t> block, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> part(block.size(), 1);
  int64_t elements = 1;
  for (size_t dim = block.size(); dim-- > 0 && elements < kElementsPerAmax;) {
    bool isOutermost = llvm::all_of(shape.take_front(dim), [](int64_t size) { return size == 1; });
    if (isOutermost && elements >= kFewestElementsPerAmax)
      break;
    part[dim] = block[dim];
    if (block[dim] == 1)
      continue;
    int64_t along = block[dim] == kWhole ? shape[dim] : block[dim];
    elements = ShapedType::isDynamic(along) ? kElementsPerAmax : elements * std::max<int64_t>(along, 1);
  }
  return part;
}

/// What is left to reduce of a block once its part is one element.
static SmallVector<int64_t> restOfBlock(ArrayRef<int64_t> block, ArrayRef<int64_t> part) {
  SmallVector<int64_t> rest;
  for (auto [whole, done] : llvm::zip_equal(block, part))
    rest.push_back(whole == done ? 1 : whole);
  return rest;
}

namespace {
/// What one producer is asked for.
struct Request {
  struct Amax {
    unsigned result;
    AmaxAttr blocks; // one element for each block that shares an amax
    AmaxAttr part;   // what the producer returns for it
    Value value;     // once it is there
  };
  SmallVector<Amax> amaxes;
  SmallVector<std::pair<const AmaxReader *, unsigned>> readers; // with the amax of `amaxes` they read

  unsigned find(unsigned result, AmaxAttr blocks, AmaxAttr part) {
    for (auto [index, amax] : llvm::enumerate(amaxes))
      if (amax.result == result && amax.blocks == blocks)
        return index;
    amaxes.push_back({result, blocks, part, {}});
    return amaxes.size() - 1;
  }
};
} // namespace

/// Replaces a producer by one that returns what it is asked for, and completes the amaxes behind it.
static void fuse(OpBuilder &builder, AmaxProducer producer, Request &request) {
  Location loc = producer.getLoc();
  SmallVector<std::pair<unsigned, AmaxAttr>> wanted;
  for (const Request::Amax &amax : request.amaxes)
    if (std::pair<unsigned, AmaxAttr> part = {amax.result, amax.part}; !llvm::is_contained(wanted, part))
      wanted.push_back(part);
  builder.setInsertionPoint(producer);
  unsigned numResults = producer->getNumResults();
  SmallVector<Value> values = producer.buildWithAmaxes(builder, wanted);
  for (Request::Amax &amax : request.amaxes) {
    auto part = llvm::find(wanted, std::pair(amax.result, amax.part));
    amax.value = values[numResults + std::distance(wanted.begin(), part)];
    int64_t rank = cast<RankedTensorType>(amax.value.getType()).getRank();
    SmallVector<int64_t> rest = restOfBlock(amax.blocks.getFullBlock(rank), amax.part.getFullBlock(rank));
    if (amax.part != amax.blocks)
      amax.value = AmaxOp::create(builder, loc, amax.value,
                                  amaxOfFullBlock(builder.getContext(), rest, amax.blocks.getNan()));
    amax.value = withoutDimensionsOfOne(builder, loc, amax.value);
  }
  producer->replaceAllUsesWith(ArrayRef(values).take_front(numResults));
  for (auto [reader, index] : request.readers) {
    builder.setInsertionPoint(reader->op);
    giveAmax(*reader, carryAmax(builder, reader->op->getLoc(), request.amaxes[index].value, *reader));
  }
  producer->erase();
}

/// Computes an amax that no producer returns once for all that read it, if they are several.
static unsigned share(OpBuilder &builder, ArrayRef<const AmaxReader *> readers) {
  const AmaxReader &first = *readers.front();
  if (llvm::all_of(readers, [&](const AmaxReader *reader) { return reader->op == first.op; }))
    return 0;
  builder.setInsertionPoint(first.op);
  AmaxAttr blocks = amaxOfFullBlock(builder.getContext(), first.origin.block, first.blocks.getNan());
  // Not `origin.value`: the op that computes it may have been replaced for another of its results.
  Value value =
      first.origin.views.empty() ? first.op->getOperand(0) : first.origin.views.back().op->getOperand(0);
  Value amax = withoutDimensionsOfOne(builder, first.op->getLoc(),
                                      AmaxOp::create(builder, first.op->getLoc(), value, blocks));
  for (const AmaxReader *reader : readers) {
    builder.setInsertionPoint(reader->op);
    giveAmax(*reader, carryAmax(builder, reader->op->getLoc(), amax, *reader));
  }
  return readers.size();
}

namespace {
struct FuseAmax : qt::impl::FuseAmaxPassBase<FuseAmax> {
  using FuseAmaxPassBase::FuseAmaxPassBase;

  void runOnOperation() override {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    OpBuilder builder(&getContext());
    AmaxBlocks which = blocks ? AmaxBlocks::All : AmaxBlocks::Whole;
    SmallVector<AmaxReader> readers = findAmaxReaders(entry, which);
    while (splitAmaxOfConcats(builder, readers)) // a part may be a concatenation too
      readers = findAmaxReaders(entry, which);
    llvm::MapVector<Operation *, Request> requests;
    // Block of the control flow of the readers, value, its blocks.
    llvm::MapVector<std::tuple<Block *, Value, Attribute>, SmallVector<const AmaxReader *>> unfused;
    llvm::DenseSet<Value> told;
    for (const AmaxReader &reader : readers) {
      const AmaxOrigin &origin = reader.origin;
      AmaxAttr whole = amaxOfFullBlock(&getContext(), origin.block, reader.blocks.getNan());
      if (!origin.refusal.empty()) {
        unfused[{reader.op->getBlock(), origin.value, whole}].push_back(&reader);
        if (remarks && told.insert(origin.value).second)
          reader.op->emitRemark("takes the amax in a pass of its own: ") << origin.refusal;
        continue;
      }
      auto shape = cast<RankedTensorType>(origin.value.getType()).getShape();
      AmaxAttr part =
          amaxOfFullBlock(&getContext(), partOfBlock(origin.block, shape), reader.blocks.getNan());
      auto result = cast<OpResult>(origin.value);
      Request &request = requests[result.getOwner()];
      request.readers.push_back({&reader, request.find(result.getResultNumber(), whole, part)});
      ++numFused;
    }
    for (auto &[producer, request] : requests)
      fuse(builder, cast<AmaxProducer>(producer), request);
    unsigned shared = 0;
    for (auto &[key, group] : unfused)
      shared += share(builder, group);
    numShared += shared;
    if (requests.empty() && shared == 0)
      markAllAnalysesPreserved(); // nothing to verify again
  }
};
} // namespace
