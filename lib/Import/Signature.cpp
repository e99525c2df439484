// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and checks the signature file.

#include "fp8-opt/Import/Signature.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Import/Import.h"
#include "fp8-opt/Import/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fp8opt {
#define GEN_PASS_DEF_IMPORTSIGNATUREPASS
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;
namespace json = llvm::json;

namespace {
struct Dtype {
  StringRef name;
  Type (*type)(Builder &builder);
};
} // namespace

/// The dtypes of frameworks. Integers are signless, as exporters write them.
static constexpr Dtype kDtypes[] = {
    {"bfloat16", [](Builder &builder) -> Type { return builder.getBF16Type(); }},
    {"float16", [](Builder &builder) -> Type { return builder.getF16Type(); }},
    {"float32", [](Builder &builder) -> Type { return builder.getF32Type(); }},
    {"float64", [](Builder &builder) -> Type { return builder.getF64Type(); }},
    {"int64", [](Builder &builder) -> Type { return builder.getI64Type(); }},
    {"uint64", [](Builder &builder) -> Type { return builder.getI64Type(); }},
    {"int32", [](Builder &builder) -> Type { return builder.getI32Type(); }},
    {"uint32", [](Builder &builder) -> Type { return builder.getI32Type(); }},
    {"int16", [](Builder &builder) -> Type { return builder.getI16Type(); }},
    {"uint16", [](Builder &builder) -> Type { return builder.getI16Type(); }},
    {"int8", [](Builder &builder) -> Type { return builder.getI8Type(); }},
    {"uint8", [](Builder &builder) -> Type { return builder.getI8Type(); }},
    {"float8_e4m3fn", [](Builder &builder) -> Type { return Float8E4M3FNType::get(builder.getContext()); }},
    {"float8_e5m2", [](Builder &builder) -> Type { return Float8E5M2Type::get(builder.getContext()); }},
    {"bool", [](Builder &builder) -> Type { return builder.getI1Type(); }}};

/// The element type that a framework's dtype names; null if there is none.
static Type parseDtype(StringRef name, MLIRContext *context) {
  Builder builder(context);
  for (const Dtype &dtype : kDtypes)
    if (dtype.name == name)
      return dtype.type(builder);
  return Type();
}

static std::string listDtypes() {
  return llvm::join(llvm::map_range(kDtypes, [](const Dtype &dtype) { return dtype.name; }), ", ");
}

namespace {

/// The two lists of a signature file are read alike; `what` says which one an error is about.
class SignatureReader {
public:
  SignatureReader(func::FuncOp function, StringRef file) : function(function), file(file) {}

  LogicalResult read(const json::Object &root, ModuleOp module);

private:
  /// The values of a list, and the place of each name: big graphs have tens of thousands.
  struct Names {
    SmallVector<qt::NamedValueAttr> values;
    llvm::StringMap<size_t> places;
  };

  InFlightDiagnostic error(StringRef what) { return function.emitError() << file << ": expected " << what; }
  LogicalResult readList(const json::Object &root, StringRef key, StringRef what, ArrayRef<Type> types,
                         Names &names);
  LogicalResult readValue(const json::Value &value, StringRef what, Type type, Names &names);
  LogicalResult checkName(StringRef name, StringRef what, const Names &before);
  LogicalResult checkType(const json::Object &value, StringRef what, Type type);

  func::FuncOp function;
  StringRef file;
};

} // namespace

/// Checks shape and dtype where the file gives them.
LogicalResult SignatureReader::checkType(const json::Object &value, StringRef what, Type type) {
  const json::Value *dtype = value.get("dtype"), *shape = value.get("shape");
  if (dtype) {
    Type expected = dtype->getAsString() ? parseDtype(*dtype->getAsString(), type.getContext()) : Type();
    if (!expected)
      return error(what) << " to have a dtype of " << listDtypes() << ", got "
                         << llvm::formatv("{0}", *dtype).str();
    Type got = getElementTypeOrSelf(type);
    if (expected != got && !(got.isInteger(expected.isInteger() ? expected.getIntOrFloatBitWidth() : 0)))
      return error(what) << " of element type " << expected << ", got " << type;
  }
  if (!shape)
    return success();
  SmallVector<int64_t> sizes;
  if (!shape->getAsArray())
    return error(what) << " to have a list as shape, got " << llvm::formatv("{0}", *shape).str();
  for (const json::Value &size : *shape->getAsArray()) {
    if (!size.getAsInteger() || *size.getAsInteger() < 0)
      return error(what) << " to have sizes in its shape, got " << llvm::formatv("{0}", size).str();
    sizes.push_back(*size.getAsInteger());
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor ? failed(verifyCompatibleShape(tensor.getShape(), sizes)) : !sizes.empty()) {
    InFlightDiagnostic diagnostic = error(what) << " of shape [";
    llvm::interleaveComma(sizes, diagnostic);
    return diagnostic << "], got " << type;
  }
  return success();
}

/// A name stands for one tensor in a tensor file, and in one line of a report.
LogicalResult SignatureReader::checkName(StringRef name, StringRef what, const Names &before) {
  if (name.empty())
    return error(what) << " to have a name, got an empty one";
  if (llvm::any_of(name, [](unsigned char letter) { return letter < 0x20 || letter == 0x7f; }))
    return error(what) << " to have a name without control characters, got "
                       << llvm::formatv("{0}", json::Value(json::fixUTF8(name))).str();
  if (name == "__metadata__")
    return error(what) << " to have a name of its own, got '__metadata__', which tensor files reserve";
  if (auto known = before.places.find(name); known != before.places.end())
    return error(what) << " to have a name of its own, got '" << name << "', the name of number "
                       << known->second;
  return success();
}

/// `value` is an object with a name, or the name alone.
LogicalResult SignatureReader::readValue(const json::Value &value, StringRef what, Type type, Names &names) {
  qt::ValueKind kind = qt::ValueKind::Unknown;
  std::optional<StringRef> name = value.getAsString();
  const json::Object *object = value.getAsObject();
  if (object)
    name = object->getString("name");
  if (!name)
    return error(what) << " to have a name, got " << llvm::formatv("{0}", value).str();
  if (failed(checkName(*name, what, names)))
    return failure();
  std::string named = (what + " '" + *name + "'").str();
  if (object && object->get("kind")) {
    std::optional<qt::ValueKind> read = qt::symbolizeValueKind(object->getString("kind").value_or(""));
    if (!read)
      return error(named) << " to be a parameter, buffer, input or unknown, got "
                          << llvm::formatv("{0}", *object->get("kind")).str();
    kind = *read;
  }
  if (object)
    for (const auto &[field, unused] : *object)
      if (!llvm::is_contained({"name", "kind", "shape", "dtype"}, StringRef(field)))
        function.emitWarning() << file << ": expected fields name, kind, shape and dtype of " << named
                               << ", got '" << json::fixUTF8(StringRef(field)) << "', which is not read";
  names.places.try_emplace(*name, names.values.size());
  names.values.push_back(
      qt::NamedValueAttr::get(type.getContext(), StringAttr::get(type.getContext(), *name), kind));
  return object ? checkType(*object, named, type) : success();
}

LogicalResult SignatureReader::readList(const json::Object &root, StringRef key, StringRef what,
                                        ArrayRef<Type> types, Names &names) {
  const json::Array *list = root.getArray(key);
  if (!list)
    return error(("a list of " + key).str()) << ", got none";
  if (list->size() != types.size())
    return error(llvm::formatv("{0} {1}", types.size(), key).str())
           << ", as '" << function.getName() << "' has, got " << list->size();
  for (auto [index, value] : llvm::enumerate(*list))
    if (failed(readValue(value, llvm::formatv("{0} {1}", what, index).str(), types[index], names)))
      return failure();
  return success();
}

LogicalResult SignatureReader::read(const json::Object &root, ModuleOp module) {
  if (auto name = root.getString("function"); name && *name != function.getName())
    return error(("the signature of '" + function.getName() + "'").str())
           << ", got that of '" << *name << "'";
  Names arguments, results;
  if (failed(readList(root, "arguments", "argument", function.getArgumentTypes(), arguments)) ||
      failed(readList(root, "results", "result", function.getResultTypes(), results)))
    return failure();
  MLIRContext *context = module.getContext();
  qt::QTDialect::SignatureAttrHelper(context).setAttr(
      module, qt::SignatureAttr::get(context, arguments.values, results.values));
  return success();
}

LogicalResult fp8opt::readSignature(ModuleOp module, func::FuncOp function, llvm::MemoryBufferRef text) {
  StringRef file = text.getBufferIdentifier();
  llvm::Expected<json::Value> root = json::parse(text.getBuffer());
  if (!root)
    return module.emitError() << file << ": expected JSON, got " << llvm::toString(root.takeError());
  if (!root->getAsObject())
    return module.emitError() << file << ": expected a JSON object, got "
                              << llvm::formatv("{0}", *root).str();
  return SignatureReader(function, file).read(*root->getAsObject(), module);
}

void fp8opt::numberSignature(ModuleOp module, func::FuncOp function) {
  MLIRContext *context = module.getContext();
  auto number = [&](StringRef prefix, unsigned count) {
    SmallVector<qt::NamedValueAttr> names;
    for (unsigned i = 0; i != count; ++i)
      names.push_back(qt::NamedValueAttr::get(context, StringAttr::get(context, prefix + Twine(i)),
                                              qt::ValueKind::Unknown));
    return names;
  };
  qt::QTDialect::SignatureAttrHelper(context).setAttr(
      module, qt::SignatureAttr::get(context, number("arg", function.getNumArguments()),
                                     number("result", function.getNumResults())));
}

namespace {

struct ImportSignature : fp8opt::impl::ImportSignaturePassBase<ImportSignature> {
  using ImportSignaturePassBase::ImportSignaturePassBase;

  LogicalResult run() {
    ModuleOp module = getOperation();
    func::FuncOp entry = findEntry(module, function);
    if (!entry)
      return failure();
    if (file.empty()) {
      numberSignature(module, entry);
      return success();
    }
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (std::error_code code = buffer.getError())
      return module.emitError() << file << ": expected a readable file, got: " << code.message();
    return readSignature(module, entry, **buffer);
  }

  void runOnOperation() final {
    if (failed(run()))
      return signalPassFailure();
    // Only the module has a new attribute; its ops need not be verified again.
    markAllAnalysesPreserved();
  }
};

} // namespace
