// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a product is.

#include "fp8-opt/Dialect/QT/Transforms/ProductExtents.h"

#include "mlir/IR/BuiltinTypeInterfaces.h"

using namespace mlir;
using namespace fp8opt;

int64_t qt::extentOf(ArrayRef<int64_t> sizes) {
  int64_t total = 1;
  for (int64_t size : sizes)
    total = ShapedType::isDynamic(size) || total < 0 ? -1 : total * size;
  return total;
}

SmallVector<int64_t> qt::extentsOfProduct(Value lhs, Value rhs) {
  ArrayRef<int64_t> a = cast<ShapedType>(lhs.getType()).getShape();
  ArrayRef<int64_t> b = cast<ShapedType>(rhs.getType()).getShape();
  return {extentOf(a.drop_back(2)), extentOf(a[a.size() - 2]), extentOf(b[b.size() - 2]), extentOf(a.back())};
}
