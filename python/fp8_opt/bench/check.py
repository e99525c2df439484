# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel's result against the exact product, and what else must hold of it.

import math

from . import bounds, layouts
from .groups import Groups
from .operands import NAN_CODE, Operands
from .shapes import TRANSPOSED
from .stacks import Stack

# Elements before and behind a result that no kernel may touch, and launches whose bits must agree.
GUARD, REPEATS = 64, 3
# Rows of a large product that are compared, of all columns.
ROWS = 256


class Result:
    """An [m, n] matrix that is all NaN, or what a kernel adds to, between guards of NaN; its rows of these ranges are a
    kernel's. Row major, or in panels with padding."""

    def __init__(self, operands, ranges):
        torch = self.torch = operands.torch
        self.m, self.n, self.addend, self.scale = operands.result_rows, operands.shape[1], operands.addend, operands.scale
        self.number, self.word, self.nan = {
            "bf16": (torch.bfloat16, torch.int16, 0x7fc0), "f16": (torch.float16, torch.int16, 0x7e00), "f32": (torch.float32, torch.int32, 0x7fc00000),
            "f8E4M3FN": (torch.float8_e4m3fn, torch.uint8, NAN_CODE),
            "f8E5M2": (torch.float8_e5m2, torch.uint8, NAN_CODE)}[operands.result]
        self.in_panels = operands.types.into_panels
        # Panels are of bytes.
        size = torch.empty((), dtype=self.number).element_size()
        self.sizes = (self.m, self.n * size)
        self.shape = layouts.stored_shape("panels", self.sizes) if self.in_panels else self.sizes
        count = math.prod(self.shape) // size
        self.words = torch.empty(2 * GUARD + count, dtype=self.word, device=operands.device)
        self.stored = self.words[GUARD:GUARD + count].view(self.number)
        if not self.in_panels:
            self.stored = self.stored.view(self.m, self.n)
        self.is_written = torch.zeros(self.m, dtype=torch.bool, device=operands.device)
        for first, count in ranges:
            self.is_written[first:first + count] = True
        self.poison()

    def poison(self):
        self.words.fill_(self.nan)
        if self.addend is not None:
            self.stored.copy_(self.addend)

    def padded(self):
        """Rows of words with what is stored around the matrix."""
        if not self.in_panels:
            return self.stored.view(self.word)
        return layouts.unpack(self.stored.view(self.torch.uint8).view(self.shape), "panels", self.sizes).view(self.word)

    def matrix(self):
        """The numbers."""
        numbers = self.padded()[:self.m, :self.n].contiguous().view(self.number)
        return numbers if self.scale is None else numbers.double() * self.scale.double()

    def problems(self):
        if not all(bool((guard == self.nan).all()) for guard in (self.words[:GUARD], self.words[-GUARD:])):
            yield "writes outside of the result"
        padded, numbers = self.padded(), self.matrix()
        if not bool((padded[:self.m][~self.is_written] == self.nan).all() and (padded[self.m:] == self.nan).all()):
            yield "writes to rows of no product"
        if bool(padded[:self.m, self.n:][self.is_written].any()):
            yield "padding of panels that is not zero"
        if not bool(self.torch.isfinite(numbers[self.is_written]).all()):
            yield "elements that are not finite, or were not written"


def distance(operands, mode, matrix, rows):
    """The largest and the root mean square distance from the exact product, in units of the bound."""
    exact, bound = operands.expected(mode, rows)
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
    torch = operands.torch
    ranges = [(part.first, part.operands.shape[0]) for part in operands.parts]
    result = Result(operands, ranges)
    launch = kernel.bind(*operands.arguments(mode, result.stored))
    problems, first = [], None
    for _ in range(1 + repeats):
        result.poison()
        launch(stream)
        synchronize()
        if first is None:
            problems += result.problems()
            first = result.words.clone()
        elif not bool((result.words == first).all()):
            problems.append("other bits when it runs again")
            break
    worst, mean, matrix = 0, 0, result.matrix()
    for part in operands.parts:
        count = part.operands.shape[0]
        if not count:
            continue
        compared = torch.arange(count, device=operands.device) if rows is None else rows
        wrong, distances = compare(part.operands, mode, matrix[part.first:part.first + count], compared)
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
