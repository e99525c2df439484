// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names, defaults and validity of schemes.

#include "fp8-opt/Numerics/Scheme.h"

using namespace fp8opt::numerics;

/// The two functions that give an enum its names; the names stand in the order of the enum.
#define FP8OPT_NAMES(Enum, ...)                                                                                        \
  static constexpr std::string_view k##Enum##Names[] = {__VA_ARGS__};                                                  \
  std::string_view fp8opt::numerics::name(Enum value) { return k##Enum##Names[size_t(value)]; }                        \
  std::optional<Enum> fp8opt::numerics::parse##Enum(std::string_view text) {                                           \
    for (size_t i = 0; i < sizeof(k##Enum##Names) / sizeof(k##Enum##Names[0]); ++i)                                    \
      if (k##Enum##Names[i] == text)                                                                                   \
        return Enum(i);                                                                                                \
    return std::nullopt;                                                                                               \
  }

FP8OPT_NAMES(Rounding, "nearest_even", "toward_zero", "half_away", "stochastic")
FP8OPT_NAMES(Overflow, "saturate", "ieee")
FP8OPT_NAMES(NanCode, "max", "negative_zero")
FP8OPT_NAMES(ScaleRule, "fdiv", "fdiv_dec", "fdiv_f64", "fdiv_pow2", "floor", "ceil", "even", "rceil_mul", "rceil_div",
             "nvfp4", "fdiv_te", "fdiv_pow2_te", "rceil_mul_te", "nvfp4_te")
FP8OPT_NAMES(ZeroAmax, "one", "smallest")
FP8OPT_NAMES(InfAmax, "one", "saturate_scale", "nan_scale")
FP8OPT_NAMES(NanAmax, "propagate", "ignore")
FP8OPT_NAMES(ScaleOverflow, "flt_max", "expressed_max", "inf")
FP8OPT_NAMES(StoredScale, "decode", "encode", "amax")
FP8OPT_NAMES(ApplyScale, "mul_encode", "div_decode", "mul_reciprocal")

namespace {
/// Which family of rules a rule belongs to decides its defaults and the scale types it can give.
enum class Family { Division, PowerOfTwoDivision, PowerOfTwo, TwoLevel };
} // namespace

static Family family(ScaleRule rule) {
  switch (rule) {
  case ScaleRule::Fdiv:
  case ScaleRule::FdivDec:
  case ScaleRule::FdivF64:
  case ScaleRule::FdivTe:
    return Family::Division;
  case ScaleRule::FdivPow2:
  case ScaleRule::FdivPow2Te:
    return Family::PowerOfTwoDivision;
  case ScaleRule::Floor:
  case ScaleRule::Ceil:
  case ScaleRule::Even:
  case ScaleRule::RceilMul:
  case ScaleRule::RceilDiv:
  case ScaleRule::RceilMulTe:
    return Family::PowerOfTwo;
  case ScaleRule::Nvfp4:
  case ScaleRule::Nvfp4Te:
    return Family::TwoLevel;
  }
  return Family::Division;
}

static bool isTe(ScaleRule rule) { return rule >= ScaleRule::FdivTe; }

ScaleLevel fp8opt::numerics::defaultLevel(ScaleRule rule, FormatId type, std::vector<int64_t> block) {
  ScaleLevel level;
  level.type = type;
  level.rule = rule;
  level.nan = isTe(rule) ? NanAmax::Ignore : NanAmax::Propagate;
  switch (family(rule)) {
  case Family::Division:
    break;
  case Family::PowerOfTwoDivision:
    level.overflow = block.empty() ? ScaleOverflow::FltMax : ScaleOverflow::ExpressedMax;
    break;
  case Family::PowerOfTwo:
    level.zero = ZeroAmax::Smallest;
    level.inf = rule == ScaleRule::RceilMul || rule == ScaleRule::RceilMulTe || rule == ScaleRule::RceilDiv
                    ? InfAmax::SaturateScale
                    : InfAmax::NanScale;
    break;
  case Family::TwoLevel:
    level.zero = block.empty() ? ZeroAmax::One : ZeroAmax::Smallest;
    level.stored = block.empty() ? StoredScale::Amax : StoredScale::Decode;
    break;
  }
  level.block = std::move(block);
  return level;
}

std::string fp8opt::numerics::whyInvalid(const Scheme &scheme) {
  auto text = [](std::string_view view) { return std::string(view); };
  if (scheme.levels.empty() || scheme.levels.size() > 2)
    return "expected one or two scale levels, got " + std::to_string(scheme.levels.size());
  if (format(scheme.code).bits() > 16 || scheme.code == FormatId::F8E8M0FNU)
    return "expected a code format of at most 16 bits with a sign, got " + text(format(scheme.code).name);
  if (scheme.levels.size() == 2 && family(scheme.levels[0].rule) != Family::TwoLevel)
    return "expected two scale levels only with a two-level rule, got " + text(name(scheme.levels[0].rule));
  for (size_t i = 0; i < scheme.levels.size(); ++i) {
    const ScaleLevel &level = scheme.levels[i];
    std::string where = "scale level " + std::to_string(i);
    for (int64_t size : level.block)
      if (size != -1 && size < 1)
        return "expected block sizes of at least 1 in " + where + ", got " + std::to_string(size);
    FormatId wanted = FormatId::F32;
    if (family(level.rule) == Family::PowerOfTwo)
      wanted = FormatId::F8E8M0FNU;
    if (family(level.rule) == Family::TwoLevel && i == 0)
      wanted = FormatId::F8E4M3FN;
    if (level.type != wanted)
      return "expected scales of type " + text(format(wanted).name) + " in " + where + ", as rule " +
             text(name(level.rule)) + " gives, got " + text(format(level.type).name);
    if (family(level.rule) == Family::TwoLevel) {
      if (scheme.levels.size() != 2 || scheme.levels[1].rule != level.rule)
        return "expected two scale levels of one rule with " + text(name(level.rule)) + ", got another number or rule";
      if (level.block.empty() != (i == 1))
        return "expected scale level 0 per block and scale level 1 per tensor with " + text(name(level.rule));
      if (scheme.code != FormatId::F4E2M1FN)
        return "expected codes of type f4E2M1FN with " + text(name(level.rule)) + ", got " +
               text(format(scheme.code).name);
    }
  }
  return "";
}
