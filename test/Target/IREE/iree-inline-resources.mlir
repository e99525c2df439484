// RUN: fp8-opt %s --iree-inline-resources --split-input-file --verify-diagnostics | FileCheck %s

// IREE 3.13 does not read a resource of bf16; a plain constant it does.

// CHECK-LABEL: func @resource
// CHECK: arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xbf16>
func.func @resource() -> tensor<2xbf16> {
  %c = arith.constant dense_resource<ones> : tensor<2xbf16>
  return %c : tensor<2xbf16>
}
{-#
  dialect_resources: {
    builtin: {
      ones: "0x02000000803f0040"
    }
  }
#-}

// -----

func.func @wrong() -> tensor<3xbf16> {
  // expected-error @below {{expected the content of resource 'short' to fit its type, got 4 bytes}}
  %c = arith.constant dense_resource<short> : tensor<3xbf16>
  return %c : tensor<3xbf16>
}
{-#
  dialect_resources: {
    builtin: {
      short: "0x02000000803f0040"
    }
  }
#-}
