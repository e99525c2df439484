// RUN: fp8-opt %s "--qtile-load-target=name=vax" --verify-diagnostics --split-input-file
//
// An unknown target, and a name that is taken.

// expected-error-re @+1 {{expected the name of a target or the path of a target file, got 'vax'; targets are sm_90a, sm_120a{{.*}}}}
module {
}

// -----

// expected-error @+1 {{expected 'vax' to be a qtile.target, got func.func}}
func.func private @vax()
