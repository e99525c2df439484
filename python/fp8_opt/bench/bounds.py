# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How far a product may be from the exact one; derived in docs/Performance.md.

import math

from .shapes import PROMOTED, TRANSPOSED

# The contraction that one scale is for.
BLOCK = 128
# A single element may be so many times the bound away, all of them together once.
SINGLE = 6


def fraction_bits(mode):
    """Bits that wgmma keeps behind the point of the largest of the numbers that it adds: of 8-bit floats 13, of bf16 and f16 no
    fewer than f32 has."""
    return 23 if mode in TRANSPOSED else 13


def instruction(mode):
    """Products that one instruction adds."""
    return 16 if mode in TRANSPOSED else 32


def relative_bound(mode, k):
    """Of an element, in units of the root of the sum of its squared products: what the matrix unit may lose."""
    contraction = min(k, BLOCK) if mode in ("block", "wgrad", *PROMOTED) else k
    added = instruction(mode)
    count = math.ceil(contraction / added)
    undirected = math.sqrt(added * (count + 1) / 2 / 3)
    directed = sum(math.sqrt((done + 1) / count) for done in range(count))
    promotions = math.ceil(k / BLOCK) + 4
    return 2.0 ** -fraction_bits(mode) * (undirected + directed) + 2.0 ** -24 * promotions


def rounding_bound(result="bf16"):
    """Of an element, in units of its own: half a last place of the result's type; codes are of numbers in bf16."""
    return {"bf16": 2.0 ** -8, "f16": 2.0 ** -11, "f32": 2.0 ** -24, "f8E4M3FN": 2.0 ** -4 + 2.0 ** -7, "f8E5M2": 2.0 ** -3 + 2.0 ** -7}[result]


def smallest_bound(result="bf16"):
    """Of a code, and of a number in f16: half the distance of the smallest ones, which is the same for all of them."""
    return {"f8E4M3FN": 2.0 ** -10, "f8E5M2": 2.0 ** -17, "f16": 2.0 ** -25}.get(result, 0)


def limits(elements):
    """The largest and the root mean square distance, in units of the bound, that pass."""
    return SINGLE, 1 + (SINGLE - 1) / math.sqrt(elements)
