// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of a function that kernels compute, and the quantized matrices that lie between kernels.

#ifndef FP8_OPT_LIB_CONVERSION_KERNELCONVERSION_H
#define FP8_OPT_LIB_CONVERSION_KERNELCONVERSION_H

#include "KernelBook.h"
#include "KernelOperand.h"
#include "LaunchEmitter.h"
#include "ProductShares.h"

namespace fp8opt {

/// A product that a kernel computes.
struct KernelProduct {
  qt::MatmulOp matmul;
  KernelOperand lhs, rhs;
  qtile::KernelOp kernel;
  /// Whether it does what follows the product too, as far as findResult goes.
  bool goesOn;
  /// Whether the kernel's left operand is the right one, so that it leaves the product transposed.
  bool isTransposed = false;
};

/// What one launch quantizes, a quantizer's source by one scheme as one matrix or batch; in which
/// orientations, and what became of them.
struct Orientations {
  /// The first that reads it.
  KernelOperand operand;
  /// The results of the quantizer that are wanted along columns and along rows; null where none is.
  mlir::OpResult quantized[2];
  bool isWritten = false;
  MatrixSizes sizes;
  /// Of the dimensions of the batch.
  llvm::SmallVector<mlir::OpFoldResult> batch;
  StoredOperand stored[2];

  bool isWanted(unsigned orientation) const { return static_cast<bool>(quantized[orientation]); }
};

/// Codes in panels: whose, and in which orientation.
struct StoredPanels {
  Orientations *of = nullptr;
  unsigned orientation = 0;

  explicit operator bool() const { return of; }
  qt::SchemeAttr scheme() const { return of->operand.scheme; }
  const StoredOperand &stored() const { return of->stored[orientation]; }
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
  std::variant<KernelProduct, std::string> describe(qt::MatmulOp matmul);
  /// Empty if there is a kernel that quantizes it so.
  std::string whyNoQuantizer(const KernelOperand &operand);
  /// The launch that the operand comes from; a new one if there is none yet.
  Orientations &orientationsOf(const KernelOperand &operand);
  /// Adds the orientation that an operand has.
  void want(const KernelOperand &operand);
  /// Adds what is quantized again and stays in panels for that alone: fewer bytes than numbers made of codes
  /// that are row major.
  void wantSources();
  /// Writes the launch that leaves them, once.
  void write(Orientations &wanted);
  void quantize(Orientations &wanted);
  /// From panels of what is quantized again; whether there are such, and a kernel.
  bool requantize(Orientations &wanted);
  void multiply(const KernelProduct &product);

  /// The panels of a result of a quantizer, of the matrix that an operand is of, if one is given; none where
  /// no product reads it.
  StoredPanels findPanels(mlir::OpResult quantized, const KernelOperand *ofMatrix = nullptr);
  /// The numbers of a quantized value, made of panels; null where it has none.
  mlir::Value decodePanels(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);
  /// Gives what else reads a quantized value numbers made of its panels, where nothing is left then that
  /// needs it row major.
  void replaceReaders(Orientations &of, unsigned orientation);

  KernelBook &book;
  ProductShares &shares;
  llvm::SmallVector<KernelProduct, 0> products;
  llvm::SmallVector<Orientations, 0> quantizations;
  /// Of each quantizer, their numbers among all.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<size_t, 1>> quantizationsOf;
  /// What nothing reads any more.
  llvm::SmallVector<mlir::Value> replaced;
};

} // namespace fp8opt

#endif // FP8_OPT_LIB_CONVERSION_KERNELCONVERSION_H
