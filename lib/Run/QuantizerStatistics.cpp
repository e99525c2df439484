// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known and counted of quantizers, whichever engine runs them.

#include "fp8-opt/Run/QuantizerStatistics.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

QuantizerDescription fp8opt::run::describeQuantizer(qt::QTensorType type, LocationAttr place) {
  QuantizerDescription description;
  llvm::raw_string_ostream location(description.location), shape(description.shape),
      scheme(description.scheme);
  if (auto file = place.findInstanceOf<FileLineColLoc>())
    location << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  else
    location << place;
  llvm::interleave(
      type.getShape(), shape, [&](int64_t size) { size < 0 ? shape << '?' : shape << size; }, "x");
  scheme << type.getScheme();
  return description;
}
