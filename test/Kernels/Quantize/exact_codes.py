# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A rule on integers for codes of f32, that shares nothing with lib/Numerics. convert_all.py compares kernels with it on a GPU, check_codes.py
# Numerics without one.

# Bits of the fraction, the bias, and the largest code; the code of a NaN is 0x7F in both.
FORMATS = {"tensor": (3, 7, 0x7E, 448.0), "tensor_e5m2": (2, 15, 0x7B, 57344.0)}
NAN, INFINITY = 0x7F, 0x7F800000


def exact_codes(arrays, bits, fraction, bias, largest):
    """The codes of f32 patterns, int64: to nearest even, saturated. `arrays` is PyTorch or NumPy."""
    magnitude = bits & 0x7FFFFFFF
    exponent = magnitude >> 23
    significand = (magnitude & 0x7FFFFF) | arrays.where(exponent > 0, 1 << 23, 0)
    exponent = exponent.clip(min=1) - 127
    # What a unit of the last place of the code is: that of the number's binade, at least that of the smallest one.
    binade = exponent.clip(min=1 - bias)
    shift = (binade - exponent + 23 - fraction).clip(max=30)
    quotient, rest, half = significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1)
    quotient = quotient + ((rest > half) | ((rest == half) & (quotient % 2 == 1)))
    code = (((binade + bias - 1) << fraction) + quotient).clip(max=largest)
    return arrays.where(magnitude > INFINITY, NAN, code | (bits >> 31 & 1) << 7)
