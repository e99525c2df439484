// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CUDA's driver API that is used, declared here so that no header of CUDA is needed.

#ifndef FP8_OPT_LIB_LAUNCH_DRIVER_H
#define FP8_OPT_LIB_LAUNCH_DRIVER_H

#include "fp8-opt/Launch/Result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fp8opt::launch {

/// CUlaunchAttribute with a cluster for its value.
struct ClusterAttribute {
  int id;
  char padding[4];
  unsigned x, y, z;
  char rest[52];
};
static_assert(sizeof(ClusterAttribute) == 72, "as cuda.h has it");

/// CUlaunchConfig.
struct LaunchConfiguration {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned dynamicSharedBytes;
  void *stream;
  ClusterAttribute *attributes;
  unsigned attributeCount;
};
static_assert(sizeof(LaunchConfiguration) == 56 && offsetof(LaunchConfiguration, stream) == 32,
              "as cuda.h has it");

// Names as the library exports them: what cuda.h calls cuMemAlloc is cuMemAlloc_v2 there. Handles are
// pointers, device addresses 64 bits, results and enumerations int.
#define FP8_OPT_DRIVER_FUNCTIONS(FUNCTION)                                                                   \
  FUNCTION(cuInit, "", unsigned)                                                                             \
  FUNCTION(cuDriverGetVersion, "", int *)                                                                    \
  FUNCTION(cuGetErrorName, "", int, const char **)                                                           \
  FUNCTION(cuGetErrorString, "", int, const char **)                                                         \
  FUNCTION(cuDeviceGetCount, "", int *)                                                                      \
  FUNCTION(cuDeviceGet, "", int *, int)                                                                      \
  FUNCTION(cuDeviceGetName, "", char *, int, int)                                                            \
  FUNCTION(cuDeviceGetAttribute, "", int *, int, int)                                                        \
  FUNCTION(cuDeviceTotalMem, "_v2", size_t *, int)                                                           \
  FUNCTION(cuDevicePrimaryCtxRetain, "", void **, int)                                                       \
  FUNCTION(cuDevicePrimaryCtxRelease, "_v2", int)                                                            \
  FUNCTION(cuCtxSetCurrent, "", void *)                                                                      \
  FUNCTION(cuCtxSynchronize, "")                                                                             \
  FUNCTION(cuMemAlloc, "_v2", uint64_t *, size_t)                                                            \
  FUNCTION(cuMemFree, "_v2", uint64_t)                                                                       \
  FUNCTION(cuMemcpyHtoD, "_v2", uint64_t, const void *, size_t)                                              \
  FUNCTION(cuMemcpyDtoH, "_v2", void *, uint64_t, size_t)                                                    \
  FUNCTION(cuMemsetD8, "_v2", uint64_t, unsigned char, size_t)                                               \
  FUNCTION(cuModuleLoadDataEx, "", void **, const void *, unsigned, int *, void **)                          \
  FUNCTION(cuModuleUnload, "", void *)                                                                       \
  FUNCTION(cuModuleGetFunction, "", void **, void *, const char *)                                           \
  FUNCTION(cuFuncSetAttribute, "", void *, int, int)                                                         \
  FUNCTION(cuFuncGetAttribute, "", int *, int, void *)                                                       \
  FUNCTION(cuLaunchKernelEx, "", const LaunchConfiguration *, void *, void **, void **)                      \
  FUNCTION(cuStreamCreate, "", void **, unsigned)                                                            \
  FUNCTION(cuStreamDestroy, "_v2", void *)                                                                   \
  FUNCTION(cuStreamSynchronize, "", void *)                                                                  \
  FUNCTION(cuEventCreate, "", void **, unsigned)                                                             \
  FUNCTION(cuEventDestroy, "_v2", void *)                                                                    \
  FUNCTION(cuEventRecord, "", void *, void *)                                                                \
  FUNCTION(cuEventSynchronize, "", void *)                                                                   \
  FUNCTION(cuEventElapsedTime, "", float *, void *, void *)

struct Driver {
#define FP8_OPT_DECLARE(name, version, ...) int (*name)(__VA_ARGS__) = nullptr;
  FP8_OPT_DRIVER_FUNCTIONS(FP8_OPT_DECLARE)
#undef FP8_OPT_DECLARE
  /// Null in drivers before CUDA 12.4.
  int (*cuFuncGetParamInfo)(void *, size_t, size_t *, size_t *) = nullptr;

  /// Opens libcuda.so.1 and initializes it, the first time; the library stays open. An error where there is
  /// none.
  static Result<const Driver *> open();

  /// Success, or "expected to ATTEMPT, got CUDA_ERROR_NAME (description)".
  Status check(int result, const std::string &attempt) const;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LIB_LAUNCH_DRIVER_H
