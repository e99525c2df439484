// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's library, opened once in a process.

#include "Driver.h"

#include <dlfcn.h>

using namespace fp8opt::launch;

static constexpr const char *kLibrary = "libcuda.so.1";

template <typename Function> static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

/// Loads and initializes; the driver itself keeps its state for the process.
static Result<Driver> load() {
  void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // "libcuda.so.1: cannot open shared object file: No such file or directory"
    const char *reason = dlerror();
    return Error{std::string("expected an NVIDIA driver on this machine, got none: ") +
                 (reason ? reason : kLibrary)};
  }
  Driver driver;
  const char *missing = nullptr;
#define FP8_OPT_FIND(name, version, ...)                                                                     \
  if (!find(library, #name version, driver.name))                                                            \
    missing = #name version;
  FP8_OPT_DRIVER_FUNCTIONS(FP8_OPT_FIND)
#undef FP8_OPT_FIND
  if (missing)
    return Error{std::string("expected an NVIDIA driver of CUDA 11.8 or later, got one without ") + missing};
  (void)find(library, "cuFuncGetParamInfo", driver.cuFuncGetParamInfo);
  if (Status status = driver.check(driver.cuInit(0), "initialize the NVIDIA driver"); !status)
    return status.error();
  return driver;
}

Result<const Driver *> Driver::open() {
  static Result<Driver> driver = load();
  if (!driver)
    return driver.error();
  return &*driver;
}

Status Driver::check(int result, const std::string &attempt) const {
  if (result == 0)
    return {};
  const char *name = nullptr, *description = nullptr;
  cuGetErrorName(result, &name);
  cuGetErrorString(result, &description);
  std::string got = name ? name : "error " + std::to_string(result);
  return Error{"expected to " + attempt + ", got " + got +
               (description ? " (" + std::string(description) + ")" : "")};
}
