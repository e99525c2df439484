# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What was measured, as tables in Markdown.

import math

from .shapes import MODES

HEAD = ["M", "N", "K", "kernel", "TFLOP/s", "cuBLASLt", "ratio", "control", "MHz", "W"]


def teraflops(shape, milliseconds):
    m, n, k = shape
    return 2 * m * n * k / milliseconds / 1e9


def geometric_mean(numbers):
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def ratio(record, of):
    """How many times as fast as the other our kernel is."""
    times = record["milliseconds"]
    return times[of] / times["ours"] if "ours" in times and of in times else None


def show(value, form=""):
    return "–" if value is None else format(value, form)


def row(record):
    shape, times = record["shape"], record["milliseconds"]
    speeds = [show(teraflops(shape, times[who]) if who in times else None, ".0f") for who in ("ours", "peer")]
    ratios = [show(ratio(record, of), ".3f") for of in ("peer", "control")]
    return [*map(str, shape), f"`{record['kernel']}`", *speeds, *ratios, show(record["mhz"]), show(record["watts"])]


def lines(cells):
    return ["| " + " | ".join(row) + " |" for row in cells]


def mode_table(mode, records):
    ratios = [value for value in (ratio(record, "peer") for record in records) if value]
    spread = max((abs(ratio(record, "control") - 1) for record in records if ratio(record, "control")), default=None)
    mean = geometric_mean(ratios) if ratios else None
    last = ["", "", "", "geometric mean, largest control", "", "", show(mean, ".3f"), "±" + show(spread, ".3f"), "", ""]
    rule = "|" + "---:|" * 3 + "---|" + "---:|" * 6
    return [f"`{mode}`", "", *lines([HEAD]), rule, *lines(map(row, records)), *lines([last]), ""]


def check_table(records):
    """A line for each kernel."""
    cells = []
    for name in dict.fromkeys(record["kernel"] for record in records):
        mine = [record for record in records if record["kernel"] == name]
        wrong = sum(bool(record["problems"]) for record in mine)
        distances = [f"{max(record[what] for record in mine):.2f}" for what in ("worst", "mean")]
        cells.append([f"`{name}`", str(len(mine)), str(wrong), *distances])
    return [*lines([["kernel", "products", "wrong", "largest distance", "largest mean distance"]]), "|---|---:|---:|---:|---:|",
            *lines(cells), ""]


def tables(records):
    """Of the records of any number of runs; of a product that was timed several times, the last one."""
    text = []
    timed = {(record["mode"], *record["shape"]): record for record in records if record["kind"] == "time"}
    for mode in MODES:
        mine = [record for record in timed.values() if record["mode"] == mode]
        text += mode_table(mode, mine) if mine else []
    checked = [record for record in records if record["kind"] == "check"]
    return "\n".join(text + (check_table(checked) if checked else []))
