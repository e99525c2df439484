// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that read what other people's tools export.

#ifndef FP8_OPT_IMPORT_PASSES_TD
#define FP8_OPT_IMPORT_PASSES_TD

include "mlir/Pass/PassBase.td"

def ImportTosaPass : Pass<"fp8-import-tosa", "::mlir::ModuleOp"> {
  let summary = "Lowers block-scaled TOSA, which upstream's passes leave";
  let description = [{
    Requires: nothing; other TOSA ops are lowered by upstream's passes, before or after.
    Ensures: no `tosa.matmul_t_block_scaled` and no `tosa.cast_from_block_scaled` is left. Both are codes times scales in
    linalg, which `fp8-import-quantized` takes for what they are. A right operand that all of the batch shares is one
    matrix.
    Leaves alone: everything else. `tosa.cast_to_block_scaled` is an error: it does not say how scales are made; so are
    operands without a rank, and codes of `!tosa.mxint8`, which have no arithmetic outside of TOSA.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ImportElementwisePass : Pass<"fp8-import-elementwise", "::mlir::ModuleOp"> {
  let summary = "Writes arithmetic on whole tensors as linalg.generic, and scaling casts as casts and products";
  let description = [{
    Requires: nothing.
    Ensures: no op that maps elements of ranked tensors is left outside linalg; no other name than `linalg.generic` for
    arithmetic on tensors, such as `linalg.add`, `linalg.elementwise`, `linalg.map` and `linalg.reduce`; `linalg.softmax` is
    what it computes, and `tensor.generate` a `linalg.generic` of its indices; no `arith.scaling_extf` and `arith.scaling_truncf`: the former is a cast times the scale, the latter a
    division by it and a cast.
    Leaves alone: everything else. No constant is folded, so codes that are constants stay codes.

    A scaling cast takes scales of type f8E8M0FNU, or constants that are powers of two; any other is an error, as what it
    is rounded to differs between implementations.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ImportLinalgPass : Pass<"fp8-import-linalg", "::mlir::ModuleOp"> {
  let summary = "Brings a linalg-on-tensors module into the normal form that later passes read";
  let description = [{
    Requires the function that the option names. Ensures, for that function:
    - no call of a function with a body is left; private functions that nothing public uses are gone;
    - every matrix product is a `linalg.contract` over (b..., m, n, k) with maps (b..., m, k), (b..., n, k) and
      (b..., m, n) and an f32 accumulator (f64 if an operand or the result is f64), rounded once afterwards;
    - no operand of a matrix product is repeated along its batch alone, if neither the other operand nor the result has
      to be transposed for that: the dimension is an m or an n then;
    - a concatenation of static sizes is a `tensor.concat`, where exporters spell it out: StableHLO's as a generic that
      chooses the part that each element is of, TOSA's as a chain of `tensor.insert_slice` that fill a tensor;
    - a copy that permutes dimensions is a `linalg.transpose`;
    - no all-parallel `linalg.generic` reads its output.
    Leaves alone other public functions, contractions that are no matrix product, and everything else; merges nothing.

    Example: `linalg.matmul` of bf16 operands into zeros of bf16 becomes
    ```mlir
    func.func @main(%a: tensor<16x64xbf16>, %b: tensor<64x32xbf16>) -> tensor<16x32xbf16> {
      %zero = arith.constant 0.0 : f32
      %0 = tensor.empty() : tensor<32x64xbf16>
      %bt = linalg.transpose ins(%b : tensor<64x32xbf16>) outs(%0 : tensor<32x64xbf16>) permutation = [1, 0]
      %1 = tensor.empty() : tensor<16x32xf32>
      %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %c = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>,
                                            affine_map<(m, n, k) -> (m, n)>]
             ins(%a, %bt : tensor<16x64xbf16>, tensor<32x64xbf16>) outs(%2 : tensor<16x32xf32>) -> tensor<16x32xf32>
      %3 = tensor.empty() : tensor<16x32xbf16>
      %d = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
                           iterator_types = ["parallel", "parallel"]}
             ins(%c : tensor<16x32xf32>) outs(%3 : tensor<16x32xbf16>) {
      ^bb0(%wide: f32, %unread: bf16):
        %narrow = arith.truncf %wide : f32 to bf16
        linalg.yield %narrow : bf16
      } -> tensor<16x32xbf16>
      return %d : tensor<16x32xbf16>
    }
    ```
  }];
  let options = [Option<"function", "function", "std::string", /*default=*/"\"main\"", "The function to compile">];
  let statistics = [
    Statistic<"inlinedCalls", "inlined-calls", "Calls inlined">,
    Statistic<"transposedCopies", "transposed-copies", "Permuting copies written as linalg.transpose">,
    Statistic<"concatenations", "concatenations", "Spelled-out concatenations written as tensor.concat">,
    Statistic<"broadcasts", "broadcasts", "Matrix products that read an operand before it is repeated">,
    Statistic<"products", "products", "Matrix products found">,
    Statistic<"normalized", "normalized", "Matrix products brought into the normal form">,
    Statistic<"leftAlone", "left-alone", "Contractions that are no matrix product">,
    Statistic<"readOutputs", "read-outputs", "All-parallel generics whose output became an input">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def ImportQuantizedPass : Pass<"fp8-import-quantized", "::mlir::ModuleOp"> {
  let summary = "Recognizes operands that a graph decodes from codes and scales";
  let description = [{
    Requires: `fp8-import-linalg` has run; arithmetic on whole tensors is linalg.
    Ensures: where an operand of a matrix product with an f32 accumulator is made from floats of at most 8 bits with a
    sign, by any order of views (transpose, reshape, slice, broadcast), casts between floats, and multiplications and
    divisions by scales, it is the `qt.dequantize` of a `qt.assemble` of these codes and one scale for each block; the
    product has `qt.given`.
    Leaves alone: operands of which the scales are no blocks, with a remark; everything else.

    A scale may be a scalar, a row or column, or blocks, broadcast in any way before it meets the codes. Several scales of
    an operand become one, their f32 product. Codes that are not scaled have a scale of one. Scales of E8M0 that nothing
    else joins stay E8M0; all others become f32.

    ```mlir
    %wide = arith.extf %codes : tensor<16x32xf8E4M3FN> to tensor<16x32xbf16>
    %all = linalg.broadcast ins(%scale : tensor<bf16>) outs(%e : tensor<16x32xbf16>) dimensions = [0, 1]
    %a = arith.mulf %wide, %all : tensor<16x32xbf16>
    %c = linalg.contract ins(%a, ...
    ```
    becomes
    ```mlir
    #scheme = #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>
    %q = qt.assemble %bytes, %s : tensor<16x32xi8>, tensor<f32> -> !qt.tensor<16x32xbf16, #scheme>
    %a = qt.dequantize %q : !qt.tensor<16x32xbf16, #scheme> to tensor<16x32xbf16>
    %c = linalg.contract {qt.given = #qt.given<exact, not>} ins(%a, ...
    ```
  }];
  let options = [Option<"function", "function", "std::string", /*default=*/"\"main\"", "The function to compile">];
  let statistics = [Statistic<"recognized", "recognized", "Products with an operand that came as codes and scales">,
                    Statistic<"refused", "refused", "Operands that are decoded in a way that no scheme has">];
  let dependentDialects = ["::fp8opt::qt::QTDialect", "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ImportSignaturePass : Pass<"fp8-import-signature", "::mlir::ModuleOp"> {
  let summary = "Names the arguments and results of the program";
  let description = [{
    Reads the names, and kinds where given, from a JSON file with `arguments` (name, shape, dtype, optionally kind) and
    `results` (names), checks them against the function, and sets `qt.signature` on the module. Without a file the
    names are arg0, arg1, ... and result0, result1, ..., and all kinds are unknown.

    Example: a step with one weight has
    ```mlir
    module attributes {qt.signature = #qt.signature<arguments = [<"w", parameter>] results = [<"loss", unknown>]>} {}
    ```
  }];
  let options = [Option<"function", "function", "std::string", /*default=*/"\"main\"", "The function to compile">,
                 Option<"file", "file", "std::string", /*default=*/"", "The JSON file; empty: number the names">];
  let dependentDialects = ["::fp8opt::qt::QTDialect"];
}

#endif // FP8_OPT_IMPORT_PASSES_TD
