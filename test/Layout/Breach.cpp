// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every layout promises of every array, and what the tests of layouts share.

#include "Breach.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fp8opt;
using namespace llvm;

void fp8opt::test::forEachIndex(ArrayRef<int64_t> sizes, function_ref<void(ArrayRef<int64_t>)> visit) {
  if (is_contained(sizes, 0))
    return;
  Indices index(sizes.size(), 0);
  while (true) {
    visit(index);
    size_t i = sizes.size();
    while (i > 0 && ++index[i - 1] == sizes[i - 1])
      index[--i] = 0;
    if (i == 0)
      return;
  }
}

static std::string text(ArrayRef<int64_t> indices) {
  return "(" + join(map_range(indices, [](int64_t index) { return std::to_string(index); }), ", ") + ")";
}

std::string fp8opt::test::breach(const Layout &layout, ArrayRef<int64_t> sizes) {
  const Indices shape = layout.storedShape(sizes);
  const int64_t count = layout.storedElements(sizes);
  std::vector<bool> used(count);
  std::string found;
  auto unless = [&](bool kept, ArrayRef<int64_t> at, const char *promise) {
    if (!kept && found.empty())
      found = promise + (" at " + text(at)) + " of " + text(sizes);
    return kept;
  };
  forEachIndex(sizes, [&](ArrayRef<int64_t> index) {
    const Indices stored = layout.storedIndices(sizes, index);
    int64_t offset = 0;
    bool inside = true;
    for (auto [place, size] : zip_equal(stored, shape)) {
      inside &= place >= 0 && place < size;
      offset = offset * size + place;
    }
    if (!unless(inside, index, "stored inside the shape"))
      return;
    unless(layout.offsetOf(sizes, index) == offset, index, "offset is row major");
    unless(!used[offset], index, "stored alone");
    used[offset] = true;
    unless(layout.logicalIndices(sizes, stored) == Indices(index), index, "inverse undoes map");
    unless(!layout.isPadding(sizes, stored), index, "an element is no padding");
  });
  if (!found.empty() || count == 0)
    return found;
  int64_t offset = 0;
  forEachIndex(shape, [&](ArrayRef<int64_t> stored) {
    const Indices logical = layout.logicalIndices(sizes, stored);
    unless(layout.storedIndices(sizes, logical) == Indices(stored), stored, "map undoes inverse");
    unless(layout.isPadding(sizes, stored) != used[offset++], stored, "what holds no element is padding");
  });
  return found;
}

Layout fp8opt::test::layoutOf(LayoutKind kind, unsigned elementBits) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  return *getLayout(&context, kind, elementBits);
}
