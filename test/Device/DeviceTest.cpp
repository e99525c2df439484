// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels run on a device: sums, clusters, shared memory, time, and what is refused.

#include "DeviceTest.h"

#include <vector>

using namespace fp8opt::launch;

/// Runs everywhere: the sentence that other tests are skipped with.
TEST(Driver, missingOneIsAnError) {
  Result<int> count = Device::count();
  if (count)
    GTEST_SKIP() << "there is an NVIDIA driver";
  EXPECT_EQ(count.error().message.rfind("expected ", 0), 0u) << count.error().message;
}

TEST_F(DeviceTest, hasProperties) {
  const DeviceProperties &facts = device->properties();
  RecordProperty("device", facts.name);
  EXPECT_FALSE(facts.name.empty());
  EXPECT_GT(facts.multiprocessors, 0);
  EXPECT_GT(facts.clockKHz, 0);
  EXPECT_GT(facts.memoryBytes, 1 << 30);
  EXPECT_GE(facts.sharedBytesPerBlock, 48 << 10);
  EXPECT_GE(facts.driverVersion, 11080);
}

/// Adds numbers whose sums are exact, in a block size that does not divide their number.
static void checkAdd(Device &device, const Kernel &add, const Stream *stream) {
  constexpr int count = 10007, threads = 96;
  std::vector<float> x(count), y(count), sums(count);
  for (int i = 0; i < count; ++i) {
    x[i] = float(i);
    y[i] = float(3 * i) + 0.5f;
  }
  const size_t bytes = count * sizeof(float);
  Result<Buffer> xs = device.allocate(bytes), ys = device.allocate(bytes), out = device.allocate(bytes + 64);
  ASSERT_TRUE(xs && ys && out);
  EXPECT_SUCCESS(xs->write(x.data(), bytes));
  EXPECT_SUCCESS(ys->write(y.data(), bytes));
  EXPECT_SUCCESS(out->fill(0xEE));
  LaunchSize size;
  size.grid.x = (count + threads - 1) / threads;
  size.block.x = threads;
  EXPECT_SUCCESS(add.launch(size, {*xs, *ys, *out, count}, stream));
  EXPECT_SUCCESS(stream ? stream->synchronize() : device.synchronize());
  EXPECT_SUCCESS(out->read(sums.data(), bytes));
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(sums[i], x[i] + y[i]) << i;
  // Nothing is written behind the last one.
  uint8_t behind[64];
  EXPECT_SUCCESS(out->read(behind, sizeof(behind), bytes));
  for (uint8_t byte : behind)
    ASSERT_EQ(byte, 0xEE);
}

TEST_F(DeviceTest, addsFromPTX) {
  if (!takesPTX())
    GTEST_SKIP() << "the driver is older than PTX 8.8";
  Result<Module> module = device->load(image("add", "ptx"), "add.ptx");
  ASSERT_SUCCESS(module);
  Result<Kernel> add = module->kernel("add");
  ASSERT_SUCCESS(add);
  checkAdd(*device, *add, nullptr);
}

TEST_F(DeviceTest, addsInAStream) {
  Result<Stream> stream = device->createStream();
  ASSERT_TRUE(stream);
  Result<Kernel> add = kernel("add", "add");
  ASSERT_SUCCESS(add);
  checkAdd(*device, *add, &*stream);
}

TEST_F(DeviceTest, addsFromCubin) {
  const std::string cubin = image("add", "cubin");
  if (cubin.empty())
    GTEST_SKIP() << "expected '" << path("add", "cubin") << "', got none: there was no ptxas";
  Result<Module> module = device->load(cubin, "add.cubin");
  ASSERT_SUCCESS(module);
  Result<Kernel> add = module->kernel("add");
  ASSERT_SUCCESS(add);
  checkAdd(*device, *add, nullptr);
  Result<KernelResources> resources = add->resources();
  ASSERT_TRUE(resources);
  EXPECT_GT(resources->registers, 0);
  EXPECT_EQ(resources->localBytes, 0);
}

/// Each block reads what the next one of its cluster wrote to its own shared memory.
TEST_F(DeviceTest, blocksOfAClusterReadEachOther) {
  Result<Kernel> readNext = kernel("cluster", "read_next");
  ASSERT_SUCCESS(readNext);
  for (int cluster : {1, 2, 4, 8}) {
    const int blocks = 16;
    std::vector<int32_t> numbers(blocks);
    Result<Buffer> out = device->allocate(blocks * sizeof(int32_t));
    ASSERT_TRUE(out);
    LaunchSize size;
    size.grid.x = blocks;
    size.cluster.x = cluster;
    EXPECT_SUCCESS(readNext->launch(size, {*out}));
    EXPECT_SUCCESS(out->read(numbers.data(), out->size()));
    for (int block = 0; block < blocks; ++block)
      ASSERT_EQ(numbers[block], 100 * ((block % cluster + 1) % cluster + 1) + cluster)
          << block << " of " << cluster;
  }
}

/// All the shared memory that a block can have, which is more than it has unasked.
TEST_F(DeviceTest, usesAllSharedMemory) {
  Result<Kernel> reverse = kernel("shared", "reverse");
  ASSERT_SUCCESS(reverse);
  const int bytes = device->properties().sharedBytesPerBlock, count = bytes / 4;
  Result<Buffer> out = device->allocate(bytes);
  ASSERT_TRUE(out);
  LaunchSize size;
  size.block.x = 256;
  size.dynamicSharedBytes = bytes;
  EXPECT_FAILURE(reverse->launch(size, {*out, count}), "got CUDA_ERROR_INVALID_VALUE");
  EXPECT_SUCCESS(reverse->allowDynamicShared(bytes));
  EXPECT_SUCCESS(reverse->launch(size, {*out, count}));
  std::vector<int32_t> numbers(count);
  EXPECT_SUCCESS(out->read(numbers.data(), out->size()));
  for (int i = 0; i < count; ++i)
    ASSERT_EQ(numbers[i], count - 1 - i);
  EXPECT_FAILURE(reverse->allowDynamicShared(bytes + 1024), "of dynamic shared memory, got CUDA_ERROR_");
}

TEST_F(DeviceTest, timesWork) {
  Result<Kernel> add = kernel("add", "add");
  ASSERT_SUCCESS(add);
  constexpr int count = 1 << 20;
  Result<Buffer> numbers = device->allocate(count * sizeof(float));
  Result<Stream> stream = device->createStream();
  Result<Event> start = device->createEvent(), end = device->createEvent();
  ASSERT_TRUE(numbers && stream && start && end);
  EXPECT_SUCCESS(numbers->fill(0));
  LaunchSize size;
  size.grid.x = count / 256;
  size.block.x = 256;
  EXPECT_SUCCESS(start->record(&*stream));
  EXPECT_SUCCESS(add->launch(size, {*numbers, *numbers, *numbers, count}, &*stream));
  EXPECT_SUCCESS(end->record(&*stream));
  EXPECT_SUCCESS(end->synchronize());
  Result<float> milliseconds = end->millisecondsSince(*start);
  ASSERT_SUCCESS(milliseconds);
  // 12 MB: not in no time, and not in a second.
  EXPECT_GT(*milliseconds, 0.0005f);
  EXPECT_LT(*milliseconds, 1000.0f);
}

TEST_F(DeviceTest, refusesWhatIsNoCode) {
  EXPECT_FAILURE(device->load("garbage", "notes.txt"),
                 "expected 'notes.txt' to be a cubin or PTX, got 7 bytes");
  EXPECT_FAILURE(device->load("", "empty"), "got 0 bytes");
  EXPECT_FAILURE(device->load(".version 8.8\n.target " + chip + "\nnonsense", "bad.ptx"),
                 "expected to load 'bad.ptx' on the device, got CUDA_ERROR_INVALID_PTX");
  Result<Module> module = device->load(image("add", takesPTX() ? "ptx" : "cubin"), "add");
  ASSERT_SUCCESS(module);
  EXPECT_FAILURE(module->kernel("subtract"),
                 "expected to find kernel 'subtract' in 'add', got CUDA_ERROR_NOT_FOUND");
}

TEST_F(DeviceTest, refusesWrongArgumentsAndSizes) {
  Result<Kernel> add = kernel("add", "add");
  ASSERT_SUCCESS(add);
  Result<Buffer> numbers = device->allocate(16);
  ASSERT_TRUE(numbers);
  LaunchSize size;
  EXPECT_FAILURE(add->launch(size, {*numbers, *numbers, *numbers}),
                 "expected 4 arguments for kernel 'add', got 3");
  EXPECT_FAILURE(add->launch(size, {*numbers, *numbers, *numbers, *numbers}),
                 "expected argument 3 of kernel 'add' to have 4 bytes, got 8");
  size.block.x = 2048;
  EXPECT_FAILURE(
      add->launch(size, {*numbers, *numbers, *numbers, 4}),
      "expected to launch kernel 'add' with grid 1x1x1, block 2048x1x1, cluster 1x1x1 and 0 bytes of "
      "dynamic shared memory, got CUDA_ERROR_INVALID_VALUE");
  size.block.x = 1;
  size.grid.x = 3;
  size.cluster.x = 2;
  EXPECT_FAILURE(add->launch(size, {*numbers, *numbers, *numbers, 4}), "cluster 2x1x1");
  EXPECT_FAILURE(device->allocate(size_t(1) << 50), "bytes on the device, got CUDA_ERROR_OUT_OF_MEMORY");
  EXPECT_FAILURE(Device::open(1000), "expected a device below ");
  char bytes[32];
  EXPECT_FAILURE(numbers->read(bytes, 17), "expected to read within 16 bytes, got 17 bytes at 0");
  EXPECT_FAILURE(numbers->write(bytes, 8, 9), "expected to write within 16 bytes, got 8 bytes at 9");
  // None of this has hurt the device.
  EXPECT_SUCCESS(device->synchronize());
}
