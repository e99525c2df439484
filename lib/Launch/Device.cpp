// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices, and what is made of them.

#include "fp8-opt/Launch/Device.h"

#include "Context.h"
#include "LoadedModule.h"

using namespace fp8opt::launch;

namespace {
/// CUdevice_attribute.
enum DeviceAttribute {
  ClockRate = 13,
  MultiprocessorCount = 16,
  MemoryClockRate = 36,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  SharedMemoryPerBlockOptIn = 97,
};
} // namespace

Result<int> Device::count() {
  Result<const Driver *> driver = Driver::open();
  if (!driver)
    return driver.error();
  int number = 0;
  if (Status status = (*driver)->check((*driver)->cuDeviceGetCount(&number), "count the NVIDIA devices");
      !status)
    return status.error();
  return number;
}

static Result<DeviceProperties> query(const Driver &driver, int device) {
  DeviceProperties facts;
  char name[256] = "";
  size_t bytes = 0;
  int result = driver.cuDeviceGetName(name, sizeof(name), device);
  auto ask = [&](int &fact, DeviceAttribute attribute) {
    if (result == 0)
      result = driver.cuDeviceGetAttribute(&fact, attribute, device);
  };
  ask(facts.clockKHz, ClockRate);
  ask(facts.multiprocessors, MultiprocessorCount);
  ask(facts.memoryClockKHz, MemoryClockRate);
  ask(facts.computeMajor, ComputeCapabilityMajor);
  ask(facts.computeMinor, ComputeCapabilityMinor);
  ask(facts.sharedBytesPerBlock, SharedMemoryPerBlockOptIn);
  if (result == 0)
    result = driver.cuDeviceTotalMem(&bytes, device);
  if (result == 0)
    result = driver.cuDriverGetVersion(&facts.driverVersion);
  if (Status status = driver.check(result, "query device " + std::to_string(device)); !status)
    return status.error();
  facts.name = name;
  facts.memoryBytes = int64_t(bytes);
  return facts;
}

Result<Device> Device::open(int ordinal) {
  Result<int> number = count();
  if (!number)
    return number.error();
  if (ordinal < 0 || ordinal >= *number)
    return Error{"expected a device below " + std::to_string(*number) +
                 ", the number of NVIDIA devices, got " + std::to_string(ordinal)};
  const Driver &driver = **Driver::open();
  const std::string attempt = "open device " + std::to_string(ordinal);
  int device = 0;
  void *handle = nullptr;
  if (Status status = driver.check(driver.cuDeviceGet(&device, ordinal), attempt); !status)
    return status.error();
  if (Status status = driver.check(driver.cuDevicePrimaryCtxRetain(&handle, device), attempt); !status)
    return status.error();
  auto context = std::make_shared<const Context>(driver, device, handle);
  Result<DeviceProperties> facts = query(driver, device);
  if (!facts)
    return facts.error();
  return Device(std::move(context), *facts);
}

Result<Buffer> Device::allocate(size_t bytes) const {
  uint64_t place = 0;
  const Driver &driver = context->driver();
  // The driver refuses to allocate nothing.
  int result = bytes == 0 ? 0 : driver.cuMemAlloc(&place, bytes);
  if (Status status = driver.check(result, "allocate " + std::to_string(bytes) + " bytes on the device");
      !status)
    return status.error();
  return Buffer(context, place, bytes);
}

Result<Module> Device::load(std::string_view image, std::string name) const {
  Result<std::shared_ptr<const LoadedModule>> loaded = LoadedModule::load(context, image, std::move(name));
  if (!loaded)
    return loaded.error();
  return Module(*loaded);
}

Result<Stream> Device::createStream() const {
  void *handle = nullptr;
  const Driver &driver = context->driver();
  // Independent of the default stream, which would otherwise wait for it and make it wait.
  constexpr unsigned nonBlocking = 1;
  if (Status status = driver.check(driver.cuStreamCreate(&handle, nonBlocking), "create a stream"); !status)
    return status.error();
  return Stream(context, handle);
}

Result<Event> Device::createEvent() const {
  void *handle = nullptr;
  const Driver &driver = context->driver();
  if (Status status = driver.check(driver.cuEventCreate(&handle, 0), "create an event"); !status)
    return status.error();
  return Event(context, handle);
}

Status Device::synchronize() const {
  const Driver &driver = context->driver();
  return driver.check(driver.cuCtxSynchronize(), "finish the work of the device");
}
