// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytecode encoding of the dialect's types and attributes.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
struct QTBytecodeInterface : BytecodeDialectInterface {
  using BytecodeDialectInterface::BytecodeDialectInterface;
};
} // namespace

void QTDialect::registerBytecode() {}
