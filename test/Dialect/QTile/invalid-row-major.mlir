// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// What the ops on row-major matrices and copies of what is read once must hold, one constraint each.

// expected-error @+1 {{expected a tile in panels of at most 256 rows of elements of 16 bits, got '!qtile.shared<264x64xbf16, panels>'}}
func.func private @rows(!qtile.tensor_map<!qtile.shared<264x64xbf16, panels>>)

// -----

// expected-error @+1 {{expected a tile in panels of at most 256 rows of elements of 16 bits, got '!qtile.shared<64x128xf8E4M3FN, panels>'}}
func.func private @bits(!qtile.tensor_map<!qtile.shared<64x128xf8E4M3FN, panels>>)

// -----

!tile = !qtile.shared<64x64xbf16, panels>
func.func @element(%a: !qtile.global<f16>, %places: !qtile.global<i8>, %n: i32, %scratch: !tile) {
  // expected-error @+1 {{expected one element type, got a matrix of 'f16' and a tile of 'bf16'}}
  %map = qtile.tensor_map %a[%n, %n] in %places[%n] through %scratch : !qtile.global<f16>, !tile -> !qtile.tensor_map<!tile>
  return
}

// -----

!tile = !qtile.shared<64x64xbf16, panels>
!ring = !qtile.ring<2, !qtile.shared<64x128xbf16, panels>>
func.func @tile(%ring: !ring, %stage: !qtile.stage, %map: !qtile.tensor_map<!tile>, %n: i32) {
  qtile.fill bulk %ring[%stage] : !ring {
  ^bb0(%tile: !qtile.shared<64x128xbf16, panels>):
    // expected-error @+1 {{expected the tile of the map, '!qtile.shared<64x64xbf16, panels>', got '!qtile.shared<64x128xbf16, panels>'}}
    qtile.copy_tile %map[%n, %n] to %tile : !qtile.tensor_map<!tile> to !qtile.shared<64x128xbf16, panels>
  }
  return
}

// -----

!tile = !qtile.shared<64x64xbf16, panels>
!ring = !qtile.ring<2, !tile>
func.func @async(%ring: !ring, %stage: !qtile.stage, %map: !qtile.tensor_map<!tile>, %n: i32) {
  qtile.fill async %ring[%stage] : !ring {
  ^bb0(%tile: !tile):
    // expected-error @+1 {{expected a bulk fill, as the copy engine copies tiles, got async}}
    qtile.copy_tile %map[%n, %n] to %tile : !qtile.tensor_map<!tile> to !tile
  }
  return
}

// -----

!ring = !qtile.ring<2, !qtile.shared<256xf32>>
func.func @once(%ring: !ring, %stage: !qtile.stage, %scales: !qtile.global<f32>, %first: i64, %count: i32, %once: i1) {
  qtile.fill async %ring[%stage] : !ring {
  ^bb0(%tile: !qtile.shared<256xf32>):
    // expected-error @+1 {{expected a bulk fill for what is read once, as the copy engine tells the cache so, got async}}
    qtile.copy %scales[%first] count %count to %tile once %once : !qtile.global<f32> to !qtile.shared<256xf32>
  }
  return
}

// -----

func.func @transposed(%p: !qtile.pending<64x64xf32>, %a: !qtile.shared<64x64xbf16, panels>, %b: !qtile.shared<32x64xbf16, panels>, %row: i32) {
  // expected-error @+1 {{expected the right operand, which is transposed, in panels of 64 rows of elements of 16 bits, got '!qtile.shared<32x64xbf16, panels>'}}
  %0 = qtile.mma %p, %a[%row], %b transposed from 0 to 128 : !qtile.pending<64x64xf32>, !qtile.shared<64x64xbf16, panels>, !qtile.shared<32x64xbf16, panels> -> !qtile.pending<64x64xf32>
  return
}

// -----

func.func @columns(%p: !qtile.pending<64x64xf32>, %a: !qtile.shared<64x64xbf16, panels>, %b: !qtile.shared<64x128xbf16, panels>, %row: i32) {
  // expected-error @+1 {{expected 64 rows of the right operand, the columns of the result, got 128}}
  %0 = qtile.mma %p, %a[%row] transposed, %b transposed from 0 to 128 : !qtile.pending<64x64xf32>, !qtile.shared<64x64xbf16, panels>, !qtile.shared<64x128xbf16, panels> -> !qtile.pending<64x64xf32>
  return
}

// -----

// expected-error @+1 {{expected at most 3 outer dimensions, got 4}}
func.func private @outer(!qtile.tensor_map<outer 4, !qtile.shared<64x64xbf16, panels>>)

// -----

!tile = !qtile.shared<64x64xbf16, panels>
func.func @sizes(%a: !qtile.global<bf16>, %places: !qtile.global<i8>, %n: i32, %scratch: !tile) {
  // expected-error @+1 {{expected 2 sizes of outer dimensions and 3 strides, got 1 and 2}}
  %map = qtile.tensor_map %a[%n, %n] of [%n] strides [%n, %n] in %places[%n] through %scratch : !qtile.global<bf16>, !tile -> !qtile.tensor_map<outer 2, !tile>
  return
}

// -----

!tile = !qtile.shared<64x64xbf16, panels>
func.func @no_strides(%a: !qtile.global<bf16>, %places: !qtile.global<i8>, %n: i32, %scratch: !tile) {
  // expected-error @+1 {{expected 0 sizes of outer dimensions and 0 strides, got 1 and 2}}
  %map = qtile.tensor_map %a[%n, %n] of [%n] strides [%n, %n] in %places[%n] through %scratch : !qtile.global<bf16>, !tile -> !qtile.tensor_map<!tile>
  return
}

// -----

!tile = !qtile.shared<64x64xbf16, panels>
!ring = !qtile.ring<2, !tile>
func.func @matrix(%ring: !ring, %stage: !qtile.stage, %map: !qtile.tensor_map<outer 2, !tile>, %n: i32) {
  qtile.fill bulk %ring[%stage] : !ring {
  ^bb0(%tile: !tile):
    // expected-error @+1 {{expected a number for each of 2 outer dimensions, got 1}}
    qtile.copy_tile %map[%n, %n, %n] to %tile : !qtile.tensor_map<outer 2, !tile> to !tile
  }
  return
}
