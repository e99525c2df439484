// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg.generic can return the amax of what it computes element by element; linalg.contract says why it
// cannot.

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Interfaces/Models.h"
#include "fp8-opt/Numerics/ScaleRule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;

/// Where the sums of an op are complete.
static constexpr llvm::StringLiteral kCompleteTooLate =
    "has its results only after the last step of its reductions";

/// A tensor of zeros for the amax of each block of `result`, and the map from the loops to it: with block
/// sizes b, element (d0, d1) of the result belongs to element (d0 floordiv b0, d1 floordiv b1).
static std::pair<Value, AffineMap> emitInit(OpBuilder &builder, Location loc, Value result,
                                            AffineMap resultMap, qt::AmaxAttr blocks) {
  RankedTensorType type = blocks.getResultType(cast<RankedTensorType>(result.getType()).getShape());
  SmallVector<int64_t> block = blocks.getFullBlock(resultMap.getNumResults());
  SmallVector<AffineExpr> to;
  SmallVector<Value> sizes;
  for (auto [dim, along] : llvm::enumerate(ArrayRef(block).take_front(type.getRank()))) {
    AffineExpr loop = resultMap.getResult(dim);
    bool whole = ShapedType::isDynamic(along);
    to.push_back(whole ? builder.getAffineConstantExpr(0) : loop.floorDiv(along));
    if (!type.isDynamicDim(dim))
      continue;
    Value size = tensor::DimOp::create(builder, loc, result, dim);
    if (along != 1)
      size =
          arith::CeilDivUIOp::create(builder, loc, size, arith::ConstantIndexOp::create(builder, loc, along));
    sizes.push_back(size);
  }
  Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(builder, loc, type, sizes);
  return {linalg::FillOp::create(builder, loc, zero, empty).getResult(0),
          AffineMap::get(resultMap.getNumDims(), 0, to, builder.getContext())};
}

namespace {
struct GenericModel : qt::AmaxProducer::ExternalModel<GenericModel, linalg::GenericOp> {
  std::string whyNoAmax(Operation *op, unsigned result, qt::AmaxAttr) const {
    auto generic = cast<linalg::GenericOp>(op);
    if (generic.getNumParallelLoops() != generic.getNumLoops())
      return kCompleteTooLate.str();
    for (BlockArgument output : generic.getRegionOutputArgs())
      if (!output.use_empty()) // An accumulation that another op may finish.
        return "reads its output";
    AffineMap map = generic.getIndexingMapMatchingResult(op->getResult(result));
    if (!map.isPermutation())
      return "does not write each element once";
    return {};
  }

  SmallVector<Value> buildWithAmaxes(Operation *op, OpBuilder &builder,
                                     ArrayRef<std::pair<unsigned, qt::AmaxAttr>> wanted) const {
    auto generic = cast<linalg::GenericOp>(op);
    Location loc = op->getLoc();
    SmallVector<Value> inits(generic.getOutputs());
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    SmallVector<utils::IteratorType> iterators = generic.getIteratorTypesArray();
    for (auto [result, blocks] : wanted) {
      AffineMap resultMap = generic.getIndexingMapMatchingResult(op->getResult(result));
      auto [init, map] = emitInit(builder, loc, generic.getOutputs()[result], resultMap, blocks);
      inits.push_back(init);
      maps.push_back(map);
      // Iterations of these share an element of the amax.
      for (auto [loop, along] :
           llvm::zip_equal(resultMap.getResults(), blocks.getFullBlock(iterators.size())))
        if (along != 1)
          iterators[cast<AffineDimExpr>(loop).getPosition()] = utils::IteratorType::reduction;
    }
    auto copy =
        linalg::GenericOp::create(builder, loc, TypeRange(ValueRange(inits)), generic.getInputs(), inits,
                                  builder.getAffineMapArrayAttr(maps), iteratorsAttr(builder, iterators),
                                  generic.getDocAttr(), generic.getLibraryCallAttr());
    copy->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    fillBody(builder, copy, generic, wanted);
    return llvm::to_vector_of<Value>(copy->getResults());
  }

private:
  static ArrayAttr iteratorsAttr(OpBuilder &builder, ArrayRef<utils::IteratorType> iterators) {
    return builder.getArrayAttr(llvm::map_to_vector(iterators, [&](utils::IteratorType type) -> Attribute {
      return linalg::IteratorTypeAttr::get(builder.getContext(), type);
    }));
  }

  /// The body of `from`, and behind it what each value that is yielded contributes to its amaxes: the value
  /// as it is stored, after its last rounding.
  static void fillBody(OpBuilder &builder, linalg::GenericOp copy, linalg::GenericOp from,
                       ArrayRef<std::pair<unsigned, qt::AmaxAttr>> wanted) {
    OpBuilder::InsertionGuard guard(builder);
    IRMapping mapping;
    from.getRegion().cloneInto(&copy.getRegion(), mapping);
    Block &body = copy.getRegion().front();
    Operation *yield = body.getTerminator();
    builder.setInsertionPoint(yield);
    Location loc = copy.getLoc();
    ArithEmitter emit(builder, loc);
    SmallVector<Value> yielded(yield->getOperands());
    for (auto [result, blocks] : wanted) {
      Value sofar = body.addArgument(builder.getF32Type(), loc);
      Value magnitude = numerics::amaxOf(emit, blocks.getNan(), emit.wordOfFloat(yielded[result]));
      Value larger = numerics::maxOf(emit, emit.wordOfFloat(sofar), magnitude);
      yielded.push_back(emit.floatOfWord(larger, builder.getF32Type()));
    }
    yield->setOperands(yielded);
  }
};

struct ContractModel : qt::AmaxProducer::ExternalModel<ContractModel, linalg::ContractOp> {
  std::string whyNoAmax(Operation *, unsigned, qt::AmaxAttr) const { return kCompleteTooLate.str(); }

  SmallVector<Value> buildWithAmaxes(Operation *, OpBuilder &,
                                     ArrayRef<std::pair<unsigned, qt::AmaxAttr>>) const {
    llvm_unreachable("a contraction returns no amax");
  }
};
} // namespace

void fp8opt::registerAmaxModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->loadDialect<qt::QTDialect, arith::ArithDialect, tensor::TensorDialect>();
    linalg::GenericOp::attachInterface<GenericModel>(*context);
    linalg::ContractOp::attachInterface<ContractModel>(*context);
  });
}
