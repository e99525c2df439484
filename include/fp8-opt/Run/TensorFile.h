// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in memory and in safetensors files.

#ifndef FP8_OPT_RUN_TENSORFILE_H
#define FP8_OPT_RUN_TENSORFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fp8opt::run {

/// The element types of safetensors files. A Bool is a byte, 0 or 1.
enum class ElementType : uint8_t { BF16, F16, F32, F64, I64, I32, I16, I8, U8, Bool, F8E4M3, F8E5M2, F8E8M0 };

/// As files spell it ("BF16").
llvm::StringRef name(ElementType type);
std::optional<ElementType> elementTypeNamed(llvm::StringRef name);
int64_t bytesPerElement(ElementType type);
/// Not an integer type; 8-bit formats included.
bool isFloat(ElementType type);

/// Dense, row-major, little-endian. `bytes` holds exactly the elements of `shape`; see `makeTensor`.
struct Tensor {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  int64_t numElements() const;
  /// "2x128xBF16"; "F32" for a scalar.
  std::string typeText() const;
  /// Element `index` in row-major order; exact for every type but large I64.
  double at(int64_t index) const;
  int64_t integerAt(int64_t index) const;
};

/// All bytes zero. Requires sizes that are not negative and whose product fits into memory.
Tensor makeTensor(ElementType type, std::vector<int64_t> shape);
/// What this machine has in all, in bytes.
uint64_t memoryOfMachine();
/// An error that names `what` if there is no memory for such a tensor.
llvm::Error checkMemory(const llvm::Twine &what, ElementType type, llvm::ArrayRef<int64_t> shape);

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

/// Every error names the file, what was expected and what was found. Reads nothing beyond the file whatever
/// its header says. Tensors come in the order of their data.
llvm::Expected<std::vector<NamedTensor>> readTensorFile(llvm::StringRef path);
/// The file appears whole or not at all.
llvm::Error writeTensorFile(llvm::StringRef path, const std::vector<NamedTensor> &tensors);

const Tensor *findTensor(const std::vector<NamedTensor> &tensors, llvm::StringRef name);

} // namespace fp8opt::run

#endif // FP8_OPT_RUN_TENSORFILE_H
