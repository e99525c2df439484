// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in a graph: where one is launched, and what lies between two of them.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEGRAPHOPS_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEGRAPHOPS_TD

include "fp8-opt/Dialect/QTile/IR/QTileTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def QTile_LaunchOp : QTile_Op<"launch", [Pure, AttrSizedOperandSegments, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel on tensors";
  let description = [{
    The pointers of the kernel, in their order, are the operands and then the results; its integers are `sizes`. A result
    that `tied` gives the number of an operand is that operand after the kernel has changed it, and has no pointer of its own:
    the kernel finds there what the operand held. Every other result is new, and holds anything where the kernel does not
    write. `shapes` are the dynamic sizes of the results, in their order.

    A tensor is stored as its type says: row major, or, with `#qtile.stored`, in a layout.

    - C1. `tied` has a number for each result: of an operand of its type, each at most once, or -1.
    - C2. `shapes` has a value for each dynamic size of a result that is not tied.
    - C3. The symbol is a kernel with a pointer for each operand and each result that is not tied, then an i32 for each
      size; the elements of the tensors are those of the pointers, where i8 stands for any of 8 bits, i4 for any of 4.
    - C4. Until the kernel is expanded: each tensor is stored in the layout, and has the sizes, that the op in the kernel reads or writes
      at its pointer, as far as sizes are known.
    - C5. Until then too: there is memory for the maps of all processors of the target; strides are multiples of 16 bytes and, as far as integers
      are known, no further than the tensor reaches; matrices are a multiple of the inner ones.

    Example:
    ```mlir
    qtile.kernel @amax(%x: !qtile.global<bf16>, %cell: !qtile.global<f32>, %m: i32, %n: i32) on @sm_90a {
      qtile.amax %x sizes(%m, %n) by #qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]> into %cell : !qtile.global<bf16>
      qtile.return
    }
    func.func @main(%x: tensor<256x1024xbf16>, %m: i32, %n: i32) -> tensor<f32> {
      %zero = arith.constant dense<0.0> : tensor<f32>
      %amax = qtile.launch @amax(%x, %zero) sizes(%m, %n) tied [1] : (tensor<256x1024xbf16>, tensor<f32>) -> tensor<f32>
      return %amax : tensor<f32>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs, Variadic<I32>:$sizes,
                       Variadic<Index>:$shapes, DenseI64ArrayAttr:$tied);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{ $kernel `(` $inputs `)` (`sizes` `(` $sizes^ `)`)? (`shapes` `(` $shapes^ `)`)? `tied` $tied
                          attr-dict `:` functional-type($inputs, results) }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kernel; null where the module does not have it, which verification refuses.
    ::fp8opt::qtile::KernelOp getKernelOp();
  }];
}

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEGRAPHOPS_TD
