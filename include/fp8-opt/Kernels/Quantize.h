// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers and their inverses as kernels: what each thread does. They read memory once where they can, and
// are bound by that.

#ifndef FP8_OPT_KERNELS_QUANTIZE_H
#define FP8_OPT_KERNELS_QUANTIZE_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

namespace fp8opt {

/// Whether there is a kernel for it; an error by `emitError` where there is none.
mlir::LogicalResult verifyQuantizeKernel(qtile::QuantizeOp quantize,
                                         llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::LogicalResult verifyRequantizeKernel(qtile::RequantizeOp requantize,
                                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
mlir::LogicalResult verifyDequantizeKernel(qtile::DequantizeOp dequantize,
                                           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Writes what threads do in place of the op, and how many threads and blocks there are on its kernel. An
/// error, and the kernel as it was, where no kernel is for the scheme or the outputs.
mlir::LogicalResult expandQuantize(qtile::QuantizeOp quantize);
mlir::LogicalResult expandAmax(qtile::AmaxOp amax);
mlir::LogicalResult expandRequantize(qtile::RequantizeOp requantize);
mlir::LogicalResult expandDequantize(qtile::DequantizeOp dequantize);

} // namespace fp8opt

#endif // FP8_OPT_KERNELS_QUANTIZE_H
