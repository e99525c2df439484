# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Measures how the compiler's time and memory grow with the graph.
"""usage: benchmark.py SCRATCH [--recipe=mxfp8] [--ops=1000,10000,100000] [--generic] [--most=1.1]

Generates training graphs of about so many ops and compiles each through all graph steps. Prints a table in Markdown:
seconds of each step on the clock, from --mlir-timing; seconds of processor time and peak memory of the whole process. Below
are the exponents e of the best fits time = ops^e and memory = ops^e, over all graphs and over those of the last decade, which
have at least a tenth of the ops of the largest. Ends with status 1 if the exponent over all graphs is above --most, of
processor time or of memory. fp8-opt is taken from PATH.
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
    """The slope of log value over log ops, by least squares; a time below what the clock shows counts as that."""
    xs, ys = zip(*((math.log(ops), math.log(max(value, 1e-4))) for ops, value in points))
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def last_decade(points):
    """Those of the largest graph and of graphs down to a tenth of it; how many ops a graph gets is not exact."""
    return [(ops, value) for ops, value in points if ops * 10.5 >= points[-1][0]]


def report_exponents(points, most):
    """Prints a line for all graphs and one for the last decade. Returns what grows faster than it may."""
    if len(points["processor"]) < 2:
        return []
    every = {column: exponent(of) for column, of in points.items()}
    print(f"| exponent, all | | {' | '.join(f'{e:.2f}' for e in every.values())} |")
    if len(last_decade(points["processor"])) > 1:
        print(f"| exponent, last decade | | {' | '.join(f'{exponent(last_decade(of)):.2f}' for of in points.values())} |")
    return [f"{column} grows as ops^{every[column]:.2f}" for column in ("processor", "memory") if every[column] > most]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scratch", help="path of files to write, without suffix")
    parser.add_argument("--recipe", default="mxfp8")
    parser.add_argument("--ops", default="1000,10000,100000", type=lambda text: sorted(int(n) for n in text.split(",")))
    parser.add_argument("--generic", action="store_true")
    parser.add_argument("--most", default=1.1, type=float, help="the largest exponent over all graphs")
    options = parser.parse_args()
    flags = ["--generic"] if options.generic else []
    columns = [*STEPS, "processor"]
    print(f"| ops | layers | {' | '.join(columns)} | peak MB |\n|{'---:|' * (len(columns) + 3)}")
    points = {column: [] for column in [*columns, "memory"]}
    for wanted in options.ops:
        layers = layers_for(wanted, options.scratch, flags)
        ops = write(options.scratch, flags, layers)
        times, processor, peak = measure(
            ["fp8-opt", f"{options.scratch}.linalg.mlir", f"--signature={options.scratch}.json",
             f"--recipe={options.recipe}", "--mlir-timing", "-o", f"{options.scratch}.out"])
        times["processor"] = processor
        print(f"| {ops} | {layers} | {' | '.join(f'{times[c]:.2f}' for c in columns)} | {peak / 1e6:.0f} |", flush=True)
        for column in columns:
            points[column].append((ops, times[column]))
        points["memory"].append((ops, peak))
    if faster := report_exponents(points, options.most):
        sys.exit(f"{' and '.join(faster)}, expected at most {options.most}")


if __name__ == "__main__":
    main()
