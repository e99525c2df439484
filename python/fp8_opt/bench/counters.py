# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the GPU counts while products run: clocks, bytes of memory and how busy the matrix unit is, by Nsight Compute (ncu).

import csv
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

from .refusal import Refusal

# Names in records, and ncu's. One pass over a kernel has them all.
METRICS = {"clocks": "sm__cycles_elapsed.max", "nanoseconds": "gpu__time_duration.sum", "read_bytes": "dram__bytes_read.sum",
           "written_bytes": "dram__bytes_write.sum", "matrix_percent": "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"}
# Between two marks of the program; under the clock that the GPU chooses by itself; with empty caches.
OPTIONS = ["--csv", "--page=raw", "--print-units=base", "--profile-from-start=off", "--clock-control=none", "--cache-control=all"]
# Of each function of a product.
LAUNCHES = 3


def find_ncu(path=None):
    """On PATH or beside nvcc, where none is given."""
    if path:
        found = shutil.which(path)
    else:
        nvcc = shutil.which("nvcc")
        found = shutil.which("ncu") or nvcc and shutil.which("ncu", path=os.path.dirname(os.path.realpath(nvcc)))
    if not found:
        raise Refusal(f"expected Nsight Compute ({path}), got none" if path else
                      "expected Nsight Compute (ncu) on PATH or beside nvcc, got none")
    return found


def profile(ncu, command):
    """The rows of what a program launches between its marks."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        done = subprocess.run([ncu, *OPTIONS, f"--metrics={','.join(METRICS.values())}", f"--log-file={log}", *command],
                              capture_output=True, text=True)
        text = log.read_text() if log.exists() else ""
    errors = [line for line in (text + done.stdout).splitlines() if line.startswith("==ERROR==")]
    if errors or done.returncode:
        # Of a program that failed, ncu knows the status and the program the reason.
        reasons = [error for error in errors if "application returned" not in error] + done.stderr.strip().splitlines()[-1:] + errors
        raise Refusal(f"expected {ncu} to count, got: {reasons[0] if reasons else f'status {done.returncode}'}")
    return read_rows(text)


def read_rows(text):
    """Of ncu's log: a dictionary for each launch, of its function's name and METRICS; None for what is not counted."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    table = list(csv.DictReader(lines))
    missing = [metric for metric in METRICS.values() if metric not in (table[0] if table else ())]
    if missing:
        raise Refusal(f"expected ncu to leave {', '.join(missing)}, got no such column")
    # The first line has the units.
    return [{"function": row["Kernel Name"], **{name: number(row[metric]) for name, metric in METRICS.items()}} for row in table[1:]]


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def total(rows):
    """Of functions that run one after the other."""
    clocks = sum(row["clocks"] for row in rows)
    sums = {name: sum(row[name] for row in rows) for name in ("clocks", "nanoseconds", "read_bytes", "written_bytes")}
    busy = [row["matrix_percent"] for row in rows]
    return {**sums, "matrix_percent": None if None in busy else
            sum(row["matrix_percent"] * row["clocks"] for row in rows) / clocks}


def median(totals):
    totals = list(totals)
    return {name: None if None in values else statistics.median(values)
            for name, values in ((name, [each[name] for each in totals]) for name in totals[0])}


def split(rows, expected):
    """Of each of `expected`, functions of ours in the order of their launch: our rows, and the peer's, which lie behind them."""
    ours, rest = {function for functions in expected for function in functions}, rows
    for number, functions in enumerate(expected):
        mine, rest = rest[:len(functions)], rest[len(functions):]
        if [row["function"] for row in mine] != list(functions):
            raise Refusal(f"expected ncu to count {', '.join(functions)} as launch {number} of {len(expected)}, got "
                          f"{', '.join(row['function'] for row in mine) or 'none'}")
        end = next((place for place, row in enumerate(rest) if row["function"] in ours), len(rest))
        yield mine, rest[:end]
        rest = rest[end:]


def count(mode, products, rows):
    """A record for each product, a shape and the name of our kernel, of which LAUNCHES are counted."""
    launches = list(split(rows, [[name] for _, name in products for _ in range(LAUNCHES)]))
    for number, (shape, name) in enumerate(products):
        ours, peers = zip(*launches[number * LAUNCHES:(number + 1) * LAUNCHES])
        record = {"kind": "counters", "mode": mode, "kernel": name, "shape": shape, "ours": median(map(total, ours))}
        if all(peers):
            record.update(peer=median(map(total, peers)), peer_functions=[row["function"] for row in peers[0]])
        yield record
