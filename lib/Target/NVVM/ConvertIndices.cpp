// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which block and which thread this is.

#include "KernelValues.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::nvvm;

void fp8opt::nvvm::populateIndexPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         const Kernels &kernels) {
  patterns.add<ConvertToValue<qtile::LaneOp, &KernelValues::lane>,
               ConvertToValue<qtile::ThreadOp, &KernelValues::thread>,
               ConvertToInstruction<qtile::BlockOp, NVVM::BlockIdXOp>,
               ConvertToInstruction<qtile::BlocksOp, NVVM::GridDimXOp>>(types, patterns.getContext(),
                                                                        kernels);
}
