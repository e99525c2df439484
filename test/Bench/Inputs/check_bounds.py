# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The bound on a product against a model of the matrix unit: all terms of an instruction are cut to so many bits behind the point of
# the largest one, added exactly, and the sum is cut again.

import math
import random

from fp8_opt.bench import bounds, shapes


def operand(generator, mode):
    """A random number with four significant bits, or with those of bf16."""
    fraction, exponent = math.frexp(generator.gauss(0, 1))
    steps = 256 if mode == "bf16" else 16
    return math.ldexp(round(fraction * steps) / steps, exponent)


def cut(number, exponent, bits):
    """Toward zero, to a multiple of the unit of numbers below 2^(exponent + 1)."""
    return math.ldexp(math.trunc(math.ldexp(number, bits - exponent)), exponent - bits)


def exponent_of(number):
    return math.frexp(number)[1] - 1


def accumulate(products, mode):
    total, added, bits = 0.0, bounds.instruction(mode), bounds.fraction_bits(mode)
    for start in range(0, len(products), added):
        terms = [total] + products[start:start + added]
        largest = max(exponent_of(term) for term in terms if term) if any(terms) else 0
        total = math.fsum(cut(term, largest, bits) for term in terms)
        total = cut(total, exponent_of(total), bits) if total else 0.0
    return total


def promoted(products, mode):
    return sum(accumulate(products[start:start + bounds.BLOCK], mode) for start in range(0, len(products), bounds.BLOCK))


def distances(mode, k, elements, lost=0):
    """Of random elements in units of the bound; `lost` products at the end are left out."""
    generator, found = random.Random(k), []
    for _ in range(elements):
        products = [operand(generator, mode) * operand(generator, mode) for _ in range(k)]
        magnitude = math.sqrt(math.fsum(product * product for product in products))
        result = (promoted if mode in ("block", *shapes.PROMOTED) else accumulate)(products[:k - lost], mode)
        found.append(abs(result - math.fsum(products)) / (bounds.relative_bound(mode, k) * magnitude))
    return max(found), math.sqrt(math.fsum(distance * distance for distance in found) / elements)


for mode, k, elements in (("tensor", 31, 200), ("tensor", 128, 200), ("tensor", 1000, 100), ("tensor", 4096, 50),
                          ("block", 128, 200), ("block", 1000, 100), ("block", 4096, 50), ("tensor_promoted", 1000, 100), ("bf16", 128, 200),
                          ("bf16", 1000, 100), ("bf16", 4096, 50)):
    largest, mean = distances(mode, k, elements)
    single, together = bounds.limits(elements)
    assert largest <= single and mean <= together, (mode, k, largest, mean)
    # A bound that is never neared would find little.
    assert k < 128 or mean > 0.03, (mode, k, mean)
    lost_largest, lost_mean = distances(mode, k, elements, lost=min(k, bounds.BLOCK) // 2)
    assert lost_largest > single and lost_mean > together, (mode, k, lost_largest, lost_mean)
