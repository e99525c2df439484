// RUN: fp8-opt %s "--qtile-load-target=name=vax" --verify-diagnostics --split-input-file
//
// An unknown target, and a name that is taken.

// expected-error @+1 {{expected the name of a target, got 'vax'; targets are sm_90a, sm_120a}}
module {
}

// -----

// expected-error @+1 {{expected 'vax' to be a qtile.target, got func.func}}
func.func private @vax()
