// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of a warpgroup, and what is done with their fragments.

#include "KernelValues.h"

#include "fp8-opt/Layout/Layouts.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// Bytes along the contraction that an instruction takes, whatever the elements.
constexpr int64_t stepBytes = 32;
/// A descriptor of an operand counts in 16 bytes. Its upper word: 128-byte swizzle, 8 rows are 1024 bytes
/// apart.
constexpr int64_t descriptorUnit = 16, upperDescriptor = (int64_t(1) << 62) | (int64_t(64) << 32);
/// Rows between the two that a thread holds.
constexpr int64_t secondRow = 8;

/// Which of the thread's columns register i of an accumulator is in: one of the 8 columns from 8 * (i / 4)
/// on.
static int64_t columnOf(int64_t i) { return i / 4 * 2 + i % 2; }

static Type structOf(MLIRContext *context, int64_t registers) {
  return LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(registers, Float32Type::get(context)));
}

/// What the instruction calls an element type; none where it cannot multiply it.
static std::optional<NVVM::WGMMATypes> instructionType(Type type) {
  if (isa<Float8E4M3FNType>(type))
    return NVVM::WGMMATypes::e4m3;
  if (isa<Float8E5M2Type>(type))
    return NVVM::WGMMATypes::e5m2;
  if (type.isBF16())
    return NVVM::WGMMATypes::bf16;
  if (type.isF16())
    return NVVM::WGMMATypes::f16;
  return std::nullopt;
}

namespace {
/// An operand in panels, as the instruction is told of it. Along the contraction lie the bytes of a row, or
/// of a transposed operand the rows.
struct OperandPanels {
  qtile::SharedType tile;
  bool isTransposed;

  /// The leading offset of a descriptor, in its lower word: from panel to panel. There is one panel where the
  /// contraction lies along rows, and the offset is ignored.
  int64_t leadingOffset() const {
    constexpr int64_t shift = 16;
    return (isTransposed ? tile.getRows() * panelBytes / descriptorUnit : 1) << shift;
  }
  /// The lower word of the descriptor of the operand, which starts at an address.
  Value describe(Writer &write, Value address) const {
    return write.add(write.shiftRight(address, llvm::Log2_64(descriptorUnit)), leadingOffset());
  }
  /// What a descriptor is advanced by for bytes of the contraction.
  int64_t advance(int64_t bytes) const {
    if (!isTransposed)
      return bytes / descriptorUnit;
    return bytes * 8 / tile.getElementType().getIntOrFloatBitWidth() * panelBytes / descriptorUnit;
  }
};
} // namespace

/// In 32 bits as long as possible: the upper word then stays a constant.
static Value descriptor(Writer &write, Value lower) {
  Value upper = write.constant(upperDescriptor, 64);
  return arith::OrIOp::create(write.builder, write.loc, write.widen(lower), upper);
}

namespace {
struct ConvertZero : KernelPattern<qtile::ZeroOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::ZeroOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ZeroOp>(op, getTypeConverter()->convertType(op.getType()));
    return success();
  }
};

struct ConvertMma : KernelPattern<qtile::MmaOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::MmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type lhsElement = op.getLhs().getType().getElementType(),
         rhsElement = op.getRhs().getType().getElementType();
    std::optional<NVVM::WGMMATypes> lhs = instructionType(lhsElement), rhs = instructionType(rhsElement);
    if (!lhs || !rhs)
      return op.emitOpError() << "expected operands of f8E4M3FN, f8E5M2, bf16 or f16, got " << lhsElement
                              << " and " << rhsElement;
    Writer write(rewriter, op.getLoc());
    MLIRContext *context = op.getContext();
    OperandPanels left{op.getLhs().getType(), op.getLhsTransposed()},
        right{op.getRhs().getType(), op.getRhsTransposed()};
    // Rows of a wave are a panel where the operand is transposed, which has a row for each of them.
    Value lhsStart =
        left.describe(write, write.add(adaptor.getLhs(), write.multiply(adaptor.getRow(), panelBytes)));
    Value rhsStart = right.describe(write, adaptor.getRhs());
    auto shape = NVVM::MMAShapeAttr::get(context, 64, op.getResult().getType().getColumns(),
                                         stepBytes * 8 / lhsElement.getIntOrFloatBitWidth());
    Value accumulator = adaptor.getAccumulator();
    for (int64_t byte = op.getFrom(), end = op.getTo(); byte < end; byte += stepBytes) {
      bool isFresh = op.getFresh() && byte == static_cast<int64_t>(op.getFrom());
      accumulator = NVVM::WgmmaMmaAsyncOp::create(
          rewriter, op.getLoc(), accumulator.getType(), accumulator,
          descriptor(write, write.add(lhsStart, left.advance(byte))),
          descriptor(write, write.add(rhsStart, right.advance(byte))), shape, *lhs, *rhs,
          NVVM::WGMMATypes::f32, isFresh ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one,
          NVVM::WGMMAScaleIn::one, NVVM::WGMMAScaleIn::one,
          left.isTransposed ? NVVM::MMALayout::col : NVVM::MMALayout::row,
          right.isTransposed ? NVVM::MMALayout::row : NVVM::MMALayout::col,
          /*satfinite=*/nullptr);
    }
    rewriter.replaceOp(op, accumulator);
    return success();
  }
};

/// The wait takes and returns the registers of the accumulators: nothing else says that it writes them.
struct ConvertMmaWait : KernelPattern<qtile::MmaWaitOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::MmaWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getPending().empty()) {
      rewriter.replaceOpWithNewOp<NVVM::WgmmaWaitGroupSyncOp>(op, op.getInFlight());
      return success();
    }
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> registers;
    for (Value pending : adaptor.getPending())
      llvm::append_range(registers, write.parts(pending));
    Value waited =
        LLVM::InlineAsmOp::create(
            rewriter, op.getLoc(), structOf(op.getContext(), registers.size()), registers,
            ("wgmma.wait_group.sync.aligned " + Twine(op.getInFlight()) + ";").str(), tied(registers.size()),
            /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
            LLVM::AsmDialectAttr::get(op.getContext(), LLVM::AsmDialect::AD_ATT),
            /*operand_attrs=*/ArrayAttr())
            .getResult(0);
    SmallVector<Value> finished = write.parts(waited), fragments;
    for (Value pending : adaptor.getPending()) {
      int64_t count = cast<LLVM::LLVMStructType>(pending.getType()).getBody().size();
      fragments.push_back(write.whole(pending.getType(), ArrayRef(finished).slice(0, count)));
      finished.erase(finished.begin(), finished.begin() + count);
    }
    rewriter.replaceOp(op, fragments);
    return success();
  }

private:
  /// As many f32 results, each in the register of an operand.
  static std::string tied(size_t count) {
    std::string constraints;
    llvm::raw_string_ostream os(constraints);
    for (size_t i = 0; i < count; ++i)
      os << "=f,";
    llvm::interleave(llvm::seq<size_t>(0, count), os, ",");
    return constraints;
  }
};

struct ConvertLoadRows : KernelPattern<qtile::LoadRowsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadRowsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    const KernelValues &values = kernels.of(op);
    // 16 rows a warp, of which a thread has the first and second row of its group of four threads.
    Value row = write.add(write.shiftLeft(write.bitAnd(values.warp, 3), 4), write.shiftRight(values.lane, 2));
    Value address = write.add(adaptor.getTile(), write.shiftLeft(write.add(adaptor.getRow(), row), 2));
    auto load = [&](int64_t rows) -> Value {
      return LLVM::LoadOp::create(rewriter, op.getLoc(), rewriter.getF32Type(),
                                  write.sharedPointer(write.add(address, rows * 4)));
    };
    rewriter.replaceOp(op, {load(0), load(secondRow)});
    return success();
  }
};

struct ConvertLoadColumns : KernelPattern<qtile::LoadColumnsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadColumnsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    // Of each 8 columns a thread has two neighbours.
    Type element = op.getTile().getType().getElementType();
    const int64_t pairBytes = element.getIntOrFloatBitWidth() / 4;
    Value address =
        write.add(adaptor.getTile(), write.multiply(write.bitAnd(kernels.of(op).lane, 3), pairBytes));
    Value pointer = write.sharedPointer(address);
    SmallVector<Value> columns;
    Type pair = VectorType::get(2, element);
    for (int64_t column = 0, end = op.getType().getColumns(); column < end; column += 8) {
      Value from = LLVM::GEPOp::create(rewriter, op.getLoc(), pointer.getType(), element, pointer,
                                       ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(column)});
      Value two = LLVM::LoadOp::create(rewriter, op.getLoc(), pair, from, pairBytes);
      if (!element.isF32())
        two = LLVM::FPExtOp::create(rewriter, op.getLoc(), VectorType::get(2, rewriter.getF32Type()), two);
      for (int64_t i : {0, 1})
        columns.push_back(LLVM::ExtractElementOp::create(rewriter, op.getLoc(), two, write.constant(i)));
    }
    rewriter.replaceOp(op, write.whole(getTypeConverter()->convertType(op.getType()), columns));
    return success();
  }
};

struct ConvertAddColumns : KernelPattern<qtile::AddColumnsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::AddColumnsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> columns = write.parts(adaptor.getColumns()), sums;
    for (auto [i, value] : llvm::enumerate(write.parts(adaptor.getFragment())))
      sums.push_back(LLVM::FAddOp::create(rewriter, op.getLoc(), value, columns[columnOf(i)]));
    rewriter.replaceOp(op, write.whole(adaptor.getFragment().getType(), sums));
    return success();
  }
};

/// Register i of an accumulator is in the first of the thread's two rows if i mod 4 is 0 or 1.
struct ConvertPromote : KernelPattern<qtile::PromoteOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::PromoteOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> partial = write.parts(adaptor.getPartial()), sums, columns, results;
    if (adaptor.getSum())
      sums = write.parts(adaptor.getSum());
    if (adaptor.getColumns())
      columns = write.parts(adaptor.getColumns());
    for (auto [i, value] : llvm::enumerate(partial)) {
      if (!columns.empty())
        value = LLVM::FMulOp::create(rewriter, op.getLoc(), value, columns[columnOf(i)]);
      int64_t column = i / 4 * 8;
      Value scale = adaptor.getScales()[column / op.getColumnsOfPair() * 2 + i % 4 / 2];
      results.push_back(sums.empty()
                            ? Value(LLVM::FMulOp::create(rewriter, op.getLoc(), value, scale))
                            : Value(LLVM::FMAOp::create(rewriter, op.getLoc(), value, scale, sums[i])));
    }
    rewriter.replaceOp(op, write.whole(adaptor.getPartial().getType(), results));
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateProductPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           const Kernels &kernels) {
  patterns.add<ConvertZero, ConvertToInstruction<qtile::MmaFenceOp, NVVM::WgmmaFenceAlignedOp>,
               ConvertToInstruction<qtile::MmaCommitOp, NVVM::WgmmaGroupSyncAlignedOp>, ConvertMma,
               ConvertMmaWait, ConvertLoadRows, ConvertLoadColumns, ConvertAddColumns, ConvertPromote>(
      types, patterns.getContext(), kernels);
}
