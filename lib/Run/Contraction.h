// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions with an f32 accumulator, each sum in the order of its indices.

#ifndef FP8_OPT_LIB_RUN_CONTRACTION_H
#define FP8_OPT_LIB_RUN_CONTRACTION_H

#include <cstdint>
#include <vector>

namespace fp8opt::run {

class ThreadPool;
enum class Processor;

/// What a dimension of a contraction is, by the operands that have it.
enum class ContractionDim : int64_t { Batch, M, N, K };
/// Element types of the inputs; all convert to f32 exactly.
enum class ContractionElement : int64_t { F32, BF16, F16 };

/// c[b, m, n] = ((c[b, m, n] + a[b, m, k0] * b[b, n, k0]) + a[b, m, k1] * b[b, n, k1]) + ...
/// in f32, a product and a sum each rounded, k in the order of the K dimensions, the last one fastest.
/// Nothing depends on the machine or on the number of threads.
struct Contraction {
  struct Dim {
    ContractionDim kind;
    int64_t extent;
    /// Elements from one index to the next; 0 where the operand does not have the dimension.
    int64_t strideA, strideB, strideC;
  };
  const void *a;
  const void *b;
  float *c;
  ContractionElement typeA, typeB;
  std::vector<Dim> dims;
};

void contract(const Contraction &contraction, ThreadPool &pool, Processor processor);

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_CONTRACTION_H
