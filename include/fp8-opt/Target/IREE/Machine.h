// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program runs on.

#ifndef FP8_OPT_TARGET_IREE_MACHINE_H
#define FP8_OPT_TARGET_IREE_MACHINE_H

namespace fp8opt {

/// A processor, for which there are no kernels, or an NVIDIA GPU.
enum class Machine { Processor, Device };

} // namespace fp8opt

#endif // FP8_OPT_TARGET_IREE_MACHINE_H
