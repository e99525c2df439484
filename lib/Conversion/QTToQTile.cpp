// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives products, and the quantizers before them, to kernels.

#include "KernelConversion.h"
#include "OperandDimensions.h"
#include "ProductResult.h"
#include "QuantizedViews.h"
#include "UnquantizedProducts.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Import/EraseUnread.h"
#include "fp8-opt/Import/Import.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fp8opt {
#define GEN_PASS_DEF_CONVERTQTTOQTILEPASS
#include "fp8-opt/Conversion/Passes.h.inc"
} // namespace fp8opt

using namespace mlir;
using namespace fp8opt;

Orientations &KernelConversion::orientationsOf(const KernelOperand &operand) {
  SmallVector<size_t, 1> &numbers = quantizationsOf[operand.getQuantizer()];
  for (size_t number : numbers) {
    Orientations &known = quantizations[number];
    if (known.operand.scheme == operand.scheme && known.operand.isOfMatrix(operand))
      return known;
  }
  numbers.push_back(quantizations.size());
  Orientations &added = quantizations.emplace_back();
  added.operand = operand;
  return added;
}

std::variant<KernelProduct, std::string> KernelConversion::describe(qt::MatmulOp matmul) {
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
  if (std::string reason = whyNotCountedRows(type); !reason.empty())
    return reason;
  bool isBatched = operands[0].isBatched();
  if (isBatched != operands[1].isBatched())
    return "of one operand alone it is known that its batch is of one";
  ArrayRef<int64_t> batch = type.getShape().drop_back(2);
  if (ShapedType::isDynamicShape(batch) && operands[0].batchDimensions != int64_t(batch.size()))
    return "the sizes of its batch are not known";
  SmallVector<int64_t> likely = likelySizes(type, contracted.back(), isBatched);
  auto kernelFor = [&](const ProductResult &result) -> KernelOrReason {
    if (result.addend && !matmul.getType().getElementType().isF32())
      return "kernels add to a product in f32 alone";
    return book.product({operands[0].scheme, operands[1].scheme, getElementTypeOrSelf(result.value),
                         isBatched, result.bias ? getElementTypeOrSelf(result.bias) : Type(),
                         /*accumulates=*/bool(result.addend), matmul.getPromoted(), likely});
  };
  KernelOrReason kernel = kernelFor(findResult(matmul));
  const bool goesOn = std::holds_alternative<qtile::KernelOp>(kernel);
  // Where warps multiply, nothing is added to columns.
  if (!goesOn)
    kernel = kernelFor(ownResult(matmul));
  if (auto *found = std::get_if<qtile::KernelOp>(&kernel))
    return KernelProduct{matmul, operands[0], operands[1], *found, goesOn};
  // Weights on the left: kernels have scales of 128x128 on the right alone.
  std::swap(operands[0], operands[1]);
  if (!likely.empty())
    std::swap(likely[0], likely[1]);
  KernelOrReason transposed = kernelFor(ownResult(matmul));
  if (auto *found = std::get_if<qtile::KernelOp>(&transposed))
    return KernelProduct{matmul, operands[0], operands[1], *found, /*goesOn=*/false, /*isTransposed=*/true};
  return std::get<std::string>(kernel);
}

void KernelConversion::consider(qt::MatmulOp matmul) {
  auto described = describe(matmul);
  if (auto *reason = std::get_if<std::string>(&described))
    return shares.stays(matmul, *reason);
  products.push_back(std::get<KernelProduct>(described));
  shares.isTaken(matmul, products.back().isTransposed);
}

void KernelConversion::multiply(const KernelProduct &product) {
  qt::MatmulOp matmul = product.matmul;
  // Anew: what it is made of may have been replaced since.
  ProductResult found = product.goesOn ? findResult(matmul) : ownResult(matmul);
  OpBuilder builder(found.value.getDefiningOp());
  LaunchEmitter emitter(builder, matmul.getLoc());
  /// Rows and contraction of an operand.
  auto sizesOf = [&](const KernelOperand &operand) {
    MatrixSizes sizes = orientationsOf(operand).sizes;
    return operand.isAlongRows ? sizes.transposed() : sizes;
  };
  auto storedOf = [&](const KernelOperand &operand, const KernelOperand &other, const MatrixSizes &sizes) {
    StoredOperand stored = orientationsOf(operand).stored[operand.isAlongRows];
    if (scalingBeside(operand.scheme, other.scheme) != scalingOf(operand.scheme))
      stored.scales = emitter.repeatForRows(stored.scales, sizes);
    return stored;
  };
  MatrixSizes lhs = sizesOf(product.lhs), rhs = sizesOf(product.rhs);
  StoredOperand left = storedOf(product.lhs, product.rhs, lhs),
                right = storedOf(product.rhs, product.lhs, rhs);
  Value alpha = emitter.alpha(product.lhs.scheme, left.amax, product.rhs.scheme, right.amax);
  RankedTensorType type = matmul.getType().clone(getElementTypeOrSelf(found.value));
  Value result = emitter.multiply(product.kernel, left, right, {alpha, found.bias, found.addend},
                                  type.getElementType(), {lhs.batch, lhs.rows, rhs.rows}, lhs.columns);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq(type.getRank()));
  if (product.isTransposed)
    std::swap(order[order.size() - 2], order.back());
  auto written = RankedTensorType::get(applyPermutation(type.getShape(), order), type.getElementType());
  result = emitter.expandBatch(result, orientationsOf(product.lhs).batch, written);
  result = emitter.transpose(result, order);
  if (found.rows)
    result =
        tensor::ExpandShapeOp::create(builder, matmul.getLoc(), found.value.getType(), result,
                                      found.rows.getReassociationIndices(), found.rows.getMixedOutputShape());
  found.value.replaceAllUsesWith(result);
  replaced.push_back(found.value);
  for (auto [number, amax] : llvm::enumerate(matmul.getAmaxes()))
    if (!amax.use_empty())
      amax.replaceAllUsesWith(qt::AmaxOp::create(builder, matmul.getLoc(), result,
                                                 cast<qt::AmaxAttr>((*matmul.getBlocks())[number])));
}

void KernelConversion::rewrite() {
  for (const KernelProduct &product : products)
    for (const KernelOperand *operand : {&product.lhs, &product.rhs})
      want(*operand);
  wantSources();
  for (Orientations &wanted : quantizations)
    write(wanted);
  for (const KernelProduct &product : products)
    multiply(product);
  // What is quantized again comes behind what it is made of, and its readers may be all that reads it.
  for (Orientations &wanted : llvm::reverse(quantizations))
    for (unsigned orientation : {0, 1})
      if (wanted.isWanted(orientation))
        replaceReaders(wanted, orientation);
  eraseUnread(replaced);
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
    func::FuncOp entry = findEntry(module, function);
    if (!entry)
      return signalPassFailure();
    SmallVector<qtile::MovedAttr> moved = quantizeViews(entry);
    KernelBook book(module, targetOp);
    ProductShares shares;
    KernelConversion conversion(book, shares);
    UnquantizedProducts unquantized(book, shares, targetOp);
    entry.walk([&](qt::MatmulOp matmul) { conversion.consider(matmul); });
    entry.walk([&](qt::QuantizableOp product) { unquantized.consider(product); });
    qtile::SharesAttr decided = shares.collect(entry, moved);
    qtile::QTileDialect::SharesAttrHelper(&getContext()).setAttr(module, decided);
    if (remarks)
      for (qtile::MovedAttr view : moved)
        emitRemark(view.getLocation()) << "quantizer moved below '" << view.getView().getValue()
                                       << "': no kernel reads codes that it moves";
    if (remarks)
      for (qtile::ShareAttr share : decided.getContractions()) {
        if (share.getReason())
          emitRemark(share.getLocation())
              << "not computed by a kernel of ours: " << share.getReason().getValue();
        if (share.getIsTransposed())
          emitRemark(share.getLocation())
              << "computed transposed, and transposed again by the engine: no kernel has scales for 128x128 "
                 "on the left";
      }
    // In this order: quantizers remember what they read, which may be a product in high precision.
    conversion.rewrite();
    unquantized.rewrite();
    numProducts += conversion.countProducts() + unquantized.count();
    numQuantizers += conversion.countQuantizers();
  }
};
} // namespace
