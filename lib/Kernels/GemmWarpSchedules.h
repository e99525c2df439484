// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schedules of matrix products whose warps multiply alone, and what their stages and tiles cost.

#ifndef FP8_OPT_LIB_KERNELS_GEMMWARPSCHEDULES_H
#define FP8_OPT_LIB_KERNELS_GEMMWARPSCHEDULES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

namespace fp8opt {

llvm::SmallVector<qtile::ScheduleAttr> warpGemmSchedules(qtile::GemmOp gemm, qtile::TargetOp target);
/// Clocks of 128 bytes of the contraction of a tile, and of a tile beside these.
double warpStageClocks(qtile::ScheduleAttr schedule, qtile::TargetOp target);
double warpTileClocks();

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_GEMMWARPSCHEDULES_H
