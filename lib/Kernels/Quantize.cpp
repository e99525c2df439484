// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernel a quantizer is, and which none is for.

#include "fp8-opt/Kernels/Quantize.h"
#include "QuantizeKernel.h"
#include "Stack.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qtile;

QuantizeKernel::QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, Value source, Value rows,
                               Value columns, Value batch)
    : QuantizeKernel(emit, scheme, cast<GlobalType>(source.getType()).getElementType(), rows, columns,
                     batch) {
  this->source = matrix ? writeArrayOf(emit, source, LayoutKind::RowMajor, matrix, {rows, columns}) : source;
}

QuantizeKernel::QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, const StoredMatrix &stored,
                               Type element, Value rows, Value columns, Value batch)
    : QuantizeKernel(emit, scheme, element, rows, columns, batch) {
  this->stored = stored;
  if (!matrix)
    return;
  const bool isAlongRows = stored.along == Along::Rows;
  this->stored->scales = writeScalesOf(emit, stored.scales, QuantizeOp::getScalingOf(stored.scheme), matrix,
                                       isAlongRows ? columns : rows, isAlongRows ? rows : columns);
}

QuantizeKernel::QuantizeKernel(IndexEmitter &emit, qt::SchemeAttr scheme, Type element, Value rows,
                               Value columns, Value batch)
    : emit(emit), scheme(scheme), numbers(scheme.getNumerics()), nan(numbers.levels.front().nan), rows(rows),
      columns(columns), element(element), bits(emit.builder.getIntegerType(element.getIntOrFloatBitWidth())),
      batch(batch) {
  Type i32 = builder().getI32Type();
  block = BlockOp::create(builder(), loc(), i32);
  thread = ThreadOp::create(builder(), loc(), i32);
  lane = LaneOp::create(builder(), loc(), i32);
  warp = emit.div(thread, warpLanes);
  if (!batch)
    return;
  Value blocks = countBlocks();
  matrix = emit.div(block, blocks);
  block = emit.rem(block, blocks);
}

Value QuantizeKernel::countBlocks() {
  Value all = BlocksOp::create(builder(), loc(), builder().getI32Type());
  return batch ? emit.div(all, batch) : all;
}

int64_t QuantizeKernel::elementsOfScale() const {
  const numerics::ScaleLevel &level = numbers.levels.front();
  return level.type == numerics::FormatId::F32 ? 0 : level.block.back();
}

using EmitError = function_ref<InFlightDiagnostic()>;

/// Under two levels, the outer one's stored scale is the amax: nothing is left to write for it.
static LogicalResult verifyLevels(const numerics::Scheme &scheme, EmitError emitError) {
  size_t levels = scheme.levels.front().type == numerics::FormatId::F8E4M3FN ? 2 : 1;
  if (scheme.levels.size() != levels)
    return emitError() << "expected scales of " << levels << " level" << (levels == 1 ? "" : "s") << ", got "
                       << scheme.levels.size();
  numerics::StoredScale inner = scheme.levels.front().stored, outer = scheme.levels.back().stored;
  if (inner != numerics::StoredScale::Decode)
    return emitError() << "expected stored decode factors, got " << StringRef(numerics::name(inner));
  if (levels == 2 && outer != numerics::StoredScale::Amax)
    return emitError() << "expected a stored amax of the tensor, got " << StringRef(numerics::name(outer));
  return success();
}

/// Kernels store factors that a product multiplies by, beside codes as it takes them.
static LogicalResult verifyScheme(qt::SchemeAttr attribute, EmitError emitError) {
  numerics::Scheme scheme = attribute.getNumerics();
  if (failed(verifyLevels(scheme, emitError)))
    return failure();
  int bits = scheme.levels.size() == 2 ? 4 : 8;
  if (numerics::format(scheme.code).bits() != bits)
    return emitError() << "expected codes of " << bits << " bits, got "
                       << StringRef(numerics::format(scheme.code).name);
  if (scheme.rounding == numerics::Rounding::Stochastic)
    return emitError() << "expected a rounding without random bits, got stochastic";
  return success();
}

/// The grid is a function of the kernel's arguments.
static LogicalResult verifySizes(Operation *op, Value rows, Value columns, Value batch, EmitError emitError) {
  for (auto [name, size] :
       {std::pair("rows", rows), std::pair("columns", columns), std::pair("batch", batch)})
    if (size && !isa<BlockArgument>(size))
      return emitError() << "expected " << name << " to be an argument of the kernel";
  if (op->getParentOfType<KernelOp>().getSchedule())
    return emitError() << "expected a kernel without a schedule";
  return success();
}

void fp8opt::setLaunch(Operation *op, QuantizeKernel &quantizer, int64_t resident, AffineExpr blocks) {
  auto kernel = op->getParentOfType<KernelOp>();
  kernel.setThreads(quantizeThreads);
  kernel.setResident(resident);
  unsigned integers = 0;
  SmallVector<AffineExpr> sizes(2);
  AffineExpr matrices = getAffineConstantExpr(1, op->getContext());
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    if (!argument.getType().isSignlessInteger(32))
      continue;
    AffineExpr symbol = getAffineSymbolExpr(integers++, op->getContext());
    if (quantizer.rows == argument)
      sizes[0] = symbol;
    if (quantizer.columns == argument)
      sizes[1] = symbol;
    if (quantizer.batch == argument)
      matrices = symbol;
  }
  kernel.setGrid(AffineMap::get(0, integers, blocks.replaceSymbols(sizes) * matrices));
}

LogicalResult fp8opt::verifyQuantizeKernel(QuantizeOp quantize, EmitError emitError) {
  return success(succeeded(verifyScheme(quantize.getScheme(), emitError)) &&
                 succeeded(verifySizes(quantize, quantize.getRows(), quantize.getColumns(),
                                       quantize.getBatch(), emitError)));
}

/// The scales that are written are those of the thread block's matrix. So is what is read already; codes need
/// no pointer, see panelOffset.
template <typename QuantizerOp> static void takeScales(QuantizeKernel &kernel, QuantizerOp quantize) {
  if (!kernel.matrix)
    return;
  IndexEmitter &emit = kernel.emit;
  auto take = [&](MutableOperandRange scales, Value rows, Value contraction) {
    if (scales.empty())
      return;
    scales.assign(
        writeScalesOf(emit, scales[0].get(), quantize.getScaling(), kernel.matrix, rows, contraction));
  };
  take(quantize.getColumnScalesMutable(), kernel.rows, kernel.columns);
  take(quantize.getRowScalesMutable(), kernel.columns, kernel.rows);
}

/// The amaxes of the thread block's matrix: one, or one for each row and each column.
static Value writeAmaxesOf(QuantizeKernel &kernel, Value amaxes, qt::SchemeAttr scheme) {
  IndexEmitter &emit = kernel.emit;
  if (QuantizeOp::isForTensor(scheme))
    return writeArrayOf(emit, amaxes, LayoutKind::Tensor, kernel.matrix, {});
  return writeArrayOf(emit, amaxes, LayoutKind::RowMajor, kernel.matrix,
                      {emit.constant(1), emit.add(kernel.rows, kernel.columns)});
}

LogicalResult fp8opt::expandQuantize(QuantizeOp quantize) {
  if (failed(verifyQuantizeKernel(quantize, [&] { return quantize.emitOpError(); })))
    return failure();
  Scaling scaling = quantize.getScaling();
  OpBuilder builder(quantize);
  IndexEmitter emit(builder, quantize.getLoc(), quantize->getBlock());
  QuantizeKernel kernel(emit, quantize.getScheme(), quantize.getSource(), quantize.getRows(),
                        quantize.getColumns(), quantize.getBatch());
  if (kernel.matrix && quantize.getAmax())
    quantize.getAmaxMutable().assign(writeAmaxesOf(kernel, quantize.getAmax(), quantize.getScheme()));
  takeScales(kernel, quantize);
  if (scaling == Scaling::Row && !quantize.getRowCodes())
    writeQuantizeRow(kernel, quantize);
  else if (quantize.getRowCodes() || scaling == Scaling::Block128x128 ||
           (kernel.elementsOfScale() && kernel.rowsOfScale() > 1))
    writeQuantizeTile(kernel, quantize);
  else if (kernel.elementsOfScale())
    writeQuantizeCoded(kernel, quantize);
  else
    writeQuantizeColumns(kernel, quantize);
  quantize.erase();
  return success();
}

LogicalResult fp8opt::expandAmax(AmaxOp amax) {
  if (failed(verifySizes(amax, amax.getRows(), amax.getColumns(), amax.getBatch(),
                         [&] { return amax.emitOpError(); })))
    return failure();
  OpBuilder builder(amax);
  IndexEmitter emit(builder, amax.getLoc(), amax->getBlock());
  QuantizeKernel kernel(emit, amax.getScheme(), amax.getSource(), amax.getRows(), amax.getColumns(),
                        amax.getBatch());
  if (kernel.matrix)
    amax.getIntoMutable().assign(writeAmaxesOf(kernel, amax.getInto(), amax.getScheme()));
  if (QuantizeOp::isForTensor(amax.getScheme()))
    writeAmax(kernel, amax);
  else
    writeRowAmaxes(kernel, amax);
  amax.erase();
  return success();
}

// Of codes.

LogicalResult fp8opt::verifyRequantizeKernel(RequantizeOp requantize, EmitError emitError) {
  return success(succeeded(verifyScheme(requantize.getFrom(), emitError)) &&
                 succeeded(verifyScheme(requantize.getScheme(), emitError)) &&
                 succeeded(verifySizes(requantize, requantize.getRows(), requantize.getColumns(),
                                       requantize.getBatch(), emitError)));
}

LogicalResult fp8opt::verifyDequantizeKernel(DequantizeOp dequantize, EmitError emitError) {
  return success(succeeded(verifyScheme(dequantize.getFrom(), emitError)) &&
                 succeeded(verifySizes(dequantize, dequantize.getRows(), dequantize.getColumns(),
                                       dequantize.getBatch(), emitError)));
}

LogicalResult fp8opt::expandRequantize(RequantizeOp requantize) {
  if (failed(verifyRequantizeKernel(requantize, [&] { return requantize.emitOpError(); })))
    return failure();
  OpBuilder builder(requantize);
  IndexEmitter emit(builder, requantize.getLoc(), requantize->getBlock());
  StoredMatrix stored = {requantize.getCodes(), requantize.getScales(), requantize.getFrom(), Along::Columns};
  QuantizeKernel kernel(emit, requantize.getScheme(), stored, requantize.getExpressed(), requantize.getRows(),
                        requantize.getColumns(), requantize.getBatch());
  takeScales(kernel, requantize);
  writeQuantizeTile(kernel, requantize);
  requantize.erase();
  return success();
}

LogicalResult fp8opt::expandDequantize(DequantizeOp dequantize) {
  if (failed(verifyDequantizeKernel(dequantize, [&] { return dequantize.emitOpError(); })))
    return failure();
  OpBuilder builder(dequantize);
  IndexEmitter emit(builder, dequantize.getLoc(), dequantize->getBlock());
  StoredMatrix stored = {dequantize.getCodes(), dequantize.getScales(), dequantize.getFrom(),
                         dequantize.getAlong()};
  QuantizeKernel kernel(emit, dequantize.getFrom(), stored, dequantize.getInto().getType().getElementType(),
                        dequantize.getRows(), dequantize.getColumns(), dequantize.getBatch());
  if (kernel.matrix)
    dequantize.getIntoMutable().assign(writeArrayOf(emit, dequantize.getInto(), LayoutKind::RowMajor,
                                                    kernel.matrix, {kernel.rows, kernel.columns}));
  writeDequantize(kernel, dequantize);
  dequantize.erase();
  return success();
}
