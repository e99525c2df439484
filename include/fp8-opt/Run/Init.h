// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated argument values, the same for every engine and machine.

#ifndef FP8_OPT_RUN_INIT_H
#define FP8_OPT_RUN_INIT_H

#include "fp8-opt/Run/TensorFile.h"

namespace fp8opt::run {

/// What an argument is to the program, as far as its values matter.
enum class ArgumentKind { Parameter, Other };

/// Element i (row-major) of argument number a under `seed`, all integers modulo 2^64:
///
///     mix(z):  z = (z xor z >> 30) * 0xbf58476d1ce4e5b9;  z = (z xor z >> 27) * 0x94d049bb133111eb;
///              z xor z >> 31                                          (the finalizer of SplitMix64)
///     key    = mix(seed + 0x9e3779b97f4a7c15 * (a + 1))
///     word j = mix(key + 0x9e3779b97f4a7c15 * (3 i + j + 1)),   j = 0, 1, 2
///     s      = sum of the twelve 16-bit pieces of the three words
///     g      = (s - 6 * 65535) / 65536,   exact, mean 0, deviation 1, within 6
///
/// g is a sum of twelve uniform numbers: a normal distribution without its tails beyond 6, and no function of
/// any libm. In f64, each operation rounded, the element is then
///
///     parameter of rank 2 and more   g / sqrt(last dimension)
///     parameter of rank 1            1 + 0.1 * g
///     other float                    g
///     integer                        0
///
/// rounded to f32 and from there to the element type, to nearest even, values beyond the largest saturated.
/// Requires sizes that are not negative and fit into memory.
Tensor initNormal(ElementType type, std::vector<int64_t> shape, ArgumentKind kind, uint64_t seed,
                  uint64_t argument);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_INIT_H
