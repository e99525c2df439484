// RUN: fp8-opt %s --qt-match-operand-axes --verify-diagnostics

// expected-error @below {{expected a function 'main' to compile, got}}
module {
}
