// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes safetensors: eight bytes of header length, a JSON header, the data.

#include "fp8-opt/Run/TensorFile.h"
#include "fp8-opt/Process/WholeFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8opt::run;
using llvm::StringRef;
using llvm::Twine;

namespace {
/// A file on its way in; errors start with its path.
class Reader {
public:
  Reader(StringRef path, StringRef contents) : path(path), contents(contents) {}
  llvm::Expected<std::vector<NamedTensor>> read();

private:
  llvm::Error expected(const Twine &message) {
    return llvm::createStringError("'" + path + "': expected " + message);
  }
  llvm::Error readTensor(StringRef key, const llvm::json::Object &entry);
  llvm::Expected<std::vector<int64_t>> readShape(StringRef key, const llvm::json::Array &sizes,
                                                 ElementType type, int64_t bytes);

  std::string path;
  StringRef contents, data;
  std::vector<std::pair<int64_t, NamedTensor>> tensors;
};
} // namespace

llvm::Expected<std::vector<NamedTensor>> Reader::read() {
  constexpr uint64_t lengthBytes = 8;
  if (contents.size() < lengthBytes)
    return expected("a safetensors file of at least " + Twine(lengthBytes) + " bytes, got " +
                    Twine(contents.size()));
  uint64_t length = llvm::support::endian::read64le(contents.data());
  if (length > contents.size() - lengthBytes)
    return expected("a header of at most " + Twine(contents.size() - lengthBytes) +
                    " bytes, got a length of " + Twine(length) + "; not a safetensors file, or cut short");
  data = contents.drop_front(lengthBytes + length);
  auto header = llvm::json::parse(contents.substr(lengthBytes, length));
  if (!header)
    return expected("a JSON header, got: " + llvm::toString(header.takeError()));
  const llvm::json::Object *entries = header->getAsObject();
  if (!entries)
    return expected("a JSON object as header, got another value");
  for (const auto &[key, value] : *entries) {
    if (key == "__metadata__")
      continue;
    const llvm::json::Object *entry = value.getAsObject();
    if (!entry)
      return expected("an object for tensor '" + StringRef(key) + "', got another value");
    if (llvm::Error error = readTensor(key, *entry))
      return error;
  }
  llvm::sort(tensors, [](const auto &a, const auto &b) {
    return std::tie(a.first, a.second.name) < std::tie(b.first, b.second.name);
  });
  std::vector<NamedTensor> result;
  for (auto &[offset, tensor] : tensors)
    result.push_back(std::move(tensor));
  return result;
}

llvm::Error Reader::readTensor(StringRef key, const llvm::json::Object &entry) {
  std::optional<StringRef> spelled = entry.getString("dtype");
  std::optional<ElementType> type = spelled ? elementTypeNamed(*spelled) : std::nullopt;
  if (!type)
    return expected("a dtype of BF16, F16, F32, F64, I64, I32, I16, I8, U8, BOOL, F8_E4M3, F8_E5M2 or "
                    "F8_E8M0 for tensor '" +
                    key + "', got " + (spelled ? "'" + *spelled + "'" : Twine("none")));
  const llvm::json::Array *sizes = entry.getArray("shape"), *range = entry.getArray("data_offsets");
  if (!sizes || !range || range->size() != 2)
    return expected("a shape and two data_offsets for tensor '" + key + "', got something else");
  std::optional<int64_t> begin = (*range)[0].getAsInteger(), end = (*range)[1].getAsInteger();
  if (!begin || !end || *begin < 0 || *end < *begin)
    return expected("data_offsets that are a range for tensor '" + key + "', got none");
  if (uint64_t(*end) > data.size())
    return expected("data up to byte " + Twine(*end) + " for tensor '" + key + "', got " +
                    Twine(data.size()) + " bytes of data; the file is cut short");
  auto shape = readShape(key, *sizes, *type, *end - *begin);
  if (!shape)
    return shape.takeError();
  StringRef bytes = data.slice(size_t(*begin), size_t(*end));
  Tensor tensor;
  tensor.type = *type;
  tensor.shape = std::move(*shape);
  tensor.bytes.assign(bytes.bytes_begin(), bytes.bytes_end());
  if (*type == ElementType::Bool)
    for (uint8_t &byte : tensor.bytes)
      byte = byte != 0;
  tensors.push_back({*begin, {key.str(), std::move(tensor)}});
  return llvm::Error::success();
}

llvm::Expected<std::vector<int64_t>> Reader::readShape(StringRef key, const llvm::json::Array &sizes,
                                                       ElementType type, int64_t bytes) {
  std::vector<int64_t> shape;
  int64_t total = bytesPerElement(type);
  bool overflows = false, isEmpty = false;
  for (const llvm::json::Value &value : sizes) {
    std::optional<int64_t> size = value.getAsInteger();
    if (!size || *size < 0)
      return expected("sizes that are natural numbers in the shape of tensor '" + key +
                      "', got something else");
    shape.push_back(*size);
    isEmpty |= *size == 0;
    overflows |= llvm::MulOverflow(total, *size, total);
  }
  if (isEmpty)
    total = 0;
  if ((overflows && !isEmpty) || total != bytes)
    return expected("as many bytes as the shape and dtype of tensor '" + key + "' need" +
                    (overflows ? "" : ", " + Twine(total)) + ", got " + Twine(bytes));
  return shape;
}

llvm::Expected<std::vector<NamedTensor>> fp8opt::run::readTensorFile(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("'" + path +
                                   "': expected a readable file, got: " + file.getError().message());
  return Reader(path, (*file)->getBuffer()).read();
}

static std::string header(const std::vector<NamedTensor> &tensors) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  uint64_t offset = 0;
  json.object([&] {
    for (const NamedTensor &named : tensors) {
      json.attributeObject(llvm::json::fixUTF8(named.name), [&] {
        json.attribute("dtype", name(named.tensor.type));
        json.attributeArray("shape", [&] {
          for (int64_t size : named.tensor.shape)
            json.value(size);
        });
        json.attributeArray("data_offsets", [&] {
          json.value(offset);
          json.value(offset += named.tensor.bytes.size());
        });
      });
    }
  });
  // Data starts at a multiple of eight, so that readers can map it.
  text.append((8 - text.size() % 8) % 8, ' ');
  return text;
}

llvm::Error fp8opt::run::writeTensorFile(StringRef path, const std::vector<NamedTensor> &tensors) {
  return writeWhole(path, [&](llvm::raw_ostream &stream) {
    std::string text = header(tensors);
    char length[8];
    llvm::support::endian::write64le(length, text.size());
    stream.write(length, sizeof length) << text;
    for (const NamedTensor &named : tensors)
      stream.write(reinterpret_cast<const char *>(named.tensor.bytes.data()), named.tensor.bytes.size());
  });
}

const Tensor *fp8opt::run::findTensor(const std::vector<NamedTensor> &tensors, StringRef name) {
  for (const NamedTensor &named : tensors)
    if (named.name == name)
      return &named.tensor;
  return nullptr;
}
