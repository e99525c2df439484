// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From kernels of roles over rings to instructions.

#ifndef FP8_OPT_TARGET_NVVM_PASSES_TD
#define FP8_OPT_TARGET_NVVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertQTileToNVVMPass : Pass<"convert-qtile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Writes kernels in the llvm and nvvm dialects";
  let description = [{
    Requires: qtile-plan-rings has placed what the kernels have in shared memory.
    Ensures: each kernel is an llvm.func that takes pointers to global memory and i32; loops and index arithmetic are scf and
    arith as they were; targets are gone. The order of copies, waits, products and promotions is the one of the kernel.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
}

def LoadTargetPass : Pass<"qtile-load-target", "::mlir::ModuleOp"> {
  let summary = "Puts the description of a chip into the module";
  let description = [{
    Requires: nothing else of the module is called like the target.
    Ensures: the module has the qtile.target of this name that ships, or that of the file. One of this name that is there already stays.
  }];
  let options = [Option<"name", "name", "std::string", "\"sm_90a\"", "Name of the target, or path of a target file">];
  let dependentDialects = ["::fp8opt::qtile::QTileDialect"];
}

#endif // FP8_OPT_TARGET_NVVM_PASSES_TD
