// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions out of the qt dialect.

#ifndef FP8_OPT_CONVERSION_PASSES_H
#define FP8_OPT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace arith {
class ArithDialect;
} // namespace arith
namespace func {
class FuncDialect;
} // namespace func
namespace linalg {
class LinalgDialect;
} // namespace linalg
namespace math {
class MathDialect;
} // namespace math
namespace scf {
class SCFDialect;
} // namespace scf
namespace tensor {
class TensorDialect;
} // namespace tensor
} // namespace mlir

namespace fp8opt {

#define GEN_PASS_DECL
#include "fp8-opt/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fp8-opt/Conversion/Passes.h.inc"

} // namespace fp8opt

#endif // FP8_OPT_CONVERSION_PASSES_H
