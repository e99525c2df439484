// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a graph must not hold, whoever reads it.

#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

LogicalResult fp8opt::verifyDialects(Operation *root) {
  WalkResult walked = root->walk([](Operation *op) -> WalkResult {
    if (op->getName().getDialectNamespace() == "tosa")
      return op->emitError(
          "expected linalg on tensors, got tosa; lower it first with upstream's tosa-to-linalg "
          "passes");
    if (isa<affine::AffineForOp, affine::AffineIfOp, affine::AffineParallelOp>(op))
      return op->emitError("expected loops and branches of scf, got '")
             << op->getName() << "'; lower it first with upstream's lower-affine pass";
    return success();
  });
  return failure(walked.wasInterrupted());
}

/// Whoever reads a resource trusts its type.
static LogicalResult verifyResource(Operation *op, DenseResourceElementsAttr values) {
  AsmResourceBlob *blob = values.getRawHandle().getBlob();
  StringRef name = values.getRawHandle().getKey();
  if (!blob)
    return op->emitError() << "expected resource '" << name << "' to have a value, got none in the file";
  bool isSplat = false;
  if (DenseElementsAttr::isValidRawBuffer(values.getType(), blob->getData(), isSplat) &&
      (!isSplat || values.getNumElements() == 1))
    return success();
  return op->emitError() << "expected resource '" << name << "' to hold " << values.getType()
                         << ", got one of " << blob->getData().size() << " bytes";
}

LogicalResult fp8opt::verifyResources(Operation *root) {
  WalkResult walked = root->walk([](Operation *op) -> WalkResult {
    // Constants of all dialects.
    if (op->getNumOperands() || op->getNumRegions() || op->getNumResults() != 1)
      return success();
    return op->getAttrDictionary().walk(
        [op](DenseResourceElementsAttr values) { return WalkResult(verifyResource(op, values)); });
  });
  return failure(walked.wasInterrupted());
}
