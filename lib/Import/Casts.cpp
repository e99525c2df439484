// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that do nothing but cast elements.

#include "fp8-opt/Import/Casts.h"

using namespace mlir;

Operation *fp8opt::onlyRounding(Value product) {
  if (!product.hasOneUse())
    return nullptr;
  Operation *user = *product.user_begin();
  auto cast = onlyCast<arith::TruncFOp>(user);
  if (!cast || user->getOperand(0) != product || cast.getRoundingmode())
    return nullptr;
  Type element = getElementTypeOrSelf(cast.getType());
  return element.isBF16() || element.isF16() ? user : nullptr;
}
