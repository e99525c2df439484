// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows codes back to what the graph rounded to them.

#include "EncodeChain.h"
#include "BlockScale.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace fp8opt;

namespace {

/// A scalar in the body of an elementwise op, and on its way back through further ones.
struct Element {
  linalg::LinalgOp inside;
  Value scalar;

  template <typename OpT> OpT as() const { return scalar.getDefiningOp<OpT>(); }
  Element operand(Value value) { return Element{inside, value}.crossed(); }

  /// The tensor that the scalar is the element in place of; null if it is computed here.
  Value tensor() {
    auto argument = dyn_cast<BlockArgument>(scalar);
    if (!argument || argument.getOwner() != inside.getBlock() ||
        argument.getArgNumber() >= unsigned(inside.getNumDpsInputs()))
      return {};
    AffineMap map = inside.getIndexingMapsArray()[argument.getArgNumber()];
    Value source = inside->getOperand(argument.getArgNumber());
    bool isInPlace = map == inside.getMatchingIndexingMap(inside.getDpsInitOperand(0));
    return isInPlace && isa<RankedTensorType>(source.getType()) ? source : Value();
  }

  /// The scalar that the op before yields, where the tensor is an elementwise op's.
  Element crossed();
};

/// What the codes are made of: encode(source * or / scale).
struct Encoding {
  Value source;
  std::optional<BlockScale> scale;
  bool divides = false, clamps = false;
};

} // namespace

static std::optional<Element> yieldedBy(Value tensor) {
  auto op = tensor.getDefiningOp<linalg::LinalgOp>();
  if (!op || placesElements(op) || !op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  return Element{op, op.getBlock()->getTerminator()->getOperand(0)};
}

Element Element::crossed() {
  Value source = tensor();
  std::optional<Element> before = source ? yieldedBy(source) : std::nullopt;
  // A chain of copies is as long as somebody wrote it; one step is enough for what computes.
  return before && before->scalar.getDefiningOp() ? *before : *this;
}

/// The number that a scalar is in every element; nothing if it varies.
static std::optional<APFloat> constantOf(Element element) {
  FloatAttr scalar;
  if (matchPattern(element.scalar, m_Constant(&scalar)))
    return scalar.getValue();
  auto argument = dyn_cast<BlockArgument>(element.scalar);
  if (!argument || argument.getOwner() != element.inside.getBlock())
    return std::nullopt;
  Value tensor = element.inside->getOperand(argument.getArgNumber());
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    tensor = fill.getInputs()[0];
  DenseFPElementsAttr splat;
  if (matchPattern(tensor, m_Constant(&splat)) && splat.isSplat())
    return splat.getSplatValue<APFloat>();
  if (matchPattern(tensor, m_Constant(&scalar)))
    return scalar.getValue();
  return std::nullopt;
}

/// Goes back over one bound of a clamp: the operand that is no constant; nothing if the bound is another.
static std::optional<Element> boundedBy(Element element, Operation *op, double bound) {
  for (unsigned i : {0, 1}) {
    std::optional<APFloat> constant = constantOf({element.inside, op->getOperand(i)});
    if (constant && constant->convertToDouble() == bound)
      return element.operand(op->getOperand(1 - i));
  }
  return std::nullopt;
}

/// A scalar that is the same for several elements, or for all, as their scale; nothing if it is another for
/// each.
static std::optional<BlockScale> findScale(OpBuilder &builder, linalg::LinalgOp inside, Value scalar) {
  std::optional<BlockScale> scale = Compactor(builder).compactScalar(inside, scalar);
  if (scale && llvm::any_of(scale->block, [](int64_t size) { return size != 1; }))
    return scale;
  if (scale)
    eraseUnread(scale->value);
  return std::nullopt;
}

static std::optional<Encoding> readEncoding(OpBuilder &builder, Element rounded, double largest,
                                            std::string &why) {
  Encoding encoding;
  auto rounding = rounded.as<arith::TruncFOp>();
  if (!rounding ||
      (rounding.getRoundingmode() && *rounding.getRoundingmode() != arith::RoundingMode::to_nearest_even))
    return why = "they are rounded in another way than to nearest even", std::nullopt;
  Element element = rounded.operand(rounding.getIn());
  auto upper = element.as<arith::MinimumFOp>();
  auto lower = element.as<arith::MaximumFOp>();
  if (upper || lower) {
    std::optional<Element> once =
                               boundedBy(element, element.scalar.getDefiningOp(), upper ? largest : -largest),
                           twice;
    Operation *other = once ? once->scalar.getDefiningOp() : nullptr;
    if (other && (upper ? isa<arith::MaximumFOp>(other) : isa<arith::MinimumFOp>(other)))
      twice = boundedBy(*once, other, upper ? -largest : largest);
    if (!twice)
      return why = "they are clamped to other numbers than the largest code and its negative", std::nullopt;
    element = *twice;
    encoding.clamps = true;
  }
  Operation *scaling = element.scalar.getDefiningOp();
  if (isa_and_nonnull<arith::MulFOp, arith::DivFOp>(scaling)) {
    if (!element.scalar.getType().isF32())
      return why = "they are scaled in " + llvm::to_string(element.scalar.getType()), std::nullopt;
    encoding.divides = isa<arith::DivFOp>(scaling);
    for (unsigned factor : {1, 0})
      if (!encoding.scale && (factor == 1 || !encoding.divides))
        if ((encoding.scale = findScale(builder, element.inside, scaling->getOperand(factor))))
          element = element.operand(scaling->getOperand(1 - factor));
    if (!encoding.scale)
      return why = "what they are scaled by is another number for each", std::nullopt;
  }
  while (auto widening = element.as<arith::ExtFOp>())
    element = element.operand(widening.getIn());
  // What the element is in place, computed or not.
  encoding.source = element.tensor();
  if (!encoding.source && element.inside.getBlock()->getTerminator()->getOperand(0) == element.scalar)
    encoding.source = element.inside->getResult(0);
  Type type = encoding.source ? getElementTypeOrSelf(encoding.source) : Type();
  if (!type || !qt::isExpressed(type))
    return why = "what they are rounded from is no tensor of f32, bf16 or f16", std::nullopt;
  return encoding;
}

Value fp8opt::encodedCodes(OpBuilder &builder, Value codes, std::string &why) {
  std::optional<Element> rounded = yieldedBy(codes);
  if (!rounded || !rounded->scalar.getDefiningOp())
    return {};
  auto type = cast<RankedTensorType>(codes.getType());
  std::optional<numerics::FormatId> code = numerics::formatNamed(llvm::to_string(type.getElementType()));
  if (!code)
    return {};
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(codes);
  double largest = llvm::bit_cast<float>(numerics::format(*code).largestAsF32());
  std::optional<Encoding> encoding = readEncoding(builder, *rounded, largest, why);
  if (!encoding)
    return {};
  Location loc = codes.getLoc();
  auto one = RankedTensorType::get(SmallVector<int64_t>(type.getRank(), 1), builder.getF32Type());
  BlockScale scale =
      encoding->scale ? *multiplyScales(builder, loc, *encoding->scale, false)
                      : BlockScale{arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(one, 1.0f)),
                                   SmallVector<int64_t>(type.getRank(), kWhole)};
  std::vector<int64_t> block;
  for (int64_t size : scale.block)
    block.push_back(size == kWhole ? -1 : size);
  numerics::Scheme scheme;
  scheme.code = *code;
  scheme.overflow = encoding->clamps ? numerics::Overflow::Saturate : numerics::Overflow::Ieee;
  scheme.levels = {
      numerics::defaultLevel(numerics::ScaleRule::Fdiv, numerics::FormatId::F32, std::move(block))};
  numerics::ScaleLevel &level = scheme.levels[0];
  level.stored = encoding->divides ? numerics::StoredScale::Decode : numerics::StoredScale::Encode;
  level.apply = encoding->divides ? numerics::ApplyScale::DivDecode : numerics::ApplyScale::MulEncode;
  auto quantized =
      qt::QTensorType::get(builder.getContext(), type.getShape(), getElementTypeOrSelf(encoding->source),
                           qt::SchemeAttr::get(builder.getContext(), scheme));
  Type scalesType = quantized.getScalesType(0);
  Value given = scale.value;
  if (given.getType() != scalesType)
    given = tensor::CastOp::create(builder, loc, scalesType, given);
  Value encoded = qt::QuantizeOp::create(builder, loc, quantized, encoding->source, given, qt::HalfAttr());
  return qt::DisassembleOp::create(builder, loc, quantized.getCodesType(), scalesType, encoded).getCodes();
}
