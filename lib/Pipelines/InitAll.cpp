// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of everything.

#include "fp8-opt/InitAll.h"
#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/Dialect/QTile/IR/QTile.h"
#include "fp8-opt/Dialect/QTile/Transforms/Passes.h"
#include "fp8-opt/Import/Passes.h"
#include "fp8-opt/Interfaces/Models.h"
#include "fp8-opt/Target/IREE/Passes.h"
#include "fp8-opt/Target/NVVM/LowerKernels.h"
#include "fp8-opt/Target/NVVM/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void fp8opt::registerAllDialects(DialectRegistry &registry) {
  registry.insert<qt::QTDialect, qtile::QTileDialect, affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect, complex::ComplexDialect,
                  DLTIDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  memref::MemRefDialect, ml_program::MLProgramDialect, scf::SCFDialect, shape::ShapeDialect,
                  tensor::TensorDialect, tosa::TosaDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  registerLinalgModels(registry);
  registerLinalgViewModels(registry);
  registerTensorModels(registry);
  registerAmaxModels(registry);
}

void fp8opt::registerAllPasses() {
  registerImportPasses();
  qt::registerQTTransformsPasses();
  registerConversionPasses();
  qtile::registerQTileTransformsPasses();
  nvvm::registerNVVMPasses();
  nvvm::registerNVVMPipelines();
  registerIREEPasses();
  registerIREEPipelines();
}

void fp8opt::registerUpstreamPasses() {
  registerTransformsPasses();
  registerLinalgPasses();
}
