// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lowering of a program without one of the passes that it takes from upstream.

#ifndef FP8_OPT_TEST_UPSTREAM_LEAVEOUT_H
#define FP8_OPT_TEST_UPSTREAM_LEAVEOUT_H

#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace fp8opt::upstream {

/// A pass of upstream that the lowering runs, once or at several places.
struct UpstreamPass {
  std::string name;
  /// Whether it found something to do anywhere.
  bool isChanging = false;
};

/// Notes the passes that `manager` comes to, in the order of their first places, and leaves the one called
/// `leftOut` out at all its places. Bufferization is not left out, since buffers are needed, but gives every
/// write a buffer of its own: what is left out is its analysis of what may be written in place. `passes`
/// outlives the manager.
void watch(mlir::PassManager &manager, llvm::StringRef leftOut, std::vector<UpstreamPass> &passes);

} // namespace fp8opt::upstream

#endif // FP8_OPT_TEST_UPSTREAM_LEAVEOUT_H
