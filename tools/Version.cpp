// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --version says. FP8OPT_VERSION is the version that CMakeLists.txt gives the project.

#include "Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void setVersion(llvm::StringRef tool) {
  llvm::cl::SetVersionPrinter([tool](llvm::raw_ostream &os) {
    os << tool << (tool == "fp8-opt" ? "" : " of fp8-opt") << " " FP8OPT_VERSION "\n"
       << "LLVM version " LLVM_VERSION_STRING "\n";
  });
}
