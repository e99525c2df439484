# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the rule that convert_all.py holds kernels against with Numerics, without a GPU: all patterns of bf16 and f16, 2^16 of f32 at
# random, and all numbers halfway between codes, with those above and below.
#
#   python3 check_codes.py TOOL FOLDER

import pathlib
import subprocess
import sys

import numpy

from exact_codes import FORMATS, exact_codes

NAMES = {"tensor": "f8E4M3FN", "tensor_e5m2": "f8E5M2"}


def halfway(fraction, bias, largest):
    """Between each two codes, and at each one, as far as one beyond the largest: with both neighbours and both signs."""
    codes = numpy.arange(largest + 2)
    exponent, rest = codes >> fraction, codes & ((1 << fraction) - 1)
    value = numpy.where(exponent > 0, (1 << fraction) + rest, rest) * 2.0 ** (numpy.maximum(exponent, 1) - bias - fraction)
    exact = numpy.concatenate([value, (value[1:] + value[:-1]) / 2]).astype(numpy.float32).view(numpy.int32).astype(numpy.int64)
    around = numpy.concatenate([exact - 1, exact, exact + 1])
    return numpy.concatenate([around[around >= 0], around[around >= 0] | 1 << 31])


def patterns(name):
    fraction, bias, largest, _ = FORMATS[name]
    words = numpy.arange(1 << 16, dtype=numpy.int64)
    halves = words.astype(numpy.uint16).view(numpy.float16).astype(numpy.float32).view(numpy.uint32).astype(numpy.int64)
    spread = numpy.random.default_rng(1).integers(0, 1 << 32, 1 << 16)
    return numpy.concatenate([words << 16, halves, spread, halfway(fraction, bias, largest)])


def main():
    tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name, (fraction, bias, largest, _) in FORMATS.items():
        bits = patterns(name)
        bits.astype("<u4").tofile(folder / "numbers")
        subprocess.run([tool, "codes", NAMES[name], folder / "numbers", folder / "codes"], check=True, capture_output=True)
        codes = numpy.fromfile(folder / "codes", dtype=numpy.uint8)
        assert len(codes) == len(bits), (len(codes), len(bits))
        differ = int((exact_codes(numpy, bits, fraction, bias, largest) != codes).sum())
        print(f"{NAMES[name]}: {len(bits)} numbers, {len(set(codes.tolist()))} codes, {differ} differ")
        failed += differ
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
