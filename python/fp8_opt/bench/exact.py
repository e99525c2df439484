# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Single elements of a product without any rounding, in integers; slow, and by no code of the oracle, which is held against it.

import math
import random

from .operands import ALPHA, Operands
from .shapes import HALVES, MODES, PLAIN, PROMOTED, TRANSPOSED, Types, elements, fits

# Numbers are multiples of 2^-POINT: all that f32 has are.
POINT = 149
# Bits of exponent and of fraction, the bias, and whether the largest exponent has numbers.
FORMATS = {"f8E4M3FN": (4, 3, 7, True), "f8E5M2": (5, 2, 15, False), "bf16": (8, 7, 127, False), "f16": (5, 10, 15, False)}
# How far the oracle may be away, in units of the root of the sum of an element's squared products; and how many elements are
# compared of each product.
LIMIT, ELEMENTS = 1e-12, 16
# What is compared: one, ragged blocks, a long contraction.
SHAPES = ((1, 7, 16), (129, 130, 257), (64, 120, 1040), (1000, 1032, 1040), (128, 4096, 16384))
OTHER_CODES, OTHER_NUMBERS = (Types("f8E5M2", "f8E4M3FN", "bf16"), SHAPES[1]), (HALVES, SHAPES[2])


def of_row(row, _):
    return row, 0


def of_run(row, k):
    return row, k // 128


def of_square(row, k):
    return row // 128, k // 128


def of_all(*_):
    return 0, 0


# Where the scale of an element of A and of B lies, by its row and its place in the contraction.
PLACES = {"row": (of_row, of_row), "block": (of_run, of_square), "wgrad": (of_run, of_run)}


def decode(bits, form):
    """The number of a code, None for NaN and infinity."""
    exponent_bits, fraction_bits, bias, has_numbers = FORMATS[form]
    fraction, exponent = bits % 2 ** fraction_bits, (bits >> fraction_bits) % 2 ** exponent_bits
    if exponent == 2 ** exponent_bits - 1 and (not has_numbers or fraction == 2 ** fraction_bits - 1):
        return None
    sign = -1 if bits >> (fraction_bits + exponent_bits) else 1
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fraction_bits)
    return sign * math.ldexp(fraction + 2 ** fraction_bits, exponent - bias - fraction_bits)


def fixed(number):
    """Exact, as f64 holds every f32 times a power of two."""
    return int(math.ldexp(number, POINT))


def element(mode, row, column, a, b, scales):
    """Of a row of A and one of B, which are numbers: in units of 2^-(4 POINT), and the sum of the squared products in the square
    of that. `scales` are rows of those of A and of B."""
    total = squares = 0
    of_a, of_b = PLACES.get(mode, (of_all, of_all))
    for k, (x, y) in enumerate(zip(a, b)):
        (i, first), (j, second) = of_a(row, k), of_b(column, k)
        term = fixed(x) * fixed(scales[0][i][first]) * fixed(y) * fixed(scales[1][j][second])
        total, squares = total + term, squares + term * term
    return total, squares


def distance(number, magnitude, total, squares):
    """Of a number in f64 from the exact one, and of its magnitude from the root of the sum of squares: the larger of both, in
    units of that root."""
    root, unit = math.isqrt(squares), 2 ** (4 * POINT)
    if not root:
        return 0.0 if number == magnitude == 0 else math.inf

    def away(value, exact):
        numerator, denominator = value.as_integer_ratio()
        return abs(numerator * unit - exact * denominator) * 10 ** 20 // (denominator * root) / 1e20
    return max(away(number, total), away(magnitude, root))


def compare(mode, shape, numbers, scales, oracle, seed):
    """The largest distance over some elements. `numbers(side, row)` is a row of A (0) or B (1), `oracle(rows)` all columns of some
    rows and their magnitudes."""
    m, n, _ = shape
    pick = random.Random(seed)
    picked = [(0, 0), (m - 1, n - 1)] + [(pick.randrange(m), pick.randrange(n)) for _ in range(ELEMENTS - 2)]
    rows = sorted({row for row, _ in picked})
    products, magnitudes = oracle(rows)
    return max(distance(float(products[rows.index(row), column]), float(magnitudes[rows.index(row), column]),
                        *element(mode, row, column, numbers(0, row), numbers(1, column), scales)) for row, column in picked)


def entries():
    """Mode, shape and types. What is promoted is as exact as where sums stay."""
    modes = [mode for mode in MODES if mode not in PROMOTED]
    every = [(mode, shape, PLAIN) for shape in SHAPES for mode in modes if fits(mode, shape)]
    others = {mode: OTHER_NUMBERS if mode in TRANSPOSED else OTHER_CODES for mode in modes}
    return every + [(mode, shape, types) for mode, (types, shape) in others.items()]


def check(mode, shape, types, seed, device):
    """A record of the oracle of such operands."""
    operands = Operands(shape, seed, device, types)
    torch, is_packed = operands.torch, mode not in TRANSPOSED
    matrices = (operands.a, operands.b) if is_packed else operands.numbers(mode)
    forms = elements(mode, types)
    scales = [[[ALPHA if mode == "tensor" else 1.0]], [[1.0]]]
    if mode in PLACES:
        scales = [of.tolist() for of, _ in operands.scales_of(mode)]

    def numbers(side, row):
        words = matrices[side].view(torch.uint8)[row] if is_packed else matrices[side][row].contiguous().view(torch.int16)
        return [decode(word % 65536, forms[side]) for word in words.tolist()]
    worst = compare(mode, shape, numbers, scales, lambda rows: operands.exact(mode, torch.tensor(rows, device=device)), seed)
    problems = [] if worst <= LIMIT else [f"the oracle is {worst:.3g} away, expected at most {LIMIT:g}"]
    return {"kind": "oracle", "mode": mode, "kernel": f"oracle of {mode}", "shape": list(shape), "elements": ELEMENTS, "worst": worst,
            "problems": problems}
