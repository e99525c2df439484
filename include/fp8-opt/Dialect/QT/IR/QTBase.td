// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The qt dialect and the classes its other descriptions build on.

#ifndef FP8_OPT_DIALECT_QT_IR_QTBASE_TD
#define FP8_OPT_DIALECT_QT_IR_QTBASE_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def QT_Dialect : Dialect {
  let name = "qt";
  let cppNamespace = "::fp8opt::qt";
  let summary = "Quantized tensors as one typed value of codes and scales";
  let description = [{
    A value of type `!qt.tensor<128x64xbf16, #scheme>` holds codes and scales together: a logical shape, the type its
    elements stand for, and a scheme that decides every bit. Nothing reads codes as numbers but the ops of this
    dialect. Passes record what they learn on other dialects' ops as the typed discardable attributes below: `qt.role` on
    arguments and results of functions, `qt.signature`, `qt.report`, `qt.plan`, `qt.traffic` and `qt.step` on modules, the others on ops. `qt.check` is on
    assertions that the graph does not have: of sizes and indices, whose message says what was expected.
  }];
  // What a folded qt.disassemble yields are plain constants.
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let discardableAttrs = (ins
    "::fp8opt::qt::RoleAttr":$role,
    "::fp8opt::qt::RolesAttr":$roles,
    "::fp8opt::qt::GemmAttr":$gemm,
    "::fp8opt::qt::HalfAttr":$half,
    "::fp8opt::qt::SiteAttr":$site,
    "::fp8opt::qt::LinearAttr":$linear,
    "::fp8opt::qt::LayerAttr":$layer,
    "::fp8opt::qt::SchemesAttr":$schemes,
    "::fp8opt::qt::SchemeAttr":$dual,
    "::mlir::UnitAttr":$promoted,
    "::fp8opt::qt::KeptAttr":$kept,
    "::fp8opt::qt::GivenAttr":$given,
    "::mlir::UnitAttr":$check,
    "::fp8opt::qt::SignatureAttr":$signature,
    "::fp8opt::qt::ReportAttr":$report,
    "::fp8opt::qt::PlanAttr":$plan,
    "::fp8opt::qt::TrafficAttr":$traffic,
    "::fp8opt::qt::StepAttr":$step
  );
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
    void registerOperations();
    void registerBytecode();
  }];
}

class QT_Attr<string name, string keyword, list<Trait> traits = []> : AttrDef<QT_Dialect, name, traits> {
  let mnemonic = keyword;
}

class QT_Enum<string name, string description, list<I32EnumCase> cases> : I32Enum<name, description, cases> {
  let cppNamespace = "::fp8opt::qt";
}
class QT_EnumAttr<EnumInfo info, string keyword> : EnumAttr<QT_Dialect, info, keyword> {
  let assemblyFormat = "`` custom<WordInAngles>($value)";
  let description = "Example:\n```mlir\n#" # keyword # " = #qt." # keyword # "<" # !head(info.enumerants).str
                    # ">\n```\n";
}

/// Moves elements of quantized tensors, codes and scales alike, and computes nothing.
def QT_MovesCodes : NativeOpTrait<"MovesCodes"> {
  let cppNamespace = "::fp8opt::qt";
}

class QT_Op<string keyword, list<Trait> traits = []> : Op<QT_Dialect, keyword, traits>;

#endif // FP8_OPT_DIALECT_QT_IR_QTBASE_TD
