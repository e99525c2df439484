// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration, and the check of typed discardable attributes.

#include "fp8-opt/Dialect/QT/IR/QT.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/InliningUtils.h"

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

namespace {
/// Every op may move with the function it stands in: none has an effect or a region that runs.
struct QTInlinerInterface : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const override { return true; }
};
} // namespace

void QTDialect::initialize() {
  registerAttributes();
  registerTypes();
  registerOperations();
  addInterfaces<QTAsmInterface, QTInlinerInterface>();
  registerBytecode();
}

namespace {
/// Where a discardable attribute of the dialect has a meaning.
enum class Place { Signature, Module, Op };
} // namespace

static StringRef describe(Place place) {
  switch (place) {
  case Place::Signature:
    return "an argument or result of a function";
  case Place::Module:
    return "a module";
  case Place::Op:
    return "an op that is no module";
  }
  llvm_unreachable("a place is one of three");
}

template <typename AttrT>
static LogicalResult expect(Operation *op, NamedAttribute attribute, Place wanted, Place got) {
  StringRef name = attribute.getName().getValue();
  if (wanted != got) // else it would silently have no effect
    return op->emitOpError() << "expected '" << name << "' on " << describe(wanted) << ", got it on "
                             << describe(got);
  if (!isa<AttrT>(attribute.getValue()))
    return op->emitOpError() << "expected '" << name << "' to be a #" << AttrT::name << " attribute, got "
                             << attribute.getValue();
  return success();
}

/// Checks that a discardable attribute of this dialect is declared, of its declared class, and where it has a
/// meaning.
static LogicalResult verifyDiscardable(QTDialect &dialect, Operation *op, NamedAttribute attribute,
                                       Place place) {
  StringAttr name = attribute.getName();
  if (name == dialect.getRoleAttrHelper().getName())
    return expect<RoleAttr>(op, attribute, Place::Signature, place);
  if (name == dialect.getSignatureAttrHelper().getName())
    return expect<SignatureAttr>(op, attribute, Place::Module, place);
  if (name == dialect.getReportAttrHelper().getName())
    return expect<ReportAttr>(op, attribute, Place::Module, place);
  if (name == dialect.getPlanAttrHelper().getName())
    return expect<PlanAttr>(op, attribute, Place::Module, place);
  if (name == dialect.getTrafficAttrHelper().getName())
    return expect<TrafficAttr>(op, attribute, Place::Module, place);
  if (name == dialect.getStepAttrHelper().getName())
    return expect<StepAttr>(op, attribute, Place::Module, place);
  if (name == dialect.getRolesAttrHelper().getName())
    return expect<RolesAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getGemmAttrHelper().getName())
    return expect<GemmAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getHalfAttrHelper().getName())
    return expect<HalfAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getSiteAttrHelper().getName())
    return expect<SiteAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getLinearAttrHelper().getName())
    return expect<LinearAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getLayerAttrHelper().getName())
    return expect<LayerAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getSchemesAttrHelper().getName())
    return expect<SchemesAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getDualAttrHelper().getName())
    return expect<SchemeAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getPromotedAttrHelper().getName())
    return expect<UnitAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getKeptAttrHelper().getName())
    return expect<KeptAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getGivenAttrHelper().getName())
    return expect<GivenAttr>(op, attribute, Place::Op, place);
  if (name == dialect.getCheckAttrHelper().getName())
    return expect<UnitAttr>(op, attribute, Place::Op, place);
  return op->emitOpError() << "expected an attribute that the qt dialect declares, got '" << name.getValue()
                           << "'";
}

LogicalResult QTDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verifyDiscardable(*this, op, attribute, isa<ModuleOp>(op) ? Place::Module : Place::Op);
}

LogicalResult QTDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                  NamedAttribute attribute) {
  return verifyDiscardable(*this, op, attribute, Place::Signature);
}

LogicalResult QTDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                     NamedAttribute attribute) {
  return verifyDiscardable(*this, op, attribute, Place::Signature);
}

Operation *QTDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto dense = dyn_cast<DenseAttr>(value);
  auto tensor = dyn_cast<QTensorType>(type);
  if (dense && tensor)
    return ConstantOp::create(builder, loc, tensor, dense);
  // The parts of a constant that qt.disassemble takes apart.
  return arith::ConstantOp::materialize(builder, value, type, loc);
}
