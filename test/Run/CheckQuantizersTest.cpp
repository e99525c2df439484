// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check of an engine's quantizers accepts what Numerics makes, and sees one wrong code and one wrong
// scale.

#include "fp8-opt/Run/CheckQuantizers.h"
#include "fp8-opt/Emit/ArithEmitter.h"
#include "fp8-opt/Numerics/Block.h"
#include "fp8-opt/Run/Init.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace fp8opt;
using namespace fp8opt::run;

namespace {
class CheckQuantizersTest : public testing::TestWithParam<const char *> {
protected:
  CheckQuantizersTest() {
    context.loadDialect<qt::QTDialect>();
    auto scheme = llvm::cast<qt::SchemeAttr>(mlir::parseAttribute(GetParam(), &context));
    auto bf16 = mlir::BFloat16Type::get(&context);
    quantizer.type = qt::QTensorType::get(&context, {5, 70}, bf16, scheme);
    quantizer.location = mlir::UnknownLoc::get(&context);
    source = initNormal(ElementType::BF16, {5, 70}, ArgumentKind::Other, 1, 0);
    numerics::Numbers numbers{numerics::FormatId::BF16, source.shape, source.bytes.data()};
    numerics::QuantizedNumbers made = numerics::quantize(scheme.getNumerics(), numbers);
    parts = {source, makeTensor(ElementType::I8, {5, 70})};
    parts[1].bytes = made.codes;
    for (auto [level, scales] : llvm::zip(scheme.getNumerics().levels, made.scales)) {
      bool isF32 = level.type == numerics::FormatId::F32;
      Tensor tensor = makeTensor(isF32 ? ElementType::F32 : ElementType::I8, scales.shape);
      for (size_t i = 0; i < scales.words.size(); ++i)
        std::memcpy(tensor.bytes.data() + i * (isF32 ? 4 : 1), &scales.words[i], isF32 ? 4 : 1);
      parts.push_back(tensor);
    }
  }

  QuantizerCheck check() {
    llvm::ArrayRef<Tensor> left = parts;
    auto result = checkQuantizer(quantizer, left, error);
    EXPECT_TRUE(bool(result)) << (result ? "" : llvm::toString(result.takeError()));
    EXPECT_TRUE(left.empty());
    return result ? *result : QuantizerCheck();
  }

  mlir::MLIRContext context;
  iree::Quantizer quantizer{{}, {}, false, true};
  Tensor source;
  std::vector<Tensor> parts;
  numerics::QuantizationError error;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(
    Schemes, CheckQuantizersTest,
    testing::Values("#qt.scheme<f8E4M3FN, [#qt.scale<f32 per tensor by fdiv>]>",
                    "#qt.scheme<f8E4M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>",
                    "#qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, "
                    "#qt.scale<f32 per tensor by nvfp4>]>"));

TEST_P(CheckQuantizersTest, AcceptsWhatNumericsMakes) {
  QuantizerCheck result = check();
  EXPECT_TRUE(result.isChecked);
  EXPECT_EQ(result.differingCodes, 0);
  EXPECT_EQ(result.differingScales, 0);
  EXPECT_EQ(error.count, 350);
  EXPECT_GT(error.decibels(), 10);
}

TEST_P(CheckQuantizersTest, SeesOneWrongCode) {
  parts[1].bytes[77] ^= 1;
  EXPECT_EQ(check().differingCodes, 1);
}

TEST_P(CheckQuantizersTest, SeesOneWrongScale) {
  parts[2].bytes[0] ^= 1;
  EXPECT_EQ(check().differingScales, 1);
}

/// An amax of numbers that were not rounded yet: the fault that the check is there for.
TEST_P(CheckQuantizersTest, SeesAnotherSource) {
  for (uint8_t &byte : parts[0].bytes)
    byte ^= 1;
  QuantizerCheck result = check();
  EXPECT_GT(result.differingCodes + result.differingScales, 0);
}

TEST_P(CheckQuantizersTest, RefusesShapesThatDoNotFit) {
  parts[2].shape.push_back(1);
  llvm::ArrayRef<Tensor> left = parts;
  auto result = checkQuantizer(quantizer, left, error);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("scales of the shape"), std::string::npos);
}
