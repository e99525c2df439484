// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry point of a compiled module says of itself.

#include "fp8-opt/Target/IREE/Reflection.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::iree;

// IREE's name for the attribute, and ours for the strings.
static constexpr llvm::StringLiteral kReflection = "iree.reflection";
static constexpr llvm::StringLiteral kType = "fp8.type", kSignature = "fp8.signature",
                                     kWeights = "fp8.weights", kQuantizers = "fp8.quantizers",
                                     kDevice = "fp8.device";

llvm::StringMap<std::string> iree::reflectionStrings(func::FuncOp entry) {
  llvm::StringMap<std::string> strings;
  if (auto list = entry->getAttrOfType<DictionaryAttr>(kReflection))
    for (NamedAttribute each : list)
      if (auto text = dyn_cast<StringAttr>(each.getValue()))
        strings[each.getName()] = text.str();
  return strings;
}

static void setStrings(func::FuncOp entry, ArrayRef<std::pair<StringRef, Attribute>> strings) {
  NamedAttrList list(entry->getAttrOfType<DictionaryAttr>(kReflection));
  for (auto [name, value] : strings) {
    std::string text;
    llvm::raw_string_ostream(text) << value;
    list.set(name, StringAttr::get(entry.getContext(), text));
  }
  entry->setAttr(kReflection, list.getDictionary(entry.getContext()));
}

void iree::setQuantizers(func::FuncOp entry, ArrayRef<Quantizer> quantizers) {
  Builder builder(entry.getContext());
  SmallVector<Attribute> list;
  for (const Quantizer &quantizer : quantizers)
    list.push_back(builder.getArrayAttr({TypeAttr::get(quantizer.type), quantizer.location,
                                         builder.getBoolAttr(quantizer.hasGivenScales),
                                         builder.getBoolAttr(quantizer.isExposed)}));
  setStrings(entry, {{kQuantizers, builder.getArrayAttr(list)}});
}

void iree::setDescription(func::FuncOp entry, FunctionType type, qt::SignatureAttr names,
                          ArrayRef<int64_t> weights, StringRef device) {
  Builder builder(entry.getContext());
  setStrings(entry, {{kType, TypeAttr::get(type)},
                     {kSignature, names},
                     {kWeights, builder.getI64ArrayAttr(weights)},
                     {kDevice, builder.getStringAttr(device)}});
}

namespace {
/// Reads strings as attributes; the first that cannot be read is the error.
class Reader {
public:
  Reader(const llvm::StringMap<std::string> &strings, MLIRContext *context)
      : strings(strings), context(context) {}

  template <typename AttrT> AttrT read(StringRef name) {
    auto found = strings.find(name);
    ScopedDiagnosticHandler quiet(context, [](Diagnostic &) { return success(); });
    AttrT attribute =
        found == strings.end() ? AttrT() : dyn_cast_or_null<AttrT>(parseAttribute(found->second, context));
    if (!attribute && missing.empty())
      missing = name;
    return attribute;
  }
  StringRef missing;

private:
  const llvm::StringMap<std::string> &strings;
  MLIRContext *context;
};
} // namespace

static std::optional<Quantizer> readQuantizer(Attribute attribute) {
  auto parts = dyn_cast<ArrayAttr>(attribute);
  if (!parts || parts.size() != 4)
    return std::nullopt;
  auto type = dyn_cast<TypeAttr>(parts[0]);
  auto location = dyn_cast<LocationAttr>(parts[1]);
  auto hasGivenScales = dyn_cast<BoolAttr>(parts[2]), isExposed = dyn_cast<BoolAttr>(parts[3]);
  if (!type || !isa<qt::QTensorType>(type.getValue()) || !location || !hasGivenScales || !isExposed)
    return std::nullopt;
  return Quantizer{cast<qt::QTensorType>(type.getValue()), location, hasGivenScales.getValue(),
                   isExposed.getValue()};
}

llvm::Expected<EntryReflection> iree::parseReflection(const llvm::StringMap<std::string> &strings,
                                                      MLIRContext *context) {
  Reader reader(strings, context);
  EntryReflection result;
  auto type = reader.read<TypeAttr>(kType);
  result.names = reader.read<qt::SignatureAttr>(kSignature);
  auto weights = reader.read<ArrayAttr>(kWeights);
  auto quantizers = reader.read<ArrayAttr>(kQuantizers);
  auto fail = [](const Twine &what) {
    return llvm::createStringError("expected " + what +
                                   " in the module's reflection, got none; it was not "
                                   "compiled by this version of fp8-opt");
  };
  if (!reader.missing.empty())
    return fail("'" + reader.missing + "'");
  result.type = dyn_cast<FunctionType>(type.getValue());
  if (!result.type)
    return fail("a function type");
  for (Attribute weight : weights)
    if (auto number = dyn_cast<IntegerAttr>(weight))
      result.weights.push_back(number.getInt());
  for (Attribute quantizer : quantizers) {
    std::optional<Quantizer> read = readQuantizer(quantizer);
    if (!read)
      return fail("a type and a location of each quantizer");
    result.quantizers.push_back(*read);
  }
  return result;
}
