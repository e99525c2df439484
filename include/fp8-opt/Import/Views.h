// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that show numbers and compute none.

#ifndef FP8_OPT_IMPORT_VIEWS_H
#define FP8_OPT_IMPORT_VIEWS_H

#include "mlir/IR/Operation.h"

namespace fp8opt {

/// Whether an op shows (a part of) the numbers of its first operand in another shape or order and computes
/// nothing: linalg.transpose, tensor.collapse_shape, tensor.expand_shape, tensor.extract_slice. `op` may be
/// null.
bool isView(mlir::Operation *op);

/// Whether an op only places the elements of its first operand: a view, a broadcast, or a cast between static
/// and dynamic sizes.
bool placesElements(mlir::Operation *op);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_VIEWS_H
