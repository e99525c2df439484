// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only list of everything: dialects, models and passes a tool or plugin registers.

#ifndef FP8_OPT_INITALL_H
#define FP8_OPT_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fp8opt {

/// The qt dialect, its models for other dialects' ops, and the upstream dialects that graphs arrive in.
void registerAllDialects(mlir::DialectRegistry &registry);
/// The passes of this project. Call once in a process.
void registerAllPasses();
/// The upstream passes that are useful beside them in the opt driver: canonicalize, cse, linalg, tensor,
/// func, inline.
void registerUpstreamPasses();

} // namespace fp8opt

#endif // FP8_OPT_INITALL_H
