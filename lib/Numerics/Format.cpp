// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking formats up by name.

#include "fp8-opt/Numerics/Format.h"

using namespace fp8opt::numerics;

std::optional<FormatId> fp8opt::numerics::formatNamed(std::string_view name) {
  for (const Format &row : allFormats())
    if (row.name == name)
      return row.id;
  return std::nullopt;
}
