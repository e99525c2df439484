// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that are cut short or changed anywhere are read or refused, never more.

#include "fp8-opt/Run/TensorFile.h"
#include "fp8-opt/Run/Compare.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fp8opt::run;

namespace {
class TensorFileTest : public testing::Test {
protected:
  TensorFileTest() { EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tensors", "safetensors", path)); }
  ~TensorFileTest() override { (void)llvm::sys::fs::remove(path); }

  void overwrite(llvm::StringRef contents) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << contents;
    EXPECT_FALSE(error);
  }

  /// Whether the file is read.
  bool isReadable() {
    auto tensors = readTensorFile(path);
    if (tensors)
      return true;
    EXPECT_FALSE(llvm::toString(tensors.takeError()).empty());
    return false;
  }

  std::string write() {
    Tensor matrix = makeTensor(ElementType::F32, {2, 3}), empty = makeTensor(ElementType::I64, {0, 4});
    matrix.bytes[5] = 77;
    EXPECT_FALSE(bool(writeTensorFile(path, {{"matrix \"quoted\"", matrix}, {"empty", empty}})));
    return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  }

  llvm::SmallString<128> path;
};
} // namespace

TEST_F(TensorFileTest, ReadsWhatItWrote) {
  write();
  auto tensors = readTensorFile(path);
  ASSERT_TRUE(bool(tensors));
  const Tensor *matrix = findTensor(*tensors, "matrix \"quoted\"");
  ASSERT_TRUE(matrix);
  EXPECT_EQ(matrix->typeText(), "2x3xF32");
  EXPECT_EQ(matrix->bytes[5], 77);
  ASSERT_TRUE(findTensor(*tensors, "empty"));
  EXPECT_EQ(findTensor(*tensors, "empty")->typeText(), "0x4xI64");
}

TEST_F(TensorFileTest, RefusesEveryPrefix) {
  std::string whole = write();
  for (size_t length = 0; length < whole.size(); ++length) {
    overwrite(llvm::StringRef(whole).take_front(length));
    EXPECT_FALSE(isReadable()) << length << " of " << whole.size() << " bytes";
  }
}

TEST_F(TensorFileTest, SurvivesEveryChangedByte) {
  std::string whole = write();
  for (size_t i = 0; i < whole.size(); ++i)
    for (char byte : {'\0', '9', '-', '"', '\xff'}) {
      std::string changed = whole;
      changed[i] = byte;
      overwrite(changed);
      isReadable();
    }
}

TEST(Compare, ZerosAndNan) {
  Tensor zero = makeTensor(ElementType::F32, {1}), one = zero, nan = zero;
  one.bytes = {0, 0, 0x80, 0x3f};
  nan.bytes = {0, 0, 0xc0, 0x7f};
  EXPECT_EQ(compare(zero, zero).relativeError, 0);
  EXPECT_EQ(compare(zero, zero).cosine, 1);
  EXPECT_TRUE(std::isinf(compare(one, zero).relativeError));
  EXPECT_EQ(compare(zero, one).relativeError, 1);
  EXPECT_TRUE(std::isnan(compare(nan, one).cosine));
  ComparisonSummary summary;
  summary.add("good", compare(one, one));
  summary.add("bad", compare(nan, one));
  EXPECT_EQ(summary.lowestCosineName, "bad");
}
