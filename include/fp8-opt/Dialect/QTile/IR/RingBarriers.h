// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barriers of a ring in shared memory: one of each stage for full, then one of each for empty.

#ifndef FP8_OPT_DIALECT_QTILE_IR_RINGBARRIERS_H
#define FP8_OPT_DIALECT_QTILE_IR_RINGBARRIERS_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

namespace fp8opt::qtile {

/// Bytes of an mbarrier.
constexpr int64_t barrierBytes = 8;

/// Of all barriers of a ring.
inline int64_t countBarriers(RingType ring) { return 2 * ring.getStages(); }
inline int64_t getBarrierBytes(RingType ring) { return countBarriers(ring) * barrierBytes; }

/// Where they begin, in bytes of shared memory.
inline int64_t getFullBarriers(RingPlanAttr plan) { return plan.getBarriers(); }
inline int64_t getEmptyBarriers(RingType ring, RingPlanAttr plan) {
  return plan.getBarriers() + ring.getStages() * barrierBytes;
}

} // namespace fp8opt::qtile

#endif // FP8_OPT_DIALECT_QTILE_IR_RINGBARRIERS_H
