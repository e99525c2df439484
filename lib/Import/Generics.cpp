// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes two things about all-parallel generics plain: which of them only transpose, and that none reads its
// output.

#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fp8opt;

/// A generic on tensors with parallel loops only, each of which indexes every output: an iteration owns its
/// elements.
static bool isElementwise(linalg::GenericOp generic) {
  return generic.hasPureTensorSemantics() && generic.getNumParallelLoops() == generic.getNumLoops() &&
         llvm::all_of(generic.getDpsInitsMutable(),
                      [&](OpOperand &init) { return generic.getMatchingIndexingMap(&init).isPermutation(); });
}

LogicalResult fp8opt::nameTranspose(RewriterBase &rewriter, linalg::GenericOp generic) {
  if (!isElementwise(generic) || generic.getNumDpsInputs() != 1 || generic.getNumDpsInits() != 1)
    return rewriter.notifyMatchFailure(generic, "not elementwise with one input and one output");
  AffineMap input = generic.getIndexingMapsArray()[0], output = generic.getIndexingMapsArray()[1];
  Block &body = *generic.getBlock();
  if (!llvm::hasSingleElement(body) || body.getTerminator()->getOperand(0) != body.getArgument(0))
    return rewriter.notifyMatchFailure(generic, "computes");
  if (!input.isPermutation() || input == output)
    return rewriter.notifyMatchFailure(generic, "permutes nothing");
  SmallVector<int64_t> permutation;
  for (AffineExpr dim : output.getResults())
    permutation.push_back(*input.getResultPosition(dim));
  SmallVector<NamedAttribute> attributes(generic->getDiscardableAttrs());
  rewriter.replaceOpWithNewOp<linalg::TransposeOp>(generic, generic->getOperand(0), generic->getOperand(1),
                                                   permutation, attributes);
  return success();
}

LogicalResult fp8opt::separateReadOutputs(RewriterBase &rewriter, linalg::GenericOp generic) {
  if (!isElementwise(generic))
    return rewriter.notifyMatchFailure(generic, "not elementwise");
  SmallVector<unsigned> readOutputs;
  Block &body = *generic.getBlock();
  unsigned numInputs = generic.getNumDpsInputs();
  for (unsigned i = 0; i != generic.getNumDpsInits(); ++i)
    if (!body.getArgument(numInputs + i).use_empty())
      readOutputs.push_back(i);
  if (readOutputs.empty())
    return rewriter.notifyMatchFailure(generic, "reads no output");

  Location loc = generic.getLoc();
  SmallVector<Value> inputs(generic.getInputs()), outputs(generic.getOutputs());
  SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
  for (auto [place, i] : llvm::enumerate(readOutputs)) {
    Value init = outputs[i];
    inputs.push_back(init);
    maps.insert(maps.begin() + numInputs + place, maps[numInputs + place + i]);
    outputs[i] = tensor::EmptyOp::create(rewriter, loc, tensor::getMixedSizes(rewriter, loc, init),
                                         getElementTypeOrSelf(init));
  }
  rewriter.modifyOpInPlace(generic, [&] {
    for (auto [place, i] : llvm::enumerate(readOutputs)) {
      BlockArgument read = body.getArgument(numInputs + place + i);
      BlockArgument input = body.insertArgument(numInputs + place, read.getType(), read.getLoc());
      read = body.getArgument(numInputs + place + 1 + i);
      read.replaceAllUsesWith(input);
    }
    generic.getInputsMutable().assign(inputs);
    generic.getOutputsMutable().assign(outputs);
    generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
  return success();
}
