// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What racecheck says of a tile that is handed over by named barriers: as the kernels do it, by other means,
// and wrongly.
//
//   nvcc -arch=sm_90 -lineinfo hand_over.cu -o hand_over
//   for way in $(./hand_over); do echo $way; compute-sanitizer --tool=racecheck ./hand_over $way; done

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum Way {
  // Right, as PTX defines producers and consumers.
  Arrive,         // who need not wait arrives: st.shared, then bar.arrive; bar.sync, then ld.shared
  ArriveNumbered, // the same, with barriers whose numbers are in registers, for two pairs of groups
  ArriveFull,     // bar.arrive that the tile is full, bar.sync that it is empty
  ArriveEmpty,    // the other way round
  Sync,           // bar.sync of all, at named barriers
  Block,          // bar.sync of the block
  Matrix,         // as Arrive, by stmatrix
  // Races.
  NoFull,       // reads before it waits until the tile is full
  NoEmpty,      // writes before it waits until the tile is empty
  MatrixNoFull, // as NoFull, by stmatrix
  NumWays
};
static const char *const names[NumWays] = {
    "arrive", "arrive-numbered", "arrive-full",  "arrive-empty",  "sync",
    "block",  "matrix",          "race-no-full", "race-no-empty", "race-matrix-no-full"};

constexpr int writers = 128, readers = 32, pair = writers + readers, tiles = 4;

__device__ void sync(int barrier) { asm volatile("bar.sync %0, %1;" ::"r"(barrier), "n"(pair) : "memory"); }
__device__ void arrive(int barrier) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "n"(pair) : "memory");
}

template <Way way> __device__ void write(uint32_t *tile, int thread, uint32_t value) {
  if (way == Matrix || way == MatrixNoFull) {
    auto row = static_cast<uint32_t>(__cvta_generic_to_shared(tile + thread * 4));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(row), "r"(value),
                 "r"(value), "r"(value), "r"(value)
                 : "memory");
    return;
  }
  reinterpret_cast<uint4 *>(tile)[thread] = make_uint4(value, value, value, value);
}

template <Way way> __global__ void handOver(uint32_t *out) {
  __shared__ alignas(128) uint32_t tile[2][writers * 4];
  int group = way == ArriveNumbered ? threadIdx.x / pair : 0, thread = threadIdx.x - group * pair;
  int empty = way == ArriveNumbered ? 1 + group : 1, full = way == ArriveNumbered ? 3 + group : 2;
  constexpr bool waitsLate = way == NoFull || way == MatrixNoFull;
  if (thread < writers) {
    for (int i = 0; i < tiles; ++i) {
      if (way == NoEmpty)
        write<way>(tile[group], thread, i * writers + thread);
      if (way == Block)
        __syncthreads();
      else
        sync(empty);
      if (way != NoEmpty)
        write<way>(tile[group], thread, i * writers + thread);
      if (way == Block)
        __syncthreads();
      else if (way == Sync || way == ArriveEmpty)
        sync(full);
      else
        arrive(full);
    }
    return;
  }
  int lane = thread - writers;
  uint32_t sum = 0;
  for (int i = 0; i < tiles; ++i) {
    if (way == Block)
      __syncthreads();
    else if (way == Sync || way == ArriveFull)
      sync(empty);
    else
      arrive(empty);
    if (way == Block)
      __syncthreads();
    else if (!waitsLate)
      sync(full);
    for (int part = 0; part < writers; part += readers) {
      uint4 words = reinterpret_cast<const uint4 *>(tile[group])[part + lane];
      sum += words.x + words.y + words.z + words.w;
    }
    if (waitsLate)
      sync(full);
  }
  out[group * readers + lane] = sum;
}

template <int way> void run(const char *name, uint32_t *out) {
  if constexpr (way < NumWays) {
    if (std::strcmp(name, names[way]) == 0)
      handOver<static_cast<Way>(way)><<<1, way == ArriveNumbered ? 2 * pair : pair>>>(out);
    run<way + 1>(name, out);
  }
}

int main(int count, char **arguments) {
  if (count != 2) {
    for (const char *name : names)
      std::puts(name);
    return 0;
  }
  uint32_t *out, results[2 * readers];
  if (cudaMalloc(&out, sizeof(results)) != cudaSuccess)
    return 1;
  run<0>(arguments[1], out);
  if (cudaMemcpy(results, out, sizeof(results), cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  std::printf("%s: %u\n", arguments[1], results[0]);
}
