// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes in panels: who leaves them, and what else can be made of them.

#include "KernelConversion.h"
#include "RepeatView.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fp8opt;

static Type elementOf(Value tensor) { return cast<ShapedType>(tensor.getType()).getElementType(); }

std::string KernelConversion::whyNoQuantizer(const KernelOperand &operand) {
  if (std::string reason = operand.whyNotCounted(); !reason.empty())
    return reason;
  return book.whyNoQuantizer({elementOf(operand.source), operand.scheme, !operand.isAlongRows,
                              operand.isAlongRows, operand.isBatched()});
}

void KernelConversion::want(const KernelOperand &operand) {
  orientationsOf(operand).quantized[operand.isAlongRows] = operand.quantized;
}

void KernelConversion::wantSources() {
  SmallVector<KernelOperand> sources;
  for (const Orientations &wanted : quantizations) {
    std::optional<KernelOperand> first = findRequantized(wanted.operand.value);
    if (!first || findPanels(first->quantized, &*first))
      continue;
    auto again = cast<qt::RequantizeOp>(wanted.operand.getQuantizer());
    std::optional<KernelOperand> source = findStorable(again.getInput());
    if (source && source->isOfMatrix(*first) && whyNoQuantizer(*source).empty())
      sources.push_back(*source);
  }
  for (const KernelOperand &source : sources)
    want(source);
}

void KernelConversion::quantize(Orientations &wanted) {
  const KernelOperand &operand = wanted.operand;
  OpBuilder builder(operand.getQuantizer());
  Location loc = operand.getQuantizer()->getLoc();
  LaunchEmitter emitter(builder, loc);
  Value source = operand.source, amax;
  if (auto type = dyn_cast<qt::QTensorType>(source.getType())) {
    Value numbers = decodePanels(builder, loc, source);
    source = numbers ? numbers
                     : qt::DequantizeOp::create(builder, loc,
                                                RankedTensorType::get(type.getShape(), type.getElementType()),
                                                source)
                           .getResult();
  }
  for (int64_t dimension : ArrayRef(operand.order).take_front(operand.batchDimensions))
    wanted.batch.push_back(tensor::getMixedSize(builder, loc, source, dimension));
  Value matrix = emitter.asMatrix(source, operand.order, operand.batchDimensions, operand.rowDimensions);
  wanted.sizes = emitter.sizesOf(matrix);
  // Also where the producer returns one: an engine's reductions to one number take longer than a second pass.
  if (qtile::QuantizeOp::readsAmax(operand.scheme, wanted.isWanted(1)))
    amax = emitter.amax(
        std::get<qtile::KernelOp>(book.amax(elementOf(matrix), operand.scheme, operand.isBatched())), matrix,
        operand.scheme);
  auto kernel = std::get<qtile::KernelOp>(book.quantizer(
      {elementOf(matrix), operand.scheme, wanted.isWanted(0), wanted.isWanted(1), operand.isBatched()}));
  SmallVector<StoredOperand> stored =
      emitter.quantize(kernel, matrix, amax, operand.scheme, wanted.isWanted(0), wanted.isWanted(1));
  for (unsigned orientation : {0, 1})
    if (wanted.isWanted(orientation))
      wanted.stored[orientation] = stored[wanted.isWanted(0) ? orientation : 0];
}

bool KernelConversion::requantize(Orientations &wanted) {
  const KernelOperand &operand = wanted.operand;
  std::optional<KernelOperand> first = findRequantized(operand.value);
  StoredPanels panels = first ? findPanels(first->quantized, &*first) : StoredPanels();
  if (!panels)
    return false;
  // The kernel sees the matrix along whose columns the codes lie.
  const bool isTransposed = operand.isAlongRows != first->isAlongRows;
  auto asSeen = [&](unsigned orientation) { return orientation ^ isTransposed ^ panels.orientation; };
  bool isAlong[2];
  for (unsigned orientation : {0, 1})
    isAlong[asSeen(orientation)] = wanted.isWanted(orientation);
  KernelOrReason kernel = book.requantizer({panels.scheme(), elementOf(operand.source), operand.scheme,
                                            isAlong[0], isAlong[1], first->isBatched()});
  if (!std::holds_alternative<qtile::KernelOp>(kernel))
    return false;
  write(*panels.of);
  MatrixSizes sizes = panels.of->sizes;
  OpBuilder builder(operand.getQuantizer());
  LaunchEmitter emitter(builder, operand.getQuantizer()->getLoc());
  SmallVector<StoredOperand> stored = emitter.requantize(std::get<qtile::KernelOp>(kernel), panels.stored(),
                                                         panels.orientation ? sizes.transposed() : sizes,
                                                         operand.scheme, isAlong[0], isAlong[1]);
  for (unsigned orientation : {0, 1})
    if (wanted.isWanted(orientation))
      wanted.stored[orientation] = stored[isAlong[0] ? asSeen(orientation) : 0];
  wanted.sizes = isTransposed ? sizes.transposed() : sizes;
  wanted.batch = panels.of->batch;
  return true;
}

void KernelConversion::write(Orientations &wanted) {
  if (std::exchange(wanted.isWritten, true))
    return;
  if (!requantize(wanted))
    quantize(wanted);
}

// What else reads codes.

StoredPanels KernelConversion::findPanels(OpResult quantized, const KernelOperand *ofMatrix) {
  auto known = quantizationsOf.find(quantized.getOwner());
  if (known == quantizationsOf.end())
    return {};
  for (size_t number : known->second)
    for (unsigned orientation : {0, 1}) {
      Orientations &orientations = quantizations[number];
      if (orientations.quantized[orientation] == quantized &&
          (!ofMatrix || orientations.operand.isOfMatrix(*ofMatrix)))
        return {&orientations, orientation};
    }
  return {};
}

Value KernelConversion::decodePanels(OpBuilder &builder, Location loc, Value value) {
  SmallVector<Operation *> changes;
  for (Operation *op = value.getDefiningOp(); op && isRepeatable(op); op = value.getDefiningOp()) {
    changes.push_back(op);
    value = op->getOperand(0);
  }
  auto quantized = dyn_cast<OpResult>(value);
  StoredPanels panels = quantized ? findPanels(quantized) : StoredPanels();
  if (!panels)
    return {};
  const KernelOperand &operand = panels.of->operand;
  auto type = cast<ShapedType>(operand.source.getType());
  // A matrix does not know the dynamic sizes that were collapsed into it.
  if (type.getRank() > (operand.isBatched() ? 3 : 2) && !type.hasStaticShape())
    return {};
  KernelOrReason kernel = book.dequantizer(
      {panels.scheme(), panels.orientation == 1, type.getElementType(), operand.isBatched()});
  if (!std::holds_alternative<qtile::KernelOp>(kernel))
    return {};
  write(*panels.of);
  LaunchEmitter emitter(builder, loc);
  Value numbers = emitter.dequantize(std::get<qtile::KernelOp>(kernel), panels.stored(), panels.of->sizes,
                                     type.getElementType());
  numbers = emitter.asTensor(numbers, operand.order, operand.batchDimensions, operand.rowDimensions,
                             type.getShape());
  if (auto several = dyn_cast<qt::MultiQuantizeOp>(quantized.getOwner()))
    numbers = emitter.transpose(numbers, several.getPermutation(quantized.getResultNumber()));
  for (Operation *change : llvm::reverse(changes))
    numbers = repeatView(builder, loc, change, numbers);
  return numbers;
}

/// Whether nothing that does anything depends on it.
static bool isUnread(Operation *op) {
  return isMemoryEffectFree(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
         llvm::all_of(op->getUsers(), isUnread);
}

/// What reads the codes of a value; whether all of it could read numbers.
static bool findReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers()) {
    if (isUnread(user))
      continue;
    if (isa<qt::DequantizeOp, qt::RequantizeOp>(user))
      readers.push_back(user);
    else if (!isRepeatable(user) || !findReaders(user->getResult(0), readers))
      return false;
  }
  return true;
}

/// A kernel reads the codes and writes numbers, 3 bytes for each of bf16. What computes codes in their place
/// reads the source twice and writes them, 5 bytes, and goes only if all its readers do.
void KernelConversion::replaceReaders(Orientations &of, unsigned orientation) {
  SmallVector<Operation *> readers;
  if (!findReaders(of.quantized[orientation], readers))
    return;
  for (Operation *reader : readers) {
    OpBuilder builder(reader);
    Value numbers = decodePanels(builder, reader->getLoc(), reader->getOperand(0));
    if (!numbers)
      return;
    if (auto again = dyn_cast<qt::RequantizeOp>(reader))
      numbers = qt::QuantizeOp::create(builder, reader->getLoc(), again.getType(), numbers, ValueRange(),
                                       again.getHalfAttr());
    reader->getResult(0).replaceAllUsesWith(numbers);
    replaced.push_back(reader->getResult(0));
  }
}
