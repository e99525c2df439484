// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a misspelt word may have meant.

#ifndef FP8_OPT_RUN_SPELLING_H
#define FP8_OPT_RUN_SPELLING_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace fp8opt::run {

/// "; did you mean 'WORD'?" where `got` is up to a third of its letters away from `word`, else empty.
std::string hintSpelling(llvm::StringRef got, llvm::StringRef word);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_SPELLING_H
