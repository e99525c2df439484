// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes: four of them are a register.

#include "CodeEncoder.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

using Arithmetic = numerics::SchemeArithmetic<ArithEmitter>;

/// The registers of converted codes.
static SmallVector<Value> wordsOf(Writer &write, Value codes) {
  auto type = dyn_cast<VectorType>(codes.getType());
  if (!type)
    return {codes};
  SmallVector<Value> words;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    words.push_back(LLVM::ExtractElementOp::create(write.builder, write.loc, codes, write.constant(i)));
  return words;
}

static Value codesOf(Writer &write, ArrayRef<Value> words) {
  if (words.size() == 1)
    return words.front();
  Value codes =
      LLVM::UndefOp::create(write.builder, write.loc, VectorType::get(words.size(), words.front().getType()));
  for (auto [i, word] : llvm::enumerate(words))
    codes = LLVM::InsertElementOp::create(write.builder, write.loc, codes, word, write.constant(i));
  return codes;
}

/// Four of the bytes of two registers: 0 to 3 of the first, 4 to 7 of the second; the selector's lowest digit
/// is byte 0.
static Value permute(Writer &write, Value low, Value high, int64_t selector) {
  return NVVM::PermuteOp::create(write.builder, write.loc, write.builder.getI32Type(), low, high,
                                 write.constant(selector), NVVM::PermuteMode::DEFAULT);
}

namespace {
/// The numbers and factors of one op, as the bits of f32.
class EncodeOperands {
public:
  EncodeOperands(Writer &write, qtile::EncodeOp op)
      : write(write), op(op), arith(write.builder, write.loc),
        source(cast<VectorType>(op.getValues().getType()).getElementType()) {
    if (source.isBF16()) {
      int64_t words = cast<VectorType>(op.getValues().getType()).getNumElements() / 2;
      pairs = LLVM::BitcastOp::create(write.builder, write.loc,
                                      VectorType::get(words, write.builder.getI32Type()), op.getValues());
    }
  }

  /// A bf16 is the upper half of an f32.
  Value number(int64_t i) {
    if (!source.isBF16())
      return arith.wordOfFloat(extract(op.getValues(), i));
    Value pair = extract(pairs, i / 2);
    return i % 2 ? write.bitAnd(pair, 0xFFFF0000) : write.shiftLeft(pair, 16);
  }

  /// One for each number, or one for all.
  SmallVector<Value> factors() {
    if (op.getFactor().getType().isF32())
      return {arith.wordOfFloat(op.getFactor())};
    SmallVector<Value> words;
    for (int64_t i = 0; i < cast<VectorType>(op.getFactor().getType()).getNumElements(); ++i)
      words.push_back(arith.wordOfFloat(extract(op.getFactor(), i)));
    return words;
  }

private:
  Value extract(Value vector, int64_t i) {
    return LLVM::ExtractElementOp::create(write.builder, write.loc, vector, write.constant(i));
  }

  Writer &write;
  qtile::EncodeOp op;
  ArithEmitter arith;
  Type source;
  /// Of bf16, two numbers in a register.
  Value pairs;
};

struct ConvertEncode : KernelPattern<qtile::EncodeOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::EncodeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    EncodeOperands operands(write, op);
    CodeEncoder encoder(write, op.getScheme().getNumerics(),
                        cast<VectorType>(op.getValues().getType()).getElementType());
    int64_t count = cast<VectorType>(op.getCodes().getType()).getNumElements();
    SmallVector<Value> words =
        encoder.encode(count, [&](int64_t i) { return operands.number(i); }, operands.factors());
    rewriter.replaceOp(op, codesOf(write, words));
    return success();
  }
};

/// Decodes the codes of one op.
class Decoder {
public:
  Decoder(Writer &write, qtile::DecodeOp op, Value codes)
      : write(write), op(op), arith(write.builder, write.loc), scheme(op.getScheme().getNumerics()),
        number(cast<VectorType>(op.getValues().getType()).getElementType()), words(wordsOf(write, codes)),
        arithmetic(arith, scheme, qt::formatOfExpressed(number)), instruction(instructionType()) {}

  Value decode() {
    auto type = cast<VectorType>(op.getValues().getType());
    Value numbers = LLVM::UndefOp::create(write.builder, write.loc, type);
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      numbers =
          LLVM::InsertElementOp::create(write.builder, write.loc, numbers, decode(i), write.constant(i));
    return numbers;
  }

private:
  /// What the chip decodes to f16, which has every number of these formats.
  Type instructionType() {
    Type code = qtile::getCodeType(op.getScheme());
    return isa_and_nonnull<Float8E4M3FNType, Float8E5M2Type>(code) ? code : Type();
  }

  Value decode(int64_t i) {
    Value factor = op.getFactor();
    if (!factor.getType().isF32())
      factor = LLVM::ExtractElementOp::create(write.builder, write.loc, factor, write.constant(i));
    Value scale = arith.wordOfFloat(factor);
    Value word = instruction ? arith.mulF(byInstruction(i), scale) : arithmetic.decodeElement(code(i), scale);
    return arith.floatOfWord(word, number);
  }

  Value code(int64_t i) {
    constexpr int64_t codeMask = 0xFF;
    return write.bitAnd(write.shiftRight(words[i / codesOfWord], i % codesOfWord * codeBits), codeMask);
  }

  /// The decoded code, as f32. The chip decodes two at a time.
  Value byInstruction(int64_t i) {
    if (i % 2 == 0) {
      Type i16 = write.builder.getI16Type();
      Value two = write.shiftRight(words[i / codesOfWord], i % codesOfWord * codeBits);
      two = arith::TruncIOp::create(write.builder, write.loc, i16, two);
      two = LLVM::BitcastOp::create(write.builder, write.loc, VectorType::get(2, write.builder.getI8Type()),
                                    two);
      pair = NVVM::ConvertF8x2ToF16x2Op::create(write.builder, write.loc,
                                                VectorType::get(2, write.builder.getF16Type()), two,
                                                /*relu=*/false, instruction);
    }
    return arith.wordOfFloat(
        LLVM::ExtractElementOp::create(write.builder, write.loc, pair, write.constant(i % 2)));
  }

  Writer &write;
  qtile::DecodeOp op;
  ArithEmitter arith;
  numerics::Scheme scheme;
  Type number;
  SmallVector<Value> words;
  Arithmetic arithmetic;
  /// Null where the chip does not decode these codes.
  Type instruction;
  Value pair;
};

struct ConvertDecode : KernelPattern<qtile::DecodeOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::DecodeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    rewriter.replaceOp(op, Decoder(write, op, adaptor.getCodes()).decode());
    return success();
  }
};

struct ConvertKeepFirst : KernelPattern<qtile::KeepFirstOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::KeepFirstOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> kept;
    for (auto [i, word] : llvm::enumerate(wordsOf(write, adaptor.getCodes())))
      kept.push_back(
          arith::AndIOp::create(rewriter, op.getLoc(), word, mask(write, op.getCount(), codesOfWord * i)));
    rewriter.replaceOp(op, codesOf(write, kept));
    return success();
  }

private:
  /// Ones over the codes of a register that come before number `count`, of which `first` is the register's
  /// first.
  static Value mask(Writer &write, Value count, int64_t first) {
    Value start = write.constant(first);
    Value atLeast = arith::MaxUIOp::create(write.builder, write.loc, count, start);
    Value left = arith::MinUIOp::create(write.builder, write.loc, write.add(atLeast, -first),
                                        write.constant(codesOfWord));
    Value beyond = write.multiply(
        arith::SubIOp::create(write.builder, write.loc, write.constant(codesOfWord), left), codeBits);
    Value ones = arith::ShRUIOp::create(write.builder, write.loc, write.constant(-1), beyond);
    return write.select(write.equal(left, 0), write.constant(0), ones);
  }
};

/// Next to each code comes the one before it; then every other byte is what is wanted.
struct ConvertPack : KernelPattern<qtile::PackOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::PackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    constexpr int64_t halfBits = 4, evenBytes = 0x6420;
    Writer write(rewriter, op.getLoc());
    SmallVector<Value> words = wordsOf(write, adaptor.getCodes()), packed;
    auto pairs = [&](Value word) -> Value {
      return arith::OrIOp::create(rewriter, op.getLoc(), word, write.shiftRight(word, halfBits));
    };
    for (size_t i = 0; i < words.size(); i += 2)
      packed.push_back(permute(write, pairs(words[i]), pairs(words[i + 1]), evenBytes));
    rewriter.replaceOp(op, codesOf(write, packed));
    return success();
  }
};

/// Squares of 4x4 codes by eight permutations of bytes each.
struct ConvertTranspose : KernelPattern<qtile::TransposeOp> {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(qtile::TransposeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Writer write(rewriter, op.getLoc());
    SmallVector<SmallVector<Value>> rows;
    for (Value row : adaptor.getRows())
      rows.push_back(wordsOf(write, row));
    SmallVector<SmallVector<Value>> columns(rows.size());
    for (size_t row = 0; row < rows.size(); row += codesOfWord)
      for (size_t word = 0; word < rows.front().size(); ++word) {
        SmallVector<Value> square;
        for (int64_t i = 0; i < codesOfWord; ++i)
          square.push_back(rows[row + i][word]);
        for (auto [i, column] : llvm::enumerate(transposeSquare(write, square)))
          columns[codesOfWord * word + i].push_back(column);
      }
    rewriter.replaceOp(
        op, llvm::map_to_vector(columns, [&](ArrayRef<Value> column) { return codesOf(write, column); }));
    return success();
  }

private:
  static SmallVector<Value> transposeSquare(Writer &write, ArrayRef<Value> rows) {
    constexpr int64_t lowInTurn = 0x5140, highInTurn = 0x7362, lowHalves = 0x5410, highHalves = 0x7632;
    Value low01 = permute(write, rows[0], rows[1], lowInTurn),
          high01 = permute(write, rows[0], rows[1], highInTurn),
          low23 = permute(write, rows[2], rows[3], lowInTurn),
          high23 = permute(write, rows[2], rows[3], highInTurn);
    return {permute(write, low01, low23, lowHalves), permute(write, low01, low23, highHalves),
            permute(write, high01, high23, lowHalves), permute(write, high01, high23, highHalves)};
  }
};
} // namespace

void fp8opt::nvvm::populateCodePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        const Kernels &kernels) {
  patterns.add<ConvertEncode, ConvertDecode, ConvertKeepFirst, ConvertPack, ConvertTranspose>(
      types, patterns.getContext(), kernels);
}
