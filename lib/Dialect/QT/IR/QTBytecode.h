// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The codes of the bytecode encoding, which writer and reader share.

#ifndef FP8_OPT_LIB_DIALECT_QT_IR_QTBYTECODE_H
#define FP8_OPT_LIB_DIALECT_QT_IR_QTBYTECODE_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace fp8opt::qt {

/// What kind of attribute follows. Part of the encoding: append only.
enum class AttrCode : uint64_t {
  Role,
  Gemm,
  Half,
  Site,
  Step,
  Roles,
  Linear,
  Layer,
  Scale,
  Scheme,
  Schemes,
  Kept,
  NamedValue,
  Signature,
  Entry,
  Report,
  Dense,
  Cost,
  Planned,
  Plan,
  Amax,
  CastSource,
  Passes,
  TensorTraffic,
  Traffic,
  Given,
  GivenEntry,    // an entry that also says which operands were given
  ResultTraffic, // of a tensor that also says which result of its op it is
};
enum class TypeCode : uint64_t { Tensor };

/// Reads an attribute or type of the dialect as the writer in QTBytecode.cpp wrote it; null after an error.
mlir::Attribute readAttributeFields(mlir::DialectBytecodeReader &in);
mlir::Type readTypeFields(mlir::DialectBytecodeReader &in);

} // namespace fp8opt::qt

#endif // FP8_OPT_LIB_DIALECT_QT_IR_QTBYTECODE_H
