// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a matrix product under a schedule holds in shared memory and registers, and whether a target has that
// much.

#ifndef FP8_OPT_DIALECT_QTILE_IR_GEMMTILES_H
#define FP8_OPT_DIALECT_QTILE_IR_GEMMTILES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Layout/Layouts.h"

namespace fp8opt::qtile {

/// Bytes of the contraction that a stage holds: a row of a panel.
constexpr int64_t contractionBytes = panelBytes;
/// Rows that an instruction multiplies, a wave of a consumer.
constexpr int64_t waveRows = 64;
/// Rows of an operand in panels are padded to this multiple.
constexpr int64_t panelRowMultiple = rowPadding;
/// Scales that lie next to each other are padded to this multiple, 16 bytes.
constexpr int64_t scaleMultiple = 4;
/// Rows or columns of a block of scales.
constexpr int64_t scaleBlock = 128;

/// Whether each 128 of the contraction are a partial sum that scales are multiplied to.
bool isPromoted(GemmOp gemm);
/// Whether a column of a partial sum has a scale of its own, which comes with the stage.
bool hasColumnScales(GemmOp gemm);
/// Whether rows and columns of the result have a scale each.
bool isScaledByRow(GemmOp gemm);

/// The tiles of a block in shared memory.
struct GemmTiles {
  /// Left and right operand, then the scales that each 128 of the contraction have: of rows, of columns.
  RingType operands;
  /// Scales of the rows and columns of a result tile; null where there are none of these.
  RingType resultScales;
  /// The result: all of it, and what one consumer writes.
  SharedType result, resultOfConsumer;

  int64_t getBytes() const;
};
GemmTiles getGemmTiles(GemmOp gemm, ScheduleAttr schedule);

/// Columns next to each other that are sure to share one scale of the right operand, where it has
/// block_128x128.
int64_t getColumnsOfScale(ScheduleAttr schedule);

/// Registers that a thread of a consumer needs: sums, a partial sum, scales, and room for addresses.
int64_t getConsumerRegisters(GemmOp gemm, ScheduleAttr schedule);

/// Whether the target can run the product under the schedule. What it lacks is reported to `emitError`, by
/// name and number.
mlir::LogicalResult verifyGemmSchedule(GemmOp gemm, ScheduleAttr schedule, TargetOp target,
                                       llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse);

} // namespace fp8opt::qtile

#endif // FP8_OPT_DIALECT_QTILE_IR_GEMMTILES_H
