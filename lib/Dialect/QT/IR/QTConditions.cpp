// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the conditions of a recipe's rules hold, and which of them hold wherever others do.

#include "fp8-opt/Dialect/QT/IR/QT.h"

using namespace mlir;
using namespace fp8opt::qt;

/// The first text that the name contains, or null.
static StringAttr textIn(ArrayAttr texts, StringRef name) {
  for (StringAttr text : texts.getAsRange<StringAttr>())
    if (name.contains(text.getValue()))
      return text;
  return {};
}

bool Conditions::hold(const ContractionFacts &facts) const {
  return holdForAnyName(facts) && !(labels && !textIn(labels, facts.label)) &&
         !(except && textIn(except, facts.label));
}

SmallVector<StringAttr> Conditions::findTexts(const ContractionFacts &facts) const {
  SmallVector<StringAttr> found;
  auto collect = [&](ArrayAttr texts) {
    for (StringAttr text : texts.getAsRange<StringAttr>())
      if (facts.label.contains(text.getValue()))
        found.push_back(text);
  };
  if (!holdForAnyName(facts))
    return found;
  if (labels && !(except && textIn(except, facts.label)))
    collect(labels);
  if (except && !(labels && !textIn(labels, facts.label)))
    collect(except);
  return found;
}

bool Conditions::holdForAnyName(const ContractionFacts &facts) const {
  if (gemm && gemm.getValue() != facts.gemm)
    return false;
  if (sites && (!facts.site || !llvm::is_contained(sites, facts.site)))
    return false;
  if ((first || last) && !facts.layer)
    return false;
  if (first && facts.layer.getIndex() >= int64_t(*first))
    return false;
  if (last && facts.layer.getIndex() < facts.numLayers - int64_t(*last))
    return false;
  if (sizes)
    for (auto [wanted, size] : llvm::zip_equal(*sizes, facts.sizes))
      if (wanted != kAnySize && wanted != size)
        return false;
  return true;
}

/// Whether every name that contains one of `narrower` contains one of `wider`.
static bool coverTexts(ArrayAttr wider, ArrayAttr narrower) {
  return llvm::all_of(narrower.getAsRange<StringAttr>(),
                      [&](StringAttr text) { return bool(textIn(wider, text.getValue())); });
}

bool Conditions::cover(const Conditions &others) const {
  if (gemm && gemm != others.gemm)
    return false;
  if (sites && (!others.sites ||
                !llvm::all_of(others.sites, [&](Attribute site) { return llvm::is_contained(sites, site); })))
    return false;
  if (labels && (!others.labels || !coverTexts(labels, others.labels)))
    return false;
  if (except && (!others.except || !coverTexts(others.except, except)))
    return false;
  if ((first && (!others.first || *others.first > *first)) ||
      (last && (!others.last || *others.last > *last)))
    return false;
  if (!sizes)
    return true;
  return others.sizes && llvm::all_of(llvm::zip_equal(*sizes, *others.sizes), [](auto both) {
           auto [wanted, other] = both;
           return wanted == kAnySize || wanted == other;
         });
}

bool Conditions::isEmpty() const { return !gemm && !sites && !canMiss(); }

LogicalResult Conditions::verify(function_ref<InFlightDiagnostic()> emitError) const {
  if (sites && sites.empty())
    return emitError() << "expected at least one site, got []";
  for (auto [name, texts] : {std::pair("labels", labels), std::pair("except", except)}) {
    if (texts && texts.empty())
      return emitError() << "expected at least one text in '" << name << "', got []";
    if (texts && llvm::is_contained(texts, StringAttr::get(texts.getContext())))
      return emitError() << "expected texts in '" << name
                         << "' that not every name contains, got an empty one";
  }
  if (labels && except)
    for (StringAttr text : labels.getAsRange<StringAttr>())
      if (StringAttr excepted = textIn(except, text.getValue()))
        return emitError() << "expected texts in 'labels' that 'except' leaves names of, got " << text
                           << " beside except " << excepted;
  for (auto [name, count] : {std::pair("first", first), std::pair("last", last)})
    if (count && int64_t(*count) < 1)
      return emitError() << "expected '" << name << "' to be at least 1, got " << int64_t(*count);
  if (first && last)
    return emitError() << "expected one of 'first' and 'last', got both; write a line for each";
  if (sizes && sizes->size() != 3)
    return emitError() << "expected three sizes, of m, n and k, got " << sizes->size();
  for (int64_t size : sizes.value_or(ArrayRef<int64_t>()))
    if (size < kAnySize)
      return emitError() << "expected sizes of at least 0, or '?', got " << size;
  return success();
}

std::string Conditions::describe(const ContractionFacts &facts) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::ListSeparator comma;
  if (sites)
    out << comma << "site " << stringifySite(facts.site.getValue());
  if (labels)
    out << comma << "label '" << textIn(labels, facts.label).getValue() << "'";
  if (except) {
    out << comma << "not label ";
    llvm::interleave(
        except.getAsRange<StringAttr>(), out, [&](StringAttr one) { out << "'" << one.getValue() << "'"; },
        " or ");
  }
  auto layers = [&](StringRef which, uint64_t count) {
    out << comma << which << ' ';
    count == 1 ? out << "layer" : out << count << " layers";
  };
  if (first)
    layers("first", *first);
  if (last)
    layers("last", *last);
  if (gemm)
    out << comma << "product " << stringifyGemm(gemm.getValue());
  if (sizes) {
    out << comma << "sizes ";
    llvm::interleave(facts.sizes, out, "x");
  }
  return text;
}

std::string Conditions::describeFailure(const ContractionFacts &facts) const {
  std::string text;
  llvm::raw_string_ostream out(text);
  auto list = [&](ArrayAttr texts) {
    llvm::interleave(
        texts.getAsRange<StringAttr>(), out, [&](StringAttr one) { out << "'" << one.getValue() << "'"; },
        " or ");
  };
  auto layers = [&](StringRef which, uint64_t count) {
    out << "is for the " << which << ' ';
    count == 1 ? out << "repeated block, " : out << count << " repeated blocks, ";
    if (facts.layer)
      out << "not block " << facts.layer.getIndex() << " of " << facts.numLayers << ", from 0";
    else
      out << "not for what is in none";
  };
  if (gemm && gemm.getValue() != facts.gemm) {
    out << "is for " << stringifyGemm(gemm.getValue()) << ", not " << stringifyGemm(facts.gemm);
  } else if (sites && (!facts.site || !llvm::is_contained(sites, facts.site))) {
    out << "is not for site " << (facts.site ? stringifySite(facts.site.getValue()) : "'none'");
  } else if (first && (!facts.layer || facts.layer.getIndex() >= int64_t(*first))) {
    layers("first", *first);
  } else if (last && (!facts.layer || facts.layer.getIndex() < facts.numLayers - int64_t(*last))) {
    layers("last", *last);
  } else if (!holdForAnyName(facts)) {
    out << "is for other sizes than ";
    llvm::interleave(facts.sizes, out, [&](int64_t size) { size < 0 ? out << '?' : out << size; }, "x");
  } else if (labels && !textIn(labels, facts.label)) {
    out << "is for weights named ";
    list(labels);
    if (facts.label.empty())
      out << ", and this one has no name";
    else
      out << ", not '" << facts.label << "'";
  } else if (except && textIn(except, facts.label)) {
    out << "is not for '" << facts.label << "'";
  }
  return text;
}
