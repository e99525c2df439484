# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Generates arguments as include/fp8-opt/Run/Init.h writes down and counts the elements of a file that differ.
import math
import struct
import sys

from tensors import read

MASK, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15


def mix(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


def gaussian(seed, argument, index):
    key = mix((seed + GOLDEN * (argument + 1)) & MASK)
    words = [mix((key + GOLDEN * (3 * index + j + 1)) & MASK) for j in range(3)]
    total = sum(word >> shift & 0xFFFF for word in words for shift in (0, 16, 32, 48))
    return (total - 6 * 65535) / 65536


def encode(dtype, value):
    single = struct.unpack("<f", struct.pack("<f", value))[0]
    if dtype == "F32":
        return single
    if dtype == "F16":
        return struct.unpack("<H", struct.pack("<e", single))[0]
    bits = struct.unpack("<I", struct.pack("<f", single))[0]
    low, code = bits & 0xFFFF, bits >> 16
    return code + (low > 0x8000 or (low == 0x8000 and code % 2 == 1))


tensors, seed = read(sys.argv[1]), int(sys.argv[2])
count = differ = 0
for argument, name in enumerate(["weight", "norm", "scalar", "ids", "image"]):
    dtype, shape, values = tensors[name]
    for index, value in enumerate(values):
        g = gaussian(seed, argument, index)
        if name == "weight":
            g /= math.sqrt(shape[-1])
        elif name == "norm":
            g = 1 + 0.1 * g
        count += 1
        differ += value != (0 if name == "ids" else encode(dtype, g))
print(f"{count} numbers: {differ} differ")
