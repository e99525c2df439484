// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// External models: how other dialects' ops answer the interfaces of the qt dialect.

#ifndef FP8_OPT_INTERFACES_MODELS_H
#define FP8_OPT_INTERFACES_MODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fp8opt {

/// linalg.contract is quantizable.
void registerLinalgModels(mlir::DialectRegistry &registry);
/// linalg.transpose, linalg.broadcast and a linalg.generic that does the same can move codes and scales.
void registerLinalgViewModels(mlir::DialectRegistry &registry);
/// tensor.collapse_shape, expand_shape, extract_slice, concat and pad can move codes and scales.
void registerTensorModels(mlir::DialectRegistry &registry);
/// linalg.generic can return the amax of what it computes, linalg.contract cannot.
void registerAmaxModels(mlir::DialectRegistry &registry);

} // namespace fp8opt

#endif // FP8_OPT_INTERFACES_MODELS_H
