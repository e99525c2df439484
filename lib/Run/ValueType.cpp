// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which MLIR types tensor files can hold.

#include "fp8-opt/Run/Program.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt::run;

static std::optional<ElementType> elementType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return ElementType::Bool;
    case 8:
      return integer.isUnsigned() ? ElementType::U8 : ElementType::I8;
    case 16:
      return ElementType::I16;
    case 32:
      return ElementType::I32;
    case 64:
      return ElementType::I64;
    default:
      return std::nullopt;
    }
  }
  return TypeSwitch<Type, std::optional<ElementType>>(type)
      .Case([](IndexType) { return ElementType::I64; })
      .Case([](BFloat16Type) { return ElementType::BF16; })
      .Case([](Float16Type) { return ElementType::F16; })
      .Case([](Float32Type) { return ElementType::F32; })
      .Case([](Float64Type) { return ElementType::F64; })
      .Case([](Float8E4M3FNType) { return ElementType::F8E4M3; })
      .Case([](Float8E5M2Type) { return ElementType::F8E5M2; })
      .Case([](Float8E8M0FNUType) { return ElementType::F8E8M0; })
      .Default([](Type) { return std::nullopt; });
}

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

llvm::Expected<ValueType> fp8opt::run::valueType(Type type) {
  ValueType result;
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::optional<ElementType> element = elementType(tensor ? tensor.getElementType() : type);
  if (!element)
    return llvm::createStringError(
        "expected a ranked tensor or a scalar of a type that tensor files hold, got " + textOf(type));
  result.element = *element;
  result.isScalar = !tensor;
  int64_t bytes = bytesPerElement(*element);
  for (int64_t size : tensor ? tensor.getShape() : ArrayRef<int64_t>()) {
    result.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
    if (!ShapedType::isDynamic(size) && llvm::MulOverflow(bytes, size, bytes))
      return llvm::createStringError("expected a tensor of less than 2^63 bytes, got " + textOf(type));
  }
  return result;
}

std::string ValueType::text() const {
  std::string result;
  for (int64_t size : shape)
    result += (size < 0 ? "?" : std::to_string(size)) + "x";
  return result + name(element).str();
}

bool ValueType::accepts(const Tensor &tensor) const {
  if (tensor.shape.size() != shape.size())
    return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] >= 0 && shape[i] != tensor.shape[i])
      return false;
  // An integer type without a sign holds both; files distinguish them.
  bool bothBytes = (element == ElementType::I8 || element == ElementType::U8) &&
                   (tensor.type == ElementType::I8 || tensor.type == ElementType::U8);
  return element == tensor.type || bothBytes;
}
