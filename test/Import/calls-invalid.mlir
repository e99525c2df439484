// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that have no entry, or whose calls cannot be inlined, are refused before anything is changed.

// RUN: fp8-opt --fp8-import-linalg --split-input-file --verify-diagnostics %s

// expected-error @below {{expected a function 'main' to compile, got 'forward', 'backward'}}
module {
  func.func @forward() {
    return
  }
  func.func @backward() {
    return
  }
}

// -----

// expected-error @below {{expected a function 'main' to compile, got a module without functions}}
module {
}

// -----

// expected-error @below {{expected function 'main' to have a body, got a declaration}}
func.func private @main()

// -----

// expected-note @below {{the call is reached from here}}
func.func private @f(%x: f32) -> f32 {
  %0 = call @g(%x) : (f32) -> f32
  return %0 : f32
}
func.func private @g(%x: f32) -> f32 {
  // expected-error @below {{expected calls without recursion, got a call of 'f' in 'g'}}
  %0 = call @f(%x) : (f32) -> f32
  return %0 : f32
}
func.func @main(%x: f32) -> f32 {
  %0 = call @f(%x) : (f32) -> f32
  return %0 : f32
}

// -----

// expected-note @below {{the call is reached from here}}
func.func @main(%x: f32) -> f32 {
  // expected-error @below {{expected calls without recursion, got a call of 'main' in 'main'}}
  %0 = call @main(%x) : (f32) -> f32
  return %0 : f32
}

// -----

// The loop holds one block, and the callee's callee has three.
// expected-note @below {{the function called}}
func.func private @pick(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^left, ^right
^left:
  return %x : f32
^right:
  return %x : f32
}
func.func private @through(%c: i1, %x: f32) -> f32 {
  // expected-error @below {{expected 'pick', called inside 'scf.for', to have one block, got 3}}
  %0 = call @pick(%c, %x) : (i1, f32) -> f32
  return %0 : f32
}
func.func @main(%c: i1, %x: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%v = %x) -> f32 {
    %1 = func.call @through(%c, %v) : (i1, f32) -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}
