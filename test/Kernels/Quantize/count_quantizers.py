# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the GPU counts while quantizers and dequantizers of bf16 run: clocks and bytes of memory, by Nsight Compute, beside the bytes
# that each has to move.
#
#   python3 count_quantizers.py TOOL PLANNED CUBIN [--only NAME] [--size ROWSxCOLUMNS]
#
# The arguments are those of launch_quantizers.py, beside which this lies.

import argparse
import pathlib
import sys

from launch_quantizers import finish, measured, needed_bytes, read_launches
from fp8_opt.bench import counters


def main():
    parser = argparse.ArgumentParser()
    for name in ("tool", "planned", "cubin"):
        parser.add_argument(name)
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--size", default="8192x4096", help="ROWSxCOLUMNS")
    options = parser.parse_args()
    launches = measured(read_launches(options.tool, options.planned, options.size, options.only))
    expected = [[launch.amax] * (launch.amax != "-") + [launch.name] for launch in launches for _ in range(counters.LAUNCHES)]
    script = pathlib.Path(__file__).with_name("launch_quantizers.py")
    rows = counters.profile(counters.find_ncu(), [sys.executable, script, options.tool, options.planned, options.cubin,
                                                  f"--only={options.only}", f"--time={options.size}", f"--marked={counters.LAUNCHES}"])
    # Not PyTorch's, which clears the cell of an amax.
    ours = {name for names in expected for name in names}
    rows = [row for row in rows if row["function"] in ours]
    counted = [counters.total(mine) for mine, _ in counters.split(rows, expected)]
    print("| quantizer | clocks | MHz | MB read | MB written | MB needed |\n|---|---:|---:|---:|---:|---:|")
    for number, launch in enumerate(launches):
        taken = counters.median(counted[number * counters.LAUNCHES:(number + 1) * counters.LAUNCHES])
        moved = [f"{value / 1e6:.1f}" for value in (taken["read_bytes"], taken["written_bytes"], needed_bytes(launch))]
        print(f"| `{launch.name}` | {taken['clocks']:.0f} | {taken['clocks'] / taken['nanoseconds'] * 1e3:.0f} | {' | '.join(moved)} |")


if __name__ == "__main__":
    finish(main)
