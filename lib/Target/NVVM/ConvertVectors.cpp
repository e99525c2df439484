// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread's vectors from and to memory.

#include "KernelValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// What a thread moves at a time.
constexpr int64_t moveBytes = 16;

static int64_t bytesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return (vector ? vector.getNumElements() : 1) * getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8;
}

/// Of a scalar or vector that lies at a multiple of its bytes.
static int64_t alignmentOf(Type type) { return std::min(bytesOf(type), moveBytes); }

/// Vectors after each other as one.
static Value concatenate(Writer &write, SmallVector<Value> parts) {
  while (parts.size() > 1) {
    SmallVector<Value> wider;
    for (size_t i = 0; i < parts.size(); i += 2) {
      int64_t length = cast<VectorType>(parts[i].getType()).getNumElements();
      auto all = llvm::to_vector(llvm::seq<int32_t>(0, 2 * length));
      wider.push_back(LLVM::ShuffleVectorOp::create(write.builder, write.loc, parts[i], parts[i + 1], all));
    }
    parts = wider;
  }
  return parts.front();
}

/// A value under a condition, else zeros.
static Value orZero(Writer &write, Value condition, Type type, function_ref<Value()> value) {
  OpBuilder::InsertionGuard guard(write.builder);
  auto branch = scf::IfOp::create(write.builder, write.loc, type, condition, /*withElseRegion=*/true);
  write.builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(write.builder, write.loc, value());
  write.builder.setInsertionPointToStart(branch.elseBlock());
  Value zero = LLVM::ZeroOp::create(write.builder, write.loc, type);
  scf::YieldOp::create(write.builder, write.loc, zero);
  return branch.getResult(0);
}

namespace {
struct ConvertFrom : KernelPattern<qtile::FromOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::FromOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type element = op.getSource().getType().getElementType();
    rewriter.replaceOp(op,
                       Writer(rewriter, op.getLoc()).element(adaptor.getSource(), op.getOffset(), element));
    return success();
  }
};

struct ConvertLoad : KernelPattern<qtile::LoadOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Type element = op.getSource().getType().getElementType();
    if (!op.getCount()) {
      Type type = getTypeConverter()->convertType(op.getType());
      rewriter.replaceOpWithNewOp<LLVM::LoadOp>(
          op, type, write.element(adaptor.getSource(), op.getOffset(), element), alignmentOf(op.getType()));
      return success();
    }
    rewriter.replaceOp(op,
                       op.getAligned() ? loadChunks(write, op, adaptor) : loadElements(write, op, adaptor));
    return success();
  }

private:
  /// Each 16 bytes are inside or outside of what is read.
  static Value loadChunks(Writer &write, qtile::LoadOp op, OpAdaptor adaptor) {
    auto type = cast<VectorType>(op.getType());
    Type element = type.getElementType();
    int64_t length = moveBytes * 8 / type.getElementTypeBitWidth();
    auto chunk = VectorType::get(length, element);
    SmallVector<Value> chunks;
    for (int64_t first = 0; first < type.getNumElements(); first += length)
      chunks.push_back(
          orZero(write, write.isBelow(write.constant(first), op.getCount()), chunk, [&]() -> Value {
            Value pointer = write.element(adaptor.getSource(), write.add(op.getOffset(), first), element);
            return LLVM::LoadOp::create(write.builder, write.loc, chunk, pointer, moveBytes);
          }));
    return concatenate(write, chunks);
  }

  /// Elements outside are read where the last one inside is, and left out.
  static Value loadElements(Writer &write, qtile::LoadOp op, OpAdaptor adaptor) {
    auto type = cast<VectorType>(op.getType());
    Type element = type.getElementType();
    Value hasAny = write.isBelow(write.constant(0), op.getCount());
    return orZero(write, hasAny, type, [&] {
      Value last = write.add(op.getCount(), -1);
      Value zero = LLVM::ZeroOp::create(write.builder, write.loc, element);
      Value loaded = LLVM::UndefOp::create(write.builder, write.loc, type);
      for (int64_t i = 0; i < type.getNumElements(); ++i) {
        Value number = write.constant(i);
        Value place = arith::MinUIOp::create(write.builder, write.loc, number, last);
        Value offset = write.add(op.getOffset(), write.widen(place));
        Value one = LLVM::LoadOp::create(write.builder, write.loc, element,
                                         write.element(adaptor.getSource(), offset, element));
        one = write.select(write.isBelow(number, op.getCount()), one, zero);
        loaded = LLVM::InsertElementOp::create(write.builder, write.loc, loaded, one, number);
      }
      return loaded;
    });
  }
};

struct ConvertStore : KernelPattern<qtile::StoreOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StoreOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Type element = op.getInto().getType().getElementType();
    if (!op.getCount()) {
      rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(),
                                                 write.element(adaptor.getInto(), op.getOffset(), element),
                                                 alignmentOf(op.getValue().getType()));
      return success();
    }
    auto type = cast<VectorType>(op.getValue().getType());
    const int64_t length = op.getAligned() ? moveBytes * 8 / type.getElementTypeBitWidth() : 1;
    for (int64_t first = 0; first < type.getNumElements(); first += length)
      storeInside(write, op, adaptor, first, length);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Elements from number `first` on, 16 bytes or a single one, if they are to be written.
  static void storeInside(Writer &write, qtile::StoreOp op, OpAdaptor adaptor, int64_t first,
                          int64_t length) {
    OpBuilder::InsertionGuard guard(write.builder);
    auto branch =
        scf::IfOp::create(write.builder, write.loc, write.isBelow(write.constant(first), op.getCount()),
                          /*withElseRegion=*/false);
    write.builder.setInsertionPointToStart(branch.thenBlock());
    Value part;
    if (length == 1) {
      part = LLVM::ExtractElementOp::create(write.builder, write.loc, op.getValue(), write.constant(first));
    } else {
      auto places = llvm::to_vector(llvm::seq<int32_t>(first, first + length));
      part = LLVM::ShuffleVectorOp::create(write.builder, write.loc, op.getValue(), op.getValue(), places);
    }
    Value pointer = write.element(adaptor.getInto(), write.add(op.getOffset(), first),
                                  op.getInto().getType().getElementType());
    LLVM::StoreOp::create(write.builder, write.loc, part, pointer, alignmentOf(part.getType()));
  }
};

/// An element of a tile, which is an address of 32 bits.
Value sharedElement(Writer &write, Value tile, Value offset, qtile::SharedType type) {
  return write.sharedPointer(
      write.add(tile, write.multiply(offset, type.getElementType().getIntOrFloatBitWidth() / 8)));
}

struct ConvertLoadShared : KernelPattern<qtile::LoadSharedOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadSharedOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value pointer = sharedElement(write, adaptor.getTile(), op.getOffset(), op.getTile().getType());
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, getTypeConverter()->convertType(op.getType()), pointer,
                                              alignmentOf(op.getType()));
    return success();
  }
};

struct ConvertStoreShared : KernelPattern<qtile::StoreSharedOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StoreSharedOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value pointer = sharedElement(write, adaptor.getTile(), op.getOffset(), op.getTile().getType());
    rewriter.replaceOpWithNewOp<LLVM::StoreOp>(op, adaptor.getValue(), pointer,
                                               alignmentOf(op.getValue().getType()));
    return success();
  }
};

struct ConvertAtomicMax : KernelPattern<qtile::AtomicMaxOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::AtomicMaxOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Value pointer = write.element(adaptor.getInto(), op.getOffset(), op.getInto().getType().getElementType());
    LLVM::AtomicRMWOp::create(rewriter, op.getLoc(), LLVM::AtomicBinOp::umax, pointer, op.getMagnitude(),
                              LLVM::AtomicOrdering::monotonic, /*syncscope=*/"device");
    rewriter.eraseOp(op);
    return success();
  }
};

/// Empty instructions that might change a register.
struct ConvertRenew : KernelPattern<qtile::RenewOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::RenewOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    Type i32 = rewriter.getI32Type();
    auto words = VectorType::get(bytesOf(op.getType()) / 4, i32);
    Value all = LLVM::BitcastOp::create(rewriter, op.getLoc(), words, op.getVector());
    for (int64_t i = 0; i < words.getNumElements(); ++i) {
      Value word = LLVM::ExtractElementOp::create(rewriter, op.getLoc(), all, write.constant(i));
      Value same =
          LLVM::InlineAsmOp::create(rewriter, op.getLoc(), i32, word, "", "=r,0", /*has_side_effects=*/true,
                                    /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
                                    LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT),
                                    /*operand_attrs=*/ArrayAttr())
              .getResult(0);
      all = LLVM::InsertElementOp::create(rewriter, op.getLoc(), all, same, write.constant(i));
    }
    rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getType(), all);
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateVectorPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          const Kernels &kernels) {
  patterns.add<ConvertFrom, ConvertLoad, ConvertStore, ConvertLoadShared, ConvertStoreShared,
               ConvertAtomicMax, ConvertRenew, ConvertToInstruction<qtile::SyncAllOp, NVVM::Barrier0Op>>(
      types, patterns.getContext(), kernels);
}
