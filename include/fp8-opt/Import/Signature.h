// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the names and kinds of a program's arguments and results from the file that an exporter writes beside
// it.

#ifndef FP8_OPT_IMPORT_SIGNATURE_H
#define FP8_OPT_IMPORT_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace fp8opt {

/// Sets `qt.signature` of `module` from JSON text whose buffer identifier is the file name:
///
///     {"function": "main",
///      "arguments": [{"name": "w", "kind": "parameter", "shape": [256, 128], "dtype": "bfloat16"}, ...],
///      "results": ["loss", ...]}
///
/// `function` and `kind` may be absent; a result may also be an object like an argument. Fails with an error
/// that names the file if count, shape or dtype disagree with `function`; a dynamic dimension agrees with
/// every size.
mlir::LogicalResult readSignature(mlir::ModuleOp module, mlir::func::FuncOp function,
                                  llvm::MemoryBufferRef json);

/// Sets `qt.signature` of `module` to arg0, arg1, ..., result0, ..., of unknown kind.
void numberSignature(mlir::ModuleOp module, mlir::func::FuncOp function);

} // namespace fp8opt

#endif // FP8_OPT_IMPORT_SIGNATURE_H
