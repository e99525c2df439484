// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tool's side of the calls that lowered programs make.

#include "Runtime.h"
#include "Contraction.h"
#include "Lowering.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace fp8opt::run;

bool Runtime::call(void (*program)(void **, void **), void **arguments, void **results) {
  failedAssertion = -1;
  failure.clear();
  // Compiled programs own nothing that a jump over them would lose: their memory is in `sizes`.
  if (setjmp(guard) != 0)
    return false;
  program(arguments, results);
  return true;
}

void Runtime::releaseAll() {
  for (auto &[buffer, size] : sizes)
    std::free(buffer);
  sizes.clear();
  unused.clear();
}

void *Runtime::allocate(uint64_t bytes) {
  constexpr uint64_t alignment = 64;
  uint64_t size = (std::max<uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  auto free = unused.find(size);
  void *buffer = nullptr;
  if (free != unused.end() && !free->second.empty())
    buffer = free->second.pop_back_val();
  else if (size >= bytes && size <= memory)
    buffer = std::aligned_alloc(alignment, size);
  if (!buffer) {
    failure = "expected memory for a buffer of " + std::to_string(bytes) + " bytes, got none";
    std::longjmp(guard, 1);
  }
  sizes[buffer] = size;
  if (poison)
    std::memset(buffer, *poison, size);
  return buffer;
}

void Runtime::release(void *buffer) {
  auto known = sizes.find(buffer);
  if (known != sizes.end())
    unused[known->second].push_back(buffer);
}

void Runtime::fail(int64_t assertion, int64_t comparedLeft, int64_t comparedRight) {
  failedAssertion = assertion;
  left = comparedLeft;
  right = comparedRight;
  std::longjmp(guard, 1);
}

static void *allocate(Runtime *runtime, uint64_t bytes) { return runtime->allocate(bytes); }
static void release(Runtime *runtime, void *buffer) { runtime->release(buffer); }
static void fail(Runtime *runtime, int64_t assertion, int64_t left, int64_t right) {
  runtime->fail(assertion, left, right);
}

static void runParallel(Runtime *runtime, void (*task)(void *, int64_t, int64_t), void *arguments,
                        int64_t begin, int64_t end, int64_t work) {
  // Below this many simple operations waking a thread costs more than it brings.
  constexpr int64_t kWorthSharing = 32768;
  if (end - begin < 2 || (end - begin) * work < kWorthSharing)
    return task(arguments, begin, end);
  runtime->pool.parallelFor(
      end - begin, [&](int64_t first, int64_t last) { task(arguments, begin + first, begin + last); });
}

/// The other end of the array that EmitContraction.cpp fills.
static Contraction describeContraction(const int64_t *words) {
  Contraction result;
  result.a = reinterpret_cast<const void *>(words[0]);
  result.b = reinterpret_cast<const void *>(words[1]);
  result.c = reinterpret_cast<float *>(words[2]);
  result.typeA = ContractionElement(words[3]);
  result.typeB = ContractionElement(words[4]);
  const int64_t *dim = words + 6;
  for (int64_t i = 0; i < words[5]; ++i, dim += 5)
    result.dims.push_back({ContractionDim(dim[0]), dim[1], dim[2], dim[3], dim[4]});
  return result;
}

static void runContraction(Runtime *runtime, const int64_t *words) {
  contract(describeContraction(words), runtime->pool, runtime->processor);
}

static void recordQuantizer(Runtime *runtime, int64_t number, int64_t count, int64_t nonfinite,
                            int64_t saturated, int64_t flushed, double signal, double noise) {
  if (number < 0)
    return;
  if (size_t(number) >= runtime->quantizers.size())
    runtime->quantizers.resize(size_t(number) + 1);
  runtime->quantizers[size_t(number)] += {count, nonfinite, saturated, flushed, signal, noise};
}

namespace {
/// A memref without static rank, and the descriptor it points to.
struct UnrankedMemRef {
  int64_t rank;
  struct {
    char *allocated, *aligned;
    int64_t offset;
    int64_t sizesAndStrides[1];
  } *descriptor;
};
} // namespace

static void copyMemRef(Runtime *, int64_t elementBytes, UnrankedMemRef *source, UnrankedMemRef *target) {
  int64_t rank = source->rank;
  const int64_t *sizes = source->descriptor->sizesAndStrides;
  const int64_t *from = sizes + rank, *to = target->descriptor->sizesAndStrides + rank;
  const char *in = source->descriptor->aligned + source->descriptor->offset * elementBytes;
  char *out = target->descriptor->aligned + target->descriptor->offset * elementBytes;
  std::vector<int64_t> index(size_t(rank), 0);
  for (int64_t i = 0; i < rank; ++i)
    if (sizes[i] == 0)
      return;
  for (;;) {
    std::memcpy(out, in, size_t(elementBytes));
    int64_t axis = rank - 1;
    for (; axis >= 0; --axis) {
      in += from[axis] * elementBytes;
      out += to[axis] * elementBytes;
      if (++index[size_t(axis)] < sizes[axis])
        break;
      in -= sizes[axis] * from[axis] * elementBytes;
      out -= sizes[axis] * to[axis] * elementBytes;
      index[size_t(axis)] = 0;
    }
    if (axis < 0)
      return;
  }
}

template <typename Function> static void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}

std::vector<std::pair<llvm::StringRef, void *>> fp8opt::run::runtimeSymbols() {
  using F32 = float(float);
  using F64 = double(double);
  using F32x2 = float(float, float);
  using F64x2 = double(double, double);
  return {{symbol::kAlloc, address(allocate)},
          {symbol::kFree, address(release)},
          {symbol::kFail, address(fail)},
          {symbol::kParallel, address(runParallel)},
          {symbol::kContract, address(runContraction)},
          {symbol::kRecordQuantizer, address(recordQuantizer)},
          {symbol::kCopy, address(copyMemRef)},
          // LLVM recognises loops that are these.
          {"memcpy", address(std::memcpy)},
          {"memmove", address(std::memmove)},
          {"memset", address(std::memset)},
          // Exact functions that some processors have no instruction for.
          {"fmodf", address<F32x2>(std::fmod)},
          {"fmod", address<F64x2>(std::fmod)},
          {"fmaf", address<float(float, float, float)>(std::fma)},
          {"fma", address<double(double, double, double)>(std::fma)},
          {"floorf", address<F32>(std::floor)},
          {"floor", address<F64>(std::floor)},
          {"ceilf", address<F32>(std::ceil)},
          {"ceil", address<F64>(std::ceil)},
          {"truncf", address<F32>(std::trunc)},
          {"trunc", address<F64>(std::trunc)},
          {"roundf", address<F32>(std::round)},
          {"round", address<F64>(std::round)},
          // The same in the rounding mode that everything here runs in.
          {"roundevenf", address<F32>(std::nearbyint)},
          {"roundeven", address<F64>(std::nearbyint)}};
}
