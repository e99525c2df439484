// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recognizes operands that a graph decodes from codes and scales, and makes of each one quantized tensor.

#include "BlockScale.h"
#include "DecodeChain.h"
#include "EncodeChain.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Emit/Elementwise.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"
#include "fp8-opt/Import/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/ScopedPrinter.h"

namespace fp8opt {
#define GEN_PASS_DEF_IMPORTQUANTIZEDPASS
#include "fp8-opt/Import/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

/// Elements as the integers that their bits are, widened to whole bytes.
static Value asIntegers(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type narrow = builder.getIntegerType(type.getElementTypeBitWidth()), byte = builder.getI8Type();
  return emitElementwise(builder, loc, tensor, byte,
                         [&](OpBuilder &inner, Location at, ValueRange values) -> Value {
                           Value bits = arith::BitcastOp::create(inner, at, narrow, values[0]);
                           return narrow == byte ? bits : arith::ExtUIOp::create(inner, at, byte, bits);
                         });
}

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type ? value : tensor::CastOp::create(builder, loc, type, value).getResult();
}

namespace {

/// Goes along one chain, from codes to an operand, with what has been met of scales.
class Decoding {
public:
  Decoding(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  void setCodes(Value integers) { codes = integers; }

  /// Takes a step. False if what is decoded has no scheme any more; `why` says what is in the way.
  bool follow(const DecodeStep &step);
  /// The quantized tensor, decoded to the type that the graph rounded to last, `type` if it did not; null
  /// where there is none. `why` is set where no product takes the codes.
  Value finish(numerics::FormatId code, FloatType type);

  std::string why;
  /// Whether qt.dequantize gives the bits of the graph.
  bool isExact = true;

private:
  bool scaleBy(Operation *op, linalg::LinalgOp inside, Value factor);
  void round(FloatType type);
  std::optional<BlockScale> joinScales();
  bool refuse(const Twine &reason) {
    why = reason.str();
    return false;
  }

  OpBuilder &builder;
  Location loc;
  Value codes;
  SmallVector<BlockScale> scales;
  SmallVector<bool> divides;
  FloatType expressed; // what the numbers were rounded to after the first scale
  bool isRounded = false;
};

} // namespace

/// Whether dividing by it is multiplying: a power of two, of which the reciprocal is one too.
static bool isPowerOfTwo(Value scale) {
  DenseElementsAttr constant;
  if (!matchPattern(scale, m_Constant(&constant)) || !constant.isSplat())
    return false;
  return constant.getSplatValue<APFloat>().getExactInverse(nullptr);
}

bool Decoding::scaleBy(Operation *op, linalg::LinalgOp inside, Value factor) {
  auto type = cast<FloatType>(op->getResult(0).getType());
  if (type.getWidth() > 32)
    return refuse("it is decoded in " + llvm::to_string(type));
  std::optional<BlockScale> scale = Compactor(builder).compactScalar(inside, factor);
  if (!scale)
    return refuse("what it is multiplied by depends on the place");
  bool isDivision = isa<arith::DivFOp>(op);
  isExact &= scales.empty() && (!isDivision || isPowerOfTwo(scale->value));
  scales.push_back(*scale);
  divides.push_back(isDivision);
  expressed = type;
  return true;
}

/// Codes themselves fit into every type that they are cast to. After the first scale one rounding, of an f32
/// product, is the one that qt.dequantize does.
void Decoding::round(FloatType type) {
  if (scales.empty())
    return;
  isExact &= expressed.isF32() && !isRounded;
  isRounded = true;
  expressed = type;
}

bool Decoding::follow(const DecodeStep &step) {
  if (placesElements(step.op)) {
    codes = moveElements(builder, step.op, codes);
    for (BlockScale &scale : scales) {
      std::optional<BlockScale> moved = moveScale(builder, step.op, scale);
      if (!moved)
        return refuse("'" + step.op->getName().getStringRef() + "' cuts the blocks of its scales");
      scale = *moved;
    }
    return true;
  }
  auto inside = cast<linalg::LinalgOp>(step.op);
  if (!isIdentityPermutation(step.permutation)) {
    codes = transpose(builder, step.op->getLoc(), codes, step.permutation);
    for (BlockScale &scale : scales)
      scale = transpose(builder, step.op->getLoc(), scale, step.permutation);
  }
  for (auto [op, factor] : step.path) {
    auto type = cast<FloatType>(op->getResult(0).getType());
    if (factor && !scaleBy(op, inside, factor))
      return false;
    if (isa<arith::TruncFOp>(op))
      round(type);
  }
  return true;
}

/// One scale for each block of the codes, as E8M0 bytes if that is what the graph has, else f32.
std::optional<BlockScale> Decoding::joinScales() {
  int64_t rank = cast<RankedTensorType>(codes.getType()).getRank();
  if (scales.empty()) {
    auto type = RankedTensorType::get(SmallVector<int64_t>(rank, 1), builder.getF32Type());
    Value one = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, 1.0f));
    return BlockScale{one, SmallVector<int64_t>(rank, kWhole)};
  }
  if (scales.size() == 1 && !divides[0] && isa<Float8E8M0FNUType>(getElementTypeOrSelf(scales[0].value)))
    return BlockScale{asIntegers(builder, loc, scales[0].value), scales[0].block};
  return multiplyScales(builder, loc, scales, divides);
}

/// Whether a scale is one for each matrix of a batch.
static bool isPerTensor(ArrayRef<int64_t> shape, ArrayRef<int64_t> block) {
  return llvm::all_of(block.take_back(2), [](int64_t size) { return size == kWhole; }) &&
         llvm::all_of(llvm::zip(shape.drop_back(2), block.drop_back(2)),
                      [](auto dim) { return std::get<0>(dim) == 1 || std::get<1>(dim) == 1; });
}

Value Decoding::finish(numerics::FormatId code, FloatType type) {
  auto codesType = cast<RankedTensorType>(codes.getType());
  std::optional<BlockScale> scale = joinScales();
  if (!scale)
    return refuse("two of its scales have different blocks along one dimension"), Value();
  if (scale->block.back() == 1) {
    // Codes all the same, of which other products may sum along another dimension.
    refuse("it has a scale for each element along K");
    if (!isExact || llvm::all_of(scale->block, [](int64_t size) { return size == 1; }))
      return {};
  }
  bool isByte = getElementTypeOrSelf(scale->value).isInteger(8);
  Value stored = scale->value;
  std::vector<int64_t> block;
  if (isPerTensor(codesType.getShape(), scale->block)) {
    SmallVector<ReassociationIndices> groups;
    for (int64_t dim = 0; dim < codesType.getRank() - 2; ++dim)
      groups.push_back({dim});
    if (!groups.empty())
      groups.back().append({codesType.getRank() - 2, codesType.getRank() - 1});
    stored = builder.createOrFold<tensor::CollapseShapeOp>(loc, stored, groups);
  } else {
    // A dimension of one in front is a block of one, as a scheme spells it.
    for (auto [dim, size] : llvm::enumerate(scale->block))
      block.push_back(size != kWhole                                                     ? size
                      : codesType.getDimSize(dim) == 1 && dim + 1 != scale->block.size() ? 1
                                                                                         : -1);
  }
  numerics::Scheme scheme;
  scheme.code = code;
  // No rule made these scales: the plain one for their type stands for "given".
  scheme.levels = {numerics::defaultLevel(isByte ? numerics::ScaleRule::Floor : numerics::ScaleRule::Fdiv,
                                          isByte ? numerics::FormatId::F8E8M0FNU : numerics::FormatId::F32,
                                          std::move(block))};
  MLIRContext *context = builder.getContext();
  Type element = expressed ? expressed : type;
  auto quantized =
      qt::QTensorType::get(context, codesType.getShape(), element, qt::SchemeAttr::get(context, scheme));
  stored = castTo(builder, loc, stored, quantized.getScalesType(0));
  Value assembled = qt::AssembleOp::create(builder, loc, quantized, codes, stored);
  return qt::DequantizeOp::create(builder, loc, codesType.clone(element), assembled);
}

namespace {

class QuantizedImporter {
public:
  explicit QuantizedImporter(func::FuncOp entry)
      : entry(entry), chains(entry), rewriter(entry.getContext()),
        qt(*entry.getContext()->getLoadedDialect<qt::QTDialect>()) {}

  void run();

  unsigned numRecognized = 0, numRefused = 0;

private:
  void recognize(linalg::ContractOp op);
  /// The decoded operand; null with `how` refused and a reason, or where it is not decoded from codes.
  Value recognizeOperand(linalg::ContractOp op, unsigned index, qt::Decoded &how, std::string &why);
  Value getCodes(Value codes);

  func::FuncOp entry;
  DecodeChains chains;
  IRRewriter rewriter;
  qt::QTDialect &qt;
  llvm::DenseMap<Value, Value> integers;
  SmallVector<Value> unread;
};

} // namespace

/// The integers of codes, once for all products that read them.
Value QuantizedImporter::getCodes(Value codes) {
  Value &known = integers[codes];
  if (known)
    return known;
  std::string why;
  known = encodedCodes(rewriter, codes, why);
  if (!why.empty())
    emitRemark(codes.getLoc()) << "codes of type " << getElementTypeOrSelf(codes)
                               << " are computed as the graph does, not as one quantization: " << why;
  if (known)
    return known;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(codes);
  return known = asIntegers(rewriter, codes.getLoc(), codes);
}

Value QuantizedImporter::recognizeOperand(linalg::ContractOp op, unsigned index, qt::Decoded &how,
                                          std::string &why) {
  Value operand = op->getOperand(index);
  std::optional<DecodeChain> chain = chains.find(operand);
  if (!chain)
    return {};
  Type element = getElementTypeOrSelf(chain->codes);
  std::optional<numerics::FormatId> code = numerics::formatNamed(llvm::to_string(element));
  auto type = cast<FloatType>(getElementTypeOrSelf(operand));
  Decoding decoding(rewriter, op.getLoc());
  Value decoded;
  if (!code)
    decoding.why = "no scheme has codes of type " + llvm::to_string(element);
  else if (type.getWidth() > 32)
    decoding.why = "it is decoded to " + llvm::to_string(type);
  else {
    decoding.setCodes(getCodes(chain->codes));
    if (llvm::all_of(chain->steps, [&](const DecodeStep &step) { return decoding.follow(step); }))
      decoded = decoding.finish(*code, isCodes(operand.getType()) ? FloatType(rewriter.getF32Type()) : type);
  }
  how = !decoding.why.empty() ? qt::Decoded::Refused
        : decoding.isExact    ? qt::Decoded::Exact
                              : qt::Decoded::Rounded;
  why = decoding.why;
  return decoded;
}

void QuantizedImporter::recognize(linalg::ContractOp op) {
  Operation *before = op->getPrevNode();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands(op->getOperands()), old = operands;
  qt::Decoded how[] = {qt::Decoded::Not, qt::Decoded::Not};
  std::string detail;
  for (unsigned index : {0, 1}) {
    std::string why;
    if (Value decoded = recognizeOperand(op, index, how[index], why))
      operands[index] = decoded;
    if (how[index] != qt::Decoded::Refused)
      continue;
    std::string text = (Twine("the ") + (index ? "right" : "left") +
                        " operand is decoded from codes, which the product cannot take: " + why)
                           .str();
    op.emitRemark() << text;
    detail += (detail.empty() ? "" : "; ") + text;
    ++numRefused;
  }
  if (how[0] == qt::Decoded::Not && how[1] == qt::Decoded::Not)
    return;
  auto given = qt::GivenAttr::get(op.getContext(), how[0], how[1],
                                  detail.empty() ? StringAttr() : rewriter.getStringAttr(detail));
  SmallVector<NamedAttribute> attributes;
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName() != linalg::LinalgDialect::kMemoizedIndexingMapsAttrName)
      attributes.push_back(attribute);
  attributes.emplace_back(qt.getGivenAttrHelper().getName(), given);
  numRecognized += given.holds(/*isRhs=*/false) || given.holds(/*isRhs=*/true);
  // Anew, as the types of its body follow from those of the operands.
  auto contract = linalg::ContractOp::create(rewriter, op.getLoc(), op->getResultTypes(),
                                             ValueRange(operands).take_front(2), operands[2],
                                             op.getIndexingMapsAttr(), attributes);
  rewriter.replaceOp(op, contract);
  // What a refused operand has left, and what nobody decodes any more.
  for (Operation *made = contract->getPrevNode(); made && made != before;) {
    Operation *previous = made->getPrevNode();
    if (isOpTriviallyDead(made))
      rewriter.eraseOp(made);
    made = previous;
  }
  llvm::append_range(unread, old);
}

void QuantizedImporter::run() {
  SmallVector<linalg::ContractOp> products;
  entry.walk([&](linalg::ContractOp op) {
    std::optional<Contraction> contraction = matchContraction(op);
    if (contraction && contraction->isNormal() && contraction->getAccumulatorType().isF32())
      products.push_back(op);
  });
  for (linalg::ContractOp op : products)
    recognize(op);
  // At the end: until then a value may be looked up that nothing reads any more.
  for (auto [codes, made] : integers)
    unread.append({made, codes});
  eraseUnread(unread);
}

namespace {

struct ImportQuantized : fp8opt::impl::ImportQuantizedPassBase<ImportQuantized> {
  using ImportQuantizedPassBase::ImportQuantizedPassBase;

  void runOnOperation() final {
    func::FuncOp entry = findEntry(getOperation(), function);
    if (!entry)
      return signalPassFailure();
    QuantizedImporter importer(entry);
    importer.run();
    recognized += importer.numRecognized;
    refused += importer.numRefused;
    if (importer.numRecognized == 0 && importer.numRefused == 0) // nothing to verify again
      markAllAnalysesPreserved();
  }
};

} // namespace
