// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reaches the driver, what comes back, and what is released, on a driver without a device.

#include "StubDriver.h"

#include "fp8-opt/Launch/Device.h"

#include "gtest/gtest.h"

#include <dlfcn.h>

using namespace fp8opt::launch;

static const StubState &stub() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  auto *state = reinterpret_cast<StubStateFunction *>(dlsym(library, "stubState"));
  return *state();
}

static const std::string kPTX = ".version 8.8";

static std::string messageOf(const Status &status) { return status ? "success" : status.error().message; }
template <typename T> static std::string messageOf(const Result<T> &result) {
  return result ? "success" : result.error().message;
}

TEST(Launch, queriesTheDevice) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  // The stub answers with the number of the attribute, as cuda.h has it.
  const DeviceProperties &facts = device->properties();
  EXPECT_EQ(facts.name, "stub");
  EXPECT_EQ(facts.clockKHz, 13);
  EXPECT_EQ(facts.multiprocessors, 16);
  EXPECT_EQ(facts.memoryClockKHz, 36);
  EXPECT_EQ(facts.computeMajor, 75);
  EXPECT_EQ(facts.computeMinor, 76);
  EXPECT_EQ(facts.sharedBytesPerBlock, 97);
  EXPECT_EQ(facts.driverVersion, 13000);
  EXPECT_EQ(facts.memoryBytes, 1 << 20);
  EXPECT_EQ(messageOf(Device::open(1)), "expected a device below 1, the number of NVIDIA devices, got 1");
  EXPECT_EQ(messageOf(Device::open(-1)), "expected a device below 1, the number of NVIDIA devices, got -1");
}

TEST(Launch, passesSizesAndArguments) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  Result<Kernel> take = device->load(kPTX, "stub.ptx")->kernel("take");
  Result<Buffer> buffer = device->allocate(64);
  Result<Stream> stream = device->createStream();
  ASSERT_TRUE(take && buffer && stream);
  EXPECT_EQ(messageOf(take->launch({{2, 3, 4}, {5, 6, 7}, {1, 1, 1}, 1000}, {*buffer, -7, 1.5f}, &*stream)),
            "success");
  EXPECT_EQ(stub().grid[0], 2u);
  EXPECT_EQ(stub().grid[2], 4u);
  EXPECT_EQ(stub().block[0], 5u);
  EXPECT_EQ(stub().block[2], 7u);
  EXPECT_EQ(stub().dynamicSharedBytes, 1000u);
  EXPECT_NE(stub().stream, nullptr);
  EXPECT_FALSE(stub().hasCluster);
  EXPECT_EQ(stub().arguments[0], buffer->address());
  EXPECT_EQ(stub().arguments[1], 0xFFFFFFF9u);
  EXPECT_EQ(stub().arguments[2], 0x3FC00000u);

  EXPECT_EQ(messageOf(take->launch({{8, 1, 1}, {32, 1, 1}, {2, 1, 1}}, {*buffer, 0, 0})), "success");
  EXPECT_TRUE(stub().hasCluster);
  EXPECT_EQ(stub().cluster[0], 2u);
  EXPECT_EQ(stub().cluster[2], 1u);
  EXPECT_EQ(stub().stream, nullptr);
}

TEST(Launch, checksArgumentsAgainstParameters) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  Result<Kernel> take = device->load(kPTX, "stub.ptx")->kernel("take");
  Result<Buffer> buffer = device->allocate(64);
  ASSERT_TRUE(take && buffer);
  EXPECT_EQ(messageOf(take->launch({}, {*buffer})), "expected 3 arguments for kernel 'take', got 1");
  EXPECT_EQ(messageOf(take->launch({}, {*buffer, 1, 2, 3})), "expected 3 arguments for kernel 'take', got 4");
  EXPECT_EQ(messageOf(take->launch({}, {1, 2, 3})),
            "expected argument 0 of kernel 'take' to have 8 bytes, got 4");
}

TEST(Launch, namesWhatWasAttemptedAndTheError) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  EXPECT_EQ(messageOf(device->allocate(2 << 20)),
            "expected to allocate 2097152 bytes on the device, got CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
  EXPECT_EQ(messageOf(device->load("\x7f"
                                   "ELF",
                                   "add.cubin")),
            "expected to load 'add.cubin' on the device, got CUDA_ERROR_INVALID_IMAGE: for another chip");
  EXPECT_EQ(messageOf(device->load("text", "notes")),
            "expected 'notes' to be a cubin or PTX, got 4 bytes of something else");
  EXPECT_EQ(messageOf(device->load(kPTX, "stub.ptx")->kernel("give")),
            "expected to find kernel 'give' in 'stub.ptx', got CUDA_ERROR_NOT_FOUND");
  EXPECT_EQ(messageOf(device->synchronize()), "expected to finish the work of the device, got error 999");
}

TEST(Launch, allowsSharedMemoryWhenAsked) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  Result<Kernel> take = device->load(kPTX, "stub.ptx")->kernel("take");
  Result<Buffer> buffer = device->allocate(64);
  ASSERT_TRUE(take && buffer);
  LaunchSize size;
  size.dynamicSharedBytes = 64 << 10;
  EXPECT_EQ(messageOf(take->launch(size, {*buffer, 0, 0})),
            "expected to launch kernel 'take' with grid 1x1x1, block 1x1x1, cluster 1x1x1 and 65536 bytes of "
            "dynamic "
            "shared memory, got CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(messageOf(take->allowDynamicShared(64 << 10)), "success");
  EXPECT_EQ(messageOf(take->launch(size, {*buffer, 0, 0})), "success");
  EXPECT_EQ(
      messageOf(take->allowDynamicShared(200 << 10)),
      "expected to allow kernel 'take' 204800 bytes of dynamic shared memory, got CUDA_ERROR_INVALID_VALUE");
  Result<KernelResources> resources = take->resources();
  ASSERT_TRUE(resources);
  EXPECT_EQ(resources->registers, 40);
  EXPECT_EQ(resources->localBytes, 30);
}

TEST(Launch, copiesWithinBounds) {
  Result<Device> device = Device::open();
  ASSERT_TRUE(device);
  Result<Buffer> buffer = device->allocate(8);
  ASSERT_TRUE(buffer);
  uint8_t bytes[9] = {};
  EXPECT_EQ(messageOf(buffer->fill(3)), "success");
  EXPECT_EQ(messageOf(buffer->write("ab", 2, 6)), "success");
  EXPECT_EQ(messageOf(buffer->read(bytes, 8)), "success");
  EXPECT_EQ(bytes[5], 3);
  EXPECT_EQ(bytes[7], 'b');
  EXPECT_EQ(messageOf(buffer->read(bytes, 9)), "expected to read within 8 bytes, got 9 bytes at 0");
  EXPECT_EQ(messageOf(buffer->write(bytes, 1, 8)), "expected to write within 8 bytes, got 1 bytes at 8");
  EXPECT_EQ(messageOf(buffer->write(bytes, SIZE_MAX, 8)).rfind("expected to write within 8 bytes", 0), 0u);
  Result<Buffer> empty = device->allocate(0);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->address(), 0u);
  EXPECT_EQ(messageOf(empty->fill(1)), "success");
}

/// The device first, kernels after their module, and what has moved only once.
TEST(Launch, releasesEverything) {
  const int before = stub().held;
  {
    std::optional<Kernel> kernel;
    std::optional<Buffer> buffer;
    {
      Result<Device> device = Device::open();
      ASSERT_TRUE(device);
      kernel = *device->load(kPTX, "stub.ptx")->kernel("take");
      buffer = std::move(*device->allocate(16));
      *buffer = std::move(*device->allocate(32));
      Result<Event> start = device->createEvent(), end = device->createEvent();
      Result<Stream> stream = device->createStream();
      ASSERT_TRUE(start && end && stream);
      EXPECT_EQ(messageOf(end->record(&*stream)), "success");
      EXPECT_EQ(*end->millisecondsSince(*start), 1.5f);
      *start = std::move(*end);
      EXPECT_EQ(stub().held, before + 5); // context, module, buffer, event, stream
    }
    EXPECT_EQ(stub().held, before + 3);
    EXPECT_EQ(messageOf(kernel->launch({}, {*buffer, 0, 0})), "success");
  }
  EXPECT_EQ(stub().held, before);
}
