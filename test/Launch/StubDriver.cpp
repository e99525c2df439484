// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of CUDA's driver without a device: memory is the host's, launches are written down, and some
// inputs fail as they do on a device.

#include "StubDriver.h"

#include "Launch/Driver.h"

#include <cstdlib>
#include <cstring>

using fp8opt::launch::LaunchConfiguration;

static StubState state;
static int sharedLimit = 48 << 10;
static constexpr int kInvalidValue = 1, kOutOfMemory = 2, kInvalidImage = 200, kNotFound = 500;

static int hold(void **handle) {
  ++state.held;
  *handle = &state;
  return 0;
}
static int release() {
  --state.held;
  return 0;
}

// Names are the driver's.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
const StubState *stubState() { return &state; }

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuGetErrorName(int error, const char **name) {
  *name = error == kInvalidValue   ? "CUDA_ERROR_INVALID_VALUE"
          : error == kOutOfMemory  ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == kInvalidImage ? "CUDA_ERROR_INVALID_IMAGE"
          : error == kNotFound     ? "CUDA_ERROR_NOT_FOUND"
                                   : nullptr;
  return *name ? 0 : kInvalidValue;
}
int cuGetErrorString(int error, const char **text) {
  *text = error == kOutOfMemory ? "out of memory" : nullptr;
  return *text ? 0 : kInvalidValue;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDeviceGetName(char *name, int size, int) { return std::strncpy(name, "stub", size), 0; }
int cuDeviceGetAttribute(int *value, int attribute, int) { return *value = attribute, 0; }
int cuDeviceTotalMem_v2(size_t *bytes, int) { return *bytes = 1 << 20, 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { return hold(context); }
int cuDevicePrimaryCtxRelease_v2(int) { return release(); }
int cuCtxSetCurrent(void *) { return 0; }
/// A number that has no name.
int cuCtxSynchronize() { return 999; }

int cuMemAlloc_v2(uint64_t *place, size_t bytes) {
  if (bytes > 1 << 20)
    return kOutOfMemory;
  ++state.held;
  *place = reinterpret_cast<uint64_t>(std::malloc(bytes));
  return 0;
}
int cuMemFree_v2(uint64_t place) {
  std::free(reinterpret_cast<void *>(place));
  return release();
}
int cuMemcpyHtoD_v2(uint64_t target, const void *source, size_t bytes) {
  return std::memcpy(reinterpret_cast<void *>(target), source, bytes), 0;
}
int cuMemcpyDtoH_v2(void *target, uint64_t source, size_t bytes) {
  return std::memcpy(target, reinterpret_cast<void *>(source), bytes), 0;
}
int cuMemsetD8_v2(uint64_t target, unsigned char byte, size_t bytes) {
  return std::memset(reinterpret_cast<void *>(target), byte, bytes), 0;
}

/// Takes PTX, and has something to say of cubins.
int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values) {
  if (*static_cast<const char *>(image) != 0x7f)
    return hold(module);
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == 5)
      std::strcpy(static_cast<char *>(values[i]), "for another chip");
  return kInvalidImage;
}
int cuModuleUnload(void *) { return release(); }
int cuModuleGetFunction(void **function, void *, const char *name) {
  *function = &state;
  return std::strcmp(name, "take") == 0 ? 0 : kNotFound;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute != 8 || value > 100 << 10)
    return kInvalidValue;
  sharedLimit = value;
  return 0;
}
int cuFuncGetAttribute(int *value, int attribute, void *) { return *value = 10 * attribute, 0; }
int cuFuncGetParamInfo(void *, size_t index, size_t *offset, size_t *bytes) {
  if (index > 2)
    return kInvalidValue;
  *offset = index == 0 ? 0 : 4 + 4 * index;
  *bytes = index == 0 ? 8 : 4;
  return 0;
}
int cuLaunchKernelEx(const LaunchConfiguration *launch, void *, void **arguments, void **) {
  if (int(launch->dynamicSharedBytes) > sharedLimit)
    return kInvalidValue;
  const unsigned sizes[] = {launch->gridX,  launch->gridY,  launch->gridZ,
                            launch->blockX, launch->blockY, launch->blockZ};
  std::memcpy(state.grid, sizes, sizeof(state.grid));
  std::memcpy(state.block, sizes + 3, sizeof(state.block));
  state.dynamicSharedBytes = launch->dynamicSharedBytes;
  state.stream = launch->stream;
  state.hasCluster = launch->attributeCount == 1 && launch->attributes->id == 4;
  if (state.hasCluster)
    std::memcpy(state.cluster, &launch->attributes->x, sizeof(state.cluster));
  std::memset(state.arguments, 0, sizeof(state.arguments));
  for (int i = 0; i < 3; ++i)
    std::memcpy(&state.arguments[i], arguments[i], i == 0 ? 8 : 4);
  return 0;
}

int cuStreamCreate(void **stream, unsigned) { return hold(stream); }
int cuStreamDestroy_v2(void *) { return release(); }
int cuStreamSynchronize(void *) { return 0; }
int cuEventCreate(void **event, unsigned) { return hold(event); }
int cuEventDestroy_v2(void *) { return release(); }
int cuEventRecord(void *, void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime(float *milliseconds, void *, void *) { return *milliseconds = 1.5f, 0; }
}
// NOLINTEND(readability-identifier-naming)
