// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device and the kernels that are made for it; a test without them is skipped and says why.

#ifndef FP8_OPT_TEST_DEVICE_DEVICETEST_H
#define FP8_OPT_TEST_DEVICE_DEVICETEST_H

#include "fp8-opt/Launch/Device.h"

#include "gtest/gtest.h"

#include <fstream>
#include <optional>
#include <sstream>
#include <string>

/// Where kernels lie, as NAME.CHIP.ptx and NAME.CHIP.cubin.
inline std::string kernelsFolder;

class DeviceTest : public testing::Test {
protected:
  void SetUp() override {
    auto opened = fp8opt::launch::Device::open();
    if (!opened)
      GTEST_SKIP() << opened.error().message;
    device = std::move(*opened);
    const auto &facts = device->properties();
    // Code for an architecture's own instructions runs on that architecture alone.
    chip = "sm_" + std::to_string(facts.computeMajor) + std::to_string(facts.computeMinor) + "a";
    if (!std::ifstream(path("add", "ptx")))
      GTEST_SKIP() << "expected kernels for " << facts.name << " (" << chip << ") in '" << kernelsFolder
                   << "', got none";
  }

  std::string path(const std::string &name, const std::string &form) const {
    return kernelsFolder + "/" + name + "." + chip + "." + form;
  }

  /// Empty where there is no such file.
  std::string image(const std::string &name, const std::string &form) const {
    std::ostringstream content;
    content << std::ifstream(path(name, form), std::ios::binary).rdbuf();
    return content.str();
  }

  /// PTX 8.8 came with the driver of CUDA 12.9; older ones take cubins.
  bool takesPTX() const { return device->properties().driverVersion >= 12090; }

  /// A kernel of one of the test's modules.
  fp8opt::launch::Result<fp8opt::launch::Kernel> kernel(const std::string &file,
                                                        const std::string &name) const {
    auto module = device->load(image(file, takesPTX() ? "ptx" : "cubin"), file);
    if (!module)
      return module.error();
    return module->kernel(name);
  }

  std::optional<fp8opt::launch::Device> device;
  std::string chip;
};

/// Of a result that has a name; ends the test where it is a failure.
#define ASSERT_SUCCESS(result) ASSERT_TRUE(result) << (result).error().message

#define EXPECT_SUCCESS(attempt)                                                                              \
  do {                                                                                                       \
    auto outcome = (attempt);                                                                                \
    EXPECT_TRUE(outcome) << outcome.error().message;                                                         \
  } while (false)

#define EXPECT_FAILURE(attempt, text)                                                                        \
  do {                                                                                                       \
    auto outcome = (attempt);                                                                                \
    ASSERT_FALSE(outcome);                                                                                   \
    EXPECT_NE(outcome.error().message.find(text), std::string::npos) << outcome.error().message;             \
  } while (false)

#endif // FP8_OPT_TEST_DEVICE_DEVICETEST_H
