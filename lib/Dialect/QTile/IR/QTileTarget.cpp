// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target op and its tables of schedules.

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

using namespace mlir;
using namespace fp8opt::qtile;

LogicalResult SchedulesOp::verify() {
  if (getRows().empty())
    return emitOpError() << "expected at least one schedule, got none";
  int64_t step = getStep().value_or(1), columns = getColumns().value_or(1);
  if (static_cast<int64_t>(getStages()) < 1 || columns < 1 || step < 1)
    return emitOpError() << "expected stages, columns and a step of at least 1, got " << getStages() << ", "
                         << columns << " and " << step;
  for (auto row : getRows().getAsRange<ScheduleAttr>())
    if (row.getStages() < static_cast<int64_t>(getStages()) || row.getTile()[1] < columns)
      return emitOpError() << "expected rows of at least " << getStages() << " stages and " << columns
                           << " columns, got " << row;
  return success();
}

LogicalResult TargetOp::verifyRegions() {
  SmallVector<SchedulesOp> tables;
  for (Operation &op : getBody().getOps()) {
    auto table = dyn_cast<SchedulesOp>(op);
    if (!table)
      return op.emitOpError() << "expected only qtile.schedules in a target, got " << op.getName();
    for (SchedulesOp other : tables)
      if (other.getLhs() == table.getLhs() && other.getRhs() == table.getRhs() &&
          other.getPromoted() == table.getPromoted() && other.getRowMajor() == table.getRowMajor())
        return table.emitOpError() << "expected one table of schedules for each kind of product, got two for "
                                   << stringifyScaling(table.getLhs()) << " and "
                                   << stringifyScaling(table.getRhs())
                                   << (table.getPromoted() ? ", promoted" : "")
                                   << (table.getRowMajor() ? ", row major" : "");
    tables.push_back(table);
  }
  return success();
}
