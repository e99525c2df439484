// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a product reads in matrices that lie by strides, and how many bytes its maps have.

#include "Pointees.h"

#include "fp8-opt/Dialect/QTile/IR/GemmTiles.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace fp8opt::qtile;

namespace {
/// What a launch has for the arguments of a kernel.
struct Launched {
  LaunchOp launch;
  KernelOp kernel;
  ArrayRef<Value> tensors;

  /// The number of an argument that a tensor stands for; none of what the kernel computes from one.
  std::optional<unsigned> numberOf(Value pointer) {
    auto argument = dyn_cast_if_present<BlockArgument>(pointer);
    if (!argument || argument.getArgNumber() >= tensors.size())
      return std::nullopt;
    return argument.getArgNumber();
  }
  RankedTensorType typeOf(unsigned number) const { return cast<RankedTensorType>(tensors[number].getType()); }
  /// An integer, which has no sign, if it is a constant.
  std::optional<uint64_t> constant(Value integer) {
    auto argument = dyn_cast_if_present<BlockArgument>(integer);
    if (!argument || argument.getArgNumber() < tensors.size())
      return std::nullopt;
    std::optional<int64_t> value =
        getConstantIntValue(launch.getSizes()[argument.getArgNumber() - tensors.size()]);
    return value ? std::optional<uint64_t>(static_cast<uint32_t>(*value)) : std::nullopt;
  }
  std::string spell(unsigned number) {
    return ("argument " + Twine(number) + " of @" + kernel.getSymName()).str();
  }
};

/// An operand that lies by strides.
struct Strided {
  Value pointer;
  /// As it lies.
  Value rows, columns;
  /// Of rows, of inner and of outer matrices.
  ValueRange strides;
};
} // namespace

static LogicalResult verifyMaps(Launched &launched, GemmOp gemm) {
  std::optional<unsigned> number = launched.numberOf(gemm.getMaps());
  TargetOp target = launched.kernel.getTargetOp();
  if (!number || !target || !launched.typeOf(*number).hasStaticShape())
    return success();
  int64_t bytes = launched.typeOf(*number).getNumElements(), needed = getMapsBytes(target);
  if (bytes >= needed)
    return success();
  return launched.launch.emitOpError()
         << "expected at least " << needed << " bytes for " << launched.spell(*number) << ", the maps of "
         << target.getLimits().getProcessors() << " processors, got " << bytes;
}

static LogicalResult verifyStarts(Launched &launched, const Strided &operand, unsigned number) {
  constexpr uint64_t startBytes = 16;
  uint64_t bytes = launched.typeOf(number).getElementTypeBitWidth() / 8;
  for (Value stride : operand.strides)
    if (std::optional<uint64_t> elements = launched.constant(stride);
        elements && *elements * bytes % startBytes)
      return launched.launch.emitOpError()
             << "expected strides of " << launched.spell(number) << " of a multiple of " << startBytes
             << " bytes, got " << *elements * bytes;
  return success();
}

/// What is no constant counts as little as it can.
static LogicalResult verifyReach(Launched &launched, GemmOp gemm, const Strided &operand) {
  std::optional<unsigned> number = launched.numberOf(operand.pointer);
  if (!number)
    return success();
  if (failed(verifyStarts(launched, operand, *number)))
    return failure();
  std::optional<uint64_t> groups = launched.constant(gemm.getGroups()),
                          inner = launched.constant(gemm.getInner()), outer;
  if (groups && inner && *inner)
    outer = *groups / *inner;
  // Behind the last element of the last row.
  uint64_t reach = std::max<uint64_t>(1, launched.constant(operand.columns).value_or(1));
  for (auto [count, stride] :
       llvm::zip_equal(std::array{launched.constant(operand.rows), inner, outer}, operand.strides))
    if (std::optional<uint64_t> elements = launched.constant(stride); elements && count && *count)
      reach = llvm::SaturatingMultiplyAdd(*count - 1, *elements, reach);
  RankedTensorType type = launched.typeOf(*number);
  if (!type.hasStaticShape() || reach <= static_cast<uint64_t>(type.getNumElements()))
    return success();
  return launched.launch.emitOpError()
         << "expected at least " << reach << " elements in " << launched.spell(*number)
         << ", as far as the sizes and strides of the launch reach, got " << type.getNumElements();
}

static LogicalResult verifyStrides(Launched &launched, GemmOp gemm) {
  std::optional<uint64_t> groups = launched.constant(gemm.getGroups()),
                          inner = launched.constant(gemm.getInner());
  if (groups && inner && (*inner == 0 || *groups % *inner))
    return launched.launch.emitOpError()
           << "expected a multiple of the inner matrices of a batch, " << *inner << ", got " << *groups;
  auto lies = [&](Value pointer, OperandLayout layout, Value rows, ValueRange strides) {
    bool isTransposed = layout == OperandLayout::Transposed;
    return isTransposed ? Strided{pointer, gemm.getK(), rows, strides}
                        : Strided{pointer, rows, gemm.getK(), strides};
  };
  return failure(
      failed(verifyReach(launched, gemm,
                         lies(gemm.getLhs(), gemm.getLhsLayout(), gemm.getM(), gemm.getLhsStrides()))) ||
      failed(verifyReach(launched, gemm,
                         lies(gemm.getRhs(), gemm.getRhsLayout(), gemm.getN(), gemm.getRhsStrides()))));
}

LogicalResult fp8opt::qtile::verifyLaunchedMatrices(LaunchOp launch, KernelOp kernel,
                                                    ArrayRef<Value> tensors) {
  Launched launched{launch, kernel, tensors};
  for (auto gemm : kernel.getBody().getOps<GemmOp>())
    if (failed(verifyMaps(launched, gemm)) || (gemm.getInner() && failed(verifyStrides(launched, gemm))))
      return failure();
  return success();
}
