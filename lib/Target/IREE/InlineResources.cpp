// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes constants that are resources as plain dense constants.

#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"

namespace fp8opt {
#define GEN_PASS_DEF_IREEINLINERESOURCESPASS
#include "fp8-opt/Target/IREE/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

namespace {
struct InlineResources : fp8opt::impl::IREEInlineResourcesPassBase<InlineResources> {
  void runOnOperation() override {
    WalkResult walked = getOperation().walk([](arith::ConstantOp op) -> WalkResult {
      auto resource = dyn_cast<DenseResourceElementsAttr>(op.getValue());
      if (!resource)
        return WalkResult::advance();
      AsmResourceBlob *blob = resource.getRawHandle().getBlob();
      bool isSplat = false;
      if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(), blob->getData(), isSplat))
        return op.emitOpError() << "expected the content of resource '" << resource.getRawHandle().getKey()
                                << "' to fit its type, got " << (blob ? blob->getData().size() : 0)
                                << " bytes";
      op.setValueAttr(DenseElementsAttr::getFromRawBuffer(resource.getType(), blob->getData()));
      return WalkResult::advance();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
