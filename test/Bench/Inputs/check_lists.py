# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What holds of the lists of products.

import itertools
import types

from fp8_opt.bench import main, shapes
from fp8_opt.bench.refusal import Refusal

pairs = shapes.pairs()
assert len(pairs) == len(set(pairs)) == 100, len(pairs)
for first, second in ((0, 1), (0, 2), (1, 2)):
    found = {(shape[first], shape[second]) for shape in pairs}
    assert found == set(itertools.product(shapes.SIZES, repeat=2)), (first, second)
assert set(shapes.triples()) == set(itertools.product(shapes.SIZES, repeat=3))
assert len(shapes.checks(False)) == 120 and len(shapes.checks(True)) == 1020
assert not set(shapes.RAGGED) & set(shapes.triples())
# Rows that are not packed start at multiples of 16 bytes.
assert shapes.fits("block", (1, 1, 1)) and shapes.fits("bf16", (1, 1, 8)) and not shapes.fits("bf16", (8, 8, 1))
assert shapes.fits("bf16_dgrad", (1, 8, 8)) and not shapes.fits("bf16_dgrad", (8, 1, 8)) and not shapes.fits("bf16_dgrad", (8, 8, 1))
assert shapes.fits("bf16_wgrad", (8, 8, 1)) and not shapes.fits("bf16_wgrad", (1, 8, 8))
for mode in shapes.TRANSPOSED:
    assert all(shapes.fits(mode, shape) for shape in shapes.GEMM) and sum(shapes.fits(mode, shape) for shape in shapes.checks(False)) > 50

# Kernels of other types meet each size in M and in N, and none has the types of those that are timed.
for place in range(2):
    assert {shape[place] for shape in shapes.checks_of_groups("block")} >= set(shapes.SIZES), place
assert shapes.PLAIN not in shapes.TYPES and len(set(shapes.TYPES)) == len(shapes.TYPES)
assert all(max(shape) <= 192 for shape in shapes.SMALL)

entries = list(range(11))
parts = [shapes.part(entries, f"{number}/3") for number in (1, 2, 3)]
assert sorted(sum(parts, [])) == entries and max(map(len, parts)) - min(map(len, parts)) <= 1, parts
for text in ("0/3", "4/3", "1", "x/3"):
    try:
        shapes.part(entries, text)
    except ValueError:
        continue
    raise AssertionError(text)

# One kernel of a list, which has it; lists of shapes have none.
checked = [("tensor", "a", (1, 1, 1)), ("row", "b", (1, 1, 1)), ("tensor", "a", (2, 2, 2))]
for entries, kernel, count in ((checked, None, 3), (checked, "a", 2), (checked, "c", None), (shapes.GEMM, "a", None)):
    try:
        found = len(main.of_kernel(entries, types.SimpleNamespace(list="small", kernel=kernel)))
    except Refusal as refusal:
        assert str(refusal) == f"expected a kernel of the list 'small', got '{kernel}'", refusal
        found = None
    assert found == count, (kernel, found)

# Each kernel repeats; those of batches and groups, alone in their mode and grouping, meet a sanitizer too.
typed = list(shapes.TYPES[0])
listed = {"modes": {"tensor_1": "tensor", "tensor_2": "tensor", "tensor_rows_1": "tensor", "tensor_rows_2": "tensor", "bf16_batch_1": "bf16",
                    "typed": "tensor"}, "groupings": {"tensor_rows_1": "rows", "tensor_rows_2": "rows", "bf16_batch_1": "batch"},
          "types": {"typed": typed}, "forms": {"typed": "tensor_1"}}
assert {each[1] for each in main.entries_of(listed, "repeat")} == set(listed["modes"])
small = main.entries_of(listed, "small")
assert {each[1] for each in small} == {"tensor_1", "tensor_rows_1", "bf16_batch_1", "typed"}, small
assert {each[3] for each in small} == {None, "rows", "batch"} and {each[4] for each in small} == {shapes.PLAIN, shapes.TYPES[0]}
assert main.entries_of(listed, "forms") == list(shapes.GEMM)
forms = main.forms_of(listed, {"typed": 1, "tensor_1": 2}, None)
assert forms == [("tensor", 1, shapes.TYPES[0], 2)] and not main.forms_of(listed, {"typed": 1, "tensor_1": 2}, ["row"]), forms
