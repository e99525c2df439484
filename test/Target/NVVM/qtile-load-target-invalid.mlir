// RUN: fp8-opt %s "--qtile-load-target=name=vax" --verify-diagnostics --split-input-file
//
// An unknown target, and a name that is taken.

// expected-error-re @+1 {{expected a target that kernels in qtile have (sm_90a, sm_120a{{.*}}), got 'vax'}}
module {
}

// -----

// expected-error @+1 {{expected 'vax' to be a qtile.target, got func.func}}
func.func private @vax()
