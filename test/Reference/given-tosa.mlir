// RUN: %python %S/Inputs/given_tosa.py %t.args %t.expected
// RUN: fp8-opt %s --recipe=mxfp8 -o %t.mlirbc 2> %t.err
// RUN: FileCheck %s --check-prefix=REPORT < %t.err
// RUN: fp8-run %t.mlirbc --args=%t.args --compare=%t.expected | FileCheck %s
// RUN: fp8-run %t.mlirbc --function=main_unquantized --args=%t.args --compare=%t.expected | FileCheck %s
// RUN: fp8-opt %s --recipe=mxfp8 --until=axes -o - 2> /dev/null | FileCheck %s --check-prefix=IR

// Block-scaled TOSA: rows, columns and blocks along K of different numbers, a batch and a right operand that it shares, all
// code formats, and a scale for each block. The last result is read right as [96, 160], with N and K exchanged as [160, 96].

// CHECK-COUNT-6: relative error 0{{(,|$)}}
// REPORT-COUNT-6: recognized: {{.*}}(left operand codes and scales, right operand codes and scales)
// REPORT: 6 of 6 contractions

// Six products of codes, and nothing else.
// IR: #qt.scale<f8E8M0FNU per block [1, 32] by floor>
// IR-LABEL: func.func @main(
// IR-COUNT-6: qt.matmul
// IR-NOT: linalg.contract
// IR-NOT: qt.quantize
// IR: func.func @main_unquantized

func.func @main(%a0: tensor<2x3x128xi8>, %as0: tensor<2x3x4xi8>, %b0: tensor<2x5x128xi8>, %bs0: tensor<2x5x4xi8>,
                %a1: tensor<2x3x128xi8>, %as1: tensor<2x3x4xi8>, %b1: tensor<1x5x128xi8>, %bs1: tensor<1x5x4xi8>,
                %a2: tensor<2x3x128xi8>, %as2: tensor<2x3x4xi8>, %b2: tensor<2x5x128xi8>, %bs2: tensor<2x5x4xi8>,
                %a3: tensor<2x3x128xi8>, %as3: tensor<2x3x4xi8>, %b3: tensor<2x5x128xi8>, %bs3: tensor<2x5x4xi8>,
                %a4: tensor<2x3x128xi8>, %as4: tensor<2x3x4xi8>, %b4: tensor<2x5x128xi8>, %bs4: tensor<2x5x4xi8>)
    -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x1x2xf32>) {
  %qa0 = arith.bitcast %a0 : tensor<2x3x128xi8> to tensor<2x3x128xf8E4M3FN>
  %qb0 = arith.bitcast %b0 : tensor<2x5x128xi8> to tensor<2x5x128xf8E4M3FN>
  %sa0 = arith.bitcast %as0 : tensor<2x3x4xi8> to tensor<2x3x4xf8E8M0FNU>
  %sb0 = arith.bitcast %bs0 : tensor<2x5x4xi8> to tensor<2x5x4xf8E8M0FNU>
  %r0 = tosa.matmul_t_block_scaled %qa0, %sa0, %qb0, %sb0 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<2x3x128xf8E4M3FN>, tensor<2x3x4xf8E8M0FNU>, tensor<2x5x128xf8E4M3FN>, tensor<2x5x4xf8E8M0FNU>) -> tensor<2x3x5xf32>

  %qa1 = arith.bitcast %a1 : tensor<2x3x128xi8> to tensor<2x3x128xf8E5M2>
  %qb1 = arith.bitcast %b1 : tensor<1x5x128xi8> to tensor<1x5x128xf8E5M2>
  %sa1 = arith.bitcast %as1 : tensor<2x3x4xi8> to tensor<2x3x4xf8E8M0FNU>
  %sb1 = arith.bitcast %bs1 : tensor<1x5x4xi8> to tensor<1x5x4xf8E8M0FNU>
  %r1 = tosa.matmul_t_block_scaled %qa1, %sa1, %qb1, %sb1 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<2x3x128xf8E5M2>, tensor<2x3x4xf8E8M0FNU>, tensor<1x5x128xf8E5M2>, tensor<1x5x4xf8E8M0FNU>) -> tensor<2x3x5xf32>

  %na2 = arith.trunci %a2 : tensor<2x3x128xi8> to tensor<2x3x128xi6>
  %qa2 = arith.bitcast %na2 : tensor<2x3x128xi6> to tensor<2x3x128xf6E3M2FN>
  %nb2 = arith.trunci %b2 : tensor<2x5x128xi8> to tensor<2x5x128xi6>
  %qb2 = arith.bitcast %nb2 : tensor<2x5x128xi6> to tensor<2x5x128xf6E3M2FN>
  %sa2 = arith.bitcast %as2 : tensor<2x3x4xi8> to tensor<2x3x4xf8E8M0FNU>
  %sb2 = arith.bitcast %bs2 : tensor<2x5x4xi8> to tensor<2x5x4xf8E8M0FNU>
  %r2 = tosa.matmul_t_block_scaled %qa2, %sa2, %qb2, %sb2 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<2x3x128xf6E3M2FN>, tensor<2x3x4xf8E8M0FNU>, tensor<2x5x128xf6E3M2FN>, tensor<2x5x4xf8E8M0FNU>) -> tensor<2x3x5xf32>

  %na3 = arith.trunci %a3 : tensor<2x3x128xi8> to tensor<2x3x128xi6>
  %qa3 = arith.bitcast %na3 : tensor<2x3x128xi6> to tensor<2x3x128xf6E2M3FN>
  %nb3 = arith.trunci %b3 : tensor<2x5x128xi8> to tensor<2x5x128xi6>
  %qb3 = arith.bitcast %nb3 : tensor<2x5x128xi6> to tensor<2x5x128xf6E2M3FN>
  %sa3 = arith.bitcast %as3 : tensor<2x3x4xi8> to tensor<2x3x4xf8E8M0FNU>
  %sb3 = arith.bitcast %bs3 : tensor<2x5x4xi8> to tensor<2x5x4xf8E8M0FNU>
  %r3 = tosa.matmul_t_block_scaled %qa3, %sa3, %qb3, %sb3 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<2x3x128xf6E2M3FN>, tensor<2x3x4xf8E8M0FNU>, tensor<2x5x128xf6E2M3FN>, tensor<2x5x4xf8E8M0FNU>) -> tensor<2x3x5xf32>

  %na4 = arith.trunci %a4 : tensor<2x3x128xi8> to tensor<2x3x128xi4>
  %qa4 = arith.bitcast %na4 : tensor<2x3x128xi4> to tensor<2x3x128xf4E2M1FN>
  %nb4 = arith.trunci %b4 : tensor<2x5x128xi8> to tensor<2x5x128xi4>
  %qb4 = arith.bitcast %nb4 : tensor<2x5x128xi4> to tensor<2x5x128xf4E2M1FN>
  %sa4 = arith.bitcast %as4 : tensor<2x3x4xi8> to tensor<2x3x4xf8E8M0FNU>
  %sb4 = arith.bitcast %bs4 : tensor<2x5x4xi8> to tensor<2x5x4xf8E8M0FNU>
  %r4 = tosa.matmul_t_block_scaled %qa4, %sa4, %qb4, %sb4 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<2x3x128xf4E2M1FN>, tensor<2x3x4xf8E8M0FNU>, tensor<2x5x128xf4E2M1FN>, tensor<2x5x4xf8E8M0FNU>) -> tensor<2x3x5xf32>

  %one = arith.constant dense<1.0> : tensor<1x1x64xf8E4M3FN>
  %ones = arith.constant dense<1.0> : tensor<1x2x64xf8E4M3FN>
  %ka = arith.constant dense<127> : tensor<1x1x2xi8>
  %kb = arith.constant dense<[[[127, 128], [129, 127]]]> : tensor<1x2x2xi8>
  %sa5 = arith.bitcast %ka : tensor<1x1x2xi8> to tensor<1x1x2xf8E8M0FNU>
  %sb5 = arith.bitcast %kb : tensor<1x2x2xi8> to tensor<1x2x2xf8E8M0FNU>
  %r5 = tosa.matmul_t_block_scaled %one, %sa5, %ones, %sb5 {block_size = #tosa.block_size<BLOCK_SIZE_32>}
      : (tensor<1x1x64xf8E4M3FN>, tensor<1x1x2xf8E8M0FNU>, tensor<1x2x64xf8E4M3FN>, tensor<1x2x2xf8E8M0FNU>) -> tensor<1x1x2xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<2x3x5xf32>, tensor<1x1x2xf32>
}
