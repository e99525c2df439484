// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known and counted of quantizers, whichever engine runs them.

#include "fp8-opt/Run/QuantizerStatistics.h"

#include "fp8-opt/Report/ProgramText.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

QuantizerDescription fp8opt::run::describeQuantizer(qt::QTensorType type, LocationAttr place) {
  QuantizerDescription description;
  description.location = locationText(place);
  llvm::raw_string_ostream shape(description.shape), scheme(description.scheme);
  llvm::interleave(
      type.getShape(), shape, [&](int64_t size) { size < 0 ? shape << '?' : shape << size; }, "x");
  scheme << type.getScheme();
  return description;
}
