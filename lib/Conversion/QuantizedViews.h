// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizers go back below views whose codes no kernel reads.

#ifndef FP8_OPT_LIB_CONVERSION_QUANTIZEDVIEWS_H
#define FP8_OPT_LIB_CONVERSION_QUANTIZEDVIEWS_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fp8opt {

/// Where between a product, or what it quantizes again, and a quantizer there is a view that kernels do not
/// read through, replaces the view's codes by those of a quantizer of the same view of the numbers: the
/// reverse of qt-hoist-quantization, with the same bits. Views of one tensor that are quantized in several
/// ways are read once. Scales that are given stay. Returns what was moved, in program order.
llvm::SmallVector<qtile::MovedAttr> quantizeViews(mlir::FunctionOpInterface function);

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_QUANTIZEDVIEWS_H
