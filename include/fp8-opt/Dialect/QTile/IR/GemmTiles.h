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

/// Rows that an instruction multiplies, a wave of a consumer.
constexpr int64_t waveRows = 64;
/// Scales that lie next to each other are padded to this multiple, 16 bytes.
constexpr int64_t scaleMultiple = 4;
/// Rows or columns of a block of scales.
constexpr int64_t scaleBlock = 128;

/// Whether sums under this scaling of the left operand are promoted where the product says so. Scales of
/// blocks ask for that anyway, and an instruction that multiplies them in adds in f32.
bool mayBePromoted(Scaling lhs);
/// Whether each 128 of the contraction are a partial sum of their own.
bool isPromoted(GemmOp gemm);
/// Whether a row of a partial sum has a scale of its own, which comes with the stage.
bool hasRowScales(GemmOp gemm);
/// Whether a column of a partial sum has a scale of its own, which comes with the stage.
bool hasColumnScales(GemmOp gemm);
/// Whether rows and columns of the result have a scale each.
bool isScaledByRow(GemmOp gemm);

/// Whether each product of a launch has a right operand of its own, and with it a tensor scale and alpha.
bool hasStacks(GemmOp gemm);
/// Whether each product of a launch has a result of its own, and with it a scale of its codes.
bool hasStackOfResults(GemmOp gemm);
/// Whether a launch has groups of rows, whose tiles are as many as their rows ask for.
bool hasGroupsOfRows(GemmOp gemm);

// Products whose scales an instruction multiplies in. Its operands are registers of a warp.

/// Whether the product is one of these.
bool isScaledByInstruction(GemmOp gemm);
/// The type of a scheme's codes as instructions name it; null where none takes them.
mlir::Type getCodeType(qt::SchemeAttr scheme);
/// The array of scales under a scaling, or of a scheme's innermost ones.
GlobalType getScalesType(mlir::MLIRContext *context, Scaling scaling);
GlobalType getScalesType(qt::SchemeAttr scheme);
/// How the scales of an operand lie: in which layout, and of how many rows and elements along the contraction
/// there is one; 0 is all of them.
struct ScaleLayout {
  LayoutKind kind;
  int64_t rows, elements;
};
ScaleLayout getScaleLayout(Scaling scaling);
/// Elements along the contraction that share a scale of this type, which is a code: 32 or 16.
int64_t elementsOfScale(mlir::Type scale);
/// Bytes along the contraction that an instruction of a warp takes, whatever the elements.
constexpr int64_t stepBytes = 32;
/// Rows of the result that it has, and the columns that a warp has: a row of them is one of a panel of bf16.
constexpr int64_t warpWaveRows = 16, warpColumns = 64;
/// Scales of a row that are one register, and the tiles of scales: rows, and bytes, one each.
constexpr int64_t scalesOfWord = 4, scaleTileRows = 128, scaleTileBytes = scaleTileRows * scalesOfWord;

/// How the warps of all consumers share a tile of the result: `down` of them below each other.
struct WarpGrid {
  int64_t down, across;
  /// Of a warp.
  int64_t rows;
};
WarpGrid getWarpGrid(ScheduleAttr schedule);
/// Tiles of scales that an operand has for the contraction of a stage.
int64_t getScaleTilesOfStage(GemmOp gemm);

/// Elements of the contraction that a stage holds.
int64_t getContractionOfStage(GlobalType operand);
/// Rows of an operand of a stage, 128 bytes each; of a transposed one, as many columns, and a row for each
/// element of these bytes.
SharedType getOperandTile(GlobalType operand, OperandLayout layout, int64_t rows);

/// Bytes of the description of a matrix to the copy engine, and the operands that each thread block has one
/// for.
constexpr int64_t mapBytes = 128, mapsOfBlock = 2;
/// Bytes of the maps of all thread blocks of a grid, wherever the array starts.
int64_t getMapsBytes(TargetOp target);

/// The tiles of a block in shared memory.
struct GemmTiles {
  /// Left and right operand, then the scales that each 128 of the contraction have: of rows, of columns.
  /// Scales that an instruction multiplies in are one or several tiles of the left operand, then as many of
  /// the right.
  RingType operands;
  /// What a tile of the result meets: scales of its rows and columns, if they have some, then numbers for
  /// columns, if there are some; null where there is neither.
  RingType ofResult;
  /// The result: all of it, and what one consumer writes. Of a product of warps: 16 rows for each of them.
  SharedType result, resultOfConsumer;

  int64_t getBytes() const;
};
GemmTiles getGemmTiles(GemmOp gemm, ScheduleAttr schedule);

/// Columns next to each other that are sure to share one scale of the right operand, where it has
/// block_128x128.
int64_t getColumnsOfScale(ScheduleAttr schedule);

/// Registers that a thread of a consumer needs: sums, a partial sum, scales, and room for addresses.
int64_t getConsumerRegisters(GemmOp gemm, ScheduleAttr schedule);

/// Tiles, registers and limits of products that warps multiply; what the functions around them say of these.
GemmTiles getWarpGemmTiles(GemmOp gemm, ScheduleAttr schedule);
int64_t getWarpRegisters(GemmOp gemm, ScheduleAttr schedule);
mlir::LogicalResult
verifyWarpGemmSchedule(GemmOp gemm, ScheduleAttr schedule, TargetOp target,
                       llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse);

/// Whether the target can run the product under the schedule. `refuse` is called with what it lacks, by
/// name and number.
mlir::LogicalResult verifyGemmSchedule(GemmOp gemm, ScheduleAttr schedule, TargetOp target,
                                       llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse);

} // namespace fp8opt::qtile

#endif // FP8_OPT_DIALECT_QTILE_IR_GEMMTILES_H
