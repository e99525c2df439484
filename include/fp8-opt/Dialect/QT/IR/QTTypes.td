// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quantized tensor type.

#ifndef FP8_OPT_DIALECT_QT_IR_QTTYPES_TD
#define FP8_OPT_DIALECT_QT_IR_QTTYPES_TD

include "fp8-opt/Dialect/QT/IR/QTBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def QT_TensorType : TypeDef<QT_Dialect, "QTensor",
                            [DeclareTypeInterfaceMethods<ShapedTypeInterface, ["cloneWith", "hasRank"]>]> {
  let mnemonic = "tensor";
  let summary = "a tensor of codes with its scales";
  let description = [{
    `!qt.tensor<shape x expressed, scheme>`: `shape` is the logical shape (dimensions may be dynamic), `expressed` the
    float type the codes stand for (bf16, f16 or f32), `scheme` a `#qt.scheme`. A block that does not divide its
    dimension is partial at the end and covers its real elements only: the scale shape of a level is
    ceildiv(dimension, block).

    - C1. The expressed type is bf16, f16 or f32.
    - C2. A block with more sizes than the tensor has dimensions has sizes of 1 in front.
    - C3. Under a second level, which has a scale for each batch slice, a block of the first lies within one slice.

    Example, with 256x1000 codes of 8 bits and 256x32 scales of 8 bits:
    ```mlir
    #mxfp8 = #qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>
    func.func private @f(!qt.tensor<256x1000xbf16, #mxfp8>)
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::fp8opt::qt::SchemeAttr":$scheme);
  let assemblyFormat = "`<` custom<ShapeAndElement>($shape, $elementType) `,` $scheme `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The block of a scale level with the rank of this type; ShapedType::kDynamic is a whole dimension. A level per
    /// tensor is [1, ..., 1, whole, whole].
    ::llvm::SmallVector<int64_t> getBlock(unsigned level) const;
    /// The tensor of codes: this shape, an integer of the format's storage width.
    ::mlir::RankedTensorType getCodesType() const;
    /// The tensor of scales of a level: f32, or the storage integer of a narrower scale format. The shape is
    /// ceildiv(dimension, block); a level per tensor keeps the batch dimensions only.
    ::mlir::RankedTensorType getScalesType(unsigned level) const;
    /// The codes type, then the scales type of each level.
    ::llvm::SmallVector<::mlir::Type> getPartTypes() const;
    QTensorType cloneWithScheme(::fp8opt::qt::SchemeAttr scheme) const;
  }];
}

#endif // FP8_OPT_DIALECT_QT_IR_QTTYPES_TD
