# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The oracle that kernels are compared with on a GPU, on NumPy's arrays, against sums of integers; and these against the reference
# that fp8-run computes, where its sums are exact. usage: check_oracle.py FOLDER

import fractions
import itertools
import pathlib
import random
import subprocess
import sys

import numpy
import tensors

from fp8_opt.bench import exact, oracle

SHAPE = M, N, K = 129, 130, 257
ROWS, SIDES = (M, N), "ab"
BOXES = {"row": ("[1, *]", "[1, *]"), "block": ("[1, 128]", "[128, 128]"), "wgrad": ("[1, 128]", "[1, 128]")}
FORM = "f8E4M3FN"
CODES = [code for code in range(256) if exact.decode(code, FORM) is not None]
# Codes and scales whose products f32 adds exactly: K multiples of 2^-8, of at most 2^8.
FEW, POWERS = [code for code in CODES if 0.125 <= abs(exact.decode(code, FORM)) <= 8 and code % 4 == 0], (0.5, 1.0, 2.0)
pick = random.Random(1)


def random_codes(codes):
    return [[[pick.choice(codes) for _ in range(K)] for _ in range(rows)] for rows in ROWS]


def decoded(matrices):
    return [[[exact.decode(code, FORM) for code in row] for row in matrix] for matrix in matrices]


def random_scales(mode, scale):
    """Rows of scales of A and of B; their last place says how many there are."""
    last = [place(rows - 1, K - 1) for place, rows in zip(exact.PLACES[mode], ROWS)] if mode in exact.PLACES else [(0, 0)] * 2
    return [[[scale() for _ in range(column + 1)] for _ in range(row + 1)] for row, column in last]


def oracle_of(mode, numbers, scales):
    a, b = map(numpy.array, numbers)
    first, second = map(numpy.array, scales)
    if mode == "tensor":
        return lambda rows: oracle.product(a[rows] * first, b * second)
    of_a, of_b = oracle.BOXES[mode]
    return lambda rows: oracle.product(oracle.scaled(a[rows], first, of_a, rows), oracle.scaled(b, second, of_b, range(N)))


def check_oracle(mode):
    numbers = decoded(random_codes(CODES))
    scales = random_scales(mode, lambda: float(numpy.float32(pick.uniform(0.5, 1.5))))

    def away(of_oracle):
        return exact.compare(mode, SHAPE, lambda side, row: numbers[side][row], scales, oracle_of(mode, numbers, of_oracle), seed=1)
    assert away(scales) <= exact.LIMIT, (mode, away(scales))
    # Scales that lie elsewhere are found.
    for side, axis in itertools.product(range(2), range(2)):
        moved = list(scales)
        moved[side] = numpy.roll(scales[side], 1, axis).tolist()
        assert moved == scales or away(moved) > 1e-3, (mode, side, axis)


class Graph:
    """A function with what it takes and returns."""

    def __init__(self):
        self.arguments, self.tensors, self.lines, self.results = [], {}, [], []

    def argument(self, dtype, element, matrix):
        """Its name and type."""
        rows, columns, name = len(matrix), len(matrix[0]), f"arg{len(self.arguments)}"
        self.tensors[name] = (dtype, [rows, columns], list(itertools.chain(*matrix)))
        self.arguments.append(f"%{name}: tensor<{rows}x{columns}x{element}>")
        return f"%{name}", f"tensor<{rows}x{columns}x{element}>"

    def add(self, line, kind):
        """A value of the line, and its type."""
        self.lines.append(f"%v{len(self.lines)} = {line} {kind}")
        return f"%v{len(self.lines) - 1}", kind

    def assemble(self, codes, scales, box, form=FORM):
        shape = codes[1].removeprefix("tensor<").removesuffix("xi8>")
        scheme = f"#qt.scheme<{form}, [#qt.scale<f32 per block {box} by fdiv>]>"
        return self.add(f"qt.assemble {codes[0]}, {scales[0]} : {codes[1]}, {scales[1]} ->", f"!qt.tensor<{shape}xf32, {scheme}>")

    def run(self, folder):
        """The values of the results."""
        folder.mkdir(parents=True, exist_ok=True)
        names, kinds = map(", ".join, zip(*self.results))
        body = "\n  ".join([*self.lines, f"return {names} : {kinds}"])
        (folder / "graph.mlir").write_text(f"func.func @main({', '.join(self.arguments)}) -> ({kinds}) {{\n  {body}\n}}\n")
        tensors.write(folder / "args.safetensors", self.tensors)
        subprocess.run(["fp8-run", folder / "graph.mlir", f"--args={folder / 'args.safetensors'}",
                        f"--out={folder / 'out.safetensors'}"], check=True, stdout=subprocess.DEVNULL)
        got = tensors.read(folder / "out.safetensors")
        return [got[f"result{number}"][2] for number in range(len(self.results))]


def signed(matrix):
    return [[code - 256 * (code > 127) for code in row] for row in matrix]


def check_reference(folder):
    """Products in each mode and of bf16, and all codes."""
    graph, matrices = Graph(), random_codes(FEW)
    numbers, scales_of = decoded(matrices), {mode: random_scales(mode, lambda: pick.choice(POWERS)) for mode in BOXES}
    codes = [graph.argument("I8", "i8", signed(matrix)) for matrix in matrices]
    for mode, boxes in BOXES.items():
        operands = [graph.assemble(code, graph.argument("F32", "f32", scales), box)
                    for code, scales, box in zip(codes, scales_of[mode], boxes)]
        (a, b), kinds = zip(*operands)
        graph.results.append(graph.add(f"qt.matmul {a}, {b} : {', '.join(kinds)} ->", f"tensor<{M}x{N}xf32>"))
    # A bf16 is the upper half of an f32.
    (x, y), kinds = zip(*(graph.argument("BF16", "bf16", (numpy.array(of, dtype=numpy.float32).view(numpy.uint32) >> 16).tolist())
                          for of in numbers))
    zero, into = graph.add("arith.constant dense<0.0> :", f"tensor<{M}x{N}xf32>")
    maps = ", ".join(f"affine_map<(m, n, k) -> ({dims})>" for dims in ("m, k", "n, k", "m, n"))
    graph.results.append(graph.add(f"linalg.contract indexing_maps = [{maps}] ins({x}, {y} : {', '.join(kinds)}) "
                                   f"outs({zero} : {into}) ->", into))
    scales_of["bf16"] = [[[1.0]], [[1.0]]]
    every, one = graph.argument("I8", "i8", signed([range(256)])), graph.argument("F32", "f32", [[1.0]])
    for form in (FORM, "f8E5M2"):
        value, kind = graph.assemble(every, one, "[1, *]", form)
        graph.results.append(graph.add(f"qt.dequantize {value} : {kind} to", "tensor<1x256xf32>"))

    *products, of_e4m3, of_e5m2 = graph.run(folder)
    for (mode, scales), got in zip(scales_of.items(), products):
        for row, column in itertools.product(range(0, M, 4), range(0, N, 3)):
            total, _ = exact.element(mode, row, column, numbers[0][row], numbers[1][column], scales)
            wanted = fractions.Fraction(total, 2 ** (4 * exact.POINT))
            assert fractions.Fraction(got[row * N + column]) == wanted, (mode, row, column)
    for form, got in ((FORM, of_e4m3), ("f8E5M2", of_e5m2)):
        for code, number in enumerate(got):
            wanted = exact.decode(code, form)
            assert number == wanted or wanted is None and not numpy.isfinite(number), (form, code)
    halves = {"bf16": (numpy.arange(1 << 16, dtype=numpy.uint32) << 16).view(numpy.float32),
              "f16": numpy.arange(1 << 16, dtype=numpy.uint16).view(numpy.float16)}
    for form, numbers_of in halves.items():
        for word, number in enumerate(numbers_of.tolist()):
            wanted = exact.decode(word, form)
            assert number == wanted or wanted is None and not numpy.isfinite(number), (form, word)


for mode in ("tensor", *exact.PLACES):
    check_oracle(mode)
check_reference(pathlib.Path(sys.argv[1]))
