// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quantized type as Numerics computes it.

#include "fp8-opt/Dialect/QT/IR/QTNumerics.h"

using namespace fp8opt;
using namespace fp8opt::qt;

numerics::Scheme fp8opt::qt::numericsOf(QTensorType type) {
  numerics::Scheme scheme = type.getScheme().getNumerics();
  for (numerics::ScaleLevel &level : scheme.levels)
    if (size_t rank = type.getShape().size(); level.block.size() > rank)
      level.block.erase(level.block.begin(), level.block.end() - rank);
  return scheme;
}
