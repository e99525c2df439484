// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizations of views, compared with one another, and what they move together.

#include "Quantization.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fp8opt::qt;

Quantization Quantization::of(QuantizeOp op, Views &views, const Sizes &sizes) {
  return {op, views.orient(op.getInput()), sizes.bytesOf(op.getType(), op.getInput()),
          sizes.bytesOf(op.getInput())};
}

SmallVector<int64_t> fp8opt::qt::permutationBetween(const Views::Oriented &from, const Views::Oriented &to) {
  SmallVector<int64_t> inverse = invertPermutationVector(from.permutation);
  SmallVector<int64_t> result;
  for (int64_t dim : to.permutation)
    result.push_back(inverse[dim]);
  return result;
}

bool fp8opt::qt::givesCodesOf(const Quantization &from, const Quantization &to) {
  if (from.view.number != to.view.number)
    return false;
  SmallVector<int64_t> permutation = permutationBetween(from.view, to.view);
  if (isIdentityPermutation(permutation))
    return from.type() == to.type();
  FailureOr<QTensorType> transposed = TransposeOp::getTransposedType(from.type(), permutation, std::nullopt);
  return succeeded(transposed) && *transposed == to.type();
}

void Passes::add(const Quantization &quantization) {
  Pass &pass = passes[{quantization.view.number, quantization.half()}];
  pass.isShared = pass.times != 0;
  pass.bytes = quantization.sourceBytes;
  pass.times = std::max(pass.times, timesRead(quantization.type().getScheme()));
  pass.written = addBytes(pass.written, quantization.bytes);
}

Traffic Passes::traffic() const {
  Traffic total;
  for (const auto &[key, pass] : passes) {
    for (unsigned time = 0; time < pass.times; ++time)
      total.read = addBytes(total.read, pass.bytes);
    total.written = addBytes(total.written, pass.written);
  }
  return total;
}

bool Passes::isShared() const {
  return llvm::any_of(passes, [](const auto &entry) { return entry.second.isShared; });
}
