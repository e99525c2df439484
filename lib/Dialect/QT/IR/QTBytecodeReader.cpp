// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How types and attributes of the dialect are read from bytecode.

#include "QTBytecode.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::qt;

namespace {
/// Reads fields in the order the writer gives them. A file may be cut off or altered, so nothing read is
/// believed: names and values are looked up, attributes are built checked, and no memory is reserved by a
/// length that was read.
struct Reader {
  DialectBytecodeReader &from;

  /// How many elements follow.
  template <typename ElementT, typename ReadT>
  LogicalResult list(SmallVectorImpl<ElementT> &elements, ReadT &&readElement) {
    uint64_t size = 0;
    if (failed(from.readVarInt(size)))
      return failure();
    for (uint64_t i = 0; i < size; ++i)
      if (failed(readElement(elements.emplace_back())))
        return failure();
    return success();
  }
  LogicalResult read(int64_t &value) { return from.readSignedVarInt(value); }
  LogicalResult read(SmallVectorImpl<int64_t> &values) {
    return list(values, [&](int64_t &value) { return read(value); });
  }
  template <typename AttrT, std::enable_if_t<std::is_base_of_v<Attribute, AttrT>, int> = 0>
  LogicalResult read(AttrT &attr) {
    return from.readAttribute(attr);
  }
  template <typename AttrT, std::enable_if_t<std::is_base_of_v<Attribute, AttrT>, int> = 0>
  LogicalResult read(SmallVectorImpl<AttrT> &attrs) {
    return list(attrs, [&](AttrT &attr) { return read(attr); });
  }
  template <typename EnumT> LogicalResult number(EnumT &value, std::optional<EnumT> (*symbolize)(uint32_t)) {
    uint64_t number = 0;
    if (failed(from.readVarInt(number)))
      return failure();
    std::optional<EnumT> found = number <= UINT32_MAX ? symbolize(uint32_t(number)) : std::nullopt;
    if (!found)
      return from.emitError() << "expected the value of an enum of the qt dialect, got " << number;
    value = *found;
    return success();
  }
  template <typename EnumT>
  LogicalResult name(EnumT &value, std::optional<EnumT> (*named)(std::string_view)) {
    StringRef text;
    if (failed(from.readString(text)))
      return failure();
    std::optional<EnumT> found = named(text);
    if (!found)
      return from.emitError() << "expected a name in a scheme, got '" << text << "'";
    value = *found;
    return success();
  }
  template <typename AttrT, typename... Args> AttrT checked(Args &&...args) {
    return AttrT::getChecked([&] { return from.emitError(); }, from.getContext(),
                             std::forward<Args>(args)...);
  }

  template <typename AttrT, typename EnumT> Attribute readEnum(std::optional<EnumT> (*symbolize)(uint32_t)) {
    EnumT value{};
    return succeeded(number(value, symbolize)) ? AttrT::get(from.getContext(), value) : Attribute();
  }
};
} // namespace

static Attribute readRoles(Reader &in) {
  Role lhs{}, rhs{};
  if (failed(in.number(lhs, symbolizeRole)) || failed(in.number(rhs, symbolizeRole)))
    return {};
  return RolesAttr::get(in.from.getContext(), lhs, rhs);
}

static Attribute readLinear(Reader &in) {
  int64_t id = 0, argument = 0;
  SmallVector<int64_t> sums, parts;
  if (failed(in.read(id)) || failed(in.read(argument)) || failed(in.read(sums)) || failed(in.read(parts)))
    return {};
  return in.checked<LinearAttr>(id, argument, ArrayRef<int64_t>(sums), ArrayRef<int64_t>(parts));
}

static Attribute readLayer(Reader &in) {
  int64_t index = 0, place = 0;
  if (failed(in.read(index)) || failed(in.read(place)))
    return {};
  return LayerAttr::get(in.from.getContext(), index, place);
}

static Attribute readScale(Reader &in) {
  numerics::ScaleLevel level;
  SmallVector<int64_t> block;
  uint64_t floor = 0;
  if (failed(in.name(level.type, numerics::formatNamed)) || failed(in.read(block)) ||
      failed(in.name(level.rule, numerics::parseScaleRule)) || failed(in.from.readVarInt(floor)) ||
      failed(in.name(level.zero, numerics::parseZeroAmax)) ||
      failed(in.name(level.inf, numerics::parseInfAmax)) ||
      failed(in.name(level.nan, numerics::parseNanAmax)) ||
      failed(in.name(level.overflow, numerics::parseScaleOverflow)) ||
      failed(in.name(level.stored, numerics::parseStoredScale)) ||
      failed(in.name(level.apply, numerics::parseApplyScale)))
    return {};
  level.block.assign(block.begin(), block.end());
  level.floor = llvm::bit_cast<float>(uint32_t(floor));
  return in.checked<ScaleAttr>(level);
}

static Attribute readScheme(Reader &in) {
  numerics::Scheme scheme;
  SmallVector<ScaleAttr> scales;
  if (failed(in.name(scheme.code, numerics::formatNamed)) || failed(in.read(scales)) ||
      failed(in.name(scheme.rounding, numerics::parseRounding)) ||
      failed(in.name(scheme.overflow, numerics::parseOverflow)) ||
      failed(in.name(scheme.nan, numerics::parseNanCode)))
    return {};
  return in.checked<SchemeAttr>(scheme.code, ArrayRef<ScaleAttr>(scales), scheme.rounding, scheme.overflow,
                                scheme.nan);
}

static Attribute readSchemes(Reader &in) {
  SchemeAttr lhs, rhs;
  if (failed(in.read(lhs)) || failed(in.read(rhs)))
    return {};
  return SchemesAttr::get(in.from.getContext(), lhs, rhs);
}

static Attribute readKept(Reader &in) {
  KeptBy by{};
  StringAttr detail;
  if (failed(in.number(by, symbolizeKeptBy)) || failed(in.read(detail)))
    return {};
  return KeptAttr::get(in.from.getContext(), by, detail);
}

static Attribute readGiven(Reader &in) {
  Decoded lhs{}, rhs{};
  StringAttr detail;
  if (failed(in.number(lhs, symbolizeDecoded)) || failed(in.number(rhs, symbolizeDecoded)) ||
      failed(in.from.readOptionalAttribute(detail)))
    return {};
  return GivenAttr::get(in.from.getContext(), lhs, rhs, detail);
}

static Attribute readNamedValue(Reader &in) {
  StringAttr name;
  ValueKind kind{};
  if (failed(in.read(name)) || failed(in.number(kind, symbolizeValueKind)))
    return {};
  return NamedValueAttr::get(in.from.getContext(), name, kind);
}

static Attribute readSignature(Reader &in) {
  SmallVector<NamedValueAttr> arguments, results;
  if (failed(in.read(arguments)) || failed(in.read(results)))
    return {};
  return SignatureAttr::get(in.from.getContext(), arguments, results);
}

static Attribute readEntry(Reader &in, bool isGiven) {
  LocationAttr location;
  SmallVector<int64_t> sizes;
  StringAttr label;
  RolesAttr roles;
  GemmAttr gemm;
  HalfAttr half;
  SiteAttr site;
  LinearAttr linear;
  LayerAttr layer;
  SchemesAttr schemes;
  KeptAttr kept;
  GivenAttr given;
  if (failed(in.read(location)) || failed(in.read(sizes)) || failed(in.from.readOptionalAttribute(label)) ||
      failed(in.from.readOptionalAttribute(roles)) || failed(in.from.readOptionalAttribute(gemm)) ||
      failed(in.from.readOptionalAttribute(half)) || failed(in.from.readOptionalAttribute(site)) ||
      failed(in.from.readOptionalAttribute(linear)) || failed(in.from.readOptionalAttribute(layer)) ||
      failed(in.from.readOptionalAttribute(schemes)) || failed(in.from.readOptionalAttribute(kept)) ||
      (isGiven && failed(in.read(given))))
    return {};
  return in.checked<EntryAttr>(location, ArrayRef<int64_t>(sizes), label, roles, gemm, half, site, linear,
                               layer, schemes, kept, given);
}

static Attribute readReport(Reader &in) {
  StringAttr recipe;
  SmallVector<EntryAttr> entries;
  if (failed(in.read(recipe)) || failed(in.read(entries)))
    return {};
  return ReportAttr::get(in.from.getContext(), recipe, entries);
}

static Attribute readDense(Reader &in) {
  ElementsAttr codes;
  SmallVector<ElementsAttr> scales;
  if (failed(in.from.readAttribute(codes)) ||
      failed(in.list(scales, [&](ElementsAttr &values) { return in.from.readAttribute(values); })))
    return {};
  return in.checked<DenseAttr>(codes, ArrayRef<ElementsAttr>(scales));
}

static Attribute readCost(Reader &in) {
  PlanForm form{};
  int64_t kept = 0, read = 0, written = 0;
  if (failed(in.number(form, symbolizePlanForm)) || failed(in.read(kept)) || failed(in.read(read)) ||
      failed(in.read(written)))
    return {};
  return in.checked<CostAttr>(form, kept, read, written);
}

static Attribute readPlanned(Reader &in) {
  CostAttr chosen;
  SmallVector<CostAttr> rejected;
  LocationAttr location;
  TypeAttr type;
  StringAttr label;
  RoleAttr role;
  UnitAttr nested;
  if (failed(in.read(chosen)) || failed(in.read(rejected)) || failed(in.read(location)) ||
      failed(in.read(type)) || failed(in.from.readOptionalAttribute(label)) ||
      failed(in.from.readOptionalAttribute(role)) || failed(in.from.readOptionalAttribute(nested)))
    return {};
  return PlannedAttr::get(in.from.getContext(), chosen, rejected, location, type, label, role, nested);
}

static Attribute readPlan(Reader &in) {
  int64_t kept = 0, keptUnplanned = 0, read = 0, readUnplanned = 0, written = 0, writtenUnplanned = 0;
  SmallVector<PlannedAttr> tensors;
  if (failed(in.read(kept)) || failed(in.read(keptUnplanned)) || failed(in.read(read)) ||
      failed(in.read(readUnplanned)) || failed(in.read(written)) || failed(in.read(writtenUnplanned)) ||
      failed(in.read(tensors)))
    return {};
  return in.checked<PlanAttr>(kept, keptUnplanned, read, readUnplanned, written, writtenUnplanned,
                              ArrayRef<PlannedAttr>(tensors));
}

static Attribute readAmax(Reader &in) {
  SmallVector<int64_t> block;
  numerics::NanAmax nan{};
  if (failed(in.read(block)) || failed(in.name(nan, numerics::parseNanAmax)))
    return {};
  return in.checked<AmaxAttr>(ArrayRef<int64_t>(block), nan);
}

static Attribute readPasses(Reader &in) {
  int64_t reads = 0, writes = 0, bytesRead = 0, bytesWritten = 0;
  if (failed(in.read(reads)) || failed(in.read(writes)) || failed(in.read(bytesRead)) ||
      failed(in.read(bytesWritten)))
    return {};
  return PassesAttr::get(in.from.getContext(), reads, writes, bytesRead, bytesWritten);
}

static Attribute readTensorTraffic(Reader &in, bool isOfResult) {
  LocationAttr location;
  IntegerAttr argument, result;
  PassesAttr before, after;
  if (failed(in.read(location)) || failed(in.from.readOptionalAttribute(argument)) ||
      failed(in.read(before)) || failed(in.from.readOptionalAttribute(after)) ||
      (isOfResult && failed(in.read(result))))
    return {};
  return TensorTrafficAttr::get(in.from.getContext(), location, argument, result, before, after);
}

static Attribute readTraffic(Reader &in) {
  SmallVector<TensorTrafficAttr> tensors;
  if (failed(in.read(tensors)))
    return {};
  return TrafficAttr::get(in.from.getContext(), tensors);
}

static Type readTensor(Reader &in) {
  SmallVector<int64_t> shape;
  Type element;
  SchemeAttr scheme;
  auto readSize = [&](int64_t &size) -> LogicalResult {
    uint64_t sizePlusOne = 0;
    if (failed(in.from.readVarInt(sizePlusOne)))
      return failure();
    size = sizePlusOne == 0 ? ShapedType::kDynamic : int64_t(sizePlusOne - 1);
    return success();
  };
  if (failed(in.list(shape, readSize)) || failed(in.from.readType(element)) || failed(in.read(scheme)))
    return {};
  return in.checked<QTensorType>(ArrayRef<int64_t>(shape), element, scheme);
}

Attribute fp8opt::qt::readAttributeFields(DialectBytecodeReader &in) {
  uint64_t code = 0;
  if (failed(in.readVarInt(code)))
    return {};
  Reader reader{in};
  switch (AttrCode(code)) {
  case AttrCode::Role:
    return reader.readEnum<RoleAttr>(symbolizeRole);
  case AttrCode::Gemm:
    return reader.readEnum<GemmAttr>(symbolizeGemm);
  case AttrCode::Half:
    return reader.readEnum<HalfAttr>(symbolizeHalf);
  case AttrCode::Site:
    return reader.readEnum<SiteAttr>(symbolizeSite);
  case AttrCode::Step:
    return reader.readEnum<StepAttr>(symbolizeStep);
  case AttrCode::Roles:
    return readRoles(reader);
  case AttrCode::Linear:
    return readLinear(reader);
  case AttrCode::Layer:
    return readLayer(reader);
  case AttrCode::Scale:
    return readScale(reader);
  case AttrCode::Scheme:
    return readScheme(reader);
  case AttrCode::Schemes:
    return readSchemes(reader);
  case AttrCode::Kept:
    return readKept(reader);
  case AttrCode::NamedValue:
    return readNamedValue(reader);
  case AttrCode::Signature:
    return readSignature(reader);
  case AttrCode::Entry:
    return readEntry(reader, /*isGiven=*/false);
  case AttrCode::GivenEntry:
    return readEntry(reader, /*isGiven=*/true);
  case AttrCode::Given:
    return readGiven(reader);
  case AttrCode::Report:
    return readReport(reader);
  case AttrCode::Dense:
    return readDense(reader);
  case AttrCode::Cost:
    return readCost(reader);
  case AttrCode::Planned:
    return readPlanned(reader);
  case AttrCode::Plan:
    return readPlan(reader);
  case AttrCode::Amax:
    return readAmax(reader);
  case AttrCode::CastSource:
    return reader.readEnum<CastSourceAttr>(symbolizeCastSource);
  case AttrCode::Passes:
    return readPasses(reader);
  case AttrCode::TensorTraffic:
    return readTensorTraffic(reader, /*isOfResult=*/false);
  case AttrCode::ResultTraffic:
    return readTensorTraffic(reader, /*isOfResult=*/true);
  case AttrCode::Traffic:
    return readTraffic(reader);
  }
  in.emitError() << "expected the code of an attribute of the qt dialect, got " << code;
  return {};
}

Type fp8opt::qt::readTypeFields(DialectBytecodeReader &in) {
  uint64_t code = 0;
  if (failed(in.readVarInt(code)))
    return {};
  if (TypeCode(code) == TypeCode::Tensor) {
    Reader reader{in};
    return readTensor(reader);
  }
  in.emitError() << "expected the code of a type of the qt dialect, got " << code;
  return {};
}
