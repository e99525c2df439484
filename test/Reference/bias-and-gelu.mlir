// RUN: fp8-opt %s --qt-fuse-amax=remarks=false -o %t.mlir
// RUN: FileCheck %s --check-prefix=FUSED < %t.mlir
// RUN: fp8-run %t.mlir | FileCheck %s
// RUN: fp8-run %s | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// What follows a product keeps its order: scales of the operands, then the bias, then the activation in its own form, then
// the scale of the next quantizer, which is of what the activation gives. 8 code units under a scale of 0.25, less 1, are 1,
// and GELU by erf of 1 is 0.841345 (by tanh 0.841192); a factor moved inside gives 0.345731.

// FUSED: math.erf
// FUSED: qt.quantize %{{.*}}#0 amax(

#m = affine_map<(d0, d1) -> (d0, d1)>
#v = affine_map<(d0, d1) -> (d1)>
#fp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>

// 1 where two numbers are more than 1e-6 apart.
func.func private @apart(%a: f32, %b: f32) -> i64 {
  %bound = arith.constant 1.0e-06 : f32
  %d = arith.subf %a, %b : f32
  %m = math.absf %d : f32
  %c = arith.cmpf ugt, %m, %bound : f32
  %r = arith.extui %c : i1 to i64
  return %r : i64
}

func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710678 : f32
  %max = arith.constant 448.0 : f32
  // Codes of 8 by 1 and by -1.
  %ac = arith.constant dense<[[80]]> : tensor<1x1xi8>
  %bc = arith.constant dense<[[56], [184]]> : tensor<2x1xi8>
  %quarter = arith.constant dense<0.25> : tensor<f32>
  %unit = arith.constant dense<1.0> : tensor<f32>
  %a = qt.assemble %ac, %quarter : tensor<1x1xi8>, tensor<f32> -> !qt.tensor<1x1xf32, #fp8>
  %b = qt.assemble %bc, %unit : tensor<2x1xi8>, tensor<f32> -> !qt.tensor<2x1xf32, #fp8>
  %acc = qt.matmul %a, %b : !qt.tensor<1x1xf32, #fp8>, !qt.tensor<2x1xf32, #fp8> -> tensor<1x2xf32>
  %bias = arith.constant dense<[-1.0, 1.5]> : tensor<2xf32>
  %e = tensor.empty() : tensor<1x2xf32>
  %y = linalg.generic {indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}
         ins(%acc, %bias : tensor<1x2xf32>, tensor<2xf32>) outs(%e : tensor<1x2xf32>) {
  ^bb0(%x: f32, %c: f32, %out: f32):
    %s = arith.addf %x, %c : f32
    %t = arith.mulf %s, %root : f32
    %f = math.erf %t : f32
    %g = arith.addf %f, %one : f32
    %u = arith.mulf %s, %half : f32
    %r = arith.mulf %u, %g : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>
  %q = qt.quantize %y : tensor<1x2xf32> to !qt.tensor<1x2xf32, #fp8>
  %d = qt.dequantize %q : !qt.tensor<1x2xf32, #fp8> to tensor<1x2xf32>
  %qc, %qs = qt.disassemble %q : !qt.tensor<1x2xf32, #fp8> -> tensor<1x2xi8>, tensor<f32>
  %scale = tensor.extract %qs[] : tensor<f32>
  %amax = arith.mulf %scale, %max : f32
  %gelu = arith.constant 0.841345 : f32
  %n0 = func.call @apart(%amax, %gelu) : (f32, f32) -> i64
  // The largest number is its own code; GELU of -0.5 is -0.154269, of which E4M3 under this scale keeps -0.150240.
  %d0 = tensor.extract %d[%c0, %c0] : tensor<1x2xf32>
  %n1 = func.call @apart(%d0, %gelu) : (f32, f32) -> i64
  %y1 = tensor.extract %y[%c0, %c1] : tensor<1x2xf32>
  %w1 = arith.constant -0.154269 : f32
  %n2 = func.call @apart(%y1, %w1) : (f32, f32) -> i64
  %d1 = tensor.extract %d[%c0, %c1] : tensor<1x2xf32>
  %w2 = arith.constant -0.150240 : f32
  %n3 = func.call @apart(%d1, %w2) : (f32, f32) -> i64
  %t0 = arith.addi %n0, %n1 : i64
  %t1 = arith.addi %t0, %n2 : i64
  %t2 = arith.addi %t1, %n3 : i64
  return %t2 : i64
}
