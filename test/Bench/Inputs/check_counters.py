# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Which launches are a product's, and what becomes of their sums.

import os
import pathlib
import sys
import tempfile

from fp8_opt.bench import counters, table
from fp8_opt.bench.refusal import Refusal

PRODUCTS = [((8, 8, 8), "tensor_64x64"), ((16, 8, 8), "tensor_64x64")]


def row(function, clocks, busy=50.0):
    return {"function": function, "clocks": clocks, "nanoseconds": clocks / 2, "read_bytes": 10, "written_bytes": 1,
            "matrix_percent": busy}


def expect_refusal(text, call):
    try:
        call()
    except Refusal as refusal:
        assert text in str(refusal), refusal
    else:
        raise AssertionError(f"expected a refusal: {text}")


# The first product has a peer of two functions, the second none; the median of the launches counts.
rows = [each for clocks in (3, 1, 2) for each in (row("tensor_64x64", clocks), row("multiply", 4, 100.0), row("add", 4, 0.0))]
rows += [row("tensor_64x64", 5, None)] * counters.LAUNCHES
first, second = counters.count("tensor", PRODUCTS, rows)
assert first["ours"] == {"clocks": 2, "nanoseconds": 1, "read_bytes": 10, "written_bytes": 1, "matrix_percent": 50}, first
assert first["peer"] == {"clocks": 8, "nanoseconds": 4, "read_bytes": 20, "written_bytes": 2, "matrix_percent": 50}, first
assert first["peer_functions"] == ["multiply", "add"]
assert "peer" not in second and second["ours"]["matrix_percent"] is None
lines = table.tables([first, second]).splitlines()
assert "| 8 | 8 | 8 | `tensor_64x64` | 2 | 8 | 4.000 | 2000 | 2000 | 50 | 50 | 0 | 0 | 0 | 0 |" in lines, lines
assert "| 16 | 8 | 8 | `tensor_64x64` | 5 | – | – | 2000 | – | – | – | 0 | – | 0 | – |" in lines, lines

expect_refusal("expected ncu to count tensor_64x64 as launch 5 of 6, got none", lambda: list(counters.count("tensor", PRODUCTS, rows[:-1])))
expect_refusal("as launch 0 of 6, got multiply", lambda: list(counters.count("tensor", PRODUCTS, rows[1:])))

# A metric that the GPU does not have is a column of n/a.
log = pathlib.Path(sys.argv[1]).read_text()
assert [each["function"] for each in counters.read_rows(log)][::2] == ["block_256x128"] * 3
assert counters.read_rows(log.replace('"87.10"', '"n/a"'))[0]["matrix_percent"] is None
expect_refusal("expected ncu to leave sm__cycles_elapsed.max, got no such column",
               lambda: counters.read_rows(log.replace("sm__cycles_elapsed.max", "other")))
expect_refusal("expected ncu to leave", lambda: counters.read_rows("==WARNING== No kernels were profiled.\n"))

os.environ["PATH"] = ""
expect_refusal("expected Nsight Compute (ncu) on PATH or beside nvcc, got none", counters.find_ncu)
with tempfile.TemporaryDirectory() as folder:
    toolkit, on_path = pathlib.Path(folder).resolve() / "toolkit", pathlib.Path(folder) / "bin"
    for each in (toolkit, on_path):
        each.mkdir()
    for name in ("ncu", "nvcc"):
        (toolkit / name).touch(mode=0o755)
    (on_path / "nvcc").symlink_to(toolkit / "nvcc")
    os.environ["PATH"] = str(on_path)
    assert counters.find_ncu() == str(toolkit / "ncu")
