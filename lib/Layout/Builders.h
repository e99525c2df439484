// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the named layouts are built with, and their builders, one for each row of Layouts.def.

#ifndef FP8_OPT_LIB_LAYOUT_BUILDERS_H
#define FP8_OPT_LIB_LAYOUT_BUILDERS_H

#include "fp8-opt/Layout/Layouts.h"

#include "mlir/IR/AffineExpr.h"

namespace fp8opt {

/// One layout that is being written down: the row of the list, and the expressions its formulas are made of.
struct MatrixLayout {
  mlir::MLIRContext *context;
  mlir::StringRef name;
  unsigned bits;
  /// Logical indices and sizes; what they count is the layout's.
  mlir::AffineExpr row, column, rows, columns;

  MatrixLayout(mlir::MLIRContext *context, mlir::StringRef name, unsigned bits)
      : context(context), name(name), bits(bits) {
    bindDims(context, row, column);
    bindSymbols(context, rows, columns);
  }

  /// Stored index `position`, in formulas of the inverse.
  mlir::AffineExpr stored(unsigned position) const { return getAffineDimExpr(position, context); }
  mlir::AffineExpr constant(int64_t value) const { return getAffineConstantExpr(value, context); }
  /// Elements in so many bytes; at least one.
  int64_t elementsIn(unsigned bytes) const { return std::max(1u, bytes * 8 / bits); }

  /// Row and column to `map`, in an array of `shape`; from stored indices back to `inverse`.
  Layout build(mlir::ArrayRef<mlir::AffineExpr> map, mlir::ArrayRef<mlir::AffineExpr> shape,
               mlir::ArrayRef<mlir::AffineExpr> inverse) const {
    return Layout(name, bits, mlir::AffineMap::get(2, 2, map, context),
                  mlir::AffineMap::get(0, 2, shape, context),
                  mlir::AffineMap::get(map.size(), 2, inverse, context));
  }
};

inline mlir::AffineExpr roundUp(mlir::AffineExpr size, int64_t multiple) {
  return size.ceilDiv(multiple) * multiple;
}

/// Builds the layout of that name for elements of `bits`, or none.
using LayoutBuilder = std::optional<Layout>(mlir::MLIRContext *context, mlir::StringRef name, unsigned bits);
#define FP8OPT_LAYOUT(kind, name, builder) LayoutBuilder builder;
#include "fp8-opt/Layout/Layouts.def"

} // namespace fp8opt

#endif // FP8_OPT_LIB_LAYOUT_BUILDERS_H
