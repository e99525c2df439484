// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that read a part of a tensor where it lies.

#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"

#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

namespace fp8opt::qtile {
#define GEN_PASS_DEF_READSLICESPASS
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h.inc"
} // namespace fp8opt::qtile

using namespace mlir;
using namespace fp8opt::qtile;

/// Where arrays that kernels read start.
constexpr int64_t alignedBytes = 16;

/// One of the equal parts that a tensor consists of, which follow each other in memory.
struct Part {
  tensor::ExtractSliceOp slice;
  /// Leading dimensions, of which it has one element each, and the elements of it.
  int64_t leading, elements;
};

/// The part that a value is, its dimensions aside; none where it is no part, or may start anywhere.
static std::optional<Part> findPart(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || !slice.hasUnitStride())
    return std::nullopt;
  ArrayRef<int64_t> shape = slice.getSourceType().getShape(), sizes = slice.getStaticSizes();
  auto leading = llvm::find_if(sizes, [](int64_t size) { return size != 1; }) - sizes.begin();
  int64_t elements = 1;
  for (int64_t dimension : llvm::seq<int64_t>(leading, shape.size())) {
    if (ShapedType::isDynamic(shape[dimension]) || sizes[dimension] != shape[dimension])
      return std::nullopt;
    elements *= shape[dimension];
  }
  // How many bytes are before a part is known of whole ones alone.
  if (leading == 0 || elements * slice.getSourceType().getElementTypeBitWidth() % (8 * alignedBytes))
    return std::nullopt;
  return Part{slice, leading, elements};
}

/// The number of a part, as i32.
static Value numberOf(OpBuilder &builder, const Part &part) {
  tensor::ExtractSliceOp slice = part.slice;
  Location loc = slice.getLoc();
  Value number;
  for (int64_t dimension : llvm::seq(part.leading)) {
    Value offset = getValueOrCreateConstantIndexOp(builder, loc, slice.getMixedOffsets()[dimension]);
    if (number) {
      Value size = tensor::getMixedSize(builder, loc, slice.getSource(), dimension).dyn_cast<Value>();
      if (!size)
        size = arith::ConstantIndexOp::create(builder, loc, slice.getSourceType().getDimSize(dimension));
      number = arith::MulIOp::create(builder, loc, number, size);
      number = arith::AddIOp::create(builder, loc, number, offset);
    } else {
      number = offset;
    }
  }
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), number);
}

/// Makes the kernel read its array `pointer` from the part on whose number is a new last integer.
static void readPart(KernelOp kernel, unsigned pointer, int64_t elements) {
  Block &body = kernel.getBody().front();
  Location loc = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Value number = body.addArgument(builder.getI32Type(), loc);
  kernel.setFunctionType(FunctionType::get(kernel.getContext(), body.getArgumentTypes(), {}));
  Value array = body.getArgument(pointer);
  Value wide = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), number);
  Value size = arith::ConstantIntOp::create(builder, loc, elements, /*width=*/64);
  auto from = FromOp::create(builder, loc, array.getType(), array,
                             arith::MulIOp::create(builder, loc, wide, size).getResult());
  array.replaceAllUsesExcept(from, from);
}

namespace {
struct ReadSlicesPass : fp8opt::qtile::impl::ReadSlicesPassBase<ReadSlicesPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    llvm::MapVector<StringAttr, SmallVector<LaunchOp>> launches;
    module.walk([&](LaunchOp launch) { launches[launch.getKernelAttr().getAttr()].push_back(launch); });
    for (auto &[name, ofKernel] : launches) {
      size_t users = ofKernel.size();
      for (LaunchOp launch : ofKernel) {
        readSlices(launch, symbols, /*isShared=*/users > 1);
        users -= launch.getKernelAttr().getAttr() != name;
      }
    }
  }

private:
  /// `isShared`: another launch is of this kernel too, which then stays as it is.
  void readSlices(LaunchOp launch, SymbolTable &symbols, bool isShared) {
    auto kernel = symbols.lookup<KernelOp>(launch.getKernel());
    OpBuilder builder(launch);
    for (OpOperand &operand : launch.getInputsMutable()) {
      std::optional<Part> part = findPart(operand.get());
      // What a kernel changes is returned whole.
      if (!part || llvm::is_contained(launch.getTied(), operand.getOperandNumber()))
        continue;
      if (std::exchange(isShared, false)) {
        kernel = kernel.clone();
        launch.setKernelAttr(FlatSymbolRefAttr::get(symbols.insert(kernel)));
      }
      readPart(kernel, operand.getOperandNumber(), part->elements);
      Value read = operand.get();
      operand.set(part->slice.getSource());
      launch.getSizesMutable().append(numberOf(builder, *part));
      fp8opt::eraseUnread(read);
      ++numRead;
    }
  }
};
} // namespace
