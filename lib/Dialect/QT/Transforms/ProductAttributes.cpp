// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes write on products before they are quantized.

#include "ProductAttributes.h"

using namespace mlir;
using namespace fp8opt;

SmallVector<StringAttr> qt::roleAttributes(QTDialect &qt) {
  return {qt.getRolesAttrHelper().getName(), qt.getGemmAttrHelper().getName(),
          qt.getHalfAttrHelper().getName(), qt.getSiteAttrHelper().getName()};
}

SmallVector<StringAttr> qt::productAttributes(QTDialect &qt) {
  SmallVector<StringAttr> names = roleAttributes(qt);
  names.append({qt.getLinearAttrHelper().getName(), qt.getLayerAttrHelper().getName(),
                qt.getSchemesAttrHelper().getName(), qt.getDualAttrHelper().getName(),
                qt.getPromotedAttrHelper().getName(), qt.getGivenAttrHelper().getName()});
  return names;
}
