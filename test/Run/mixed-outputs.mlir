// RUN: fp8-run %s --init=normal:3 | FileCheck %s
// CHECK: {{result0|wrong}}: I64 = 0{{$}}

// One op whose results differ in what they reduce: a result that keeps a dimension others reduce is stored in every
// iteration, the others stay in registers; over one inner loop, two, and where an element of the maximum stands for a
// run of elements, the last of which is short.

#m = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0)>
#runs = affine_map<(d0, d1, d2) -> (d0, d1, d2 floordiv 4)>
#none = affine_map<(d0, d1, d2) -> ()>

func.func @main(%x: tensor<3x5x10xf32>) -> i64 {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x5x10xf32>
  %er = tensor.empty() : tensor<3x5xf32>
  %ea = tensor.empty() : tensor<3xf32>
  %eb = tensor.empty() : tensor<3x5x3xf32>
  %ir = linalg.fill ins(%zero : f32) outs(%er : tensor<3x5xf32>) -> tensor<3x5xf32>
  %ia = linalg.fill ins(%zero : f32) outs(%ea : tensor<3xf32>) -> tensor<3xf32>
  %ib = linalg.fill ins(%zero : f32) outs(%eb : tensor<3x5x3xf32>) -> tensor<3x5x3xf32>
  %y:2 = linalg.generic {indexing_maps = [#m, #m, #rows], iterator_types = ["parallel", "parallel", "reduction"]}
           ins(%x : tensor<3x5x10xf32>) outs(%e, %ir : tensor<3x5x10xf32>, tensor<3x5xf32>) {
  ^bb0(%in: f32, %out: f32, %max: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.maximumf %0, %max : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<3x5x10xf32>, tensor<3x5xf32>)
  %z:3 = linalg.generic {indexing_maps = [#m, #all, #m, #runs], iterator_types = ["parallel", "reduction", "reduction"]}
           ins(%x : tensor<3x5x10xf32>) outs(%ia, %e, %ib : tensor<3xf32>, tensor<3x5x10xf32>, tensor<3x5x3xf32>) {
  ^bb0(%in: f32, %max: f32, %out: f32, %run: f32):
    %0 = arith.mulf %in, %in : f32
    %1 = arith.maximumf %0, %max : f32
    %2 = arith.maximumf %0, %run : f32
    linalg.yield %1, %0, %2 : f32, f32, f32
  } -> (tensor<3xf32>, tensor<3x5x10xf32>, tensor<3x5x3xf32>)

  // One by one, in loops.
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  %none = arith.constant 0 : i64
  %wrong = scf.for %i = %c0 to %c3 step %c1 iter_args(%w0 = %none) -> i64 {
    %a:2 = scf.for %j = %c0 to %c5 step %c1 iter_args(%w1 = %w0, %largest = %zero) -> (i64, f32) {
      %b:4 = scf.for %k = %c0 to %c10 step %c1 iter_args(%w2 = %w1, %row = %zero, %run = %zero, %past = %zero) -> (i64, f32, f32, f32) {
        %v = tensor.extract %x[%i, %j, %k] : tensor<3x5x10xf32>
        %square = arith.mulf %v, %v : f32
        %y0 = tensor.extract %y#0[%i, %j, %k] : tensor<3x5x10xf32>
        %z1 = tensor.extract %z#1[%i, %j, %k] : tensor<3x5x10xf32>
        %d0 = arith.cmpf une, %y0, %square : f32
        %d1 = arith.cmpf une, %z1, %square : f32
        %row1 = arith.maximumf %row, %square : f32
        // A run begins at each fourth element, and has ended at the next or at the end of the row.
        %in = arith.remui %k, %c4 : index
        %begins = arith.cmpi eq, %in, %c0 : index
        %before = arith.select %begins, %zero, %run : f32
        %run1 = arith.maximumf %before, %square : f32
        %next = arith.addi %k, %c1 : index
        %inNext = arith.remui %next, %c4 : index
        %atRun = arith.cmpi eq, %inNext, %c0 : index
        %atRow = arith.cmpi eq, %next, %c10 : index
        %ends = arith.ori %atRun, %atRow : i1
        %index = arith.divui %k, %c4 : index
        %z2 = tensor.extract %z#2[%i, %j, %index] : tensor<3x5x3xf32>
        %unequal = arith.cmpf une, %z2, %run1 : f32
        %d2 = arith.andi %ends, %unequal : i1
        %d01 = arith.ori %d0, %d1 : i1
        %d = arith.ori %d01, %d2 : i1
        %one = arith.extui %d : i1 to i64
        %w3 = arith.addi %w2, %one : i64
        scf.yield %w3, %row1, %run1, %before : i64, f32, f32, f32
      }
      %y1 = tensor.extract %y#1[%i, %j] : tensor<3x5xf32>
      %d = arith.cmpf une, %y1, %b#1 : f32
      %one = arith.extui %d : i1 to i64
      %w3 = arith.addi %b#0, %one : i64
      %largest1 = arith.maximumf %largest, %b#1 : f32
      scf.yield %w3, %largest1 : i64, f32
    }
    %z0 = tensor.extract %z#0[%i] : tensor<3xf32>
    %d = arith.cmpf une, %z0, %a#1 : f32
    %one = arith.extui %d : i1 to i64
    %w3 = arith.addi %a#0, %one : i64
    scf.yield %w3 : i64
  }
  return %wrong : i64
}
