// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a misspelt word may have meant.

#include "fp8-opt/Run/Spelling.h"

std::string fp8opt::run::hintSpelling(llvm::StringRef got, llvm::StringRef word) {
  auto most = unsigned(word.size() / 3);
  // No limit of 0, which would mean none.
  if (got == word || most == 0 ||
      got.edit_distance_insensitive(word, /*AllowReplacements=*/true, most) > most)
    return "";
  return ("; did you mean '" + word + "'?").str();
}
