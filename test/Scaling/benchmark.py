# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures how the compiler's time and memory grow with the graph.
"""usage: benchmark.py SCRATCH [--recipe=mxfp8] [--ops=1000,10000,100000] [--generic]

Generates training graphs of about so many ops and compiles each through all graph steps. Prints a table in Markdown:
seconds of each step on the clock, from --mlir-timing; seconds of processor time and peak memory of the whole process; and
the exponent e for which time = ops^e fits best over the graphs above 5000 ops. fp8-opt is taken from PATH.
"""
import argparse
import math
import os
import pathlib
import re
import subprocess
import sys

GENERATE = pathlib.Path(__file__).resolve().parent / "generate.py"
STEPS = ["parse", "import", "roles", "schemes", "quantize", "axes", "fuse", "write"]
LINE = re.compile(r"^\s*(\d+\.\d+) \(.*%\)\s+(\w+)$", re.MULTILINE)


def step_times(timing):
    """Seconds by step. A step ends with the pass that verifies its stage."""
    times, current = dict.fromkeys(STEPS, 0.0), iter(STEPS[1:])
    step = next(current)
    for seconds, name in LINE.findall(timing):
        if name in ("Parser", "Output"):
            times["parse" if name == "Parser" else "write"] += float(seconds)
        elif name.endswith("Pass"):
            times[step] += float(seconds)
            if name == "VerifyStagePass":
                step = next(current)
    return times


def measure(command):
    """Seconds by step, processor time, and peak memory in bytes, of one run of the compiler."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        log = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)}\n{log[-4000:]}")
    return step_times(log), usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def layers_for(ops, scratch, flags):
    """How many layers have about so many ops."""
    counts = [write(scratch, flags, layers) for layers in (1, 2)]
    return max(1, round((ops - counts[0]) / (counts[1] - counts[0])) + 1)


def write(scratch, flags, layers):
    """How many ops the graph has. Another process writes it: the peak memory of a process counts that of its parent."""
    done = subprocess.run([sys.executable, GENERATE, scratch, f"--layers={layers}", *flags], check=True, text=True,
                          capture_output=True)
    return int(done.stdout.split()[-2])


def exponent(points):
    """The slope of log time over log ops, by least squares."""
    if len(points) < 2:
        return None
    xs, ys = zip(*((math.log(ops), math.log(max(time, 1e-4))) for ops, time in points))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scratch", help="path of files to write, without suffix")
    parser.add_argument("--recipe", default="mxfp8")
    parser.add_argument("--ops", default="1000,10000,100000", type=lambda text: [int(n) for n in text.split(",")])
    parser.add_argument("--generic", action="store_true")
    options = parser.parse_args()
    flags = ["--generic"] if options.generic else []
    columns = [*STEPS, "processor"]
    print(f"| ops | layers | {' | '.join(columns)} | peak MB |\n|{'---:|' * (len(columns) + 3)}")
    points = {column: [] for column in columns}
    for wanted in options.ops:
        layers = layers_for(wanted, options.scratch, flags)
        ops = write(options.scratch, flags, layers)
        times, processor, peak = measure(
            ["fp8-opt", f"{options.scratch}.linalg.mlir", f"--signature={options.scratch}.json",
             f"--recipe={options.recipe}", "--mlir-timing", "-o", f"{options.scratch}.out"])
        times["processor"] = processor
        print(f"| {ops} | {layers} | {' | '.join(f'{times[c]:.2f}' for c in columns)} | {peak / 1e6:.0f} |", flush=True)
        for column in columns:
            if ops > 5000:
                points[column].append((ops, times[column]))
    if len(points["processor"]) > 1:
        print(f"| exponent | | {' | '.join(f'{exponent(points[c]):.2f}' for c in columns)} | |")


if __name__ == "__main__":
    main()
