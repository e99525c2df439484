# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments and results of ../given-tosa.mlir, by loops over elements; scales are powers of two and sums exact.
#
#   given_tosa.py ARGS EXPECTED
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Run", "Inputs"))
import tensors

N, H, W, C = 2, 3, 5, 128
rng = random.Random(13)
VALUES = (0.5, 1.0, 1.5, 2.0, 3.0)
# Codes of these numbers: E4M3, E5M2, E3M2, E2M3, E2M1.
TABLES = {"f8E4M3FN": (0x30, 0x38, 0x3C, 0x40, 0x44), "f8E5M2": (0x38, 0x3C, 0x3E, 0x40, 0x42),
          "f6E3M2FN": (0x08, 0x0C, 0x0E, 0x10, 0x12), "f6E2M3FN": (0x04, 0x08, 0x0C, 0x10, 0x14), "f4E2M1FN": (1, 2, 3, 4, 5)}
SIGN = {"f8E4M3FN": 0x80, "f8E5M2": 0x80, "f6E3M2FN": 0x20, "f6E2M3FN": 0x20, "f4E2M1FN": 0x8}


def operand(kind, batch, rows):
    """Codes, scale bytes, and a function of what they stand for."""
    picks = [(rng.randrange(5), rng.randrange(2)) for _ in range(batch * rows * C)]
    codes = [TABLES[kind][i] | (SIGN[kind] if s else 0) for i, s in picks]
    scales = [rng.randint(124, 131) for _ in range(batch * rows * C // 32)]
    numbers = [(-VALUES[i] if s else VALUES[i]) for i, s in picks]
    read = lambda n, r, c: numbers[(n * rows + r) * C + c] * 2.0 ** (scales[((n * rows + r) * C + c) // 32] - 127)
    return ("U8", [batch, rows, C], codes), ("U8", [batch, rows, C // 32], scales), read


arguments, expected = {}, {}
for number, kind in enumerate(TABLES):
    batch = 1 if kind == "f8E5M2" else N
    a, a_scale, read_a = operand(kind, N, H)
    b, b_scale, read_b = operand(kind, batch, W)
    for offset, value in enumerate((a, a_scale, b, b_scale)):
        arguments[f"arg{4 * number + offset}"] = value
    expected[f"result{number}"] = ("F32", [N, H, W], [
        sum(read_a(n, h, c) * read_b(n if batch > 1 else 0, w, c) for c in range(C))
        for n in range(N) for h in range(H) for w in range(W)])
expected["result5"] = ("F32", [1, 1, 2], [96.0, 160.0])
tensors.write(sys.argv[1], arguments)
tensors.write(sys.argv[2], expected)
