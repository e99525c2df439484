// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What narrows a rule of a recipe down to some contractions. Included by QT.h, after the attributes.

#ifndef FP8_OPT_DIALECT_QT_IR_QTCONDITIONS_H
#define FP8_OPT_DIALECT_QT_IR_QTCONDITIONS_H

namespace fp8opt::qt {

/// What a recipe can ask of a contraction.
struct ContractionFacts {
  Gemm gemm = Gemm::Fprop;
  SiteAttr site;                 // null where role inference has given none
  llvm::StringRef label;         // the name of the layer's weight, empty where there is none
  LayerAttr layer;               // null outside repeated blocks
  int64_t numLayers = 0;         // of the program
  llvm::ArrayRef<int64_t> sizes; // m, n and k; negative is dynamic
};

/// The conditions of a qt.rule, qt.keep or qt.promote; one that is absent holds everywhere. Sizes of -1 are
/// any.
struct Conditions {
  static constexpr int64_t kAnySize = -1;

  GemmAttr gemm;
  mlir::ArrayAttr sites, labels, except;
  std::optional<uint64_t> first, last;
  std::optional<llvm::ArrayRef<int64_t>> sizes;

  bool hold(const ContractionFacts &facts) const;
  /// The texts in which the name of the weight decides: those of `labels` that let this contraction in, those
  /// of `except` that keep it out.
  llvm::SmallVector<mlir::StringAttr> findTexts(const ContractionFacts &facts) const;
  /// Whether they hold wherever the others do.
  bool cover(const Conditions &others) const;
  bool isEmpty() const;
  /// Whether holding nowhere may be an oversight: a site or product cannot be misspelt, and many models lack
  /// some.
  bool canMiss() const { return labels || except || first || last || sizes; }
  llvm::LogicalResult verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const;
  /// "site head, product wgrad", with the site and the text of a label that hold.
  std::string describe(const ContractionFacts &facts) const;
  /// "is for wgrad, not fprop": the first condition that does not hold; empty if all do.
  std::string describeFailure(const ContractionFacts &facts) const;

private:
  /// Whether the conditions but those on names hold.
  bool holdForAnyName(const ContractionFacts &facts) const;
};

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_IR_QTCONDITIONS_H
