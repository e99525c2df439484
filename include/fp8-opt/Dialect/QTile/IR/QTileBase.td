// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qtile dialect and the classes its other descriptions build on.

#ifndef FP8_OPT_DIALECT_QTILE_IR_QTILEBASE_TD
#define FP8_OPT_DIALECT_QTILE_IR_QTILEBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def QTile_Dialect : Dialect {
  let name = "qtile";
  let cppNamespace = "::fp8opt::qtile";
  let summary = "Kernels as warp roles over rings of shared memory";
  let description = [{
    A kernel starts as one op that says what it computes (`qtile.gemm`), gets its `#qtile.schedule` from one pass, and is
    expanded by it into warp roles: groups of warps that fill and empty the stages of a ring in shared memory. The ops of that
    level are what a schedule decides the order of: copies, waits, matrix products, promotions, barriers. Loops and
    index arithmetic are scf and arith on i32.

    Types keep apart what must not be mixed up: an accumulator that a matrix unit still writes is `!qtile.pending`, and only
    a wait makes a `!qtile.fragment` of it, which can be read. Phases of barriers, numbers of arrivals, expected bytes,
    barrier numbers and addresses in shared memory are nowhere written by hand: `qtile-plan-rings` derives them.

    Quantizers and their inverses (`qtile.quantize`, `qtile.amax`, `qtile.requantize`, `qtile.dequantize`) are bound by memory and have neither roles nor rings: they are expanded into
    what each thread does with vectors of its own.

    `qtile.shares` on a module says which contractions of its program kernels compute.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::fp8opt::qt::QTDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let discardableAttrs = (ins "::fp8opt::qtile::SharesAttr":$shares);
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOperations();
  }];
}

class QTile_Attr<string name, string keyword, list<Trait> traits = []> : AttrDef<QTile_Dialect, name, traits> {
  let mnemonic = keyword;
}
class QTile_Type<string name, string keyword, list<Trait> traits = []> : TypeDef<QTile_Dialect, name, traits> {
  let mnemonic = keyword;
}
class QTile_Op<string keyword, list<Trait> traits = []> : Op<QTile_Dialect, keyword, traits>;

#endif // FP8_OPT_DIALECT_QTILE_IR_QTILEBASE_TD
