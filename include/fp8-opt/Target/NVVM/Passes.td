// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From kernels of roles over rings to instructions.

#ifndef FP8_OPT_TARGET_NVVM_PASSES_TD
#define FP8_OPT_TARGET_NVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def LoadTargetPass : Pass<"qtile-load-target", "::mlir::ModuleOp"> {
  let summary = "Puts the description of a chip into the module";
  let description = [{
    Requires: nothing of the module is called like the target.
    Ensures: the module has the qtile.target of this name that ships. One that is there already stays.
  }];
  let options = [Option<"name", "name", "std::string", "\"sm_90a\"", "Name of the target">];
  let dependentDialects = ["::fp8opt::qtile::QTileDialect"];
}

#endif // FP8_OPT_TARGET_NVVM_PASSES_TD
