// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the address sanitizer of the asan preset has to be told: LLVM's packaged archives are not
// instrumented.

extern "C" const char *__asan_default_options();

/// LLVM's allocators and containers annotate memory where they are compiled with the sanitizer and not where
/// they are not; one tool has both. Contexts are never freed at exit.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0";
}
