# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What was measured, as tables in Markdown.

import math

from .peers import LIBRARIES
from .shapes import MODES


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


def lines(cells):
    return ["| " + " | ".join(row) + " |" for row in cells]


def peers_of(records):
    """What was timed beside ours: the library with its versions, by name in records."""
    versions = {"peer": {}}
    for record in records:
        for who, peer in record.get("peers", {}).items():
            versions.setdefault(who, {}).update({peer["version"]: None} if peer["version"] else {})
    return {who: " ".join([LIBRARIES[who], *of]) for who, of in versions.items()}


def row(record, peers):
    shape, times = record["shape"], record["milliseconds"]
    speed = {who: show(teraflops(shape, times[who]) if who in times else None, ".0f") for who in ("ours", *peers)}
    beside = [cell for who in peers for cell in (speed[who], show(ratio(record, who), ".3f"))]
    return [*map(str, shape), f"`{record['kernel']}`", speed["ours"], *beside, show(ratio(record, "control"), ".3f"),
            show(record["mhz"]), show(record["watts"])]


def refusals(records):
    """A line for each reason why a peer was not timed."""
    shapes = {}
    for record in records:
        for who, peer in record.get("peers", {}).items():
            if peer["refuses"]:
                shapes.setdefault((LIBRARIES[who], peer["refuses"]), []).append("x".join(map(str, record["shape"])))
    return [f"{library} at {'all' if len(of) == len(records) else ', '.join(of)}: {reason}" for (library, reason), of in shapes.items()]


def mode_table(mode, records):
    peers = peers_of(records)
    ratios = {who: [value for value in (ratio(record, who) for record in records) if value] for who in peers}
    means = [cell for who in peers for cell in ("", show(geometric_mean(ratios[who]) if ratios[who] else None, ".3f"))]
    beside = [cell for library in peers.values() for cell in (library, "ratio")]
    head = ["M", "N", "K", "kernel", "TFLOP/s", *beside, "control", "MHz", "W"]
    last = ["", "", "", "geometric mean, largest control", "", *means, spread(records), "", ""]
    rule = "|" + "---:|" * 3 + "---|" + "---:|" * (len(head) - 4)
    why = refusals(records)
    return [f"`{mode}`", "", *lines([head]), rule, *lines(row(record, peers) for record in records), *lines([last]), "", *why,
            *([""] if why else [])]


def counted(record, name, form=".0f", unit=1):
    """Ours and the peer's."""
    values = [record[who][name] if who in record else None for who in ("ours", "peer")]
    return [show(value if value is None else value / unit, form) for value in values]


def clocks_ratio(record):
    """How many clocks the peer takes for one of ours."""
    return record["peer"]["clocks"] / record["ours"]["clocks"] if "peer" in record else None


def counters_row(record):
    megahertz = [show(record[who]["clocks"] / record[who]["nanoseconds"] * 1e3, ".0f") if who in record else show(None)
                 for who in ("ours", "peer")]
    cells = [counted(record, "clocks"), [show(clocks_ratio(record), ".3f")], megahertz, counted(record, "matrix_percent"),
             counted(record, "read_bytes", unit=1e6), counted(record, "written_bytes", unit=1e6)]
    return [*map(str, record["shape"]), f"`{record['kernel']}`", *(value for pair in cells for value in pair)]


def counters_table(mode, records):
    ratios = [value for value in map(clocks_ratio, records) if value]
    peer = "cuBLASLt"
    head = ["M", "N", "K", "kernel", "clocks", peer, "ratio", "MHz", peer, "matrix unit %", peer, "MB read", peer, "MB written", peer]
    last = ["", "", "", "geometric mean", "", "", show(geometric_mean(ratios) if ratios else None, ".3f"), *[""] * 8]
    rule = "|" + "---:|" * 3 + "---|" + "---:|" * 11
    return [f"`{mode}`, counted", "", *lines([head]), rule, *lines(map(counters_row, records)), *lines([last]), ""]


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


def oracle_table(records):
    """A line for each mode."""
    cells = [[f"`{mode}`", str(len(mine)), str(sum(record["elements"] for record in mine)), f"{max(record['worst'] for record in mine):.1e}"]
             for mode in MODES if (mine := [record for record in records if record["mode"] == mode])]
    return [*lines([["oracle of", "products", "elements", "largest distance"]]), "|---|---:|---:|---:|", *lines(cells), ""]


def spread(records):
    """How far a kernel is from itself at most."""
    return "±" + show(max((abs(ratio(record, "control") - 1) for record in records if ratio(record, "control")), default=None), ".3f")


def form_table(records):
    """A line for each kernel, over all its shapes."""
    cells = []
    for name in dict.fromkeys(record["kernel"] for record in records):
        mine = [record for record in records if record["kernel"] == name]
        ratios = [value for value in (ratio(record, "row_major") for record in mine) if value]
        known = {what: [record[what] for record in mine if record[what]] for what in ("mhz", "watts")}
        cells.append([f"`{name}`", f"`{mine[0]['beside']}`", str(len(ratios)), show(geometric_mean(ratios) if ratios else None, ".3f"),
                      *(show(of(ratios) if ratios else None, ".3f") for of in (min, max)), spread(mine),
                      *(show(sum(values) / len(values) if values else None, ".0f") for values in known.values())])
    head = ["kernel", "row major, the same tile", "shapes", "ratio, geometric mean", "least", "most", "largest control", "MHz", "W"]
    return [*lines([head]), "|---|---|" + "---:|" * 7, *lines(cells), ""]


def quantizer_table(shape, records):
    """A line for each quantizer, beside a copy of as many bytes."""
    cells = []
    for record in records:
        times, size = record["milliseconds"], record["bytes"]
        cells.append([f"`{record['kernel']}`", show(size / 1e6, ".1f"), show(times["ours"] * 1e3, ".1f"),
                      *(show(size / times[who] / 1e9, ".3f") for who in ("ours", "copy")), show(ratio(record, "copy"), ".3f"),
                      show(ratio(record, "control"), ".3f"), show(record["mhz"]), show(record["watts"])])
    head = [f"quantizer, {'x'.join(map(str, shape))}", "MB", "us", "TB/s", "copy, TB/s", "ratio", "control", "MHz", "W"]
    last = [f"{len(records)}, largest control", "", "", "", "", "", spread(records), "", ""]
    return [*lines([head]), "|---|" + "---:|" * 8, *lines(cells), *lines([last]), ""]


def tables(records):
    """Of the records of any number of runs; of a product that was timed or counted several times, the last one."""
    text = []
    for kind, table in (("time", mode_table), ("counters", counters_table)):
        last = {(record["mode"], *record["shape"]): record for record in records if record["kind"] == kind}
        for mode in MODES:
            mine = [record for record in last.values() if record["mode"] == mode]
            text += table(mode, mine) if mine else []
    quantizers = {(*record["shape"], record["kernel"]): record for record in records if record["kind"] == "quantizer"}
    for shape in dict.fromkeys(tuple(record["shape"]) for record in quantizers.values()):
        text += quantizer_table(shape, [record for record in quantizers.values() if tuple(record["shape"]) == shape])
    for kind, table in (("form", form_table), ("check", check_table), ("oracle", oracle_table)):
        mine = [record for record in records if record["kind"] == kind]
        text += table(mine) if mine else []
    return "\n".join(text)
