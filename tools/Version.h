// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --version says.

#ifndef FP8_OPT_TOOLS_VERSION_H
#define FP8_OPT_TOOLS_VERSION_H

#include "llvm/ADT/StringRef.h"

/// Makes --version of this tool say the version of fp8-opt and that of the LLVM that it is built with. To be
/// called before the command line is parsed.
void setVersion(llvm::StringRef tool);

#endif // FP8_OPT_TOOLS_VERSION_H
