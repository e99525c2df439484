// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A scheme: everything that decides the bits of a quantized tensor. `#qt.scheme` is this structure as IR.

#ifndef FP8_OPT_NUMERICS_SCHEME_H
#define FP8_OPT_NUMERICS_SCHEME_H

#include "fp8-opt/Numerics/Format.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fp8opt::numerics {

/// How a real number that lies between two codes is rounded.
enum class Rounding : uint8_t { NearestEven, TowardZero, HalfAway, Stochastic };
/// What a finite number beyond the largest code, or an infinity, becomes: the largest finite code, or what
/// IEEE arithmetic gives (infinity where the format has one, else NaN; the largest code where it has
/// neither).
enum class Overflow : uint8_t { Saturate, Ieee };
/// What a NaN becomes in a format that has none (formats with NaN always keep it).
enum class NanCode : uint8_t { Max, NegativeZero };

/// Scale rules; docs/Spec.md has the formula of each. The `Te` ones differ from their namesakes only in NaN
/// and Inf.
enum class ScaleRule : uint8_t {
  Fdiv,     ///< encode factor = f32(max / amax)
  FdivDec,  ///< decode factor = f32(amax / max)
  FdivF64,  ///< encode factor = f32(f64(max) / f64(amax))
  FdivPow2, ///< Fdiv with the mantissa of the encode factor cleared
  Floor,    ///< E8M0, 2^(floor(log2 amax) - emax)
  Ceil,     ///< E8M0, Floor plus one where amax is no power of two
  Even,     ///< E8M0, Floor of amax rounded to the code's mantissa width
  RceilMul, ///< E8M0, smallest power of two >= f32(amax * f32(1/max))
  RceilDiv, ///< E8M0, smallest power of two >= f32(amax / max), byte in [1, 254]
  Nvfp4,    ///< two levels: E4M3 block scale under a tensor amax
  FdivTe,
  FdivPow2Te,
  RceilMulTe,
  Nvfp4Te,
};
/// What a rule computes: an f32 factor by a division; an E8M0 byte; an E4M3 block scale under a tensor's f32
/// factor.
enum class RuleFamily : uint8_t { Division, PowerOfTwo, TwoLevel };
RuleFamily familyOf(ScaleRule rule);
/// Whether the rule answers NaN and infinity as Transformer Engine does.
constexpr bool isTransformerEngines(ScaleRule rule) { return rule >= ScaleRule::FdivTe; }

/// The scale of an amax that is zero: one; the smallest scale that the rule gives, with which all codes are
/// zero.
enum class ZeroAmax : uint8_t { One, Smallest };
/// The scale of an amax that is infinite: one; the largest scale (elements saturate); NaN (the block is NaN).
enum class InfAmax : uint8_t { One, SaturateScale, NanScale };
/// Whether a NaN element makes the amax NaN, or is left out of it.
enum class NanAmax : uint8_t { Propagate, Ignore };
/// What a scale that overflows f32 becomes: FLT_MAX, the largest finite value of the expressed type,
/// infinity.
enum class ScaleOverflow : uint8_t { FltMax, ExpressedMax, Inf };
/// What the scale tensor holds: the decode factor, the encode factor, or the amax itself.
enum class StoredScale : uint8_t { Decode, Encode, Amax };
/// How the scale meets the element: x * encode; x / decode; x * f32(1 / decode).
enum class ApplyScale : uint8_t { MulEncode, DivDecode, MulReciprocal };

/// One set of scales.
struct ScaleLevel {
  FormatId type = FormatId::F32;
  /// The box of elements that share a scale, right-aligned with the tensor's dimensions (missing leading
  /// dimensions are 1); -1 is the whole dimension. Empty: one scale per matrix, that is, per batch slice of a
  /// batched operand.
  std::vector<int64_t> block;
  ScaleRule rule = ScaleRule::Fdiv;
  /// The amax is raised to at least this before the rule is applied. 0: not raised.
  float floor = 0.0f;
  ZeroAmax zero = ZeroAmax::One;
  InfAmax inf = InfAmax::One;
  NanAmax nan = NanAmax::Propagate;
  ScaleOverflow overflow = ScaleOverflow::FltMax;
  StoredScale stored = StoredScale::Decode;
  ApplyScale apply = ApplyScale::MulEncode;
};

/// A level of this rule with everything the rule leaves open at its default.
ScaleLevel defaultLevel(ScaleRule rule, FormatId type, std::vector<int64_t> block);

/// Code format, scale levels from the innermost (smallest block) outwards, rounding and overflow.
struct Scheme {
  FormatId code = FormatId::F8E4M3FN;
  std::vector<ScaleLevel> levels;
  Rounding rounding = Rounding::NearestEven;
  Overflow overflow = Overflow::Saturate;
  NanCode nan = NanCode::Max;
};

/// Empty where the scheme can be computed, else what is wrong with it: "expected ..., got ...".
std::string whyInvalid(const Scheme &scheme);

/// Names as IR and recipes spell them ("nearest_even", "rceil_mul", ...) and back.
#define FP8OPT_NAMED(Enum)                                                                                   \
  std::string_view name(Enum value);                                                                         \
  std::optional<Enum> parse##Enum(std::string_view text);
FP8OPT_NAMED(Rounding)
FP8OPT_NAMED(Overflow)
FP8OPT_NAMED(NanCode)
FP8OPT_NAMED(ScaleRule)
FP8OPT_NAMED(ZeroAmax)
FP8OPT_NAMED(InfAmax)
FP8OPT_NAMED(NanAmax)
FP8OPT_NAMED(ScaleOverflow)
FP8OPT_NAMED(StoredScale)
FP8OPT_NAMED(ApplyScale)
#undef FP8OPT_NAMED

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_SCHEME_H
