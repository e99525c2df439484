# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel's result against the exact product, and what else must hold of it.

from . import bounds
from .groups import Groups
from .operands import Operands
from .shapes import TRANSPOSED
from .stacks import Stack

# Elements before and behind a result that no kernel may touch, and launches whose bits must agree.
GUARD, REPEATS = 64, 3
# Rows of a large product that are compared, of all columns.
ROWS = 256


class Result:
    """An [m, n] matrix of bf16 or f32 that is all NaN, or what a kernel adds to, between guards of NaN; its rows of these
    ranges are a kernel's."""

    def __init__(self, torch, m, n, device, element, ranges, addend=None):
        self.torch, self.m, self.n, self.addend = torch, m, n, addend
        number, self.word = {"bf16": (torch.bfloat16, torch.int16), "f32": (torch.float32, torch.int32)}[element]
        self.whole = torch.empty(2 * GUARD + m * n, dtype=number, device=device)
        self.matrix = self.whole[GUARD:GUARD + m * n].view(m, n)
        self.is_written = torch.zeros(m, dtype=torch.bool, device=device)
        for first, count in ranges:
            self.is_written[first:first + count] = True
        self.poison()

    def poison(self):
        self.whole.fill_(float("nan"))
        self.untouched = self.bits()[:GUARD].clone()
        if self.addend is not None:
            self.matrix.copy_(self.addend)

    def bits(self):
        return self.whole.view(self.word)

    def problems(self):
        bits = self.bits()
        if not all(bool((guard == self.untouched).all()) for guard in (bits[:GUARD], bits[-GUARD:])):
            yield "writes outside of the result"
        if not bool((self.matrix.view(self.word)[~self.is_written] == self.untouched[0]).all()):
            yield "writes to rows of no product"
        if not bool(self.torch.isfinite(self.matrix[self.is_written]).all()):
            yield "elements that are not finite, or were not written"


def distance(operands, mode, matrix, rows):
    """The largest and the root mean square distance from the exact product, in units of the bound."""
    exact, magnitude = operands.exact(mode, rows)
    if operands.addend is not None:
        exact = exact + operands.addend[rows]
    bound = bounds.relative_bound(mode, operands.shape[2]) * magnitude + bounds.rounding_bound(operands.result) * exact.abs()
    # An element whose products are all zero is zero.
    ratio = ((matrix[rows].double() - exact).abs() / bound.clamp(min=1e-300))
    return ratio.max().item(), ratio.square().mean().sqrt().item(), ratio.numel()


def compare(operands, mode, matrix, rows):
    """What is wrong with the elements, and both distances."""
    worst, mean, elements = distance(operands, mode, matrix, rows)
    worst_limit, mean_limit = bounds.limits(elements)
    problems = []
    if not worst <= worst_limit:
        problems.append(f"an element {worst:.3g} bounds away, expected at most {worst_limit}")
    if not mean <= mean_limit:
        problems.append(f"elements {mean:.3g} bounds away in the root mean square, expected at most {mean_limit:.3g}")
    return problems, {"worst": worst, "mean": mean}


def some_rows(torch, m, device):
    """All rows of a small result; of a large one some, the first and the last ones among them."""
    if m <= 2 * ROWS:
        return torch.arange(m, device=device)
    inside = torch.linspace(0, m - 1, ROWS, device=device).long()
    return inside


def check(kernel, mode, operands, stream, synchronize, rows=None, repeats=REPEATS):
    """Runs a kernel on poisoned memory several times; a record with `problems`, empty where all is well. `rows` of
    each product are compared, all where there are none given."""
    torch, (_, n, _) = operands.torch, operands.shape
    ranges = [(part.first, part.operands.shape[0]) for part in operands.parts]
    result = Result(torch, operands.result_rows, n, operands.device, operands.result, ranges, operands.addend)
    launch = kernel.bind(*operands.arguments(mode, result.matrix))
    problems, first = [], None
    for _ in range(1 + repeats):
        result.poison()
        launch(stream)
        synchronize()
        if first is None:
            problems += result.problems()
            first = result.bits().clone()
        elif not bool((result.bits() == first).all()):
            problems.append("other bits when it runs again")
            break
    worst = mean = 0
    for part in operands.parts:
        count = part.operands.shape[0]
        if not count:
            continue
        compared = torch.arange(count, device=operands.device) if rows is None else rows
        wrong, distances = compare(part.operands, mode, result.matrix[part.first:part.first + count], compared)
        problems += wrong
        worst, mean = max(worst, distances["worst"]), max(mean, distances["mean"])
    return {"kind": "check", "mode": mode, "kernel": kernel.name, "shape": list(operands.shape), "worst": worst,
            "mean": mean, "problems": problems}


def operands_of(mode, shape, seed, device, grouping, types):
    if not grouping:
        return Operands(shape, seed, device, types)
    return Stack(mode, shape, seed, device) if mode in TRANSPOSED else Groups(grouping, shape, seed, device)


def run_checks(entries, kernels, gpu, write, repeats):
    """Each entry is a mode, a kernel's name, a shape, a grouping or None, and types."""
    for number, (mode, name, shape, grouping, types) in enumerate(entries):
        operands = operands_of(mode, shape, number, gpu.device, grouping, types)
        write(check(kernels[name], mode, operands, gpu.stream(), gpu.synchronize, repeats=repeats))
