// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code in the driver.

#ifndef FP8_OPT_LIB_LAUNCH_LOADEDMODULE_H
#define FP8_OPT_LIB_LAUNCH_LOADEDMODULE_H

#include "Context.h"

#include <memory>
#include <string>
#include <string_view>

namespace fp8opt::launch {

/// Shared by a module and its kernels.
struct LoadedModule {
  LoadedModule(std::shared_ptr<const Context> context, void *handle, std::string name)
      : context(std::move(context)), handle(handle), name(std::move(name)) {}
  LoadedModule(const LoadedModule &) = delete;
  LoadedModule &operator=(const LoadedModule &) = delete;
  ~LoadedModule() { (void)context->driver().cuModuleUnload(handle); }

  static Result<std::shared_ptr<const LoadedModule>> load(const std::shared_ptr<const Context> &context,
                                                          std::string_view image, std::string name);

  std::shared_ptr<const Context> context;
  void *handle;
  std::string name;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LIB_LAUNCH_LOADEDMODULE_H
