// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a matrix product's kernel, and what they share.

#ifndef FP8_OPT_LIB_KERNELS_GEMMKERNEL_H
#define FP8_OPT_LIB_KERNELS_GEMMKERNEL_H

#include "ControlFlow.h"
#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

namespace fp8opt {

/// What is computed once, before the roles, and read in all of them. A Value that a product has no use for is
/// null.
struct GemmKernel {
  GemmKernel(qtile::GemmOp gemm, qtile::ScheduleAttr schedule, IndexEmitter &emit)
      : gemm(gemm), schedule(schedule), tiles(qtile::getGemmTiles(gemm, schedule)), emit(emit) {}

  qtile::GemmOp gemm;
  qtile::ScheduleAttr schedule;
  qtile::GemmTiles tiles;
  IndexEmitter &emit;

  /// Tiles of the result: in a column of them, in a row, in all.
  mlir::Value rowTiles, columnTiles, allTiles;
  /// Stages that a tile takes: 128 bytes of the contraction each.
  mlir::Value contractionBlocks;
  /// Rows of an operand in panels, padded; and scales that lie next to each other, padded.
  mlir::Value lhsRows, rhsRows, lhsScales, rhsScales;
  /// Of a result in panels: rows, padded, and panels of a matrix. Numbers for columns, padded.
  mlir::Value resultRows, resultPanels, biasColumns;
  /// Tiles of scales along the contraction, where an instruction multiplies scales in.
  mlir::Value scaleTiles;
  /// Row-major operands, described to the copy engine; known to the warp that loads.
  mlir::Value lhsMap, rhsMap;
  /// This block in the grid, and the blocks of it.
  mlir::Value block, blocks;

  mlir::Value operands, ofResult, staging;
  /// Named barriers, one for each consumer. With storers: the staged tile is full, is empty. Else: all have
  /// arrived. Its turn.
  mlir::Value full, empty, own, turns;

  mlir::OpBuilder &builder() const { return emit.builder; }
  mlir::Location loc() const { return emit.loc; }
  bool hasStorers() const { return schedule.getStore() == qtile::Store::Storers; }
  /// Of a tile, the part that is this consumer's, of as many as have one.
  mlir::Value partOf(mlir::Value consumer) { return schedule.isPingpong() ? emit.constant(0) : consumer; }
  /// Warps that store a tile: of each consumer its own, or all together that of the one whose turn it is.
  int64_t storersOfTile() const { return schedule.isPingpong() ? schedule.getConsumers() : 1; }
};

/// The product that a tile is of, of those of the launch. Stacks of matrices need no pointers of their own:
/// in panels and scales a matrix is so many blocks further on, in the result so many rows.
struct ProductOfTile {
  /// Which matrix of a stack an operand and its scales are, and the result; null where there is one.
  mlir::Value lhs, rhs, result;
  /// Where the product's rows begin in the left operand, and in all rows of the result; null for 0.
  mlir::Value lhsRow, resultRow;
  /// Where they end in the result.
  mlir::Value resultEnd;
  /// The product's part of the contraction: its first block, null for 0, and how many it has; and stages that
  /// it takes, which are as many but of an empty one.
  mlir::Value firstBlock, blocks, stages;
  /// Whether it has no blocks; null where it always has some.
  mlir::Value isEmpty;
  /// The tile in the product, and the tiles in a column of them.
  mlir::Value number, rowTiles;
};

/// A tile of the result: its first row and column in the left and right operand, as in the result's matrix,
/// and its first row in all rows of the result.
struct ResultTile {
  ProductOfTile product;
  mlir::Value row, column, resultRow;
};

/// A role of so many warps, with the registers that the schedule gives it; `body` gets the number of the
/// warp.
void writeRole(GemmKernel &kernel, qtile::RoleKind kind, int64_t warps,
               llvm::function_ref<void(mlir::Value)> body);
/// Threads of a warp; warps of the producer's group, and of each consumer, and their threads.
constexpr int64_t warpThreads = 32, groupWarps = 4, groupThreads = groupWarps * warpThreads;

/// Tiles of all products.
mlir::Value countTiles(GemmKernel &kernel);
/// What is carried from tile to tile to find their products.
llvm::SmallVector<mlir::Value> firstGroup(GemmKernel &kernel);
ProductOfTile findProduct(GemmKernel &kernel, mlir::Value number, llvm::SmallVectorImpl<mlir::Value> &state);

/// The tiles of this block in their order, which is one for all roles; of them, where a consumer is given,
/// its own.
mlir::ValueRange
writeTileLoop(GemmKernel &kernel, mlir::ValueRange carried,
              llvm::function_ref<llvm::SmallVector<mlir::Value>(ResultTile, mlir::ValueRange)> body,
              mlir::Value consumer = {});

mlir::Value writeFirst(GemmKernel &kernel, qtile::RoleKind kind, mlir::Value ring);
/// Where a condition is given and false, the same stage.
mlir::Value writeAdvance(GemmKernel &kernel, mlir::Value ring, mlir::Value stage, mlir::Value condition = {});
/// `count` stages further on.
mlir::Value writeSkip(GemmKernel &kernel, mlir::Value ring, mlir::Value stage, mlir::Value count);
/// The tiles of the stage, once it is full.
mlir::ValueRange writeWait(GemmKernel &kernel, mlir::Value ring, mlir::Value stage);
void writeRelease(GemmKernel &kernel, mlir::Value ring, mlir::Value stage, mlir::Value condition = {});

void writeProducer(GemmKernel &kernel);
/// Describes row-major operands to the copy engine, once for all tiles.
void writeMaps(GemmKernel &kernel);
/// A tile of a row-major matrix that is copied to tile `number` of a stage; whether it is read once, null
/// where it is not.
struct TileCopy {
  mlir::Value map, row, column;
  unsigned number;
  /// Which matrix of a stack.
  llvm::ArrayRef<mlir::Value> matrix = {};
  mlir::Value once = {};
};
/// Which matrices of row-major operands a tile is of: a number for each outer dimension of their maps.
llvm::SmallVector<mlir::Value> findMatrix(GemmKernel &kernel, const ProductOfTile &product);
/// Those of both operands, for block `block` of the contraction.
llvm::SmallVector<TileCopy> operandTileCopies(GemmKernel &kernel, ResultTile tile,
                                              llvm::ArrayRef<mlir::Value> matrix, mlir::Value block);
void writeConsumers(GemmKernel &kernel);
/// The same, where the warps of all consumers share a tile.
void writeWarpConsumers(GemmKernel &kernel);

// Of a consumer.

struct Consumer {
  /// Which of the consumers.
  mlir::Value number;
  /// The thread in it, where consumers store; the other consumer, where two take turns.
  mlir::Value thread, other;
  /// Where its waves begin in the tiles of a stage, in which it has a part of the rows or all.
  llvm::SmallVector<mlir::Value> rows;
};

/// The products of a tile, and the position in the ring behind it.
struct TileProducts {
  llvm::SmallVector<mlir::Value> fragments;
  mlir::Value stage;
};

/// Partial sums of each 128 of the contraction, promoted by scales as soon as they are there.
TileProducts writePromotedLoop(GemmKernel &kernel, const Consumer &consumer, ResultTile tile,
                               mlir::Value stage);
/// Sums that stay in the accumulators of the instructions.
TileProducts writeAccumulatedLoop(GemmKernel &kernel, const Consumer &consumer, ResultTile tile,
                                  mlir::Value stage);

/// A fragment times two scales of its rows or one number twice, and scales of its columns or none.
mlir::Value promoteAlone(GemmKernel &kernel, mlir::Value fragment, mlir::Value first, mlir::Value second,
                         mlir::Value columns);

/// What all elements of a product are multiplied by, and what their codes are made under; null where there is
/// none.
struct ResultFactors {
  mlir::Value alpha, encode;
};
/// Those that all products of the launch have in common.
ResultFactors loadCommonFactors(GemmKernel &kernel);
/// Those of a product.
ResultFactors loadFactors(GemmKernel &kernel, const ProductOfTile &product, ResultFactors common);
void multiplyByAlpha(GemmKernel &kernel, llvm::SmallVectorImpl<mlir::Value> &fragments,
                     ResultFactors factors);
/// From the products of a tile to what is stored of it, but for the rounding. `stage` is the position in the
/// ring of what it meets, null where it meets nothing; answers the one behind.
mlir::Value finishProducts(GemmKernel &kernel, const Consumer &consumer, ResultFactors factors,
                           llvm::SmallVectorImpl<mlir::Value> &fragments, mlir::Value stage);

/// From fragments to shared memory and, where consumers store, on to the result.
void writeConsumerStore(GemmKernel &kernel, const Consumer &consumer, ResultTile tile, ResultFactors factors,
                        mlir::ValueRange fragments);
/// What a storer does with a tile that a consumer has staged; `thread` is that among those which store it.
void writeStorer(GemmKernel &kernel, mlir::Value consumer, mlir::Value thread, ResultTile tile);

/// Turns of two consumers: the products of each wave, or under pingpong of a tile, are begun by one of them
/// at a time.
void giveFirstTurn(GemmKernel &kernel, const Consumer &consumer);
void takeTurn(GemmKernel &kernel, const Consumer &consumer);
void passTurn(GemmKernel &kernel, const Consumer &consumer);
/// Takes the turn that nobody is left to take, so that each arrival is waited for.
void endTurns(GemmKernel &kernel, const Consumer &consumer);

} // namespace fp8opt

#endif // FP8_OPT_LIB_KERNELS_GEMMKERNEL_H
