// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's ops, which are not linked.

#include "UnlinkedOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace fp8opt;

LogicalResult iree::verifyTakesIREEOps(ModuleOp module) {
  if (module.getContext()->allowsUnregisteredDialects())
    return success();
  return module.emitError() << "expected a context that takes IREE's ops, which are not linked "
                               "(allow-unregistered-dialect)";
}

void iree::readBefore(Operation *terminator, Value value) {
  OpBuilder builder(terminator);
  builder.create(OperationState(terminator->getLoc(), "util.optimization_barrier", value, value.getType()));
}
