// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products of a warp with scales. What a lane holds, which address it names and how an instruction
// names scales are layouts; this file composes them.

#include "KernelValues.h"

#include "fp8-opt/Emit/LayoutEmitter.h"
#include "fp8-opt/Layout/Layouts.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// Rows and columns of an instruction; bytes of its operands along the contraction.
constexpr int64_t instructionRows = 16, instructionColumns = 8, stepBytes = 32;
/// Registers of 16 rows of an operand, which one ldmatrix fills; of 8 of them, an instruction's right
/// operand.
constexpr int64_t registersOfLoad = 4, registersOfRhs = 2, accumulatorRegisters = 4;
/// Rows whose scales are one register.
constexpr int64_t rowsOfWord = 32;

static NVVM::MMATypes instructionType(Type type) {
  if (isa<Float4E2M1FNType>(type))
    return NVVM::MMATypes::e2m1;
  return isa<Float8E5M2Type>(type) ? NVVM::MMATypes::e5m2 : NVVM::MMATypes::e4m3;
}

static Layout chunks(MLIRContext *context, LayoutKind kind) {
  return *getLayout(context, kind, chunkBytes * 8);
}

namespace {
/// 16 rows and 32 bytes at a time: each lane names the address of a chunk.
struct ConvertLoadOperand : KernelPattern<qtile::LoadOperandOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadOperandOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    qtile::OperandType type = op.getType();
    MLIRContext *context = op.getContext();
    bool isLhs = type.getSide() == qtile::OperandSide::Lhs;
    // Rows in the tile are those of the panel modulo 8, and so are exchanged as rows from 0 on.
    AffineMap place = chunks(context, LayoutKind::Panels)
                          .mapFrom(chunks(context, isLhs ? LayoutKind::LdmatrixA : LayoutKind::LdmatrixB));
    auto index = [&](int64_t value) -> OpFoldResult { return rewriter.getI32IntegerAttr(value); };
    LayoutEmitter emit(rewriter, op.getLoc(), rewriter.getI32Type());
    int64_t step = op.getByte() / stepBytes;
    SmallVector<Value> chunk = emit.apply(place, {kernels.of(op).lane, index(0), index(step)},
                                          {index(op.getTile().getType().getRows()), index(chunksPerRow)});
    Value inLoad = write.add(write.multiply(chunk[1], panelBytes), write.multiply(chunk[2], chunkBytes));
    Value start =
        write.add(write.add(adaptor.getTile(), write.multiply(adaptor.getRow(), panelBytes)), inLoad);
    Type i32 = rewriter.getI32Type();
    Type loaded = LLVM::LLVMStructType::getLiteral(context, SmallVector<Type>(registersOfLoad, i32));
    SmallVector<Value> registers;
    for (int64_t row = 0; row < type.getRows(); row += instructionRows) {
      Value address = write.sharedPointer(write.add(start, row * panelBytes));
      Value matrices = NVVM::LdMatrixOp::create(
          rewriter, op.getLoc(), loaded, address, registersOfLoad, NVVM::MMALayout::row,
          NVVM::LdStMatrixShapeAttr::get(context, 8, 8), NVVM::LdStMatrixEltType::B16);
      llvm::append_range(registers, write.parts(matrices));
    }
    rewriter.replaceOp(op, write.whole(getTypeConverter()->convertType(type), registers));
    return success();
  }
};

/// A lane's words of all rows lie side by side in the tile.
struct ConvertLoadScaleWords : KernelPattern<qtile::LoadScaleWordsOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::LoadScaleWordsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t tileRows = 128, tileColumns = 4, wordBytes = 4;
    Writer write(rewriter, op.getLoc());
    MLIRContext *context = op.getContext();
    Layout tiles = *getLayout(context, LayoutKind::Tiles128x4, 8),
           held = *getLayout(context, LayoutKind::MmaScales, 8);
    auto index = [&](int64_t value) -> OpFoldResult { return rewriter.getI32IntegerAttr(value); };
    LayoutEmitter emit(rewriter, op.getLoc(), rewriter.getI32Type());
    // Of a register for the first 32 rows; those from `row` on are further in the same tile.
    AffineMap ofRegister = tiles.mapFrom(held);
    SmallVector<Value> place = emit.apply(ofRegister, {kernels.of(op).lane, index(0), index(0), index(0)},
                                          {index(tileRows), index(tileColumns)});
    constexpr unsigned inGroup = 2;
    Value start = write.multiply(place[inGroup], tileRows / rowsOfWord * wordBytes);
    Value group = write.multiply(write.shiftRight(op.getRow(), llvm::Log2_64(rowsOfWord)), wordBytes);
    Value address = write.sharedPointer(write.add(write.add(adaptor.getTile(), start), group));
    int64_t count = op.getType().getRows() / rowsOfWord;
    Type i32 = rewriter.getI32Type();
    Type type = count == 1 ? i32 : VectorType::get(count, i32);
    Value loaded =
        LLVM::LoadOp::create(rewriter, op.getLoc(), type, address, /*alignment=*/count * wordBytes);
    SmallVector<Value> words = {loaded};
    if (count > 1)
      words = llvm::map_to_vector(llvm::seq<int64_t>(0, count), [&](int64_t i) -> Value {
        return LLVM::ExtractElementOp::create(rewriter, op.getLoc(), loaded, write.constant(i));
      });
    rewriter.replaceOp(op, write.whole(getTypeConverter()->convertType(op.getType()), words));
    return success();
  }
};

struct ConvertMmaScaled : KernelPattern<qtile::MmaScaledOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::MmaScaledOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> lhs = write.parts(adaptor.getLhs()), rhs = write.parts(adaptor.getRhs()),
                       sums = write.parts(adaptor.getAccumulator());
    Operands operands{op, write, write.parts(adaptor.getLhsScales()), write.parts(adaptor.getRhsScales())};
    int64_t firstOfLhs = op.getRow() / instructionRows * registersOfLoad;
    SmallVector<Value> results;
    for (int64_t column = 0; column < op.getType().getColumns(); column += instructionColumns) {
      int64_t number = column / instructionColumns;
      Value product = multiply(operands, column, ArrayRef(lhs).slice(firstOfLhs, registersOfLoad),
                               ArrayRef(rhs).slice(number * registersOfRhs, registersOfRhs),
                               ArrayRef(sums).slice(number * accumulatorRegisters, accumulatorRegisters));
      llvm::append_range(results, write.parts(product));
    }
    rewriter.replaceOp(op, write.whole(adaptor.getAccumulator().getType(), results));
    return success();
  }

private:
  /// The op, and the registers of its scales.
  struct Operands {
    qtile::MmaScaledOp op;
    Writer &write;
    SmallVector<Value> lhsScales, rhsScales;

    /// A register, and the byte and the lanes of it that hold the scales of rows from `row` on.
    SmallVector<Value> select(ScaledOperand side, int64_t row) {
      AffineMap selector = mmaScaleSelector(op.getContext(), side, op.getBlocks());
      SmallVector<int64_t> selected = evaluate(selector, {row, static_cast<int64_t>(op.getBlock())}, {});
      ArrayRef<Value> words = side == ScaledOperand::A ? lhsScales : rhsScales;
      return {words[row / rowsOfWord], write.constant(selected[1], 16), write.constant(selected[0], 16)};
    }
  };

  static Value multiply(Operands &operands, int64_t column, ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                        ArrayRef<Value> sums) {
    qtile::MmaScaledOp op = operands.op;
    OpBuilder &builder = operands.write.builder;
    Type f32 = builder.getF32Type();
    Type result =
        LLVM::LLVMStructType::getLiteral(op.getContext(), SmallVector<Type>(accumulatorRegisters, f32));
    SmallVector<Value> ofLhs = operands.select(ScaledOperand::A, op.getRow()),
                       ofRhs = operands.select(ScaledOperand::B, column);
    Type code = op.getLhs().getType().getElementType();
    bool isOfE8M0 = isa<Float8E8M0FNUType>(op.getLhsScales().getType().getElementType());
    return NVVM::MmaBlockScaleOp::create(
        builder, op.getLoc(), result, lhs, rhs, sums, ofLhs[0], ofLhs[1], ofLhs[2], ofRhs[0], ofRhs[1],
        ofRhs[2], {instructionRows, instructionColumns, op.getElements()},
        std::array{instructionType(code), instructionType(op.getRhs().getType().getElementType())},
        isOfE8M0 ? NVVM::ScaleVecSize::X1 : NVVM::ScaleVecSize::X4,
        isOfE8M0 ? NVVM::BlockScaleFormat::UE8M0 : NVVM::BlockScaleFormat::UE4M3,
        code.getIntOrFloatBitWidth() == 4 ? NVVM::MMABlockScaleKind::MXF4NVF4
                                          : NVVM::MMABlockScaleKind::MXF8F6F4);
  }
};

struct ConvertSyncWarp : KernelPattern<qtile::SyncWarpOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::SyncWarpOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    rewriter.replaceOpWithNewOp<NVVM::SyncWarpOp>(op, write.constant(-1));
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateWarpProductPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                               const Kernels &kernels) {
  patterns.add<ConvertLoadOperand, ConvertLoadScaleWords, ConvertMmaScaled, ConvertSyncWarp>(
      types, patterns.getContext(), kernels);
}
