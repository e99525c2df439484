// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes that a graph computes, as the quantization that they are.

#ifndef FP8_OPT_LIB_IMPORT_ENCODECHAIN_H
#define FP8_OPT_LIB_IMPORT_ENCODECHAIN_H

#include "mlir/IR/Builders.h"

#include <string>

namespace fp8opt {

/// The integers of `codes` as those of a qt.quantize with given scales, if the graph rounds x * scale or
/// x / scale, both f32, to codes once, clamped to their largest or not at all: then the bits are equal. Null
/// if `codes` come from elsewhere; null and `why` if they are rounded in another way.
mlir::Value encodedCodes(mlir::OpBuilder &builder, mlir::Value codes, std::string &why);

} // namespace fp8opt

#endif // FP8_OPT_LIB_IMPORT_ENCODECHAIN_H
