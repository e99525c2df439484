// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what of a matrix product.

#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

void fp8opt::writeRole(GemmKernel &kernel, RoleKind kind, int64_t warps, function_ref<void(Value)> body) {
  OpBuilder &builder = kernel.builder();
  int64_t registers = kernel.schedule.getRegisters()[kind == RoleKind::Producer ? 0 : 1];
  auto role = RoleOp::create(builder, kernel.loc(), kind, warps, registers);
  OpBuilder::InsertionGuard guard(builder);
  body(builder.createBlock(&role.getBody(), {}, builder.getI32Type(), kernel.loc())->getArgument(0));
}
