// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, and the check of typed discardable attributes.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt::qt;

#include "fp8-opt/Dialect/QT/IR/QTDialect.cpp.inc"
#include "fp8-opt/Dialect/QT/IR/QTInterfaces.cpp.inc"

namespace {
/// Prints schemes as #name, or every type spells them in full.
struct QTAsmInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<SchemeAttr>(attribute))
      return AliasResult::NoAlias;
    os << "scheme";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void QTDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<QTAsmInterface>();
  registerBytecode();
}

template <typename AttrT>
static LogicalResult expect(Operation *op, NamedAttribute attribute) {
  if (isa<AttrT>(attribute.getValue()))
    return success();
  return op->emitOpError() << "expected '" << attribute.getName().getValue() << "' to be a #" << AttrT::name
                           << " attribute, got " << attribute.getValue();
}

/// Checks that a discardable attribute of this dialect is of its declared class, and that there is one of its name.
static LogicalResult verifyDiscardable(QTDialect &dialect, Operation *op, NamedAttribute attribute) {
  StringAttr name = attribute.getName();
#define CASE(Helper, AttrT)                                                                                      if (name == dialect.get##Helper##AttrHelper().getName())                                                         return expect<AttrT>(op, attribute);
  CASE(Role, RoleAttr)
  CASE(Roles, RolesAttr)
  CASE(Gemm, GemmAttr)
  CASE(Half, HalfAttr)
  CASE(Site, SiteAttr)
  CASE(Linear, LinearAttr)
  CASE(Layer, LayerAttr)
  CASE(Schemes, SchemesAttr)
  CASE(Kept, KeptAttr)
  CASE(Signature, SignatureAttr)
  CASE(Report, ReportAttr)
  CASE(Step, StepAttr)
#undef CASE
  return op->emitOpError() << "expected an attribute that the qt dialect declares, got '" << name.getValue() << "'";
}

LogicalResult QTDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyDiscardable(*this, op, attribute);
}

LogicalResult QTDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned, NamedAttribute attribute) {
  return verifyDiscardable(*this, op, attribute);
}

Operation *QTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto dense = dyn_cast<DenseAttr>(value);
  auto tensor = dyn_cast<QTensorType>(type);
  return dense && tensor ? ConstantOp::create(builder, loc, tensor, dense).getOperation() : nullptr;
}
