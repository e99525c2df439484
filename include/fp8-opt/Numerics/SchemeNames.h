// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All names of the enums of a scheme, for messages about a name that there is not.

#ifndef FP8_OPT_NUMERICS_SCHEMENAMES_H
#define FP8_OPT_NUMERICS_SCHEMENAMES_H

#include "fp8-opt/Numerics/Scheme.h"

namespace fp8opt::numerics {

/// In the order of the enum.
template <typename Enum> std::vector<std::string_view> namesOf();

template <> std::vector<std::string_view> namesOf<Rounding>();
template <> std::vector<std::string_view> namesOf<Overflow>();
template <> std::vector<std::string_view> namesOf<NanCode>();
template <> std::vector<std::string_view> namesOf<ScaleRule>();
template <> std::vector<std::string_view> namesOf<ZeroAmax>();
template <> std::vector<std::string_view> namesOf<InfAmax>();
template <> std::vector<std::string_view> namesOf<NanAmax>();
template <> std::vector<std::string_view> namesOf<ScaleOverflow>();
template <> std::vector<std::string_view> namesOf<StoredScale>();
template <> std::vector<std::string_view> namesOf<ApplyScale>();

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_SCHEMENAMES_H
