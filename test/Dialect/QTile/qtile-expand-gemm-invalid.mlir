// RUN: fp8-opt %s --qtile-expand-gemm --verify-diagnostics --split-input-file
//
// A product that cannot be expanded is an error at the product.

qtile.kernel @unscheduled(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a {
  // expected-error @+1 {{expected a kernel with a schedule, got one without; run qtile-choose-schedule first}}
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}

// -----

// A schedule may be written before its target is loaded, which it is held against then.
// expected-error @+1 {{expected @sm_90a to name a qtile.target of the module; run qtile-load-target first}}
qtile.kernel @no_target(%a: !qtile.global<f8E4M3FN>, %d: !qtile.global<bf16>, %m: i32) on @sm_90a
    schedule #qtile.schedule<tile = [128, 256], consumers = 2, stages = 3, registers = [40, 232], group = 8, in_flight = 1,
                             turns = 0, store = storers, scales = load> {
  qtile.gemm %a as none, %a as none into %d sizes(%m, %m, %m) : !qtile.global<f8E4M3FN>, !qtile.global<f8E4M3FN> -> !qtile.global<bf16>
  qtile.return
}
