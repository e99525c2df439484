# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How far a product may be from the exact one; derived in docs/Performance.md.

import math

# wgmma on 8-bit floats keeps so many bits behind the point of the largest of the numbers that it adds.
FRACTION_BITS = 13
# Products that one instruction adds, and the contraction that one scale is for.
INSTRUCTION, BLOCK = 32, 128
# A single element may be so many times the bound away, all of them together once.
SINGLE = 6


def relative_bound(mode, k):
    """Of an element, in units of the root of the sum of its squared products: what the matrix unit may lose."""
    contraction = min(k, BLOCK) if mode in ("block", "wgrad") else k
    count = math.ceil(contraction / INSTRUCTION)
    undirected = math.sqrt(INSTRUCTION * (count + 1) / 2 / 3)
    directed = sum(math.sqrt((done + 1) / count) for done in range(count))
    promotions = math.ceil(k / BLOCK) + 4
    return 2.0 ** -FRACTION_BITS * (undirected + directed) + 2.0 ** -24 * promotions


def rounding_bound(result="bf16"):
    """Of an element, in units of its own: half a last place of the result's type."""
    return {"bf16": 2.0 ** -8, "f32": 2.0 ** -24}[result]


def limits(elements):
    """The largest and the root mean square distance, in units of the bound, that pass."""
    return SINGLE, 1 + (SINGLE - 1) / math.sqrt(elements)
