// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products as kernels: schedules for them, and the roles that a schedule stands for.

#ifndef FP8_OPT_KERNELS_GEMM_H
#define FP8_OPT_KERNELS_GEMM_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

namespace fp8opt {

/// Clocks that the product of the likely sizes is expected to take under a schedule. Without likely sizes,
/// clocks for a large product per result element. The rank is what matters. The target has rates.
double gemmClocks(qtile::GemmOp gemm, qtile::ScheduleAttr schedule, qtile::TargetOp target);

/// Whether the target's tables have a schedule that it can run the product under; an error by `emitError`
/// where they have none, with the reason of the last that was tried, or the target has no rates.
mlir::LogicalResult verifyGemmKernel(qtile::GemmOp gemm, qtile::TargetOp target,
                                     llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// All schedules of the target's tables that it can run the product under, that of the fewest clocks first;
/// the same error at the product where there are none.
mlir::FailureOr<llvm::SmallVector<qtile::ScheduleAttr>> rankGemmSchedules(qtile::GemmOp gemm,
                                                                          qtile::TargetOp target);

/// Writes the rings, barriers and roles of a scheduled kernel's product in place of it. An error, and the
/// kernel as it was, where it has no schedule or one that is not for roles of one block.
mlir::LogicalResult expandGemm(qtile::GemmOp gemm);

} // namespace fp8opt

#endif // FP8_OPT_KERNELS_GEMM_H
