// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizing and dequantizing whole tensors in memory, for constant folding and as the tests' reference.

#ifndef FP8_OPT_NUMERICS_BLOCK_H
#define FP8_OPT_NUMERICS_BLOCK_H

#include "fp8-opt/Numerics/Scheme.h"
#include <vector>

namespace fp8opt::numerics {

using Shape = std::vector<int64_t>;

/// Numbers in memory, row-major and without padding: f32, f16 or bf16 in the host's byte order.
struct Numbers {
  FormatId type = FormatId::F32;
  Shape shape;
  const void *elements = nullptr;
};

/// The scales of one level, row-major: f32 bits, or codes where the level's type is not f32.
struct Scales {
  Shape shape;
  std::vector<uint32_t> words;
};

/// A quantized tensor: each code in an integer of the format's storageBits(), in the host's byte order,
/// row-major.
struct QuantizedNumbers {
  Shape shape;
  std::vector<uint8_t> codes;
  std::vector<Scales> scales;
};

/// The block of a level for a tensor of this shape, one extent per dimension; a whole dimension has its own
/// extent (1 where that is 0).
Shape fullBlock(const ScaleLevel &level, const Shape &shape);
/// The shape of a level's scales: ceildiv(dimension, block) for each dimension, so that the last block of a
/// dimension may be partial; for a scale per matrix the batch dimensions alone.
///
/// | shape        | block        | scales         |
/// |--------------|--------------|----------------|
/// | 4 x 100 x 70 | [1, 32]      | 4 x 100 x 3    |
/// | 4 x 100 x 70 | [128, 128]   | 4 x 1 x 1      |
/// | 4 x 100 x 70 | [1, whole]   | 4 x 100 x 1    |
/// | 4 x 100 x 70 | per tensor   | 4              |
Shape scaleShape(const ScaleLevel &level, const Shape &shape);

/// Quantizes by a valid scheme whose blocks have at most the rank of `input`. A block's amax covers its real
/// elements; an empty one has amax 0. Blocks of the inner level lie within blocks of the outer one.
/// `randomBits` holds a word for each element; it is read by stochastic rounding only, which must have it.
QuantizedNumbers quantize(const Scheme &scheme, const Numbers &input, const uint32_t *randomBits = nullptr);
/// The same with given scales, one entry for each level, of the shapes that scaleShape says.
QuantizedNumbers quantizeByScales(const Scheme &scheme, const Numbers &input, std::vector<Scales> scales,
                                  const uint32_t *randomBits = nullptr);
/// The numbers that the codes stand for, rounded once to `expressed`.
std::vector<float> dequantize(const Scheme &scheme, FormatId expressed, const QuantizedNumbers &input);

} // namespace fp8opt::numerics

#endif // FP8_OPT_NUMERICS_BLOCK_H
