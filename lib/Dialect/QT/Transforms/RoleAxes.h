// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which axes of an argument a product sums over.

#ifndef FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEAXES_H
#define FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEAXES_H

#include "RoleGraph.h"

namespace fp8opt::qt::roles {

/// A part of an axis: the digit (i / stride) mod size of the index i along the axis. The whole axis has
/// stride 1 and the size of the axis, also where that is dynamic. A part that cannot be told has size 0.
struct AxisPart {
  int64_t axis, stride, size;

  bool operator==(const AxisPart &other) const {
    return std::tie(axis, stride, size) == std::tie(other.axis, other.stride, other.size);
  }
};

/// The summed axis of an operand, traced to the value that it is a view of. Reshapes split and join axes, so
/// the result is a list of parts, sorted and as few as can be: two products sum the same of a weight exactly
/// if their lists are equal (unless sizes are dynamic where an axis is split).
llvm::SmallVector<AxisPart> traceSummedAxis(const RoleGraph &graph, ValueId operand);
/// The same for the m or n axis.
llvm::SmallVector<AxisPart> traceFreeAxis(const RoleGraph &graph, ValueId operand);

} // namespace fp8opt::qt::roles

#endif // FP8_OPT_LIB_DIALECT_QT_TRANSFORMS_ROLEAXES_H
