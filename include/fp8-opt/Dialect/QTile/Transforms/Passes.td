// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes on kernels.

#ifndef FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD
#define FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PlanRingsPass : Pass<"qtile-plan-rings", "::mlir::ModuleOp"> {
  let summary = "Places rings and tiles in shared memory, counts arrivals, and numbers barriers";
  let description = [{
    For each kernel with roles: `plan` of each qtile.ring (arrivals of its barriers, addresses of its tiles), `offset` of
    each qtile.alloc, `first` of each qtile.barriers, and `shared` of the kernel. It is the only place where any of these
    is decided. A ring has one fill of a kind, and all its releases in one role; what a block would need beyond the target's limits
    is an error that names the limit.
  }];
}

#endif // FP8_OPT_DIALECT_QTILE_TRANSFORMS_PASSES_TD
