// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in a program, as text for people and for JSON.

#ifndef FP8_OPT_REPORT_PROGRAMTEXT_H
#define FP8_OPT_REPORT_PROGRAMTEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

#include <string>

namespace fp8opt {

/// "file:line:column", or what the location prints as.
std::string locationText(mlir::LocationAttr location);

/// Names of files and weights are bytes of the user's; JSON takes UTF-8 only.
std::string jsonText(llvm::StringRef text);

/// "256x256x768", M, N and K with the batch in front where there is one; "?" is dynamic.
std::string sizesText(llvm::ArrayRef<int64_t> sizes);

/// Whether one of the sizes is dynamic.
bool hasDynamic(llvm::ArrayRef<int64_t> sizes);

/// What a line ends in whose figures count dynamic sizes, if they do.
llvm::StringRef dynamicNote(bool isDynamic);

/// Two FLOPs for each point of the iteration space of these sizes; a dynamic size counts as 1.
double flopsOf(llvm::ArrayRef<int64_t> sizes);

} // namespace fp8opt

#endif // FP8_OPT_REPORT_PROGRAMTEXT_H
