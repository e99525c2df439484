// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers to codes, four of which are a register.

#ifndef FP8_OPT_LIB_TARGET_NVVM_CODEENCODER_H
#define FP8_OPT_LIB_TARGET_NVVM_CODEENCODER_H

#include "KernelValues.h"

#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/ScaleRule.h"

namespace fp8opt::nvvm {

constexpr int64_t codesOfWord = 4, codeBits = 8;

/// What else the chip computes in one instruction.
class ChipEmitter : public ArithEmitter {
public:
  explicit ChipEmitter(Writer &write) : ArithEmitter(write.builder, write.loc), write(write) {}

  Word fmaF(Word a, Word b, Word c);
  Word negF(Word a);
  Word reciprocalF(Word a);
  Word clampF(Word a, uint32_t limit);

private:
  Writer &write;
};

/// Encodes by a scheme, with the chip's conversion where that gives the scheme's codes.
class CodeEncoder {
public:
  /// `expressed` is what the codes stand for.
  CodeEncoder(Writer &write, const numerics::Scheme &scheme, mlir::Type expressed);

  /// Of a number or factor from 0 to 3, the bits of f32.
  using WordOf = llvm::function_ref<mlir::Value(int64_t)>;
  /// The register of four codes.
  mlir::Value encode(WordOf number, WordOf factor);
  /// The registers of `count` codes, of numbers that meet one of these factors each, or all the only one.
  llvm::SmallVector<mlir::Value> encode(int64_t count, WordOf number, llvm::ArrayRef<mlir::Value> factors);

private:
  /// A number after it met its factor.
  using ScaledOf = llvm::function_ref<mlir::Value(int64_t)>;

  mlir::Value join(mlir::Value low, mlir::Value high, int64_t bits);
  /// By the chip's conversion.
  mlir::Value convertPair(ScaledOf scaled, int64_t i);
  mlir::Value convert(ScaledOf scaled, int64_t first);

  Writer &write;
  ChipEmitter arith;
  numerics::Scheme scheme;
  /// What the codes stand for.
  numerics::FormatId expressed;
  numerics::SchemeArithmetic<ChipEmitter> arithmetic;
  /// Null where the chip's conversion gives other codes.
  mlir::Type instruction;
};

} // namespace fp8opt::nvvm

#endif // FP8_OPT_LIB_TARGET_NVVM_CODEENCODER_H
