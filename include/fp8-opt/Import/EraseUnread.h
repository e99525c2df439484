// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes away what a rewrite has left without a reader.

#ifndef FP8_OPT_IMPORT_ERASEUNREAD_H
#define FP8_OPT_IMPORT_ERASEUNREAD_H

#include "mlir/IR/ValueRange.h"

namespace fp8opt {

/// Erases the ops that make `values`, as far as nobody reads them and they do nothing else, and then those
/// that only they have read. Values may repeat, and may be made of one another.
void eraseUnread(mlir::ValueRange values);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_ERASEUNREAD_H
