// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in a program, as text for people and for JSON.

#include "fp8-opt/Report/ProgramText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

std::string fp8opt::locationText(LocationAttr location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = Location(location)->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  else
    os << location;
  return text;
}

std::string fp8opt::jsonText(StringRef text) { return llvm::json::fixUTF8(text); }

std::string fp8opt::sizesText(ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      sizes.front() == 1 ? sizes.drop_front() : sizes, os,
      [&](int64_t size) { size < 0 ? os << '?' : os << size; }, "x");
  return text;
}

bool fp8opt::hasDynamic(ArrayRef<int64_t> sizes) {
  return llvm::any_of(sizes, [](int64_t size) { return size < 0; });
}

StringRef fp8opt::dynamicNote(bool isDynamic) {
  return isDynamic ? " (dynamic sizes of arguments counted as 1)" : "";
}

double fp8opt::flopsOf(ArrayRef<int64_t> sizes) {
  double total = 2;
  for (int64_t size : sizes)
    total *= size < 0 ? 1.0 : double(size);
  return total;
}
