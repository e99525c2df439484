// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps that Python reads are those of the library.

#include "Breach.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace fp8opt;
using namespace fp8opt::test;
using namespace mlir;

namespace {

std::string toText(AffineMap map) {
  std::string text;
  llvm::raw_string_ostream(text) << map;
  return text;
}

/// A small matrix has padding of both kinds in each layout that pads.
std::optional<int64_t> zeroPaddedDimension(const Layout &layout) {
  const Indices sizes = {3, 5};
  std::optional<int64_t> dimension;
  forEachIndex(layout.storedShape(sizes), [&](llvm::ArrayRef<int64_t> stored) {
    if (layout.isZeroPadding(sizes, stored))
      dimension = layout.logicalIndices(sizes, stored)[0] < sizes[0];
  });
  return dimension;
}

llvm::json::Object describe(LayoutKind kind, unsigned bits) {
  const Layout layout = layoutOf(kind, bits);
  llvm::json::Object object{
      {"bits", bits}, {"shape", toText(layout.storedShape())}, {"inverse", toText(layout.inverse())}};
  if (std::optional<int64_t> dimension = zeroPaddedDimension(layout))
    object["zero_padded"] = *dimension;
  return object;
}

TEST(PythonLayouts, AreThoseOfTheLibrary) {
  llvm::json::Value expected = llvm::json::Object{{"panels", describe(LayoutKind::Panels, 8)},
                                                  {"row", describe(LayoutKind::Row, 32)},
                                                  {"block_1x128", describe(LayoutKind::Block1x128, 32)},
                                                  {"block_128x128", describe(LayoutKind::Block128x128, 32)}};
  auto buffer = llvm::MemoryBuffer::getFile(FP8OPT_PYTHON_LAYOUTS);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ((*buffer)->getBuffer().str(), llvm::formatv("{0:2}\n", expected).str());
}

} // namespace
