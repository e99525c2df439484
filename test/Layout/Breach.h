// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every layout promises of every array, and what the tests of layouts share.

#ifndef FP8_OPT_TEST_LAYOUT_BREACH_H
#define FP8_OPT_TEST_LAYOUT_BREACH_H

#include "fp8-opt/Layout/Layouts.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace fp8opt::test {

using Indices = llvm::SmallVector<int64_t>;

/// Calls `visit` with all indices below `sizes`, the last one fastest.
void forEachIndex(llvm::ArrayRef<int64_t> sizes, llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// The first promise that the layout does not keep for an array of these sizes, or nothing:
/// elements are stored at distinct indices inside the stored shape, `offset` is row major over it, `inverse`
/// undoes `map` on the elements and `map` undoes `inverse` on everything stored, padding included.
std::string breach(const Layout &layout, llvm::ArrayRef<int64_t> sizes);

/// The layout, which must exist.
Layout layoutOf(LayoutKind kind, unsigned elementBits);

/// Ragged and round, small and large, tall and wide.
inline const Indices matrixSizes[] = {{1, 1},    {7, 1000},  {16, 64}, {64, 120},
                                      {120, 16}, {129, 192}, {265, 7}};

} // namespace fp8opt::test

#endif // FP8_OPT_TEST_LAYOUT_BREACH_H
