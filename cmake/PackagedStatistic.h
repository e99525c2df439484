// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's statistics with the layout that the packaged archives have, also where our assertions are on.

#ifndef FP8_OPT_CMAKE_PACKAGEDSTATISTIC_H
#define FP8_OPT_CMAKE_PACKAGEDSTATISTIC_H

// llvm::Statistic has two more members without NDEBUG, and the packaged constructor of mlir::Pass::Statistic,
// which was compiled with it, leaves them uninitialized.
#ifdef NDEBUG
#include "llvm/ADT/Statistic.h"
#else
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
// What the header above included has seen assertions off; this turns them on for what follows.
#include <cassert>
#endif

#endif // FP8_OPT_CMAKE_PACKAGEDSTATISTIC_H
