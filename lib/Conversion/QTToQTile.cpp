// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives products, and the quantizers before them, to kernels.

#include "KernelBook.h"
#include "KernelOperand.h"
#include "LaunchEmitter.h"
#include "ProductShares.h"
#include "UnquantizedProducts.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Import/EraseUnread.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fp8opt {
#define GEN_PASS_DEF_CONVERTQTTOQTILEPASS
#include "fp8-opt/Conversion/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

namespace {
/// A product that a kernel computes.
struct Product {
  qt::MatmulOp matmul;
  KernelOperand lhs, rhs;
  qtile::KernelOp kernel;
};

/// What one launch quantizes, a quantizer's source by one scheme as one matrix or batch; in which
/// orientations, and what became of them.
struct Quantization {
  const KernelOperand *first = nullptr;
  bool isWanted[2] = {false, false};
  MatrixSizes sizes;
  /// Of the dimensions of the batch.
  SmallVector<OpFoldResult> batch;
  StoredOperand stored[2];
};

class KernelConversion {
public:
  KernelConversion(KernelBook &book, ProductShares &shares) : book(book), shares(shares) {}

  /// Whether kernels take it, and the reason where they do not.
  void consider(qt::MatmulOp matmul);
  /// Writes the launches of what kernels take. Erases what nothing reads any more.
  void rewrite();
  unsigned countProducts() const { return products.size(); }
  unsigned countQuantizers() const { return quantizations.size(); }

private:
  std::variant<Product, std::string> describe(qt::MatmulOp matmul);
  /// Empty if there is a kernel that quantizes it so.
  std::string whyNoQuantizer(const KernelOperand &operand);
  void quantize(Quantization &wanted);
  /// The launch that the operand comes from; a new one if there is none yet.
  Quantization &quantizationOf(const KernelOperand &operand);
  void multiply(const Product &product);

  KernelBook &book;
  ProductShares &shares;
  SmallVector<Product> products;
  SmallVector<Quantization> quantizations;
};
} // namespace

static Type elementOf(Value tensor) { return cast<ShapedType>(tensor.getType()).getElementType(); }

Quantization &KernelConversion::quantizationOf(const KernelOperand &operand) {
  auto isSame = [&](const Quantization &other) {
    const KernelOperand &first = *other.first;
    return std::tie(first.quantizer, first.scheme, first.order, first.batchDimensions, first.rowDimensions) ==
           std::tie(operand.quantizer, operand.scheme, operand.order, operand.batchDimensions,
                    operand.rowDimensions);
  };
  auto *known = llvm::find_if(quantizations, isSame);
  if (known != quantizations.end())
    return *known;
  quantizations.emplace_back();
  quantizations.back().first = &operand;
  return quantizations.back();
}

std::string KernelConversion::whyNoQuantizer(const KernelOperand &operand) {
  KernelOrReason kernel = book.quantizer({elementOf(operand.source), operand.scheme, !operand.isAlongRows,
                                          operand.isAlongRows, operand.batchDimensions > 0});
  if (auto *reason = std::get_if<std::string>(&kernel))
    return *reason;
  std::get<qtile::KernelOp>(kernel).erase();
  return {};
}

std::variant<Product, std::string> KernelConversion::describe(qt::MatmulOp matmul) {
  if (matmul.getAddend())
    return "no kernel adds to its product";
  SmallVector<KernelOperand> operands;
  for (auto [name, value] : {std::pair("left", matmul.getLhs()), std::pair("right", matmul.getRhs())}) {
    auto operand = findKernelOperand(value);
    std::string reason;
    if (auto *none = std::get_if<std::string>(&operand))
      reason = *none;
    else
      reason = whyNoQuantizer(operands.emplace_back(std::get<KernelOperand>(operand)));
    if (!reason.empty())
      return "of its " + std::string(name) + " operand: " + reason;
  }
  RankedTensorType type = matmul.getType();
  ArrayRef<int64_t> contracted = cast<qt::QTensorType>(matmul.getLhs().getType()).getShape().take_back();
  if (llvm::is_contained(type.getShape(), 0) || llvm::is_contained(contracted, 0))
    return "it has a size of 0";
  ArrayRef<int64_t> batch = type.getShape().drop_back(2);
  SmallVector<int64_t> likely;
  if (type.hasStaticShape() && !ShapedType::isDynamic(contracted.back())) {
    likely = llvm::to_vector(type.getShape().take_back(2));
    likely.push_back(contracted.back());
    if (!batch.empty())
      likely.push_back(ShapedType::getNumElements(batch));
  }
  KernelOrReason kernel =
      book.product({operands[0].scheme, operands[1].scheme, type.getElementType(), !batch.empty(), likely});
  if (auto *reason = std::get_if<std::string>(&kernel))
    return *reason;
  return Product{matmul, operands[0], operands[1], std::get<qtile::KernelOp>(kernel)};
}

void KernelConversion::consider(qt::MatmulOp matmul) {
  auto described = describe(matmul);
  if (auto *reason = std::get_if<std::string>(&described))
    return shares.stays(matmul, *reason);
  shares.isTaken(matmul);
  products.push_back(std::get<Product>(described));
}

void KernelConversion::quantize(Quantization &wanted) {
  const KernelOperand &operand = *wanted.first;
  OpBuilder builder(operand.quantizer);
  LaunchEmitter emitter(builder, operand.quantizer->getLoc());
  Value source = operand.source, amax;
  if (isa<qt::QTensorType>(source.getType())) {
    auto type = cast<ShapedType>(source.getType());
    source = qt::DequantizeOp::create(builder, operand.quantizer->getLoc(),
                                      RankedTensorType::get(type.getShape(), type.getElementType()), source);
  }
  for (int64_t dimension : ArrayRef(operand.order).take_front(operand.batchDimensions))
    wanted.batch.push_back(tensor::getMixedSize(builder, operand.quantizer->getLoc(), source, dimension));
  Value matrix = emitter.asMatrix(source, operand.order, operand.batchDimensions, operand.rowDimensions);
  const bool isBatched = operand.batchDimensions > 0;
  wanted.sizes = emitter.sizesOf(matrix);
  // Also where the producer returns one: an engine's reductions to one number take longer than a second pass.
  if (qtile::QuantizeOp::isForTensor(operand.scheme))
    amax = emitter.amax(std::get<qtile::KernelOp>(book.amax(elementOf(matrix), operand.scheme, isBatched)),
                        matrix);
  auto kernel = std::get<qtile::KernelOp>(
      book.quantizer({elementOf(matrix), operand.scheme, wanted.isWanted[0], wanted.isWanted[1], isBatched}));
  SmallVector<StoredOperand> stored =
      emitter.quantize(kernel, matrix, amax, operand.scheme, wanted.isWanted[0], wanted.isWanted[1]);
  for (unsigned orientation : {0, 1})
    if (wanted.isWanted[orientation])
      wanted.stored[orientation] = stored[wanted.isWanted[0] ? orientation : 0];
}

void KernelConversion::multiply(const Product &product) {
  qt::MatmulOp matmul = product.matmul;
  OpBuilder builder(matmul);
  LaunchEmitter emitter(builder, matmul.getLoc());
  /// Rows and contraction of an operand.
  auto sizesOf = [&](const KernelOperand &operand) {
    MatrixSizes sizes = quantizationOf(operand).sizes;
    if (operand.isAlongRows)
      std::swap(sizes.rows, sizes.columns);
    return sizes;
  };
  auto storedOf = [&](const KernelOperand &operand) {
    return quantizationOf(operand).stored[operand.isAlongRows];
  };
  MatrixSizes lhs = sizesOf(product.lhs), rhs = sizesOf(product.rhs);
  StoredOperand left = storedOf(product.lhs), right = storedOf(product.rhs);
  Value alpha = emitter.alpha(product.lhs.scheme, left.amax, product.rhs.scheme, right.amax);
  RankedTensorType type = matmul.getType();
  Value result = emitter.multiply(product.kernel, left, right, alpha, type.getElementType(),
                                  {lhs.batch, lhs.rows, rhs.rows}, lhs.columns);
  result = emitter.expandBatch(result, quantizationOf(product.lhs).batch, type);
  matmul.getResult().replaceAllUsesWith(result);
  for (auto [number, amax] : llvm::enumerate(matmul.getAmaxes()))
    if (!amax.use_empty())
      amax.replaceAllUsesWith(qt::AmaxOp::create(builder, matmul.getLoc(), result,
                                                 cast<qt::AmaxAttr>((*matmul.getBlocks())[number])));
}

void KernelConversion::rewrite() {
  for (const Product &product : products)
    for (const KernelOperand *operand : {&product.lhs, &product.rhs})
      quantizationOf(*operand).isWanted[operand->isAlongRows] = true;
  for (Quantization &wanted : quantizations)
    quantize(wanted);
  for (const Product &product : products)
    multiply(product);
  for (const Product &product : products)
    eraseUnread(product.matmul->getResults());
}

namespace {
struct ConvertQTToQTile : fp8opt::impl::ConvertQTToQTilePassBase<ConvertQTToQTile> {
  using ConvertQTToQTilePassBase::ConvertQTToQTilePassBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto targetOp = module.lookupSymbol<qtile::TargetOp>(target);
    if (!targetOp) {
      module.emitError() << "expected a qtile.target '" << target << "' in the module, got none";
      return signalPassFailure();
    }
    auto entry = module.lookupSymbol<func::FuncOp>(function);
    if (!entry)
      return;
    KernelBook book(module, targetOp);
    ProductShares shares;
    KernelConversion conversion(book, shares);
    UnquantizedProducts unquantized(book, shares, targetOp);
    entry.walk([&](qt::MatmulOp matmul) { conversion.consider(matmul); });
    entry.walk([&](qt::QuantizableOp product) { unquantized.consider(product); });
    qtile::SharesAttr decided = shares.collect(entry);
    qtile::QTileDialect::SharesAttrHelper(&getContext()).setAttr(module, decided);
    if (remarks)
      for (qtile::ShareAttr share : decided.getContractions())
        if (share.getReason())
          emitRemark(share.getLocation())
              << "not computed by a kernel of ours: " << share.getReason().getValue();
    // In this order: quantizers remember what they read, which may be a product in high precision.
    conversion.rewrite();
    unquantized.rewrite();
    numProducts += conversion.countProducts() + unquantized.count();
    numQuantizers += conversion.countQuantizers();
  }
};
} // namespace
