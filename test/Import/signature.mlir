// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names and kinds of arguments and results come from the file beside the module, or are numbers.

// RUN: fp8-opt --fp8-import-signature=file=%S/Inputs/step.json %s | FileCheck %s
// RUN: fp8-opt --fp8-import-signature %s | FileCheck %s --check-prefix=NUMBERED

// CHECK: qt.signature = #qt.signature<arguments = [
// CHECK-SAME: <"m.w", parameter>, <"x", input>, <"ids", unknown>, <"step", buffer>]
// CHECK-SAME: results = [<"loss", unknown>, <"grad.m.w", unknown>]>
// NUMBERED: arguments = [<"arg0", unknown>, <"arg1", unknown>, <"arg2", unknown>, <"arg3", unknown>]
// NUMBERED-SAME: results = [<"result0", unknown>, <"result1", unknown>]
func.func @main(%w: tensor<5x7xbf16>, %x: tensor<?x7xbf16>, %ids: tensor<?xi64>, %s: f32) -> (f32, tensor<5x7xbf16>) {
  return %s, %w : f32, tensor<5x7xbf16>
}
