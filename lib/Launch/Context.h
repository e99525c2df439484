// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device's primary context, which everything that lives on the device keeps alive.

#ifndef FP8_OPT_LIB_LAUNCH_CONTEXT_H
#define FP8_OPT_LIB_LAUNCH_CONTEXT_H

#include "Driver.h"

namespace fp8opt::launch {

class Context {
public:
  Context(const Driver &driver, int device, void *handle) : api(driver), device(device), handle(handle) {}
  Context(const Context &) = delete;
  Context &operator=(const Context &) = delete;
  ~Context() { (void)api.cuDevicePrimaryCtxRelease(device); }

  /// The driver, with this context current in the calling thread; every use comes through here, as a thread
  /// has no context or that of another device.
  const Driver &driver() const {
    (void)api.cuCtxSetCurrent(handle);
    return api;
  }

private:
  const Driver &api;
  int device;
  void *handle;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LIB_LAUNCH_CONTEXT_H
