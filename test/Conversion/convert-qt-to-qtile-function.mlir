// A function that the module does not have, or has no body of, is refused by name.
// RUN: fp8-opt %s --qtile-load-target --convert-qt-to-qtile=function=typo --split-input-file --verify-diagnostics

// expected-error@+1 {{expected a function 'typo' to compile, got 'main'}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error@+1 {{expected function 'typo' to have a body, got a declaration}}
func.func private @typo(tensor<4xf32>) -> tensor<4xf32>
