// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products that a recipe leaves in high precision, as kernels.

#ifndef FP8_OPT_LIB_CONVERSION_UNQUANTIZEDPRODUCTS_H
#define FP8_OPT_LIB_CONVERSION_UNQUANTIZEDPRODUCTS_H

#include "KernelBook.h"
#include "ProductShares.h"

namespace fp8opt {

class UnquantizedProducts {
public:
  UnquantizedProducts(KernelBook &book, ProductShares &shares, qtile::TargetOp target)
      : book(book), shares(shares), target(target) {}

  /// Whether a kernel takes it, and the reason where none does.
  void consider(qt::QuantizableOp product);
  /// Writes the launches of what kernels take, also of sums that are rounded next: each is rounded once, by
  /// the kernel. Erases what nothing reads any more.
  void rewrite();
  unsigned count() const { return products.size(); }

private:
  struct Product {
    qt::QuantizableOp op;
    qtile::KernelOp kernel;
  };
  KernelOrReason describe(qt::QuantizableOp op);
  void multiply(const Product &product);

  KernelBook &book;
  ProductShares &shares;
  qtile::TargetOp target;
  llvm::SmallVector<Product> products;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_UNQUANTIZEDPRODUCTS_H
