// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that compute a result from up to three operands.

#ifndef FP8_OPT_TEST_KERNELS_PTX_PTXFUNCTIONS_H
#define FP8_OPT_TEST_KERNELS_PTX_PTXFUNCTIONS_H

#include <cstdint>
#include <functional>
#include <string>

namespace fp8opt::test {

using PtxWord = uint64_t;
inline PtxWord lowBits(PtxWord a, unsigned bits) { return bits == 64 ? a : a & ((PtxWord(1) << bits) - 1); }
/// Bits of the type at the end of an opcode.
unsigned bitsOfType(const std::string &opcode);

/// From up to three operands to a result, of so many threads: what each operand is in all of them lies side
/// by side.
using PtxFunction =
    std::function<void(PtxWord *result, const PtxWord *, const PtxWord *, const PtxWord *, size_t threads)>;
/// What the instruction computes, and the bits of its result. Null where it is none of these.
PtxFunction functionOf(const std::string &opcode, unsigned &bits);

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_KERNELS_PTX_PTXFUNCTIONS_H
