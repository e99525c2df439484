// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which contractions of a program kernels compute, and why not the others.

#ifndef FP8_OPT_LIB_CONVERSION_PRODUCTSHARES_H
#define FP8_OPT_LIB_CONVERSION_PRODUCTSHARES_H

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace fp8opt {

/// What is decided of the contractions of a function, before any is rewritten.
class ProductShares {
public:
  /// No kernel computes it, for this reason, the end of a sentence "it stays because ...".
  void stays(mlir::Operation *op, llvm::StringRef reason) { decided[op] = {reason.str()}; }
  /// A kernel computes it, or its transpose, with the right operand on the left.
  void isTaken(mlir::Operation *op, bool isTransposed = false) { decided[op] = {"", isTransposed}; }

  /// All contractions of the function in their order: quantized products, products in high precision, and
  /// what is no product. Of one that nothing was decided of, the reason is what keeps it in high precision.
  qtile::SharesAttr collect(mlir::FunctionOpInterface function, llvm::ArrayRef<qtile::MovedAttr> moved) const;

private:
  struct Decision {
    std::string reason; ///< why no kernel computes it; empty where one does
    bool isTransposed = false;
  };
  llvm::DenseMap<mlir::Operation *, Decision> decided;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_PRODUCTSHARES_H
