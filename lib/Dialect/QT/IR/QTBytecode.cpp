// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How types and attributes of the dialect are written to bytecode, and its version.

#include "QTBytecode.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Raised when an encoding below changes. Files of older versions stay readable, files of newer ones are
/// refused.
constexpr uint64_t kVersion = 1;

struct QTVersion : DialectVersion {
  explicit QTVersion(uint64_t number) : number(number) {}
  uint64_t number;
};

/// Writes the fields of an attribute one after the other.
///
/// | field                          | encoding                                                             |
/// |--------------------------------|----------------------------------------------------------------------|
/// | enum of this dialect           | varint of its value, which the description fixes                     |
/// | enum or format of Numerics     | its name: a new row in Formats.def renumbers what follows it         |
/// | dimension of a shape           | varint of the size plus 1; 0 is dynamic                              |
/// | list                           | its length, then its elements                                        |
/// | scale level                    | in full: a default that changes later must not change an old file    |
struct Writer {
  DialectBytecodeWriter &out;

  void code(AttrCode code) { out.writeVarInt(uint64_t(code)); }
  template <typename EnumT> void number(EnumT value) { out.writeVarInt(uint64_t(value)); }
  void name(std::string_view name) { out.writeOwnedString(name); }

  void write(RoleAttr attr) { code(AttrCode::Role), number(attr.getValue()); }
  void write(GemmAttr attr) { code(AttrCode::Gemm), number(attr.getValue()); }
  void write(HalfAttr attr) { code(AttrCode::Half), number(attr.getValue()); }
  void write(SiteAttr attr) { code(AttrCode::Site), number(attr.getValue()); }
  void write(StepAttr attr) { code(AttrCode::Step), number(attr.getValue()); }
  void write(RolesAttr attr) { code(AttrCode::Roles), number(attr.getLhs()), number(attr.getRhs()); }
  void write(LinearAttr attr) {
    code(AttrCode::Linear);
    out.writeSignedVarInt(attr.getId());
    out.writeSignedVarInt(attr.getArgument());
    out.writeSignedVarInts(attr.getSums());
    out.writeSignedVarInts(attr.getParts());
  }
  void write(LayerAttr attr) {
    code(AttrCode::Layer);
    out.writeSignedVarInt(attr.getIndex());
    out.writeSignedVarInt(attr.getPlace());
  }
  void write(ScaleAttr attr) {
    code(AttrCode::Scale);
    numerics::ScaleLevel level = attr.getLevel();
    name(numerics::format(level.type).name);
    out.writeSignedVarInts(level.block);
    name(numerics::name(level.rule));
    out.writeVarInt(llvm::bit_cast<uint32_t>(level.floor));
    name(numerics::name(level.zero));
    name(numerics::name(level.inf));
    name(numerics::name(level.nan));
    name(numerics::name(level.overflow));
    name(numerics::name(level.stored));
    name(numerics::name(level.apply));
  }
  void write(SchemeAttr attr) {
    code(AttrCode::Scheme);
    name(numerics::format(attr.getCode()).name);
    out.writeAttributes(attr.getScales());
    name(numerics::name(attr.getRounding()));
    name(numerics::name(attr.getOverflow()));
    name(numerics::name(attr.getNan()));
  }
  void write(SchemesAttr attr) {
    code(AttrCode::Schemes);
    out.writeAttribute(attr.getLhs());
    out.writeAttribute(attr.getRhs());
  }
  void write(KeptAttr attr) {
    code(AttrCode::Kept), number(attr.getBy()), out.writeAttribute(attr.getDetail());
  }
  void write(GivenAttr attr) {
    code(AttrCode::Given), number(attr.getLhs()), number(attr.getRhs());
    out.writeOptionalAttribute(attr.getDetail());
  }
  void write(NamedValueAttr attr) {
    code(AttrCode::NamedValue), out.writeAttribute(attr.getName()), number(attr.getKind());
  }
  void write(SignatureAttr attr) {
    code(AttrCode::Signature);
    out.writeAttributes(attr.getArguments());
    out.writeAttributes(attr.getResults());
  }
  void write(EntryAttr attr) {
    code(attr.getGiven() ? AttrCode::GivenEntry : AttrCode::Entry);
    out.writeAttribute(attr.getLocation());
    out.writeSignedVarInts(attr.getSizes());
    for (Attribute optional : std::initializer_list<Attribute>{
             attr.getLabel(), attr.getRoles(), attr.getGemm(), attr.getHalf(), attr.getSite(),
             attr.getLinear(), attr.getLayer(), attr.getSchemes(), attr.getKept()})
      out.writeOptionalAttribute(optional);
    if (attr.getGiven())
      out.writeAttribute(attr.getGiven());
  }
  void write(ReportAttr attr) {
    code(AttrCode::Report);
    out.writeAttribute(attr.getRecipe());
    out.writeAttributes(attr.getEntries());
  }
  void write(AmaxAttr attr) {
    code(AttrCode::Amax), out.writeSignedVarInts(attr.getBlock()), name(numerics::name(attr.getNan()));
  }
  void write(CastSourceAttr attr) { code(AttrCode::CastSource), number(attr.getValue()); }
  void write(PassesAttr attr) {
    code(AttrCode::Passes);
    for (int64_t value : {attr.getReads(), attr.getWrites(), attr.getBytesRead(), attr.getBytesWritten()})
      out.writeSignedVarInt(value);
  }
  void write(TensorTrafficAttr attr) {
    code(attr.getResult() ? AttrCode::ResultTraffic : AttrCode::TensorTraffic);
    out.writeAttribute(attr.getLocation());
    out.writeOptionalAttribute(attr.getArgument());
    out.writeAttribute(attr.getBefore());
    out.writeOptionalAttribute(attr.getAfter());
    if (attr.getResult())
      out.writeAttribute(attr.getResult());
  }
  void write(TrafficAttr attr) { code(AttrCode::Traffic), out.writeAttributes(attr.getTensors()); }
  void write(DenseAttr attr) {
    code(AttrCode::Dense);
    out.writeAttribute(attr.getCodes());
    out.writeAttributes(attr.getScales());
  }
  void write(CostAttr attr) {
    code(AttrCode::Cost), number(attr.getForm());
    for (int64_t bytes : {attr.getKept(), attr.getRead(), attr.getWritten()})
      out.writeSignedVarInt(bytes);
  }
  void write(PlannedAttr attr) {
    code(AttrCode::Planned);
    out.writeAttribute(attr.getChosen());
    out.writeAttributes(attr.getRejected());
    out.writeAttribute(attr.getLocation());
    out.writeAttribute(attr.getType());
    for (Attribute optional :
         std::initializer_list<Attribute>{attr.getLabel(), attr.getRole(), attr.getNested()})
      out.writeOptionalAttribute(optional);
  }
  void write(PlanAttr attr) {
    code(AttrCode::Plan);
    for (int64_t bytes : {attr.getKept(), attr.getKeptUnplanned(), attr.getRead(), attr.getReadUnplanned(),
                          attr.getWritten(), attr.getWrittenUnplanned()})
      out.writeSignedVarInt(bytes);
    out.writeAttributes(attr.getTensors());
  }
};
} // namespace

namespace {
struct QTBytecodeInterface : BytecodeDialectInterface {
  QTBytecodeInterface(Dialect *dialect) : BytecodeDialectInterface(dialect) {}

  LogicalResult writeAttribute(Attribute attr, DialectBytecodeWriter &writer) const override {
    return llvm::TypeSwitch<Attribute, LogicalResult>(attr)
        .Case<RoleAttr, GemmAttr, HalfAttr, SiteAttr, StepAttr, RolesAttr, LinearAttr, LayerAttr, ScaleAttr,
              SchemeAttr, SchemesAttr, KeptAttr, NamedValueAttr, SignatureAttr, EntryAttr, ReportAttr,
              DenseAttr, AmaxAttr, CastSourceAttr, PassesAttr, TensorTrafficAttr, TrafficAttr, CostAttr,
              PlannedAttr, PlanAttr, GivenAttr>([&](auto known) {
          Writer{writer}.write(known);
          return success();
        })
        .Default([](Attribute) { return failure(); });
  }

  Attribute readAttribute(DialectBytecodeReader &in) const override { return readAttributeFields(in); }
  Type readType(DialectBytecodeReader &in) const override { return readTypeFields(in); }

  LogicalResult writeType(Type type, DialectBytecodeWriter &writer) const override {
    auto tensor = dyn_cast<QTensorType>(type);
    if (!tensor)
      return failure();
    writer.writeVarInt(uint64_t(TypeCode::Tensor));
    writer.writeList(tensor.getShape(), [&](int64_t size) {
      writer.writeVarInt(ShapedType::isDynamic(size) ? 0 : uint64_t(size) + 1);
    });
    writer.writeType(tensor.getElementType());
    writer.writeAttribute(tensor.getScheme());
    return success();
  }

  void writeVersion(DialectBytecodeWriter &writer) const override { writer.writeVarInt(kVersion); }

  std::unique_ptr<DialectVersion> readVersion(DialectBytecodeReader &in) const override {
    uint64_t number = 0;
    if (failed(in.readVarInt(number)))
      return nullptr;
    if (number == 0 || number > kVersion) {
      in.emitError() << "expected a version of the qt dialect from 1 to " << kVersion << ", got " << number
                     << "; read the file with a newer fp8-opt";
      return nullptr;
    }
    return std::make_unique<QTVersion>(number);
  }
};
} // namespace

void QTDialect::registerBytecode() { addInterfaces<QTBytecodeInterface>(); }
