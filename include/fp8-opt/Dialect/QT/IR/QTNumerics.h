// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quantized type as Numerics computes it.

#ifndef FP8_OPT_DIALECT_QT_IR_QTNUMERICS_H
#define FP8_OPT_DIALECT_QT_IR_QTNUMERICS_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt {

/// The scheme of a type, its blocks cut to the type's rank: what is cut off is ones.
numerics::Scheme numericsOf(QTensorType type);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_IR_QTNUMERICS_H
