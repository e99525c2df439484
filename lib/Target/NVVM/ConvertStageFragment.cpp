// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the registers of a fragment to a tile in panels: f32 as it is, rounded to 16 bits, or as codes.

#include "CodeEncoder.h"

#include "fp8-opt/Layout/Layouts.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

/// Columns that four threads of a fragment share, two each.
constexpr int64_t sharedColumns = 8;

namespace {
/// Registers of a fragment are in the order of 8 columns, then the row 8 below, then two columns.
class FragmentStage {
public:
  FragmentStage(OpBuilder &builder, qtile::StageFragmentOp op, qtile::StageFragmentOp::Adaptor adaptor,
                const KernelValues &values)
      : write(builder, op.getLoc()), op(op), adaptor(adaptor), values(values),
        registers(write.parts(adaptor.getFragment())), element(op.getTile().getType().getElementType()),
        columns(op.getFragment().getType().getColumns()),
        panelStride(op.getTile().getType().getRows() * panelBytes) {}

  void create() {
    if (op.getScheme())
      stageCodes();
    else if (element.isF32())
      stageWide();
    else
      stageMatrices();
  }

private:
  /// Where a row of the tile begins.
  Value startOf(Value row) {
    return write.add(adaptor.getTile(), write.multiply(write.add(adaptor.getRow(), row), panelBytes));
  }

  /// The thread's first row, in a warpgroup's 64 rows.
  Value firstRow(Value rowInEight) {
    return write.add(rowInEight, write.shiftLeft(write.bitAnd(values.warp, 3), 4));
  }

  /// Each thread writes its own two columns of a row. Eight columns are two chunks, of which the thread with
  /// columns 2p and 2p + 1 has half of number p / 2.
  void stageWide() {
    Value rowInEight = write.shiftRight(values.lane, 2), pair = write.bitAnd(values.lane, 3);
    Value chunk = write.bitXor(write.shiftRight(pair, 1), rowInEight);
    Value start =
        write.add(startOf(firstRow(rowInEight)), write.multiply(write.bitAnd(pair, 1), chunkBytes / 2));
    for (size_t i = 0; i < registers.size(); i += 2) {
      int64_t eight = i / 4, below = i / 2 % 2, chunks = eight % (chunksPerRow / 2) * 2;
      Value address = write.add(start, write.multiply(write.bitXor(chunk, chunks), chunkBytes));
      address =
          write.add(address, eight / (chunksPerRow / 2) * panelStride + below * exchangeRows * panelBytes);
      LLVM::StoreOp::create(write.builder, write.loc, pairOf(i), write.sharedPointer(address),
                            /*alignment=*/chunkBytes / 2);
    }
  }

  /// Four 8x8 matrices at a time: 16 rows of a warp, 16 columns.
  void stageMatrices() {
    // Thread l gives the address of row l mod 16, in the left or the right half of the 16 columns.
    Value rowInEight = write.bitAnd(values.lane, 7);
    Value row = write.bitAnd(values.lane, 15);
    // 64 rows are a warpgroup's, of which each warp has 16; else they are this warp's.
    if (op.getFragment().getType().getRows() == 64)
      row = firstRow(row);
    Value chunk = write.bitXor(write.shiftRight(values.lane, 4), rowInEight);
    Value start = startOf(row);
    for (int64_t column = 0; column < columns; column += 2 * sharedColumns) {
      int64_t chunks = column / sharedColumns % chunksPerRow;
      Value address = write.add(write.add(start, write.multiply(write.bitXor(chunk, chunks), chunkBytes)),
                                column / sharedColumns / chunksPerRow * panelStride);
      int64_t matrices = std::min<int64_t>(4, 2 * ((columns - column) / sharedColumns));
      SmallVector<Value> sources;
      for (int64_t matrix = 0; matrix < matrices; ++matrix) {
        int64_t eight = column / sharedColumns + matrix / 2;
        sources.push_back(keepPair(roundPair(element, eight * 4 + matrix % 2 * 2), eight, 0xFFFF));
      }
      NVVM::StMatrixOp::create(write.builder, op.getLoc(), write.sharedPointer(address), sources,
                               NVVM::MMALayout::row, NVVM::LdStMatrixShapeAttr::get(op.getContext(), 8, 8),
                               NVVM::LdStMatrixEltType::B16);
    }
  }

  /// Each thread writes its own two columns of a row, half a word. A chunk is 16 columns, four codes of which
  /// are encoded at a time.
  void stageCodes() {
    CodeEncoder encoder(write, op.getScheme()->getNumerics(), *op.getExpressed());
    Value factor = ArithEmitter(write.builder, write.loc).wordOfFloat(op.getFactor());
    Value rowInEight = write.shiftRight(values.lane, 2), pair = write.bitAnd(values.lane, 3);
    Value start = write.add(startOf(firstRow(rowInEight)), write.shiftLeft(pair, 1));
    for (int64_t chunk = 0; chunk < columns / chunkBytes; ++chunk) {
      Value address = write.add(
          write.add(start, write.multiply(write.bitXor(rowInEight, chunk % chunksPerRow), chunkBytes)),
          chunk / chunksPerRow * panelStride);
      for (int64_t below : {0, 1}) {
        auto first = [&](int64_t half) { return (chunk * 2 + half) * 4 + below * 2; };
        SmallVector<Value> numbers = expressed(first(0));
        llvm::append_range(numbers, expressed(first(1)));
        Value word = encoder.encode([&](int64_t i) { return numbers[i]; }, [&](int64_t) { return factor; });
        for (int64_t half : {0, 1}) {
          Value codes = half ? write.shiftRight(word, 2 * codeBits) : word;
          codes = arith::TruncIOp::create(write.builder, write.loc, write.builder.getI16Type(),
                                          keepPair(codes, chunk * 2 + half, 0xFF));
          Value place = write.add(address, below * exchangeRows * panelBytes + half * sharedColumns);
          LLVM::StoreOp::create(write.builder, write.loc, codes, write.sharedPointer(place), /*alignment=*/2);
        }
      }
    }
  }

  /// Two neighbours of the columns from 8 * `eight` on, which are kept, kept in part (what `first` masks) or
  /// zero.
  Value keepPair(Value word, int64_t eight, int64_t first) {
    if (!op.getKeep())
      return word;
    Value column = write.add(write.shiftLeft(write.bitAnd(values.lane, 3), 1), eight * sharedColumns);
    Value ofFirst =
        write.select(write.isBelow(column, op.getKeep()), write.bitAnd(word, first), write.constant(0));
    return write.select(write.isBelow(write.add(column, 1), op.getKeep()), word, ofFirst);
  }

  /// Registers i and i + 1, rounded to what codes stand for, as the bits of f32.
  SmallVector<Value> expressed(int64_t i) {
    ArithEmitter arith(write.builder, write.loc);
    Type number = *op.getExpressed();
    if (number.isF32())
      return {arith.wordOfFloat(registers[i]), arith.wordOfFloat(registers[i + 1])};
    Value pair = roundPair(number, i);
    // A bf16 is the upper half of an f32.
    if (number.isBF16())
      return {write.shiftLeft(pair, 16), write.bitAnd(pair, 0xFFFF0000)};
    Value wide = LLVM::FPExtOp::create(
        write.builder, write.loc, VectorType::get(2, write.builder.getF32Type()),
        LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(2, number), pair));
    SmallVector<Value> words;
    for (int64_t part : {0, 1})
      words.push_back(arith.wordOfFloat(
          LLVM::ExtractElementOp::create(write.builder, write.loc, wide, write.constant(part))));
    return words;
  }

  /// Registers i and i + 1.
  Value pairOf(int64_t i) {
    Value pair =
        LLVM::UndefOp::create(write.builder, write.loc, VectorType::get(2, write.builder.getF32Type()));
    for (int64_t part : {0, 1})
      pair = LLVM::InsertElementOp::create(write.builder, write.loc, pair, registers[i + part],
                                           write.constant(part));
    return pair;
  }

  /// The same as two elements of 16 bits in one register.
  Value roundPair(Type narrow, int64_t i) {
    Value rounded = LLVM::FPTruncOp::create(write.builder, write.loc, VectorType::get(2, narrow), pairOf(i));
    return LLVM::BitcastOp::create(write.builder, write.loc, write.builder.getI32Type(), rounded);
  }

  Writer write;
  qtile::StageFragmentOp op;
  qtile::StageFragmentOp::Adaptor adaptor;
  const KernelValues &values;
  SmallVector<Value> registers;
  Type element;
  /// Of the fragment; and bytes from panel to panel of the tile.
  int64_t columns, panelStride;
};

struct ConvertStageFragment : KernelPattern<qtile::StageFragmentOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::StageFragmentOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentStage(rewriter, op, adaptor, kernels.of(op)).create();
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fp8opt::nvvm::populateStagePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         const Kernels &kernels) {
  patterns.add<ConvertStageFragment>(types, patterns.getContext(), kernels);
}
