// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opt driver and the one-command compiler.

#include "../Version.h"
#include "Compiler.h"
#include "Driver.h"
#include "Library.h"

#include "fp8-opt/InitAll.h"

#include "fp8-opt/Target/NVVM/Translate.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  setVersion("fp8-opt");
  mlir::DialectRegistry registry;
  fp8opt::registerAllDialects(registry);
  fp8opt::nvvm::registerDialects(registry);
  fp8opt::registerAllPasses();
  fp8opt::registerUpstreamPasses();
  auto [inputPath, outputPath] = mlir::registerAndParseCLIOptions(
      argc, argv, "fp8-opt: quantization of training and inference graphs as a compiler's job\n", registry);
  if (wantsLibrary())
    return runLibrary(registry);
  if (wantsCompiler())
    return runCompiler(inputPath, outputPath, registry);
  return runDriver(argc, argv, inputPath, outputPath, registry);
}
