// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types and single elements of tensors.

#include "fp8-opt/Run/TensorFile.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/sysinfo.h>

using namespace fp8opt::run;

namespace {
struct Row {
  llvm::StringRef name;
  int64_t bytes;
  bool isFloat;
};
} // namespace

// In the order of ElementType.
static constexpr Row kRows[] = {
    {"BF16", 2, true},    {"F16", 2, true},     {"F32", 4, true},    {"F64", 8, true}, {"I64", 8, false},
    {"I32", 4, false},    {"I16", 2, false},    {"I8", 1, false},    {"U8", 1, false}, {"BOOL", 1, false},
    {"F8_E4M3", 1, true}, {"F8_E5M2", 1, true}, {"F8_E8M0", 1, true}};

llvm::StringRef fp8opt::run::name(ElementType type) { return kRows[size_t(type)].name; }
int64_t fp8opt::run::bytesPerElement(ElementType type) { return kRows[size_t(type)].bytes; }
bool fp8opt::run::isFloat(ElementType type) { return kRows[size_t(type)].isFloat; }

std::optional<ElementType> fp8opt::run::elementTypeNamed(llvm::StringRef name) {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].name == name)
      return ElementType(i);
  return std::nullopt;
}

int64_t Tensor::numElements() const { return int64_t(bytes.size()) / bytesPerElement(type); }

std::string Tensor::typeText() const {
  std::string result;
  for (int64_t size : shape)
    result += std::to_string(size) + "x";
  return result + name(type).str();
}

template <typename T> static T element(const Tensor &tensor, int64_t index) {
  T value;
  std::memcpy(&value, tensor.bytes.data() + size_t(index) * sizeof(T), sizeof(T));
  return value;
}

static double small(const llvm::fltSemantics &semantics, unsigned bits, uint64_t code) {
  return llvm::APFloat(semantics, llvm::APInt(bits, code)).convertToDouble();
}

int64_t Tensor::integerAt(int64_t index) const {
  switch (type) {
  case ElementType::I64:
    return element<int64_t>(*this, index);
  case ElementType::I32:
    return element<int32_t>(*this, index);
  case ElementType::I16:
    return element<int16_t>(*this, index);
  case ElementType::I8:
    return element<int8_t>(*this, index);
  case ElementType::U8:
  case ElementType::Bool:
    return element<uint8_t>(*this, index);
  default:
    return int64_t(at(index));
  }
}

double Tensor::at(int64_t index) const {
  switch (type) {
  case ElementType::F32:
    return element<float>(*this, index);
  case ElementType::F64:
    return element<double>(*this, index);
  case ElementType::BF16: {
    // By far the most frequent, and exact in two instructions.
    uint32_t bits = uint32_t(element<uint16_t>(*this, index)) << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  case ElementType::F16:
    return small(llvm::APFloat::IEEEhalf(), 16, element<uint16_t>(*this, index));
  case ElementType::F8E4M3:
    return small(llvm::APFloat::Float8E4M3FN(), 8, element<uint8_t>(*this, index));
  case ElementType::F8E5M2:
    return small(llvm::APFloat::Float8E5M2(), 8, element<uint8_t>(*this, index));
  case ElementType::F8E8M0:
    return small(llvm::APFloat::Float8E8M0FNU(), 8, element<uint8_t>(*this, index));
  default:
    return double(integerAt(index));
  }
}

Tensor fp8opt::run::makeTensor(ElementType type, std::vector<int64_t> shape) {
  Tensor result;
  result.type = type;
  int64_t bytes = bytesPerElement(type);
  for (int64_t size : shape)
    bytes *= size;
  result.shape = std::move(shape);
  result.bytes.resize(size_t(bytes));
  return result;
}

uint64_t fp8opt::run::memoryOfMachine() {
  struct sysinfo machine = {};
  if (sysinfo(&machine) != 0)
    return std::numeric_limits<uint64_t>::max();
  return (uint64_t(machine.totalram) + machine.totalswap) * machine.mem_unit;
}

llvm::Error fp8opt::run::checkMemory(const llvm::Twine &what, ElementType type,
                                     llvm::ArrayRef<int64_t> shape) {
  llvm::APInt bytes(128, uint64_t(bytesPerElement(type)));
  bool overflows = false;
  for (int64_t size : shape)
    bytes = bytes.umul_ov(llvm::APInt(128, uint64_t(size)), overflows);
  // A vector would end the process, and so would the system where it promises more than it has.
  bool fits = bytes.getActiveBits() < 63 && bytes.getZExtValue() <= memoryOfMachine();
  void *probe = fits ? std::malloc(bytes.getZExtValue() | 1) : nullptr;
  std::free(probe);
  if (probe)
    return llvm::Error::success();
  return llvm::createStringError("expected memory for " + what + " of " + llvm::toString(bytes, 10, false) +
                                 " bytes, got none");
}
