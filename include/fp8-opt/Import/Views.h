// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that show numbers and compute none.

#ifndef FP8_OPT_IMPORT_VIEWS_H
#define FP8_OPT_IMPORT_VIEWS_H

#include "mlir/IR/Operation.h"

namespace fp8opt {

/// Whether an op is a free view of its first operand, which shows elements of it, each once at most:
/// linalg.transpose, tensor.collapse_shape, tensor.expand_shape, tensor.extract_slice. `op` may be null.
bool isFreeView(mlir::Operation *op);

/// A free view, or a cast between static and dynamic sizes.
bool isFreeViewOrCast(mlir::Operation *op);

/// Whether an op only places the elements of its first operand: a free view, a broadcast, or a cast between
/// static and dynamic sizes.
bool placesElements(mlir::Operation *op);

/// What ops that are `seenThrough`, each through to its first operand, lead to: `value` itself, if none makes
/// it.
mlir::Value throughViews(mlir::Value value,
                         llvm::function_ref<bool(mlir::Operation *)> seenThrough = isFreeView);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_VIEWS_H
