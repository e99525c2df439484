# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares conversions with a search for the nearest number in exact arithmetic.
import bisect
import math
import struct
import sys

from tensors import read


def single(bits):
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFFFFFF))[0]


def bf16(code):
    return single(code << 16)


def f16(code):
    return struct.unpack("<e", struct.pack("<H", code))[0]


def same(a, b):
    return (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))


def nearest(magnitudes, value):
    """The code whose number is nearest to a magnitude, the even one of two; the last code is the infinity, which
    stands where the next finite number would."""
    above = bisect.bisect_left(magnitudes, value)
    if above >= len(magnitudes) - 1 and value >= magnitudes[-1]:
        return len(magnitudes) - 1
    if magnitudes[above] == value:
        return above
    down, up = value - magnitudes[above - 1], magnitudes[above] - value
    return above if up < down or (up == down and above % 2 == 0) else above - 1


def check(decode, infinity, top, wide, bits, narrow):
    wrong = 0
    for code in range(65536):
        wrong += not same(decode(code), wide[code])
    magnitudes = [decode(code) for code in range(infinity)] + [top]
    for pattern, code in zip(bits, narrow):
        value, code = single(pattern), code & 0xFFFF
        sign = (pattern >> 16) & 0x8000
        if math.isnan(value):
            wrong += not math.isnan(decode(code)) or code & 0x8000 != sign
        else:
            wrong += code != sign | nearest(magnitudes, min(abs(value), top))
    return wrong


tensors = read(sys.argv[1])
wide_b, wide_h, bits, narrow_b, narrow_h = (tensors[f"result{i}"][2] for i in range(5))
bad = check(bf16, 0x7F80, 2.0**128, wide_b, bits, narrow_b) + check(f16, 0x7C00, 65536.0, wide_h, bits, narrow_h)
print(f"checked 65536 widened, {len(bits)} narrowed of bf16 and f16:", "no difference" if not bad else f"{bad} DIFFER")
