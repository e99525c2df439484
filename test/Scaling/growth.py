# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks that time grows with the graph and not faster, and that weights are not copied.
"""usage: growth.py SCRATCH time|memory [MIB]

time: ten times the layers may take 25 times the processor time. Linear growth is ten times, and up to 15 on a machine
whose caches others use; quadratic growth is a hundred.
memory: a graph with one constant weight of MIB (64 if not given), as bytecode, may take little more memory than the file.
Making it from text takes four times the weight.
"""
import pathlib
import subprocess
import sys

import benchmark

LAYERS, FACTOR, MOST = 6, 10, 25
ROWS_PER_MIB, COLUMNS, REST = 128, 4096, 48 << 20  # of bf16


def command(source, scratch):
    return ["fp8-opt", source, "--recipe=mxfp8", "--mlir-timing", "-o", f"{scratch}.out"]


def processor_time(scratch, layers):
    """The lesser of two runs: what else runs on the machine only adds."""
    benchmark.write(scratch, [], layers)
    return min(benchmark.measure(command(f"{scratch}.linalg.mlir", scratch))[1] for _ in range(2))


def check_time(scratch):
    small, large = processor_time(scratch, LAYERS), processor_time(scratch, FACTOR * LAYERS)
    print(f"{LAYERS} layers {small:.2f} s, {FACTOR * LAYERS} layers {large:.2f} s")
    if large > MOST * small:
        sys.exit(f"expected at most {MOST} times the time for {FACTOR} times the layers, got {large / small:.1f} times")


def check_memory(scratch, mib):
    rows = ROWS_PER_MIB * mib
    weight, other = f"tensor<{rows}x{COLUMNS}xbf16>", f"tensor<{COLUMNS}x{rows}xbf16>"
    x, y = f"tensor<16x{COLUMNS}xbf16>", f"tensor<16x{rows}xf32>"
    text = f"""func.func @main(%x: {x}) -> {y} {{
  %w = arith.constant dense_resource<weight> : {weight}
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : {y}
  %init = linalg.fill ins(%zero : f32) outs(%empty : {y}) -> {y}
  %other = tensor.empty() : {other}
  %wt = linalg.transpose ins(%w : {weight}) outs(%other : {other}) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %wt : {x}, {other}) outs(%init : {y}) -> {y}
  return %y : {y}
}}
{{-# dialect_resources: {{ builtin: {{ weight: "0x04000000"""
    with open(f"{scratch}.mlir", "w") as file:
        file.write(text)
        # Row by row: the peak memory of a process counts that of its parent, which is this one.
        for _ in range(rows):
            file.write("803F" * COLUMNS)
        file.write('" } } #-}\n')
    subprocess.run(["fp8-opt", f"{scratch}.mlir", "--emit-bytecode", "-o", f"{scratch}.mlirbc"], check=True)
    size = pathlib.Path(f"{scratch}.mlirbc").stat().st_size
    _, processor, peak = benchmark.measure(command(f"{scratch}.mlirbc", scratch))
    print(f"file {size >> 20} MiB, peak {peak >> 20} MiB, processor {processor:.2f} s")
    for suffix in ("mlir", "mlirbc", "out"):
        pathlib.Path(f"{scratch}.{suffix}").unlink()
    if peak > size + REST:
        sys.exit(f"expected at most {(size + REST) >> 20} MiB of memory, got {peak >> 20}")


if __name__ == "__main__":
    check_time(sys.argv[1]) if sys.argv[2] == "time" else check_memory(sys.argv[1], int((sys.argv[3:] or ["64"])[0]))
