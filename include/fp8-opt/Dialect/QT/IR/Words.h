// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the value of an enum is spelled: as one of its words, bare or in angles. What else stands there is told
// with the words there are.

#ifndef FP8_OPT_DIALECT_QT_IR_WORDS_H
#define FP8_OPT_DIALECT_QT_IR_WORDS_H

#include "mlir/IR/OpImplementation.h"

namespace fp8opt::qt {

/// All words of an enum, whose values count from 0.
template <typename EnumT> llvm::SmallVector<llvm::StringRef> wordsOf() {
  llvm::SmallVector<llvm::StringRef> words;
  for (llvm::StringRef word; !(word = stringifyEnum(EnumT(words.size()))).empty();)
    words.push_back(word);
  return words;
}

/// Reads one of the words between `before` and `after`, which are "<" and ">", or nothing.
template <typename EnumT>
mlir::ParseResult parseWordBetween(mlir::AsmParser &parser, EnumT &value, llvm::StringRef before,
                                   llvm::StringRef after) {
  bool isOpen = before.empty() || succeeded(parser.parseOptionalLess());
  llvm::SMLoc start = parser.getCurrentLocation();
  std::string read;
  bool isWord = succeeded(parser.parseOptionalKeywordOrString(&read));
  llvm::SmallVector<llvm::StringRef> words = wordsOf<EnumT>();
  const auto *known = llvm::find(words, read);
  if (isOpen && known != words.end()) {
    value = EnumT(known - words.begin());
    return after.empty() ? mlir::ParseResult(mlir::success()) : parser.parseGreater();
  }
  mlir::InFlightDiagnostic diagnostic = parser.emitError(start) << "expected ";
  for (auto [index, word] : llvm::enumerate(words))
    diagnostic << (index == 0 ? "" : index + 1 == words.size() ? " or " : ", ") << before << word << after;
  if (isWord)
    diagnostic << ", got '" << read << "'";
  return diagnostic;
}

template <typename EnumT> mlir::ParseResult parseWord(mlir::AsmParser &parser, EnumT &value) {
  return parseWordBetween(parser, value, "", "");
}
template <typename EnumT> void printWord(mlir::AsmPrinter &printer, EnumT value) {
  printer << stringifyEnum(value);
}

template <typename EnumT> mlir::ParseResult parseWordInAngles(mlir::AsmParser &parser, EnumT &value) {
  return parseWordBetween(parser, value, "<", ">");
}
template <typename EnumT> void printWordInAngles(mlir::AsmPrinter &printer, EnumT value) {
  printer << '<' << stringifyEnum(value) << '>';
}

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_IR_WORDS_H
