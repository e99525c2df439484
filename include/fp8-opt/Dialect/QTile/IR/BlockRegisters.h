// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers that the threads of a block start with, which is all that they can hand to each other.

#ifndef FP8_OPT_DIALECT_QTILE_IR_BLOCKREGISTERS_H
#define FP8_OPT_DIALECT_QTILE_IR_BLOCKREGISTERS_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include <algorithm>

namespace fp8opt::qtile {

/// Of each thread, where a block has so many.
inline int64_t getRegistersAtStart(LimitsAttr limits, int64_t threads) {
  constexpr int64_t most = 255, step = 8;
  return std::min(limits.getRegisters() / threads, most) / step * step;
}

} // namespace fp8opt::qtile

#endif // FP8_OPT_DIALECT_QTILE_IR_BLOCKREGISTERS_H
