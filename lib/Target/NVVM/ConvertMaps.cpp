// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of matrices to the copy engine, written by the kernel itself: whoever launches it passes a
// pointer and sizes.

#include "KernelValues.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// How the fields of a description are numbered.
constexpr int64_t bf16Elements = 10, f16Elements = 6, notInterleaved = 0, swizzleOf128Bytes = 3,
                  fillWithZeros = 0;

namespace {
/// Sets the fields of a description in shared memory.
class Fields {
public:
  Fields(Writer &write, Value description) : write(write), description(write.sharedPointer(description)) {}

  void set(StringRef field, ValueRange values) {
    SmallVector<Value> arguments = {description};
    llvm::append_range(arguments, values);
    LLVM::CallIntrinsicOp::create(write.builder, write.loc,
                                  write.builder.getStringAttr("llvm.nvvm.tensormap.replace." + field.str()),
                                  arguments);
  }
  /// One for each dimension, the one whose elements are next to each other first.
  void setEach(StringRef field, ValueRange values) {
    for (auto [dimension, value] : llvm::enumerate(values))
      set(field, {write.constant(dimension), value});
  }

private:
  Writer &write;
  Value description;
};

struct ConvertTensorMap : KernelPattern<qtile::TensorMapOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::TensorMapOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getMatrix().getType().getElementType();
    if (!element.isBF16() && !element.isF16())
      return op.emitOpError() << "expected a matrix of bf16 or f16, got " << element;
    Writer write(rewriter, op.getLoc());
    // Fields that no instruction sets are zero.
    Value word = write.add(adaptor.getScratch(), write.multiply(kernels.of(op).lane, wordBytes));
    syncWarp(write);
    LLVM::StoreOp::create(rewriter, op.getLoc(), write.constant(0), write.sharedPointer(word));
    syncWarp(write);
    Box box = describeBox(write, op);
    auto once =
        scf::IfOp::create(rewriter, op.getLoc(), kernels.of(op).isFirstLane, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(once.thenBlock());
      writeFields(write, op, adaptor, box);
    }
    syncWarp(write);
    Value map = publish(write, op, adaptor);
    rewriter.replaceOp(op,
                       write.whole(getTypeConverter()->convertType(op.getType()), {map, box.bytes(write)}));
    return success();
  }

private:
  static constexpr int64_t wordBytes = 4;

  static void syncWarp(Writer &write) {
    NVVM::SyncWarpOp::create(write.builder, write.loc, write.constant(-1));
  }

  /// What is copied of a panel. A row of it starts where a whole one would.
  struct Box {
    Value rows, columns;
    unsigned bits;
    Value bytes(Writer &write) const { return write.multiply(rows, write.multiply(columns, bits / 8)); }
  };

  /// The engine is slower to fill with zeros than to copy.
  static Box describeBox(Writer &write, qtile::TensorMapOp op) {
    auto atMost = [&](Value size, Value most) { return write.select(write.isBelow(size, most), size, most); };
    unsigned bits = op.getMatrix().getType().getElementType().getIntOrFloatBitWidth();
    Value rows = write.constant(op.getMap().getType().getTile().getRows()),
          columns = write.constant(panelBytes * 8 / bits);
    if (op.getClip())
      return {atMost(op.getRows(), rows), columns, bits};
    return {rows, atMost(op.getColumns(), columns), bits};
  }

  static void writeFields(Writer &write, qtile::TensorMapOp op, OpAdaptor adaptor, const Box &box) {
    Type element = op.getMatrix().getType().getElementType();
    Value one = write.constant(1);
    Fields fields(write, adaptor.getScratch());
    fields.set("global.address", LLVM::PtrToIntOp::create(write.builder, write.loc,
                                                          write.builder.getI64Type(), adaptor.getMatrix())
                                     .getResult());
    // One less than the dimensions.
    fields.set("rank", write.constant(1 + op.getOuter().size()));
    SmallVector<Value> boxes = {box.columns, box.rows};
    SmallVector<Value> sizes = {op.getColumns(), op.getRows()}, strides = llvm::to_vector(op.getStrides());
    llvm::append_range(sizes, op.getOuter());
    boxes.resize(sizes.size(), one);
    fields.setEach("box.dim", boxes);
    fields.setEach("global.dim", sizes);
    if (strides.empty())
      strides = {op.getColumns()};
    for (Value &stride : strides)
      stride = write.multiply(write.widen(stride), box.bits / 8);
    fields.setEach("global.stride", strides);
    fields.setEach("element.stride", SmallVector<Value>(sizes.size(), one));
    fields.set("elemtype", write.constant(element.isBF16() ? bf16Elements : f16Elements));
    fields.set("interleave.layout", write.constant(notInterleaved));
    fields.set("swizzle.mode", write.constant(swizzleOf128Bytes));
    fields.set("fill.mode", write.constant(fillWithZeros));
  }

  /// Copies the description to its place in global memory, from where the copy engine of this processor sees
  /// it.
  static Value publish(Writer &write, qtile::TensorMapOp op, OpAdaptor adaptor) {
    OpBuilder &builder = write.builder;
    Type i64 = builder.getI64Type();
    Value start = LLVM::PtrToIntOp::create(builder, write.loc, i64, adaptor.getPlaces());
    start = arith::AndIOp::create(builder, write.loc, write.add(start, qtile::mapBytes - 1),
                                  write.constant(-qtile::mapBytes, 64));
    start = arith::AddIOp::create(builder, write.loc, start,
                                  write.multiply(write.widen(op.getIndex()), qtile::mapBytes));
    Value place = LLVM::IntToPtrOp::create(builder, write.loc, adaptor.getPlaces().getType(), start);
    NVVM::InlinePtxOp::create(
        builder, write.loc, TypeRange(), ValueRange{place, adaptor.getScratch()}, ValueRange(),
        builder.getStringAttr(
            "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
            "aligned [{$r0}], [{$r1}], 128;"),
        /*predicate=*/Value());
    Value map =
        LLVM::AddrSpaceCastOp::create(builder, write.loc, LLVM::LLVMPointerType::get(op.getContext()), place);
    NVVM::FenceProxyAcquireOp::create(builder, write.loc, NVVM::MemScopeKind::GPU, map,
                                      write.constant(qtile::mapBytes));
    return map;
  }
};
} // namespace

void fp8opt::nvvm::populateMapPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                       const Kernels &kernels) {
  patterns.add<ConvertTensorMap>(types, patterns.getContext(), kernels);
}
