// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that LLVM ends the process for.

#ifndef FP8_OPT_LIB_TARGET_NVVM_FATALERROR_H
#define FP8_OPT_LIB_TARGET_NVVM_FATALERROR_H

#include <functional>
#include <optional>
#include <string>

namespace fp8opt::nvvm {

/// Does `work` in a thread of its own and waits for it. Where LLVM calls an error in it fatal, the result is
/// the message, and the thread sleeps for good: LLVM lets its handler not return, and unwinding or jumping
/// out of LLVM's frames would leave its state in pieces. So `work` must own all it writes to, as what it has
/// captured is never freed; the caller may read that then. Fatal errors of other threads meanwhile do as
/// ever.
///
/// While this runs, it holds the process's one handler of fatal errors; a program with a handler of its own
/// cannot keep it.
std::optional<std::string> catchFatalError(std::function<void()> work);

} // namespace fp8opt::nvvm

#endif // FP8_OPT_LIB_TARGET_NVVM_FATALERROR_H
