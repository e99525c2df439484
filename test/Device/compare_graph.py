# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a small graph on a GPU and on the reference, and tells how far the results are apart.
"""usage: compare_graph.py GRAPH RECIPE [--rows=N ...] --work=FOLDER

Takes GRAPH.RECIPE.vmfb and GRAPH.RECIPE.graph (the same for the reference), and fp8-run beside this script. Arguments are normal; with
--rows, the first one has so many rows, once for each number. A result may differ by 1 % of its norm, one of norm 0 not at all.
"""
import argparse
import pathlib
import random
import struct
import sys

import tensors
from compare_step import read_errors, run

BOUND = 0.01
COLUMNS = 256


def write_rows(path, rows):
    draw = random.Random(rows)
    values = [struct.unpack("<I", struct.pack("<f", draw.gauss(0, 1)))[0] >> 16 for _ in range(rows * COLUMNS)]
    tensors.write(path, {"arg0": ("BF16", [rows, COLUMNS], values)})


def compare(base, work, *options):
    """How far the furthest result is from the reference."""
    run(f"{base}.graph", "--init=normal:1", f"--out={work}.reference", *options)
    run(f"{base}.vmfb", "--init=normal:1", f"--python={sys.executable}", f"--compare={work}.reference", f"--json={work}.json", *options)
    return max(each["rel_error"] for each in read_errors(f"{work}.json"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("recipe")
    parser.add_argument("--rows", type=int, action="append", default=[])
    parser.add_argument("--work", default=".", help="a folder for what is written")
    options = parser.parse_args()
    base = f"{options.graph}.{options.recipe}"
    work = f"{options.work}/{pathlib.Path(base).name}"
    told = {}
    for rows in options.rows:
        write_rows(f"{work}.args", rows)
        told[f"{rows} rows"] = compare(base, work, f"--args={work}.args")
    if not options.rows:
        told["furthest"] = compare(base, work)
    is_right = all(error <= BOUND for error in told.values())
    print(", ".join(f"{name} {100 * error:.2g} %" for name, error in told.items()) + ("" if is_right else ": BEYOND"))
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
