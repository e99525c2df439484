// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the quantizers of a graph quantize, in words.

#ifndef FP8_OPT_LIB_RUN_QUANTIZERNAMES_H
#define FP8_OPT_LIB_RUN_QUANTIZERNAMES_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include <string>

namespace fp8opt::run {

/// Names operands by what the report of a module says of the products that read them.
class QuantizerNames {
public:
  /// Both may be null.
  QuantizerNames(qt::ReportAttr report, qt::SignatureAttr signature);

  /// "weight 'w' for fprop and dgrad": the role, the weight of the layer if it has a name, and the products
  /// that read the codes; empty where the report says nothing of them. Of a weight that is joined of several,
  /// the one that is quantized here.
  std::string nameOf(qt::QuantizeOp quantizer) const;

private:
  /// Null where entries of one place differ.
  llvm::DenseMap<mlir::Attribute, qt::EntryAttr> entries;
  qt::SignatureAttr signature;
};

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_QUANTIZERNAMES_H
