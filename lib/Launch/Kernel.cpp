// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading, the kernels of a module, and their launch.

#include "fp8-opt/Launch/Kernel.h"

#include "LoadedModule.h"

#include <cstring>

using namespace fp8opt::launch;

namespace {
/// CUfunction_attribute.
enum FunctionAttribute {
  MaxThreadsPerBlock = 0,
  StaticSharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
};
/// CUjit_option.
enum JitOption { ErrorLog = 5, ErrorLogBytes = 6 };
/// CUlaunchAttributeID.
constexpr int kClusterDimension = 4;
} // namespace

Argument::Argument(float number) : bits(0), bytes(4) { std::memcpy(&bits, &number, sizeof(number)); }

Result<std::shared_ptr<const LoadedModule>> LoadedModule::load(const std::shared_ptr<const Context> &context,
                                                               std::string_view image, std::string name) {
  // PTX is read up to a null. A cubin knows its length, but the driver is not told ours: at least its first
  // bytes must be there.
  const std::string terminated(image);
  const bool isElf = image.substr(0, 4) == "\x7f"
                                           "ELF";
  if (!isElf && image.find(".version") == std::string_view::npos)
    return Error{"expected '" + name + "' to be a cubin or PTX, got " + std::to_string(image.size()) +
                 " bytes of something else"};
  char log[4096] = "";
  int options[] = {ErrorLog, ErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  void *handle = nullptr;
  const Driver &driver = context->driver();
  int result = driver.cuModuleLoadDataEx(&handle, terminated.c_str(), 2, options, values);
  if (Status status = driver.check(result, "load '" + name + "' on the device"); !status)
    return Error{status.error().message + (log[0] ? ": " + std::string(log) : "")};
  return std::make_shared<const LoadedModule>(context, handle, std::move(name));
}

Result<Kernel> Module::kernel(const std::string &name) const {
  void *handle = nullptr;
  const Driver &driver = loaded->context->driver();
  int result = driver.cuModuleGetFunction(&handle, loaded->handle, name.c_str());
  if (Status status = driver.check(result, "find kernel '" + name + "' in '" + loaded->name + "'"); !status)
    return status.error();
  return Kernel(loaded, handle, name);
}

Status Kernel::allowDynamicShared(unsigned bytes) {
  const Driver &driver = module->context->driver();
  return driver.check(driver.cuFuncSetAttribute(handle, MaxDynamicSharedBytes, int(bytes)),
                      "allow kernel '" + ownName + "' " + std::to_string(bytes) +
                          " bytes of dynamic shared memory");
}

Result<KernelResources> Kernel::resources() const {
  const Driver &driver = module->context->driver();
  KernelResources found;
  int result = 0;
  auto ask = [&](int &fact, FunctionAttribute attribute) {
    if (result == 0)
      result = driver.cuFuncGetAttribute(&fact, attribute, handle);
  };
  ask(found.registers, Registers);
  ask(found.staticSharedBytes, StaticSharedBytes);
  ask(found.localBytes, LocalBytes);
  ask(found.threadsPerBlock, MaxThreadsPerBlock);
  if (Status status = driver.check(result, "query kernel '" + ownName + "'"); !status)
    return status.error();
  return found;
}

/// The driver reads as many arguments as the kernel has parameters, and knows no better.
Status Kernel::checkArguments(const std::vector<Argument> &arguments) const {
  const Driver &driver = module->context->driver();
  if (!driver.cuFuncGetParamInfo)
    return {};
  size_t offset = 0, bytes = 0, count = 0;
  for (; driver.cuFuncGetParamInfo(handle, count, &offset, &bytes) == 0; ++count)
    if (count < arguments.size() && bytes != arguments[count].bytes)
      return Error{"expected argument " + std::to_string(count) + " of kernel '" + ownName + "' to have " +
                   std::to_string(bytes) + " bytes, got " + std::to_string(arguments[count].bytes)};
  if (count == arguments.size())
    return {};
  return Error{"expected " + std::to_string(count) + " arguments for kernel '" + ownName + "', got " +
               std::to_string(arguments.size())};
}

static std::string describe(const Extent &extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

Status Kernel::launch(const LaunchSize &size, const std::vector<Argument> &arguments,
                      const Stream *stream) const {
  if (Status status = checkArguments(arguments); !status)
    return status;
  std::vector<void *> places;
  for (const Argument &argument : arguments)
    places.push_back(const_cast<uint64_t *>(&argument.bits));

  const Extent &grid = size.grid, &block = size.block, &cluster = size.cluster;
  ClusterAttribute attribute = {kClusterDimension, {}, cluster.x, cluster.y, cluster.z, {}};
  const bool hasCluster = cluster.x != 1 || cluster.y != 1 || cluster.z != 1;
  const LaunchConfiguration configuration = {grid.x,
                                             grid.y,
                                             grid.z,
                                             block.x,
                                             block.y,
                                             block.z,
                                             size.dynamicSharedBytes,
                                             stream ? stream->handle : nullptr,
                                             hasCluster ? &attribute : nullptr,
                                             hasCluster ? 1u : 0u};
  const Driver &driver = module->context->driver();
  int result = driver.cuLaunchKernelEx(&configuration, handle, places.data(), nullptr);
  if (result == 0)
    return {};
  return driver.check(result, "launch kernel '" + ownName + "' with grid " + describe(grid) + ", block " +
                                  describe(block) + ", cluster " + describe(cluster) + " and " +
                                  std::to_string(size.dynamicSharedBytes) +
                                  " bytes of dynamic shared memory");
}
