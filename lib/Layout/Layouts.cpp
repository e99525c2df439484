// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of layouts by kind and by name, and where groups start.

#include "Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fp8opt;

namespace {

struct Entry {
  LayoutKind kind;
  StringRef name;
  LayoutBuilder *build;
};

} // namespace

static constexpr Entry entries[] = {
#define FP8OPT_LAYOUT(kind, name, builder) {LayoutKind::kind, name, builder},
#include "fp8-opt/Layout/Layouts.def"
};

static constexpr LayoutKind kinds[] = {
#define FP8OPT_LAYOUT(kind, name, builder) LayoutKind::kind,
#include "fp8-opt/Layout/Layouts.def"
};

static const Entry &entryOf(LayoutKind kind) { return entries[static_cast<size_t>(kind)]; }

ArrayRef<LayoutKind> fp8opt::allLayoutKinds() { return kinds; }

StringRef fp8opt::nameOf(LayoutKind kind) { return entryOf(kind).name; }

std::optional<LayoutKind> fp8opt::layoutKind(StringRef name) {
  const Entry *entry = llvm::find_if(entries, [&](const Entry &entry) { return entry.name == name; });
  return entry == std::end(entries) ? std::nullopt : std::optional(entry->kind);
}

std::optional<Layout> fp8opt::getLayout(MLIRContext *context, LayoutKind kind, unsigned elementBits) {
  if (!llvm::isPowerOf2_32(elementBits))
    return std::nullopt;
  return entryOf(kind).build(context, nameOf(kind), elementBits);
}
