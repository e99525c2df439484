// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scheduled matrix product as rings, barriers and roles: what stands before the roles.

#include "fp8-opt/Kernels/Gemm.h"
#include "GemmKernel.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

static LogicalResult verifyExpandable(GemmOp gemm) {
  auto kernel = gemm->getParentOfType<KernelOp>();
  std::optional<ScheduleAttr> schedule = kernel.getSchedule();
  if (!schedule)
    return gemm.emitOpError()
           << "expected a kernel with a schedule, got one without; run qtile-choose-schedule first";
  if (!kernel.getTargetOp())
    return kernel.emitOpError() << "expected " << kernel.getTargetAttr()
                                << " to name a qtile.target of the module; run qtile-load-target first";
  return verifyGemmSchedule(gemm, *schedule, kernel.getTargetOp(),
                            [&](const Twine &reason) -> LogicalResult { return gemm.emitOpError(reason); });
}

/// What arrays that are copied in runs are padded to.
static int64_t elementsOfChunk(GlobalType array) {
  return chunkBytes * 8 / array.getElementType().getIntOrFloatBitWidth();
}

/// How many tiles and stages there are, and how operands and scales lie in memory.
static void writeSizes(GemmKernel &kernel) {
  IndexEmitter &emit = kernel.emit;
  GemmOp gemm = kernel.gemm;
  kernel.block = BlockOp::create(emit.builder, emit.loc, emit.builder.getI32Type());
  kernel.blocks = BlocksOp::create(emit.builder, emit.loc, emit.builder.getI32Type());
  kernel.rowTiles = emit.ceilDiv(gemm.getM(), kernel.schedule.getTile()[0]);
  kernel.columnTiles = emit.ceilDiv(gemm.getN(), kernel.schedule.getTile()[1]);
  kernel.allTiles = countTiles(kernel);
  kernel.contractionBlocks = emit.ceilDiv(gemm.getK(), getContractionOfStage(gemm.getLhs().getType()));
  if (gemm.getLhsLayout() == OperandLayout::Panels)
    kernel.lhsRows = emit.roundUp(gemm.getM(), rowPadding);
  if (gemm.getRhsLayout() == OperandLayout::Panels)
    kernel.rhsRows = emit.roundUp(gemm.getN(), rowPadding);
  if (gemm.leavesPanels()) {
    kernel.resultRows = emit.roundUp(gemm.getM(), rowPadding);
    kernel.resultPanels = emit.ceilDiv(gemm.getN(), getContractionOfStage(gemm.getInto().getType()));
  }
  if (gemm.getBias())
    kernel.biasColumns = emit.roundUp(gemm.getN(), elementsOfChunk(gemm.getBias().getType()));
  if (hasRowScales(gemm) || isScaledByRow(gemm))
    kernel.lhsScales = emit.roundUp(gemm.getM(), scaleMultiple);
  if (hasColumnScales(gemm) || isScaledByRow(gemm))
    kernel.rhsScales = emit.roundUp(gemm.getN(), scaleMultiple);
  if (gemm.getRhsScaling() == Scaling::Block128x128)
    kernel.rhsScales = emit.roundUp(kernel.contractionBlocks, scaleMultiple);
  if (isScaledByInstruction(gemm))
    kernel.scaleTiles = emit.ceilDiv(
        gemm.getK(), scalesOfWord * elementsOfScale(gemm.getLhsScales().getType().getElementType()));
}

static Value writeBarriers(GemmKernel &kernel, int64_t count, int64_t threads) {
  auto type = BarriersType::get(kernel.gemm.getContext(), count, threads);
  return BarriersOp::create(kernel.builder(), kernel.loc(), type, /*first=*/IntegerAttr());
}

static void writeStorage(GemmKernel &kernel) {
  OpBuilder &builder = kernel.builder();
  auto ring = [&](RingType type) -> Value {
    return RingOp::create(builder, kernel.loc(), type, /*plan=*/RingPlanAttr());
  };
  kernel.operands = ring(kernel.tiles.operands);
  if (kernel.tiles.ofResult)
    kernel.ofResult = ring(kernel.tiles.ofResult);
  kernel.staging = AllocOp::create(builder, kernel.loc(), kernel.tiles.result, /*offset=*/IntegerAttr());
  int64_t consumers = kernel.schedule.getConsumers();
  // Warps that multiply alone have nobody to wait for.
  if (isScaledByInstruction(kernel.gemm))
    return;
  if (kernel.hasStorers()) {
    int64_t threads = groupThreads + kernel.storersOfTile() * warpThreads;
    kernel.full = writeBarriers(kernel, consumers, threads);
    kernel.empty = writeBarriers(kernel, consumers, threads);
  } else {
    kernel.own = writeBarriers(kernel, consumers, groupThreads);
  }
  if (kernel.schedule.getTurns() || kernel.schedule.isPingpong())
    kernel.turns = writeBarriers(kernel, consumers, consumers * groupThreads);
}

LogicalResult fp8opt::expandGemm(GemmOp gemm) {
  if (failed(verifyExpandable(gemm)))
    return failure();
  auto kernelOp = gemm->getParentOfType<KernelOp>();
  OpBuilder builder(gemm);
  IndexEmitter emit(builder, gemm.getLoc(), &kernelOp.getBody().front());
  ScheduleAttr schedule = *kernelOp.getSchedule();
  GemmKernel kernel(gemm, schedule, emit);
  writeSizes(kernel);
  writeStorage(kernel);
  if (isScaledByInstruction(gemm))
    writeWarpConsumers(kernel);
  else
    writeConsumers(kernel);
  writeProducer(kernel);
  gemm.erase();
  return success();
}
