// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, defaults and validity of schemes.

#include "fp8-opt/Numerics/Scheme.h"
#include "fp8-opt/Numerics/SchemeNames.h"

#include <iterator>
#include <limits>

using namespace fp8opt::numerics;

/// The functions that give an enum its names; the names stand in the order of the enum.
#define FP8OPT_NAMES(Enum, ...)                                                                              \
  static constexpr std::string_view k##Enum##Names[] = {__VA_ARGS__};                                        \
  std::string_view fp8opt::numerics::name(Enum value) { return k##Enum##Names[size_t(value)]; }              \
  std::optional<Enum> fp8opt::numerics::parse##Enum(std::string_view text) {                                 \
    for (size_t i = 0; i < sizeof(k##Enum##Names) / sizeof(k##Enum##Names[0]); ++i)                          \
      if (k##Enum##Names[i] == text)                                                                         \
        return Enum(i);                                                                                      \
    return std::nullopt;                                                                                     \
  }                                                                                                          \
  template <> std::vector<std::string_view> fp8opt::numerics::namesOf<Enum>() {                              \
    return {std::begin(k##Enum##Names), std::end(k##Enum##Names)};                                           \
  }

FP8OPT_NAMES(Rounding, "nearest_even", "toward_zero", "half_away", "stochastic")
FP8OPT_NAMES(Overflow, "saturate", "ieee")
FP8OPT_NAMES(NanCode, "max", "negative_zero")
FP8OPT_NAMES(ScaleRule, "fdiv", "fdiv_dec", "fdiv_f64", "fdiv_pow2", "floor", "ceil", "even", "rceil_mul",
             "rceil_div", "nvfp4", "fdiv_te", "fdiv_pow2_te", "rceil_mul_te", "nvfp4_te")
FP8OPT_NAMES(ZeroAmax, "one", "smallest")
FP8OPT_NAMES(InfAmax, "one", "saturate_scale", "nan_scale")
FP8OPT_NAMES(NanAmax, "propagate", "ignore")
FP8OPT_NAMES(ScaleOverflow, "flt_max", "expressed_max", "inf")
FP8OPT_NAMES(StoredScale, "decode", "encode", "amax")
FP8OPT_NAMES(ApplyScale, "mul_encode", "div_decode", "mul_reciprocal")

RuleFamily fp8opt::numerics::familyOf(ScaleRule rule) {
  switch (rule) {
  case ScaleRule::Fdiv:
  case ScaleRule::FdivDec:
  case ScaleRule::FdivF64:
  case ScaleRule::FdivPow2:
  case ScaleRule::FdivTe:
  case ScaleRule::FdivPow2Te:
    return RuleFamily::Division;
  case ScaleRule::Floor:
  case ScaleRule::Ceil:
  case ScaleRule::Even:
  case ScaleRule::RceilMul:
  case ScaleRule::RceilDiv:
  case ScaleRule::RceilMulTe:
    return RuleFamily::PowerOfTwo;
  case ScaleRule::Nvfp4:
  case ScaleRule::Nvfp4Te:
    return RuleFamily::TwoLevel;
  }
  return RuleFamily::Division;
}

static bool isMasked(ScaleRule rule) { return rule == ScaleRule::FdivPow2 || rule == ScaleRule::FdivPow2Te; }

ScaleLevel fp8opt::numerics::defaultLevel(ScaleRule rule, FormatId type, std::vector<int64_t> block) {
  ScaleLevel level;
  level.type = type;
  level.rule = rule;
  level.nan = isTransformerEngines(rule) ? NanAmax::Ignore : NanAmax::Propagate;
  switch (familyOf(rule)) {
  case RuleFamily::Division:
    // Transformer Engine bounds the factor of a tensor by FLT_MAX, that of a block by the input type's
    // largest.
    if (isMasked(rule) && !block.empty())
      level.overflow = ScaleOverflow::ExpressedMax;
    break;
  case RuleFamily::PowerOfTwo:
    level.zero = ZeroAmax::Smallest;
    level.inf = rule == ScaleRule::RceilMul || rule == ScaleRule::RceilMulTe || rule == ScaleRule::RceilDiv
                    ? InfAmax::SaturateScale
                    : InfAmax::NanScale;
    break;
  case RuleFamily::TwoLevel:
    level.zero = block.empty() ? ZeroAmax::One : ZeroAmax::Smallest;
    level.inf = block.empty() ? InfAmax::One : InfAmax::SaturateScale;
    level.stored = block.empty() ? StoredScale::Amax : StoredScale::Decode;
    break;
  }
  level.block = std::move(block);
  return level;
}

static std::string text(std::string_view text) { return std::string(text); }

/// What is wrong with one level, apart from how it fits the other.
static std::string whyInvalid(const ScaleLevel &level, size_t index) {
  const std::string where = "scale level " + std::to_string(index);
  const std::string ruleName = text(name(level.rule));
  for (int64_t size : level.block)
    if (size != -1 && size < 1)
      return "expected block sizes of at least 1 in " + where + ", got " + std::to_string(size);
  FormatId wanted = FormatId::F32;
  if (familyOf(level.rule) == RuleFamily::PowerOfTwo)
    wanted = FormatId::F8E8M0FNU;
  if (familyOf(level.rule) == RuleFamily::TwoLevel && index == 0)
    wanted = FormatId::F8E4M3FN;
  if (level.type != wanted)
    return "expected scales of type " + text(format(wanted).name) + " in " + where + ", as rule " + ruleName +
           " gives, got " + text(format(level.type).name);
  if (level.type != FormatId::F32 && level.stored != StoredScale::Decode)
    return "expected " + where + " to store the decode factor, as scales of type " +
           text(format(level.type).name) + " do, got " + text(name(level.stored));
  if (!(level.floor >= 0.0f) || level.floor > std::numeric_limits<float>::max())
    return "expected a finite floor of at least 0 in " + where + ", got " + std::to_string(level.floor);
  return "";
}

std::string fp8opt::numerics::whyInvalid(const Scheme &scheme) {
  if (scheme.levels.empty() || scheme.levels.size() > 2)
    return "expected one or two scale levels, got " + std::to_string(scheme.levels.size());
  if (format(scheme.code).bits() > 16 || !format(scheme.code).isSigned())
    return "expected a code format of at most 16 bits with a sign, got " + text(format(scheme.code).name);
  if (2 * format(scheme.code).largestExponent() >= 127)
    return "expected a code format of which f32 holds products, got " + text(format(scheme.code).name);
  const ScaleRule rule = scheme.levels[0].rule;
  const bool twoLevel = familyOf(rule) == RuleFamily::TwoLevel;
  if (scheme.levels.size() == 2 && !twoLevel)
    return "expected two scale levels only with a two-level rule, got " + text(name(rule));
  for (size_t index = 0; index < scheme.levels.size(); ++index)
    if (std::string problem = ::whyInvalid(scheme.levels[index], index); !problem.empty())
      return problem;
  if (!twoLevel)
    return "";
  if (scheme.levels.size() != 2 || scheme.levels[1].rule != rule)
    return "expected two scale levels of one rule with " + text(name(rule)) + ", got " +
           (scheme.levels.size() != 2 ? std::to_string(scheme.levels.size())
                                      : text(name(scheme.levels[1].rule)) + " too");
  if (scheme.levels[0].block.empty() || !scheme.levels[1].block.empty())
    return "expected scale level 0 per block and scale level 1 per tensor with " + text(name(rule));
  if (scheme.code != FormatId::F4E2M1FN)
    return "expected codes of type " + text(format(FormatId::F4E2M1FN).name) + " with " + text(name(rule)) +
           ", got " + text(format(scheme.code).name);
  return "";
}
