// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of formats.

#include "fp8-opt/Numerics/Format.h"

using namespace fp8opt::numerics;

static constexpr Format kFormats[] = {
#define FP8OPT_FORMAT(Id, name, exponentBits, mantissaBits, bias, specials)                                            \
  {FormatId::Id, name, exponentBits, mantissaBits, bias, Specials::specials},
#include "fp8-opt/Numerics/Formats.def"
};

const Format &fp8opt::numerics::format(FormatId id) { return kFormats[size_t(id)]; }

std::optional<FormatId> fp8opt::numerics::formatNamed(std::string_view name) {
  for (const Format &row : kFormats)
    if (row.name == name)
      return row.id;
  return std::nullopt;
}
