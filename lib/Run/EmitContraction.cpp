// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognises contractions that multiply and add in f32, and hands them to the contraction routine.

#include "Contraction.h"
#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fp8opt::run;

static std::optional<ContractionElement> elementOf(Type type) {
  if (type.isF32())
    return ContractionElement::F32;
  if (type.isBF16())
    return ContractionElement::BF16;
  if (type.isF16())
    return ContractionElement::F16;
  return std::nullopt;
}

/// The block argument that `value` is, maybe extended to f32; nothing if it is computed.
static BlockArgument widenedArgument(Value value) {
  if (auto extension = value.getDefiningOp<arith::ExtFOp>())
    value = extension.getIn();
  return dyn_cast<BlockArgument>(value);
}

static bool multipliesAndAddsInF32(linalg::LinalgOp op) {
  Block *body = op.getBlock();
  BlockArgument left = body->getArgument(0), right = body->getArgument(1), sum = body->getArgument(2);
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!add || !add.getType().isF32())
    return false;
  Value other = add.getLhs() == sum ? add.getRhs() : add.getRhs() == sum ? add.getLhs() : Value();
  auto multiply = other ? other.getDefiningOp<arith::MulFOp>() : nullptr;
  if (!multiply)
    return false;
  BlockArgument first = widenedArgument(multiply.getLhs()), second = widenedArgument(multiply.getRhs());
  return (first == left && second == right) || (first == right && second == left);
}

static std::optional<ContractionDim> kindOf(unsigned dim, ArrayRef<AffineMap> maps) {
  bool a = maps[0].isFunctionOfDim(dim), b = maps[1].isFunctionOfDim(dim), c = maps[2].isFunctionOfDim(dim);
  if (a && b)
    return c ? ContractionDim::Batch : ContractionDim::K;
  if (c && (a || b))
    return a ? ContractionDim::M : ContractionDim::N;
  return std::nullopt;
}

bool fp8opt::run::isF32Contraction(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return false;
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    int64_t offset;
    SmallVector<int64_t> strides;
    if (!type || !elementOf(type.getElementType()) || failed(type.getStridesAndOffset(strides, offset)))
      return false;
  }
  if (!cast<MemRefType>(op.getDpsInits()[0].getType()).getElementType().isF32())
    return false;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (AffineMap map : maps)
    if (!map.isProjectedPermutation())
      return false;
  // Without a free dimension on both sides there is no matrix product, and nothing to gain.
  bool hasM = false, hasN = false;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim) {
    std::optional<ContractionDim> kind = kindOf(dim, maps);
    bool isReduction = !linalg::isParallelIterator(op.getIteratorTypesArray()[dim]);
    if (!kind || (*kind == ContractionDim::K) != isReduction)
      return false;
    hasM |= *kind == ContractionDim::M;
    hasN |= *kind == ContractionDim::N;
  }
  return hasM && hasN && multipliesAndAddsInF32(op);
}

namespace {
/// Fills the array that the contraction routine reads; `describeContraction` in Runtime.cpp is its other end.
class Describer {
public:
  explicit Describer(linalg::LinalgOp op) : op(op), builder(op), loc(op.getLoc()) {}

  void write() {
    int64_t words = 6 + 5 * op.getNumLoops();
    array = memref::AllocaOp::create(builder, loc, MemRefType::get({words}, builder.getIndexType()));
    SmallVector<memref::ExtractStridedMetadataOp> views;
    for (Value operand : op->getOperands()) {
      views.push_back(memref::ExtractStridedMetadataOp::create(builder, loc, operand));
      push(addressOf(operand, views.back().getOffset()));
    }
    for (Value input : op.getDpsInputs())
      push(int64_t(*elementOf(cast<MemRefType>(input.getType()).getElementType())));
    push(int64_t(op.getNumLoops()));
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [dim, range] : llvm::enumerate(op.createLoopRanges(builder, loc))) {
      push(int64_t(*kindOf(unsigned(dim), maps)));
      push(getValueOrCreateConstantIndexOp(builder, loc, range.size));
      for (auto [map, view] : llvm::zip_equal(maps, views)) {
        std::optional<unsigned> position = map.getResultPosition(builder.getAffineDimExpr(unsigned(dim)));
        position ? push(view.getStrides()[*position]) : push(int64_t(0));
      }
    }
    Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, array);
    func::CallOp::create(builder, loc, symbol::kContract, TypeRange(), pointer);
    op.erase();
  }

private:
  void push(Value value) {
    memref::StoreOp::create(builder, loc, value, array,
                            Value(arith::ConstantIndexOp::create(builder, loc, next++)));
  }
  void push(int64_t value) { push(Value(arith::ConstantIndexOp::create(builder, loc, value))); }

  Value addressOf(Value buffer, Value offset) {
    Value base = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    int64_t width = cast<MemRefType>(buffer.getType()).getElementTypeBitWidth() / 8;
    Value bytes =
        arith::MulIOp::create(builder, loc, offset, arith::ConstantIndexOp::create(builder, loc, width));
    return arith::AddIOp::create(builder, loc, base, bytes);
  }

  linalg::LinalgOp op;
  OpBuilder builder;
  Location loc;
  Value array;
  int64_t next = 0;
};
} // namespace

void fp8opt::run::emitContraction(linalg::LinalgOp op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(symbol::kContract)) {
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto declaration = func::FuncOp::create(builder, op.getLoc(), symbol::kContract,
                                            builder.getFunctionType(builder.getIndexType(), {}));
    declaration.setPrivate();
  }
  Describer(op).write();
}
