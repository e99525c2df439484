# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How fast the reference quantizes and dequantizes: bytes of f32 a second and core, by processor time, so that what else the
# machine does matters little. A program that runs its kernels several times is compared with one that runs them once; what it
# takes to compile, to make the arguments and to write results is in both.
#
#   quantize_benchmark.py SCRATCH [--rows N] [--columns N] [--times N] [--only TEXT]
#
# The quantizers stand in a function that the program calls: what stands in the program itself is counted as well.
import argparse
import json
import os
import resource
import subprocess

E4M3 = "f8E4M3FN"
SCHEMES = {
    "fp8 per tensor": f"#qt.scheme<{E4M3}, [#qt.scale<f32 per tensor by fdiv>]>",
    "fp8 E5M2 per tensor": "#qt.scheme<f8E5M2, [#qt.scale<f32 per tensor by fdiv>]>",
    "fp8 per row": f"#qt.scheme<{E4M3}, [#qt.scale<f32 per block [1, *] by fdiv>]>",
    "fp8 1x128": f"#qt.scheme<{E4M3}, [#qt.scale<f32 per block [1, 128] by fdiv>]>",
    "fp8 128x128": f"#qt.scheme<{E4M3}, [#qt.scale<f32 per block [128, 128] by fdiv>]>",
    "mxfp8": f"#qt.scheme<{E4M3}, [#qt.scale<f8E8M0FNU per block [1, 32] by rceil_mul>]>",
    "mxfp6": "#qt.scheme<f6E2M3FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>",
    "mxfp4": "#qt.scheme<f4E2M1FN, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>",
    "mxint8": "#qt.scheme<int8, [#qt.scale<f8E8M0FNU per block [1, 32] by floor>]>",
    "nvfp4": "#qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per block [1, 16] by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>",
}

QUANTIZE = """
func.func private @step(%x: tensor<{shape}xf32>, %old: tensor<{shape}xi8>) -> tensor<{shape}xi8> {{
  %q = qt.quantize %x : tensor<{shape}xf32> to !qt.tensor<{shape}xf32, #s>
  %c, {names} = qt.disassemble %q : !qt.tensor<{shape}xf32, #s> -> tensor<{shape}xi8>, {types}
  return %c : tensor<{shape}xi8>
}}
"""
# Codes of all values, under scales of one: what decoding costs does not depend on them.
DEQUANTIZE = """
func.func private @step(%x: tensor<{shape}xf32>, %old: tensor<{shape}xi8>) -> tensor<{shape}xi8> {{
{scales}
  %q = qt.assemble %old, {names} : tensor<{shape}xi8>, {types} -> !qt.tensor<{shape}xf32, #s>
  %y = qt.dequantize %q : !qt.tensor<{shape}xf32, #s> to tensor<{shape}xf32>
  %z = arith.constant 0 : index
  %one = tensor.extract %y[%z, %z] : tensor<{shape}xf32>
  %i = arith.fptosi %one : f32 to i8
  %next = tensor.insert %i into %old[%z, %z] : tensor<{shape}xi8>
  return %next : tensor<{shape}xi8>
}}
"""
MAIN = """
func.func @main(%x: tensor<{shape}xf32>) -> i8 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {times} : index
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<{shape}xi8>
  %f = linalg.fill ins(%zero : i8) outs(%e : tensor<{shape}xi8>) -> tensor<{shape}xi8>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%old = %f) -> tensor<{shape}xi8> {{
    %next = func.call @step(%x, %old) : (tensor<{shape}xf32>, tensor<{shape}xi8>) -> tensor<{shape}xi8>
    scf.yield %next : tensor<{shape}xi8>
  }}
  %v = tensor.extract %r[%c0, %c0] : tensor<{shape}xi8>
  return %v : i8
}}
"""


def scale_types(name, rows, columns):
    """The scale tensors of a scheme above, in order."""
    across = {"fp8 per row": (rows, 1), "fp8 1x128": (rows, columns // 128), "fp8 128x128": (rows // 128, columns // 128)}
    if name.startswith("mx"):
        return [f"tensor<{rows}x{columns // 32}xi8>"]
    if name == "nvfp4":
        return [f"tensor<{rows}x{columns // 16}xi8>", "tensor<f32>"]
    if name in across:
        return ["tensor<{}x{}xf32>".format(*across[name])]
    return ["tensor<f32>"]


def program(name, what, times, rows, columns):
    types = scale_types(name, rows, columns)
    names = [f"%s{i}" for i in range(len(types))]
    scales = "\n".join(f"  {n} = arith.constant dense<{'1.0' if 'f32' in t else '127' if name.startswith('mx') else '56'}> : {t}"
                       for n, t in zip(names, types))
    fields = {"shape": f"{rows}x{columns}", "names": ", ".join(names), "types": ", ".join(types), "scales": scales, "times": times}
    body = {"quantize": QUANTIZE, "dequantize": DEQUANTIZE}[what]
    return f"#s = {SCHEMES[name]}\n" + body.format(**fields) + MAIN.format(**fields)


def run(path):
    """Processor seconds of the process, and seconds on the clock of the program alone."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(["fp8-run", path, "--init=normal:1", "--json=-"], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(out.stdout[out.stdout.index("{"):])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, report["seconds"]["run"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scratch")
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--columns", type=int, default=4096)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    bytes_once = 4 * options.rows * options.columns
    print("| scheme | | GB/s a core | GB/s on the clock |\n|---|---|---:|---:|")
    for name in SCHEMES:
        for what in ("quantize", "dequantize"):
            if options.only not in f"{name} {what}":
                continue
            took = []
            for times in (1, 1 + options.times):
                path = f"{options.scratch}.{times}.mlir"
                with open(path, "w") as file:
                    file.write(program(name, what, times, options.rows, options.columns))
                took.append(run(path))
                os.remove(path)
            (processor, clock), (processors, clocks) = took
            rates = [options.times * bytes_once / max(t, 1e-9) / 1e9 for t in (processors - processor, clocks - clock)]
            print(f"| {name} | {what} | {rates[0]:.2f} | {rates[1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
