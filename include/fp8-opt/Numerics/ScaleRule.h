// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From amax to scales, and from scales to codes and back: the only definitions, over an interpreter
// (Interpreter.h).

#ifndef FP8_OPT_NUMERICS_SCALERULE_H
#define FP8_OPT_NUMERICS_SCALERULE_H

#include "fp8-opt/Numerics/Arithmetic.h"
#include <vector>

namespace fp8opt::numerics {

/// How a scheme brings scaled elements into its code format.
inline Conversion conversionOf(const Scheme &scheme) {
  return {scheme.rounding, scheme.overflow, scheme.nan};
}

/// What `x` contributes to an amax: its magnitude; 0 for a NaN that is left out.
template <class I> typename I::Word amaxOf(I &i, NanAmax nan, typename I::Word x) {
  typename I::Word magnitude = i.bitAnd(x, i.constant(f32::kMagnitude));
  if (nan == NanAmax::Propagate)
    return magnitude;
  return i.select(i.ult(i.constant(f32::kInfinity), magnitude), i.constant(0), magnitude);
}
/// Exact in any order; a NaN wins, as its pattern is above infinity's.
template <class I> typename I::Word maxOf(I &i, typename I::Word a, typename I::Word b) {
  return i.umax(a, b);
}

/// The arithmetic of one scheme. A block goes through it in this order (levels are counted from the
/// innermost):
///
///   per element, per level   amaxes[level] = maxOf(amaxes[level], amaxOf(level, x)), from 0
///   per block                stored[level] = storedScale(level, amaxes)
///                            factor = encodeFactor(amaxes, stored), or givenEncodeFactor(stored) for given
///                            scales
///   per element              code = encodeElement(x, factor, random)
///
/// and back: factor = decodeFactor(stored) per block, x = decodeElement(code, factor) per element.
///
/// Words are f32 bits, except codes and stored scales of a level whose type is not f32: those are codes of
/// that type. `expressed` is the type of the tensor before quantization; only ScaleOverflow::ExpressedMax
/// reads it. The scheme is valid (whyInvalid). The formulas, with their sources, are in docs/Spec.md, section
/// scale.
template <class I> class SchemeArithmetic {
public:
  using Word = typename I::Word;
  using Words = std::vector<Word>;

  SchemeArithmetic(I &i, const Scheme &scheme, FormatId expressed)
      : i(i), scheme(scheme), expressed(expressed), code(format(scheme.code)),
        conversion(conversionOf(scheme)), apply(scheme.levels[0].apply),
        family(familyOf(scheme.levels[0].rule)) {}

  /// What `x` contributes to the amax of a level: its magnitude; 0 for a NaN that is left out.
  Word amaxOf(unsigned level, Word x) { return numerics::amaxOf(i, scheme.levels[level].nan, x); }
  Word maxOf(Word a, Word b) { return numerics::maxOf(i, a, b); }

  /// The scale of a level as the scale tensor holds it.
  Word storedScale(unsigned level, const Words &amaxes) {
    const ScaleLevel &scale = scheme.levels[level];
    Word amax = raised(scale, amaxes[level]);
    switch (family) {
    case RuleFamily::PowerOfTwo:
      return powerOfTwoScale(scale, amax);
    case RuleFamily::Division:
      return storedFactor(scale, amax, divisionFactors(scale, code.largestAsF32(), amax));
    case RuleFamily::TwoLevel:
      break;
    }
    const ScaleLevel &outer = scheme.levels[1];
    Word outerAmax = raised(outer, amaxes[1]);
    Factors tensor = divisionFactors(outer, largestProduct(), outerAmax);
    return level == 1 ? storedFactor(outer, outerAmax, tensor) : blockScaleUnder(tensor.encode, amax);
  }
  /// Every level's stored scale.
  Words storedScales(const Words &amaxes) {
    Words stored;
    for (unsigned level = 0; level < scheme.levels.size(); ++level)
      stored.push_back(storedScale(level, amaxes));
    return stored;
  }

  /// What an element meets in encodeElement, where the scales were derived from `amaxes`.
  Word encodeFactor(const Words &amaxes, const Words &stored) {
    if (family != RuleFamily::Division)
      return givenEncodeFactor(stored);
    const ScaleLevel &scale = scheme.levels[0];
    return applied(divisionFactors(scale, code.largestAsF32(), raised(scale, amaxes[0])));
  }
  /// The same from stored scales alone. Division rules that store the decode factor lose the encode factor's
  /// last bits: 1 / (1 / x) is not x. All other schemes give exactly encodeFactor.
  Word givenEncodeFactor(const Words &stored) {
    switch (family) {
    case RuleFamily::Division:
      return applied(factorsOfStored(scheme.levels[0], code.largestAsF32(), stored[0]));
    case RuleFamily::PowerOfTwo:
      // Both directions are exact powers of two, so that every ApplyScale means this product.
      return i.select(i.eq(stored[0], constant(255)), constant(f32::kNan),
                      decode(i, format(FormatId::F8E8M0FNU), i.sub(constant(254), stored[0])));
    case RuleFamily::TwoLevel:
      break;
    }
    Word tensorDecode = factorsOfStored(scheme.levels[1], largestProduct(), stored[1]).decode;
    Word blockDecode = i.mulF(decode(i, format(scheme.levels[0].type), stored[0]), tensorDecode);
    return applied({finiteReciprocal(scheme.levels[0], blockDecode), blockDecode});
  }
  /// What decodeElement multiplies a decoded code by.
  Word decodeFactor(const Words &stored) {
    if (family != RuleFamily::TwoLevel)
      return blockScale(stored[0]);
    Word block = blockScale(stored[0]);
    if (scheme.levels[1].stored == StoredScale::Amax)
      return i.mulF(i.mulF(block, stored[1]), constantReciprocal(largestProduct()));
    return i.mulF(block, factorsOfStored(scheme.levels[1], largestProduct(), stored[1]).decode);
  }

  Word encodeElement(Word x, Word factor, Word random) {
    return encode(i, code, conversion, scaleElement(x, factor), random);
  }
  /// The number that encodeElement encodes.
  Word scaleElement(Word x, Word factor) { return divides() ? i.divF(x, factor) : i.mulF(x, factor); }
  /// Whether scaleElement divides.
  bool divides() const { return apply == ApplyScale::DivDecode && family != RuleFamily::PowerOfTwo; }
  /// Not yet rounded to the expressed type.
  Word decodeElement(Word codeWord, Word factor) { return i.mulF(decode(i, code, codeWord), factor); }

  /// The innermost level's decode scale as f32: what a matrix product multiplies the sum of a K block by.
  Word blockScale(Word stored) {
    if (family != RuleFamily::Division)
      return decode(i, format(scheme.levels[0].type), stored);
    return factorsOfStored(scheme.levels[0], code.largestAsF32(), stored).decode;
  }

private:
  struct Factors {
    Word encode, decode;
  };

  Word constant(uint32_t value) { return i.constant(value); }
  typename I::Bool isNan(Word magnitude) { return i.ult(constant(f32::kInfinity), magnitude); }
  Word isInfinity(Word magnitude, Word ifTrue, Word ifFalse) {
    return i.select(i.eq(magnitude, constant(f32::kInfinity)), ifTrue, ifFalse);
  }
  Word constantReciprocal(uint32_t bits) { return constant(bitsOf(1.0f / floatOf(bits))); }
  Word reciprocal(Word x) { return i.divF(constant(f32::kOne), x); }
  Word raised(const ScaleLevel &scale, Word amax) {
    return scale.floor > 0 ? i.umax(amax, constant(bitsOf(scale.floor))) : amax;
  }
  /// The largest number that a code under a largest block scale stands for: 2688 for NVFP4.
  uint32_t largestProduct() const {
    return bitsOf(floatOf(code.largestAsF32()) * floatOf(format(scheme.levels[0].type).largestAsF32()));
  }
  uint32_t overflowValue(const ScaleLevel &scale) const {
    switch (scale.overflow) {
    case ScaleOverflow::FltMax:
      return f32::kLargest;
    case ScaleOverflow::ExpressedMax:
      return format(expressed).largestAsF32();
    case ScaleOverflow::Inf:
      return f32::kInfinity;
    }
    return f32::kInfinity;
  }
  Word finiteReciprocal(const ScaleLevel &scale, Word x) {
    Word result = reciprocal(x);
    return isInfinity(result, constant(overflowValue(scale)), result);
  }
  Word applied(Factors factors) {
    switch (apply) {
    case ApplyScale::MulEncode:
      return factors.encode;
    case ApplyScale::DivDecode:
      return factors.decode;
    case ApplyScale::MulReciprocal:
      return finiteReciprocal(scheme.levels[0], factors.decode);
    }
    return factors.encode;
  }

  /// The f32 factors of a division rule; `largest` is what amax is brought to.
  Factors divisionFactors(const ScaleLevel &scale, uint32_t largest, Word amax) {
    const bool decodeFirst = scale.rule == ScaleRule::FdivDec;
    Word finite =
        scale.inf == InfAmax::SaturateScale ? isInfinity(amax, constant(f32::kLargest), amax) : amax;
    Word factor;
    if (decodeFirst) {
      factor = i.divF(finite, constant(largest));
      factor = isInfinity(reciprocal(factor), constantReciprocal(overflowValue(scale)), factor);
    } else {
      factor = i.divF(constant(largest), finite);
      factor = isInfinity(factor, constant(overflowValue(scale)), factor);
      if (scale.rule == ScaleRule::FdivPow2 || scale.rule == ScaleRule::FdivPow2Te)
        factor = i.bitAnd(factor, constant(f32::kInfinity));
      // Only formats whose largest number is below 4 reach this: below 2^-127 the decode factor would be
      // infinite.
      if (largest < f32::powerOfTwo(2))
        factor = i.umax(factor, constant(f32::kSmallestNormal >> 1));
    }
    if (scale.zero == ZeroAmax::One)
      factor = i.select(i.eq(amax, constant(0)), constant(f32::kOne), factor);
    if (scale.inf != InfAmax::SaturateScale)
      factor = isInfinity(amax, constant(scale.inf == InfAmax::One ? f32::kOne : f32::kNan), factor);
    factor =
        i.select(isNan(amax), constant(isTransformerEngines(scale.rule) ? f32::kOne : f32::kNan), factor);
    if (decodeFirst)
      return {finiteReciprocal(scale, factor), factor};
    return {factor, reciprocal(factor)};
  }

  Word storedFactor(const ScaleLevel &scale, Word amax, Factors factors) {
    switch (scale.stored) {
    case StoredScale::Decode:
      return factors.decode;
    case StoredScale::Encode:
      return factors.encode;
    case StoredScale::Amax:
      return amax;
    }
    return factors.decode;
  }
  Factors factorsOfStored(const ScaleLevel &scale, uint32_t largest, Word stored) {
    switch (scale.stored) {
    case StoredScale::Decode:
      return {finiteReciprocal(scale, stored), stored};
    case StoredScale::Encode:
      return {stored, reciprocal(stored)};
    case StoredScale::Amax:
      return divisionFactors(scale, largest, stored);
    }
    return {stored, stored};
  }

  /// The E8M0 byte of a power-of-two rule.
  Word powerOfTwoScale(const ScaleLevel &scale, Word amax) {
    Word quotient = amax;
    uint32_t increment = f32::kMantissa; // rounds up to a power of two
    uint32_t exponentOffset = 0;
    if (scale.rule == ScaleRule::RceilMul || scale.rule == ScaleRule::RceilMulTe)
      quotient = i.mulF(amax, constantReciprocal(code.largestAsF32()));
    else if (scale.rule == ScaleRule::RceilDiv)
      quotient = i.divF(amax, constant(code.largestAsF32()));
    else
      exponentOffset = code.largestExponent();
    if (scale.rule == ScaleRule::Floor)
      increment = 0;
    if (scale.rule == ScaleRule::Even)
      increment = 1u << (f32::kMantissaBits - code.mantissaBits - 1);

    Word exponent = i.add(detail::rebaseSubnormals(i, quotient), constant(increment));
    exponent = i.shiftRight(exponent, f32::kMantissaBits);
    Word offset = constant(exponentOffset);
    Word byte = i.umin(i.sub(i.umax(exponent, offset), offset), constant(254));
    if (scale.rule == ScaleRule::RceilDiv)
      byte = i.umax(byte, constant(1));

    if (scale.zero == ZeroAmax::One)
      byte = i.select(i.eq(amax, constant(0)), constant(f32::kBias), byte);
    Word ofInfinity = constant(scale.inf == InfAmax::One        ? f32::kBias
                               : scale.inf == InfAmax::NanScale ? 255
                                                                : 254);
    // An amax that Even rounds to infinity counts as infinite.
    if (scale.rule == ScaleRule::Even)
      byte = i.select(i.ult(constant(254), exponent), ofInfinity, byte);
    else
      byte = isInfinity(amax, ofInfinity, byte);
    return i.select(isNan(amax), constant(255), byte);
  }

  /// The E4M3 code of a block's scale under the tensor's encode factor.
  Word blockScaleUnder(Word tensorEncode, Word amax) {
    const ScaleLevel &scale = scheme.levels[0];
    const Format &type = format(scale.type);
    const uint32_t one = uint32_t(type.bias) << type.mantissaBits;
    Word wanted = i.mulF(amax, i.mulF(tensorEncode, constantReciprocal(code.largestAsF32())));
    Word byte = encode(i, type, Conversion(), wanted, constant(0));
    if (scale.zero == ZeroAmax::One)
      byte = i.select(i.eq(amax, constant(0)), constant(one), byte);
    if (scale.inf != InfAmax::SaturateScale)
      byte = isInfinity(amax, constant(scale.inf == InfAmax::One ? one : type.nanCode()), byte);
    return byte;
  }

  I &i;
  const Scheme scheme;
  FormatId expressed;
  const Format code;
  const Conversion conversion;
  const ApplyScale apply;
  const RuleFamily family;
};

/// What the sum over all K blocks is multiplied by, for the levels outside the innermost of both operands:
/// for two NVFP4 tensors ((1 * amax of a) * amax of b) * f32(1 / (6 * 448)^2). `outerA` and `outerB` are the
/// stored scales of level 1, not read where the scheme has none; one where neither has one (hasTensorFactor
/// says so).
template <class I>
typename I::Word tensorFactor(I &i, const Scheme &a, typename I::Word outerA, const Scheme &b,
                              typename I::Word outerB) {
  auto factor = i.constant(f32::kOne);
  float largest = 1.0f;
  auto include = [&](const Scheme &scheme, typename I::Word outer) {
    if (scheme.levels.size() < 2)
      return;
    bool storesEncode = scheme.levels[1].stored == StoredScale::Encode;
    factor = storesEncode ? i.divF(factor, outer) : i.mulF(factor, outer);
    if (scheme.levels[1].stored == StoredScale::Amax)
      largest *=
          floatOf(format(scheme.code).largestAsF32()) * floatOf(format(scheme.levels[0].type).largestAsF32());
  };
  include(a, outerA);
  include(b, outerB);
  return largest == 1.0f ? factor : i.mulF(factor, i.constant(bitsOf(1.0f / largest)));
}
inline bool hasTensorFactor(const Scheme &a, const Scheme &b) {
  return a.levels.size() > 1 || b.levels.size() > 1;
}

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_SCALERULE_H
