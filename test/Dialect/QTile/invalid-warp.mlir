// RUN: fp8-opt %s --verify-diagnostics --split-input-file
//
// What products of a warp must hold, one constraint each.

// expected-error @+1 {{expected scales for a divisor of k = 64, got each 48}}
#mma = #qtile.mma<16x8x64, step = 8, f4E2M1FN, f4E2M1FN, f32 scales f8E4M3FN each 48, threads = 32>

// -----

// expected-error @+1 {{expected rows to be a positive multiple of 16, got 24}}
func.func private @operand(!qtile.operand<lhs, 24xf8E4M3FN>)

// -----

// expected-error @+1 {{expected codes of 4 or 8 bits, got 'bf16'}}
func.func private @codes(!qtile.operand<rhs, 32xbf16>)

// -----

// expected-error @+1 {{expected rows to be a positive multiple of 32, got 48}}
func.func private @words(!qtile.scale_words<48xf8E8M0FNU>)

// -----

// expected-error @+1 {{expected a tile of whole bytes, got 12 bits}}
func.func private @bytes(!qtile.shared<3xf4E2M1FN>)

// -----

func.func @operand_tile(%t: !qtile.shared<128x64xf8E4M3FN, panels>, %i: i32) {
  // expected-error @+1 {{expected a tile in panels of 128 bytes a row, got}}
  %0 = qtile.load_operand %t[%i] byte 0 : !qtile.shared<128x64xf8E4M3FN, panels> -> !qtile.operand<lhs, 32xf8E4M3FN>
  return
}

// -----

func.func @operand_rows(%t: !qtile.shared<32x256xf4E2M1FN, panels>, %i: i32) {
  // expected-error @+1 {{expected a tile of 'f4E2M1FN' of at least 64 rows, got}}
  %0 = qtile.load_operand %t[%i] byte 0 : !qtile.shared<32x256xf4E2M1FN, panels> -> !qtile.operand<rhs, 64xf4E2M1FN>
  return
}

// -----

func.func @operand_byte(%t: !qtile.shared<128x128xf8E4M3FN, panels>, %i: i32) {
  // expected-error @+1 {{expected a byte of 0 to 127, a multiple of 32, got 48}}
  %0 = qtile.load_operand %t[%i] byte 48 : !qtile.shared<128x128xf8E4M3FN, panels> -> !qtile.operand<lhs, 32xf8E4M3FN>
  return
}

// -----

func.func @scale_tile(%t: !qtile.shared<256xf8E8M0FNU>, %i: i32) {
  // expected-error @+1 {{expected a tile of 512 scales of 'f8E8M0FNU', got}}
  %0 = qtile.load_scale_words %t[%i] : !qtile.shared<256xf8E8M0FNU> -> !qtile.scale_words<32xf8E8M0FNU>
  return
}

// -----

func.func @scale_rows(%t: !qtile.shared<512xf8E8M0FNU>, %i: i32) {
  // expected-error @+1 {{expected at most 128 rows, a power of two, got 96}}
  %0 = qtile.load_scale_words %t[%i] : !qtile.shared<512xf8E8M0FNU> -> !qtile.scale_words<96xf8E8M0FNU>
  return
}

// -----

func.func @rows(%c: !qtile.fragment<16x64xf32>, %a: !qtile.operand<lhs, 32xf8E4M3FN>, %sa: !qtile.scale_words<32xf8E8M0FNU>,
                %b: !qtile.operand<rhs, 64xf8E4M3FN>, %sb: !qtile.scale_words<64xf8E8M0FNU>) {
  // expected-error @+1 {{expected 16 of the 32 rows of the left operand, from a multiple of as many on, got 16 from 32 on}}
  %0 = qtile.mma_scaled %c, %a[32] by %sa, %b by %sb block 0 : !qtile.fragment<16x64xf32>, !qtile.operand<lhs, 32xf8E4M3FN>,
         !qtile.scale_words<32xf8E8M0FNU>, !qtile.operand<rhs, 64xf8E4M3FN>, !qtile.scale_words<64xf8E8M0FNU>
  return
}

// -----

func.func @columns(%c: !qtile.fragment<16x32xf32>, %a: !qtile.operand<lhs, 32xf8E4M3FN>, %sa: !qtile.scale_words<32xf8E8M0FNU>,
                   %b: !qtile.operand<rhs, 64xf8E4M3FN>, %sb: !qtile.scale_words<64xf8E8M0FNU>) {
  // expected-error @+1 {{expected a fragment of 64 columns, the rows of the right operand, got}}
  %0 = qtile.mma_scaled %c, %a[16] by %sa, %b by %sb block 0 : !qtile.fragment<16x32xf32>, !qtile.operand<lhs, 32xf8E4M3FN>,
         !qtile.scale_words<32xf8E8M0FNU>, !qtile.operand<rhs, 64xf8E4M3FN>, !qtile.scale_words<64xf8E8M0FNU>
  return
}

// -----

func.func @scales(%c: !qtile.fragment<16x64xf32>, %a: !qtile.operand<lhs, 32xf8E4M3FN>, %sa: !qtile.scale_words<32xf8E4M3FN>,
                  %b: !qtile.operand<rhs, 64xf8E4M3FN>, %sb: !qtile.scale_words<64xf8E4M3FN>) {
  // expected-error @+1 {{expected scales of f8E8M0FNU with codes of 8 bits, or of f8E4M3FN with codes of 4}}
  %0 = qtile.mma_scaled %c, %a[0] by %sa, %b by %sb block 0 : !qtile.fragment<16x64xf32>, !qtile.operand<lhs, 32xf8E4M3FN>,
         !qtile.scale_words<32xf8E4M3FN>, !qtile.operand<rhs, 64xf8E4M3FN>, !qtile.scale_words<64xf8E4M3FN>
  return
}

// -----

func.func @block(%c: !qtile.fragment<16x64xf32>, %a: !qtile.operand<lhs, 32xf4E2M1FN>, %sa: !qtile.scale_words<32xf8E4M3FN>,
                 %b: !qtile.operand<rhs, 64xf4E2M1FN>, %sb: !qtile.scale_words<64xf8E4M3FN>) {
  // expected-error @+1 {{expected 4 of 4 scales, from a multiple of as many on, got them from 1 on}}
  %0 = qtile.mma_scaled %c, %a[0] by %sa, %b by %sb block 1 : !qtile.fragment<16x64xf32>, !qtile.operand<lhs, 32xf4E2M1FN>,
         !qtile.scale_words<32xf8E4M3FN>, !qtile.operand<rhs, 64xf4E2M1FN>, !qtile.scale_words<64xf8E4M3FN>
  return
}

// -----

func.func @pack(%c: vector<12xi8>) {
  // expected-error @+1 {{expected a multiple of 8 codes and half as many bytes, got 12 and 4}}
  %0 = qtile.pack %c : vector<12xi8> -> vector<4xi8>
  return
}
