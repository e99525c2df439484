// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A generator keyed by seed, argument and element, so that order and engine do not matter.

#include "fp8-opt/Run/Init.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>

using namespace fp8opt::run;

// A fused multiply-add would round once where the definition rounds twice.
#pragma STDC FP_CONTRACT OFF

static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

static double gaussian(uint64_t key, uint64_t index) {
  int64_t sum = 0;
  for (uint64_t j = 0; j < 3; ++j) {
    uint64_t word = mix(key + kGolden * (3 * index + j + 1));
    for (int piece = 0; piece < 4; ++piece, word >>= 16)
      sum += int64_t(word & 0xffff);
  }
  return double(sum - 6 * 65535) / 65536.0;
}

static uint16_t roundToBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static uint64_t roundTo(const llvm::fltSemantics &semantics, float value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  if (!number.isFinite())
    number = llvm::APFloat::getLargest(semantics, std::signbit(value));
  return number.bitcastToAPInt().getZExtValue();
}

static void store(Tensor &tensor, int64_t index, double value) {
  auto put = [&](auto bits) {
    std::memcpy(tensor.bytes.data() + size_t(index) * sizeof bits, &bits, sizeof bits);
  };
  auto narrow = float(value);
  switch (tensor.type) {
  case ElementType::BF16:
    return put(roundToBF16(narrow));
  case ElementType::F16:
    return put(uint16_t(roundTo(llvm::APFloat::IEEEhalf(), narrow)));
  case ElementType::F32:
    return put(narrow);
  case ElementType::F64:
    return put(double(narrow));
  case ElementType::F8E4M3:
    return put(uint8_t(roundTo(llvm::APFloat::Float8E4M3FN(), narrow)));
  case ElementType::F8E5M2:
    return put(uint8_t(roundTo(llvm::APFloat::Float8E5M2(), narrow)));
  case ElementType::F8E8M0: // has neither a sign nor a zero
    return put(uint8_t(roundTo(llvm::APFloat::Float8E8M0FNU(), std::max(std::abs(narrow), 0x1p-100f))));
  default:
    return;
  }
}

Tensor fp8opt::run::initNormal(ElementType type, std::vector<int64_t> shape, ArgumentKind kind, uint64_t seed,
                               uint64_t argument) {
  Tensor result = makeTensor(type, std::move(shape));
  if (!isFloat(type))
    return result;
  uint64_t key = mix(seed + kGolden * (argument + 1));
  bool isParameter = kind == ArgumentKind::Parameter;
  size_t rank = result.shape.size();
  double root = rank >= 2 ? std::sqrt(double(result.shape.back())) : 1.0;
  for (int64_t i = 0, count = result.numElements(); i < count; ++i) {
    double value = gaussian(key, uint64_t(i));
    if (isParameter && rank >= 2)
      value = value / root;
    else if (isParameter && rank == 1)
      value = 1.0 + 0.1 * value;
    store(result, i, value);
  }
  return result;
}
