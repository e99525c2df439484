// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What values take in memory, and what quantizing moves through it.

#ifndef FP8_OPT_DIALECT_QT_TRANSFORMS_MEMORYCOST_H
#define FP8_OPT_DIALECT_QT_TRANSFORMS_MEMORYCOST_H

#include "fp8-opt/Dialect/QT/IR/QT.h"

namespace fp8opt::qt {

/// a + b of byte counts, at most the largest int64_t: the sizes in a type need not fit in a memory.
int64_t addBytes(int64_t a, int64_t b);
/// a * b of sizes, in the same way.
int64_t multiplySizes(int64_t a, int64_t b);

/// Bytes read from and written to memory.
struct Traffic {
  int64_t read = 0, written = 0;

  int64_t total() const { return addBytes(read, written); }
  Traffic &operator+=(Traffic other) {
    read = addBytes(read, other.read);
    written = addBytes(written, other.written);
    return *this;
  }
};

/// Bytes of a value of this type: of a plain tensor its elements, each in whole bytes; of a `!qt.tensor` its
/// codes packed to their bits, and the scales of all levels. A dynamic size counts as in `counts`, which has
/// one for each dimension, scales of blocks along it as their share of that, and one for all of it as
/// nothing; an unranked tensor and what is no tensor count as nothing.
int64_t bytesOf(mlir::Type type, llvm::ArrayRef<int64_t> counts);
/// The same where each dynamic size counts as 1.
int64_t bytesOf(mlir::Type type);

/// How often the elements are read to quantize them by this scheme: once where each scale is that of a block
/// of fixed size, which is still at hand when its amax is known; twice (amax, then codes) where a scale is
/// that of a whole tensor or dimension.
unsigned timesRead(SchemeAttr scheme);

} // namespace fp8opt::qt

#endif // FP8_OPT_DIALECT_QT_TRANSFORMS_MEMORYCOST_H
