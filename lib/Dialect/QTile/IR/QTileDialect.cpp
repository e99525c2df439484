// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration.

#include "fp8-opt/Dialect/QTile/IR/QTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace fp8opt::qtile;

#include "fp8-opt/Dialect/QTile/IR/QTileDialect.cpp.inc"
#include "fp8-opt/Dialect/QTile/IR/QTileInterfaces.cpp.inc"

namespace {
/// Prints a ring as !ring, or every op on it spells all its tiles.
struct QTileAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Type type, raw_ostream &os) const override {
    if (!isa<RingType>(type))
      return AliasResult::NoAlias;
    os << "ring";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void QTileDialect::initialize() {
  addInterfaces<QTileAsmInterface>();
  registerAttributes();
  registerTypes();
  registerOperations();
}

LogicalResult QTileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName().getValue();
  if (attribute.getName() != getSharesAttrHelper().getName())
    return op->emitOpError() << "expected an attribute that the qtile dialect declares, got '" << name << "'";
  if (!isa<ModuleOp>(op) || !isa<SharesAttr>(attribute.getValue()))
    return op->emitOpError() << "expected '" << name << "' to be a #" << SharesAttr::name
                             << " attribute on a module, got " << attribute.getValue() << " on "
                             << op->getName();
  return success();
}

void QTileDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "fp8-opt/Dialect/QTile/IR/QTileOps.cpp.inc"
      >();
}
