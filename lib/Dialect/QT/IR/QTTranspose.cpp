// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a transpose makes of a type, and one pass over a tensor that quantizes it in several orientations.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                                            ValueRange operands, DictionaryAttr attributes,
                                            OpaqueProperties properties, RegionRange regions,
                                            SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  auto type = dyn_cast<QTensorType>(adaptor.getInput().getType());
  if (!type)
    return emitOptionalError(loc, "'qt.transpose' op expected an operand of type !qt.tensor");
  FailureOr<QTensorType> result = getTransposedType(type, adaptor.getPermutation(), loc);
  if (failed(result))
    return failure();
  types.push_back(*result);
  return success();
}

FailureOr<QTensorType> TransposeOp::getTransposedType(QTensorType type, ArrayRef<int64_t> permutation,
                                                      std::optional<Location> loc) {
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, type.getRank()))) { // C1
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(permutation, os);
    return emitOptionalError(loc, "'qt.transpose' op expected a permutation of ", type.getRank(),
                             " dimensions, got [", text, "]");
  }
  if (permutation.empty()) // else a block of ones would turn into none, which is per tensor
    return type;
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), permutation);
  numerics::Scheme scheme = type.getScheme().getNumerics();
  for (auto [level, scale] : llvm::enumerate(scheme.levels)) {
    if (scale.block.empty()) { // C2
      for (int64_t to = 0; to + 2 < type.getRank(); ++to)
        if (permutation[to] != to)
          return emitOptionalError(loc, "'qt.transpose' op expected batch dimension ", to,
                                   " to stay in place under a scale level per tensor, got dimension ",
                                   permutation[to]);
      continue;
    }
    SmallVector<int64_t> full = type.getBlock(level);
    scale.block.clear();
    for (int64_t from : permutation)
      scale.block.push_back(ShapedType::isDynamic(full[from]) ? -1 : full[from]);
  }
  MLIRContext *context = type.getContext();
  return QTensorType::get(context, shape, type.getElementType(), SchemeAttr::get(context, scheme));
}

void MultiQuantizeOp::build(OpBuilder &builder, OperationState &state, TypeRange results, Value input,
                            ArrayRef<SmallVector<int64_t>> permutations, HalfAttr half) {
  SmallVector<Attribute> attributes;
  for (ArrayRef<int64_t> permutation : permutations)
    attributes.push_back(builder.getI64ArrayAttr(permutation));
  build(builder, state, results, input, /*amaxes=*/ValueRange(), builder.getArrayAttr(attributes),
        /*reads=*/DenseI64ArrayAttr(), half);
}

SmallVector<int64_t> MultiQuantizeOp::getPermutation(unsigned result) {
  return llvm::map_to_vector(cast<ArrayAttr>(getPermutations()[result]).getAsRange<IntegerAttr>(),
                             [](IntegerAttr dim) { return dim.getInt(); });
}

QTensorType MultiQuantizeOp::getUnpermutedType(unsigned result) {
  SmallVector<int64_t> inverse = invertPermutationVector(getPermutation(result));
  FailureOr<QTensorType> type =
      TransposeOp::getTransposedType(cast<QTensorType>(getType(result)), inverse, std::nullopt);
  return succeeded(type) ? *type : QTensorType();
}

Value MultiQuantizeOp::getAmax(unsigned result) {
  std::optional<ArrayRef<int64_t>> reads = getReads();
  return reads && (*reads)[result] >= 0 ? getAmaxes()[(*reads)[result]] : Value();
}

SmallVector<Value> MultiQuantizeOp::expand(OpBuilder &builder) {
  SmallVector<Value> values;
  for (unsigned result = 0; result < getNumResults(); ++result) {
    SmallVector<int64_t> permutation = getPermutation(result);
    Value quantized = QuantizeOp::create(builder, getLoc(), getUnpermutedType(result), getInput(),
                                         ValueRange(), getAmax(result), getHalfAttr());
    if (!isIdentityPermutation(permutation))
      quantized = TransposeOp::create(builder, getLoc(), quantized, permutation);
    values.push_back(quantized);
  }
  return values;
}

void MatmulOp::getAsmResultNames(OpAsmSetValueNameFn setNameFn) {
  if (!getAmaxes().empty())
    setNameFn(getAmaxes().front(), "amax");
}

std::string MatmulOp::whyNoAmax(unsigned result, AmaxAttr) {
  return result == 0 ? "" : "returns amaxes of its product, not of amaxes";
}

SmallVector<Value> MatmulOp::buildWithAmaxes(OpBuilder &builder,
                                             ArrayRef<std::pair<unsigned, AmaxAttr>> wanted) {
  SmallVector<Attribute> blocks;
  SmallVector<Type> types(getAmaxes().getTypes());
  if (ArrayAttr present = getBlocks().value_or(ArrayAttr()))
    llvm::append_range(blocks, present);
  for (auto [result, amax] : wanted) {
    blocks.push_back(amax);
    types.push_back(amax.getResultType(getType().getShape()));
  }
  auto copy = MatmulOp::create(builder, getLoc(), getType(), types, getLhs(), getRhs(), getAddend(),
                               getPromoted(), builder.getArrayAttr(blocks));
  copy->setDiscardableAttrs((*this)->getDiscardableAttrDictionary());
  return llvm::to_vector_of<Value>(copy->getResults());
}
