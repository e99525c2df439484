# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Chains of equal blocks (matmul, bias, GELU, matmul, residual): time by pass, memory with constant weights, threads.
"""usage: chain.py SCRATCH steps|threads|table|constants [BLOCKS]

steps: four times the blocks (2048) may take seven times the processor time in each step, with the reading and writing around it,
and 60 seconds in all. Linear growth is four times, and up to five on a machine whose caches others use; quadratic growth of
the step itself is sixteen.
threads: the same bytes with one thread and with several.
table: seconds by pass for 8, 32, 128 and 512 blocks, for docs/Scaling.md.
constants: BLOCKS blocks with two constant weights of 64 MiB each, as bytecode: peak memory beside the size of the file.
"""
import filecmp
import os
import re
import subprocess
import sys

import benchmark

MOST = 7

BLOCK = """
  %a{n} = linalg.matmul ins(%x{n}, %w{n} : {x}, {w}) outs(%z : {f}) -> {f}
  %g{n} = linalg.generic {{indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]}} ins(%a{n}, %b : {f}, {bias}) outs(%e : {x}) {{
  ^bb0(%s{n}: f32, %t{n}: f32, %o{n}: bf16):
    %h{n} = arith.addf %s{n}, %t{n} : f32
    %i{n} = arith.mulf %h{n}, %root : f32
    %j{n} = math.erf %i{n} : f32
    %k{n} = arith.addf %j{n}, %one : f32
    %l{n} = arith.mulf %h{n}, %k{n} : f32
    %m{n} = arith.mulf %l{n}, %half : f32
    %n{n} = arith.truncf %m{n} : f32 to bf16
    linalg.yield %n{n} : bf16
  }} -> {x}
  %c{n} = linalg.matmul ins(%g{n}, %v{n} : {x}, {w}) outs(%z : {f}) -> {f}
  %x{m} = linalg.generic {{indexing_maps = [#ij, #ij, #ij], iterator_types = ["parallel", "parallel"]}} ins(%c{n}, %x{n} : {f}, {x}) outs(%e : {x}) {{
  ^bb0(%p{n}: f32, %q{n}: bf16, %r{n}: bf16):
    %u{n} = arith.truncf %p{n} : f32 to bf16
    %y{n} = arith.addf %u{n}, %q{n} : bf16
    linalg.yield %y{n} : bf16
  }} -> {x}
"""


def write(path, blocks, rows, width, resources):
    """Text of a chain; with `resources` its weights are constants of distinct bytes, else arguments."""
    x, w, f, bias = f"tensor<{rows}x{width}xbf16>", f"tensor<{width}x{width}xbf16>", f"tensor<{rows}x{width}xf32>", f"tensor<{width}xf32>"
    weights = [f"{letter}{n}" for n in range(blocks) for letter in "wv"]
    arguments = "" if resources else "".join(f", %{name}: {w}" for name in weights)
    with open(path, "w") as file:
        file.write("#ij = affine_map<(i, j) -> (i, j)>\n#j = affine_map<(i, j) -> (j)>\n")
        file.write(f"func.func @main(%x0: {x}, %b: {bias}{arguments}) -> {x} {{\n"
                   f"  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n  %half = arith.constant 0.5 : f32\n"
                   f"  %root = arith.constant 0.70710678 : f32\n  %e = tensor.empty() : {x}\n  %ez = tensor.empty() : {f}\n"
                   f"  %z = linalg.fill ins(%zero : f32) outs(%ez : {f}) -> {f}\n")
        for n in range(blocks):
            if resources:
                file.write("".join(f"  %{letter}{n} = arith.constant dense_resource<{letter}{n}> : {w}\n" for letter in "wv"))
            file.write(BLOCK.format(n=n, m=n + 1, x=x, w=w, f=f, bias=bias))
        file.write(f"  return %x{blocks} : {x}\n}}\n")
        if resources:
            file.write("{-# dialect_resources: { builtin: {\n")
            for number, name in enumerate(weights):
                file.write(f'{"," if number else ""}{name}: "0x04000000')
                for _ in range(width):
                    file.write(f"{number % 256:02X}3F" * width)
                file.write('"\n')
            file.write("} } #-}\n")


def compile_chain(scratch, blocks, *flags):
    """Seconds by pass (the names of passes that run several times are summed), processor seconds and peak bytes."""
    source = f"{scratch}.chain.mlir"
    write(source, blocks, 64, 256, resources=False)
    command = ["fp8-opt", source, "--recipe=mxfp8", "--mlir-timing", *flags, "-o", f"{scratch}.out"]
    before = os.times()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = os.times()
    os.remove(source)
    passes = {}
    for seconds, name in re.findall(r"^ +([0-9.]+) \( *[0-9.]+%\)  +(\S+)$", done.stderr, re.MULTILINE):
        passes[name] = passes.get(name, 0) + float(seconds)
    return passes, after.children_user + after.children_system - before.children_user - before.children_system


def step_processor_times(scratch, blocks):
    """Processor seconds of each step, from bytecode to bytecode. Of three runs the least counts: what else runs only adds."""
    source, start, times = f"{scratch}.chain.mlir", [], {}
    write(source, blocks, 64, 256, resources=False)
    for step in benchmark.STEPS[1:-1]:
        recipe = ["--recipe=mxfp8"] if step == "schemes" else []
        command = ["fp8-opt", source, *start, *recipe, f"--until={step}", "-o", f"{scratch}.{step}"]
        times[step] = min(benchmark.measure([*command, "--mlir-timing"])[1] for _ in range(3))
        os.remove(source)
        source, start = f"{scratch}.{step}", [f"--from={step}"]
    os.remove(source)
    return times


def check_steps(scratch):
    few, many = step_processor_times(scratch, 512), step_processor_times(scratch, 2048)
    for step in many:
        print(f"{step}: {few[step]:.2f} s, four times the blocks {many[step]:.2f} s, {many[step] / few[step]:.1f} times")
    if sum(many.values()) > 60:
        sys.exit(f"expected 2048 blocks in 60 seconds of one processor, got {sum(many.values()):.0f}")
    slow = [step for step in many if many[step] > MOST * few[step]]
    if slow:
        sys.exit(f"expected steps that take {MOST} times as long at most, got slower ones: {', '.join(slow)}")


def check_threads(scratch):
    compile_chain(scratch, 32)
    os.rename(f"{scratch}.out", f"{scratch}.several")
    compile_chain(scratch, 32, "--mlir-disable-threading")
    if not filecmp.cmp(f"{scratch}.out", f"{scratch}.several", shallow=False):
        sys.exit("expected the same bytes with one thread and with several, got others")
    print("equal")


def print_table(scratch):
    columns = {blocks: compile_chain(scratch, blocks) for blocks in (8, 32, 128, 512)}
    names = [name for name in columns[512][0] if columns[512][0][name] > 0.005]
    print(f"| seconds | {' | '.join(map(str, columns))} |\n|---|{'---:|' * len(columns)}")
    for name in names:
        print(f"| {name} | {' | '.join(f'{passes.get(name, 0):.3f}' for passes, _ in columns.values())} |")
    print(f"| processor | {' | '.join(f'{processor:.2f}' for _, processor in columns.values())} |")


def print_constants(scratch, blocks):
    text, source = f"{scratch}.chain.mlir", f"{scratch}.mlirbc"
    write(text, blocks, 64, 5792, resources=True)  # 2 * 5792 * 5792 is 64 MiB
    subprocess.run(["fp8-opt", text, "--emit-bytecode", "-o", source], check=True)
    os.remove(text)
    _, processor, peak = benchmark.measure(["fp8-opt", source, "--recipe=mxfp8", "--mlir-timing", "-o", f"{scratch}.out"])
    print(f"file {os.path.getsize(source) >> 20} MiB, peak {peak >> 20} MiB, processor {processor:.2f} s")
    os.remove(source)


if __name__ == "__main__":
    scratch, what = sys.argv[1:3]
    if what == "constants":
        print_constants(scratch, int(sys.argv[3]))
    else:
        {"steps": check_steps, "threads": check_threads, "table": print_table}[what](scratch)
