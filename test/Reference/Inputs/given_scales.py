# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments and results of ../given-scales.mlir, by loops over elements. Numbers are small and scales are powers of two, so
# that every order of every sum is exact: a scale that meets the wrong element, or none, is another number.
#
#   given_scales.py ARGS EXPECTED
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Run", "Inputs"))
import tensors

M, K, N, B = 6, 64, 4, 3
rng = random.Random(7)
E4M3 = {0x30: 0.5, 0x38: 1.0, 0x40: 2.0, 0xB0: -0.5, 0xB8: -1.0, 0x3C: 1.5, 0x00: 0.0}
E5M2 = {0x38: 0.5, 0x3C: 1.0, 0x40: 2.0, 0xB8: -0.5, 0xBC: -1.0, 0x3E: 1.5, 0x00: 0.0}
E2M1 = {0x1: 0.5, 0x2: 1.0, 0x4: 2.0, 0x9: -0.5, 0xA: -1.0, 0x3: 1.5, 0x0: 0.0, 0x7: 6.0}


def codes(table, count):
    chosen = [rng.choice(list(table)) for _ in range(count)]
    return chosen, [table[code] for code in chosen]


def powers(count):
    return [2.0 ** rng.randint(-3, 3) for _ in range(count)]


a_codes, a = codes(E4M3, M * K)
w_codes, w = codes(E5M2, K * N)
b_codes, b = codes(E4M3, B * M * K)
f_codes, f = codes(E2M1, M * K)
t, rows, cols, batch = 8.0, powers(M), powers(N), powers(B)
blocks, square = powers(M * 2), powers(2 * 2)
mx = [rng.randint(124, 130) for _ in range(M * 2)]
# Scales of four blocks of 16 along K as E4M3, under one f32.
fine_codes, fine = codes(E4M3, M * 4)
# With an amax of 448 the recipe's scale is one, and these are E4M3 codes.
high = [448.0] + [float(rng.randint(-4, 4)) for _ in range(M * K - 1)]

arguments = {
    "arg0": ("F8_E4M3", [M, K], a_codes), "arg1": ("F8_E5M2", [K, N], w_codes), "arg2": ("F32", [], [t]),
    "arg3": ("BF16", [], [0x3E80]), "arg4": ("F32", [M], rows), "arg5": ("F32", [N], cols),
    "arg6": ("F32", [M, 2], blocks), "arg7": ("F32", [2, 2], square), "arg8": ("U8", [M, 2], mx),
    "arg9": ("F8_E4M3", [B, M, K], b_codes), "arg10": ("F32", [B], batch), "arg11": ("U8", [M, K], f_codes),
    "arg12": ("F8_E4M3", [M, 4], fine_codes), "arg13": ("F32", [M, K], high),
}


def product(rows_, left, right):
    return [sum(left(i, k) * right(k, j) for k in range(K)) for i in range(rows_) for j in range(N)]


A = lambda i, k: a[i * K + k]
W = lambda k, j: w[k * N + j]
results = [
    product(M, lambda i, k: A(i, k) * t, W),
    product(M, lambda i, k: A(i, k) * 0.25, W),
    product(M, lambda i, k: A(i, k) / t, W),
    product(M, lambda i, k: A(i, k) * rows[i], W),
    product(M, A, lambda k, j: W(k, j) * cols[j]),
    product(M, lambda i, k: A(i, k) * blocks[i * 2 + k // 32], W),
    product(M, lambda i, k: A(i, k) * blocks[i * 2 + k // 32], W),
    product(M, A, lambda k, j: W(k, j) * square[k // 32 * 2 + j // 2]),
    product(M, lambda i, k: A(i, k) * 2.0 ** (mx[i * 2 + k // 32] - 127), W),
    product(M, lambda i, k: A(i, k) * t * rows[i] / 0.25, W),
    product(M, A, W),
    product(M, lambda i, k: f[i * K + k] * (fine[i * 4 + k // 16] * t), W),
    [sum(b[(n * M + i) * K + k] * batch[n] * W(k, j) for k in range(K)) for n in range(B) for i in range(M) for j in range(N)],
    product(2, lambda i, k: A(i + 3, k) * rows[i + 3], W),
    product(M, lambda i, k: high[i * K + k], lambda k, j: W(k, j) * cols[j]),
    [1.0 * 4 * 3 * 0.5 + 2.0 * 4 * 4 * 0.5],
    product(M, lambda i, k: A(i, k) * (rows[i] * t), W),
    product(M, lambda i, k: A(i, k) * rows[i] * rows[i], W),
]
shapes = [[M, N]] * 12 + [[B, M, N], [2, N], [M, N], [1, 1], [M, N], [M, N]]
expected = {f"result{i}": ("F32", shape, values) for i, (shape, values) in enumerate(zip(shapes, results))}
tensors.write(sys.argv[1], arguments)
tensors.write(sys.argv[2], expected)
