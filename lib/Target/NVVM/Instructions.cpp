// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions that products of kernels become, as a target describes them.

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"
#include "fp8-opt/Target/NVVM/Chip.h"
#include "fp8-opt/Target/NVVM/TargetLibrary.h"

using namespace mlir;
using namespace fp8opt;

/// Elements of the 32 bytes along the contraction that any instruction takes.
static int64_t elementsOfStep(Type operand) { return qtile::stepBytes * 8 / operand.getIntOrFloatBitWidth(); }

static bool isOf8Bits(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// ConvertProducts.cpp writes it.
static qtile::MmaAttr ofWarpGroups(Type lhs, Type rhs) {
  constexpr int64_t columns = 256, step = 8, threads = 128;
  if (!(isOf8Bits(lhs) && isOf8Bits(rhs)) && !(lhs == rhs && isa<BFloat16Type, Float16Type>(lhs)))
    return {};
  MLIRContext *context = lhs.getContext();
  return qtile::MmaAttr::get(context, qtile::waveRows, columns, elementsOfStep(lhs), step, lhs, rhs,
                             Float32Type::get(context), /*scale=*/Type(), /*each=*/0, threads,
                             /*isAsynchronous=*/true);
}

/// ConvertWarpProducts.cpp writes it.
static qtile::MmaAttr ofWarps(Type lhs, Type rhs) {
  constexpr int64_t columns = 8, threads = 32;
  const bool isOf4Bits = lhs == rhs && isa<Float4E2M1FNType>(lhs);
  if (!(isOf8Bits(lhs) && isOf8Bits(rhs)) && !isOf4Bits)
    return {};
  MLIRContext *context = lhs.getContext();
  Type scale = isOf4Bits ? Type(Float8E4M3FNType::get(context)) : Type(Float8E8M0FNUType::get(context));
  return qtile::MmaAttr::get(context, qtile::warpWaveRows, columns, elementsOfStep(lhs), /*step=*/columns,
                             lhs, rhs, Float32Type::get(context), scale, qtile::elementsOfScale(scale),
                             threads, /*isAsynchronous=*/false);
}

qtile::MmaAttr nvvm::instructionOf(const Chip &chip, Type lhs, Type rhs) {
  switch (chip.products) {
  case Products::None:
    return {};
  case Products::OfWarpGroups:
    return ofWarpGroups(lhs, rhs);
  case Products::OfWarps:
    return ofWarps(lhs, rhs);
  }
  llvm_unreachable("every chip has one of these");
}
