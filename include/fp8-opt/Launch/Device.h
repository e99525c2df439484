// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's GPUs through the driver, which is opened when it is first asked for.

#ifndef FP8_OPT_LAUNCH_DEVICE_H
#define FP8_OPT_LAUNCH_DEVICE_H

#include "fp8-opt/Launch/Buffer.h"
#include "fp8-opt/Launch/Kernel.h"
#include "fp8-opt/Launch/Result.h"
#include "fp8-opt/Launch/Stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fp8opt::launch {

struct DeviceProperties {
  std::string name;
  /// 9 and 0 for sm_90a.
  int computeMajor = 0, computeMinor = 0;
  int multiprocessors = 0;
  /// The highest that the device is rated for; what it runs at is less under load.
  int clockKHz = 0, memoryClockKHz = 0;
  int64_t memoryBytes = 0;
  /// Static and dynamic together, once a kernel has asked for it (Kernel::allowDynamicShared).
  int sharedBytesPerBlock = 0;
  /// The newest CUDA that the driver knows: 13000 for 13.0.
  int driverVersion = 0;
};

/// A device and its primary context, which other users of the driver in this process share. What is made of
/// it keeps the context alive, so that the order of destruction does not matter. Moves, and does not copy.
/// Everything here may be used from any thread, one at a time.
class Device {
public:
  /// The number of devices; an error where there is no driver.
  static Result<int> count();
  static Result<Device> open(int ordinal = 0);

  const DeviceProperties &properties() const { return facts; }

  /// Device memory of undefined content.
  Result<Buffer> allocate(size_t bytes) const;
  /// A cubin or PTX, which the driver assembles for this device. `name` is for messages.
  Result<Module> load(std::string_view image, std::string name) const;
  Result<Stream> createStream() const;
  Result<Event> createEvent() const;
  /// Waits for all work; where a kernel failed, the error comes here, and the context takes no more work.
  Status synchronize() const;

private:
  Device(std::shared_ptr<const Context> context, DeviceProperties facts)
      : context(std::move(context)), facts(std::move(facts)) {}
  std::shared_ptr<const Context> context;
  DeviceProperties facts;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LAUNCH_DEVICE_H
