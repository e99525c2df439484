// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded code, and its launch.

#ifndef FP8_OPT_LAUNCH_KERNEL_H
#define FP8_OPT_LAUNCH_KERNEL_H

#include "fp8-opt/Launch/Buffer.h"
#include "fp8-opt/Launch/Stream.h"

#include <string>
#include <vector>

namespace fp8opt::launch {

struct Extent {
  unsigned x = 1, y = 1, z = 1;
};

struct LaunchSize {
  /// In blocks; a multiple of the cluster.
  Extent grid;
  /// In threads.
  Extent block;
  /// In blocks. {1, 1, 1} leaves what the kernel itself states (nvvm.cluster_dim), or no cluster.
  Extent cluster;
  /// Beside what the kernel has; above 48 KiB after Kernel::allowDynamicShared alone.
  unsigned dynamicSharedBytes = 0;
};

/// A parameter of a kernel: an address, or a number of 32 bits.
class Argument {
public:
  Argument(const Buffer &buffer) : bits(buffer.address()), bytes(8) {}
  Argument(int32_t number) : bits(uint32_t(number)), bytes(4) {}
  Argument(float number);

private:
  friend class Kernel;
  /// Little-endian, as the driver reads `bytes` of it.
  uint64_t bits;
  unsigned bytes;
};

/// What the driver knows of a loaded kernel.
struct KernelResources {
  int registers = 0;
  int staticSharedBytes = 0;
  /// For each thread: the stack, and what was spilled.
  int localBytes = 0;
  int threadsPerBlock = 0;
};

struct LoadedModule;

class Kernel {
public:
  /// Lets launches ask for so much dynamic shared memory.
  Status allowDynamicShared(unsigned bytes);
  /// Queues it. A wrong size is an error here; what happens on the device is one where it is waited for.
  /// Arguments are checked against the kernel's parameters, in number and size, by drivers from CUDA 12.4 on.
  Status launch(const LaunchSize &size, const std::vector<Argument> &arguments,
                const Stream *stream = nullptr) const;
  Result<KernelResources> resources() const;
  const std::string &name() const { return ownName; }

private:
  friend class Module;
  Kernel(std::shared_ptr<const LoadedModule> module, void *handle, std::string name)
      : module(std::move(module)), handle(handle), ownName(std::move(name)) {}
  Status checkArguments(const std::vector<Argument> &arguments) const;

  std::shared_ptr<const LoadedModule> module;
  void *handle;
  std::string ownName;
};

/// A loaded cubin or PTX. It is unloaded with the last of it and its kernels.
class Module {
public:
  Result<Kernel> kernel(const std::string &name) const;

private:
  friend class Device;
  explicit Module(std::shared_ptr<const LoadedModule> loaded) : loaded(std::move(loaded)) {}
  std::shared_ptr<const LoadedModule> loaded;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LAUNCH_KERNEL_H
