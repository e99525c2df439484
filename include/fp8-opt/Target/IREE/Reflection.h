// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry point of a compiled module says of itself.

#ifndef FP8_OPT_TARGET_IREE_REFLECTION_H
#define FP8_OPT_TARGET_IREE_REFLECTION_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace fp8opt::iree {

/// A quantizer of a program, in order. An exposed one has its source, its codes and the scales of each level
/// among the results after the program's own.
struct Quantizer {
  qt::QTensorType type;
  mlir::LocationAttr location;
  /// Its scales are operands; only codes are its own.
  bool hasGivenScales;
  bool isExposed;
};

/// IREE keeps string attributes of functions in the .vmfb, as reflection. These are attributes of MLIR in
/// their textual form, so that they are read and checked like any other.
struct EntryReflection {
  /// As the graph has it: scalars are scalars.
  mlir::FunctionType type;
  qt::SignatureAttr names;
  /// The numbers of the arguments that the compiler found to be weights.
  llvm::SmallVector<int64_t> weights;
  llvm::SmallVector<Quantizer> quantizers;
};

/// Sets the list of quantizers alone.
void setQuantizers(mlir::func::FuncOp entry, llvm::ArrayRef<Quantizer> quantizers);
/// Sets everything but the list of quantizers. `device` is IREE's name for the driver that runs it, which
/// python/fp8_opt/run_iree.py reads.
void setDescription(mlir::func::FuncOp entry, mlir::FunctionType type, qt::SignatureAttr names,
                    llvm::ArrayRef<int64_t> weights, llvm::StringRef device);

/// The strings of an entry point that has not been compiled yet.
llvm::StringMap<std::string> reflectionStrings(mlir::func::FuncOp entry);
/// Reads the strings back. An error for a function that fp8-opt did not describe.
llvm::Expected<EntryReflection> parseReflection(const llvm::StringMap<std::string> &strings,
                                                mlir::MLIRContext *context);

} // namespace fp8opt::iree

#endif // FP8_OPT_TARGET_IREE_REFLECTION_H
