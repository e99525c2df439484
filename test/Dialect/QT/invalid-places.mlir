// RUN: fp8-opt %s -verify-diagnostics -split-input-file
//
// Attributes of the dialect on others' ops are of their class and where they have a meaning.

// expected-error @+1 {{'func.func' op expected 'qt.role' to be a #qt.role attribute, got "weight"}}
func.func private @role_of_an_argument_is_typed(tensor<2xf32> {qt.role = "weight"})

// -----

// expected-error @+1 {{'func.func' op expected 'qt.role' to be a #qt.role attribute, got "weight"}}
func.func private @role_of_a_result_is_typed() -> (tensor<2xf32> {qt.role = "weight"})

// -----

// expected-error @+1 {{'func.func' op expected 'qt.role' on an argument or result of a function, got it on an op that is no module}}
func.func private @role_is_not_on_ops() attributes {qt.role = #qt.role<weight>}

// -----

// expected-error @+1 {{'func.func' op expected 'qt.gemm' on an op that is no module, got it on an argument or result of a function}}
func.func private @gemm_is_not_on_arguments(tensor<2xf32> {qt.gemm = #qt.gemm<fprop>})

// -----

// expected-error @+1 {{'builtin.module' op expected 'qt.kept' on an op that is no module, got it on a module}}
module attributes {qt.kept = #qt.kept<site, "head">} {}

// -----

// expected-error @+1 {{'func.func' op expected 'qt.traffic' on a module, got it on an op that is no module}}
func.func private @traffic_is_on_modules() attributes {qt.traffic = #qt.traffic<>}

// -----

// expected-error @+1 {{'func.func' op expected 'qt.signature' on a module, got it on an op that is no module}}
func.func private @signature_is_on_modules() attributes {qt.signature = #qt.signature<>}

// -----

// expected-error @+1 {{'func.func' op expected 'qt.plan' on a module, got it on an op that is no module}}
func.func private @plan_is_on_modules() attributes {qt.plan = #qt.plan<kept = 0 of 0, read = 0 of 0, written = 0 of 0>}

// -----

func.func @attributes_of_ops_are_typed() {
  // expected-error @+1 {{'arith.constant' op expected 'qt.half' to be a #qt.half attribute, got #qt.gemm<fprop>}}
  arith.constant {qt.half = #qt.gemm<fprop>} 0 : i32
  return
}

// -----

// A misspelt name is not an attribute that nobody reads.
func.func @names_are_declared() {
  // expected-error @+1 {{'arith.constant' op expected an attribute that the qt dialect declares, got 'qt.scheme'}}
  arith.constant {qt.scheme = 0 : i32} 0 : i32
  return
}
