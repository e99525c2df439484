# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs one graph under shipped recipes.
"""Under each recipe all GEMMs of block linears are quantized, but for the products that the recipe keeps, and the loss
stays within 1 % of the unquantized one, 3 % with 4-bit codes. Under bf16 nothing is quantized and nothing changes a bit.
The steps `quantize`, `axes` and `fuse` give the same results.
"""
import argparse
import filecmp
import json
import subprocess
import sys

RECIPES = ["bf16", "fp8_current", "fp8_block128", "mxfp8", "nvfp4"]
LOSS = {"bf16": 0, "nvfp4": 0.03, "mxfp4": 0.03}  # 0.01 under the others
PRODUCTS = {"bf16": 0, "fp8_rowwise_gw_hp": 2}  # of three that are quantized; all under the others


def run(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def check_bits(recipe, graph, arguments, scratch, steps):
    """Runs a graph as it is after the steps, and compares the results with each other."""
    for step in steps:
        out = f"{scratch}.{step}.safetensors"
        run("fp8-opt", *graph, f"--recipe={recipe}", f"--until={step}", "-o", f"{scratch}.{step}")
        run("fp8-run", f"{scratch}.{step}", *arguments, f"--out={out}")
    for step in ["quantize", "axes"]:
        if not filecmp.cmp(f"{scratch}.{step}.safetensors", f"{scratch}.fuse.safetensors", shallow=False):
            sys.exit(f"{recipe}: expected the same results at the steps {step} and fuse of {graph[0]}")


def check_recipe(recipe, options, graph, arguments):
    scratch, linears, compiled = options.scratch, options.linears, options.scratch + ".compiled"
    run("fp8-opt", *graph, f"--recipe={recipe}", f"--report={scratch}.report.json", "-o", compiled)
    run("fp8-run", compiled, *arguments, f"--compare={scratch}.unquantized.safetensors", f"--json={scratch}.json",
        f"--out={scratch}.fuse.safetensors")
    summary = json.load(open(f"{scratch}.report.json"))["summary"]
    wanted = linears * PRODUCTS.get(recipe, 3) // 3
    if (summary["block_linears"], summary["block_linears_quantized"]) != (linears, wanted):
        sys.exit(f"{recipe}: expected {wanted} of {linears} GEMMs quantized, got {summary}")
    errors = [r["rel_error"] for r in json.load(open(f"{scratch}.json"))["results"]]
    tolerance = LOSS.get(recipe, 0.01)
    worst = max(errors) if recipe == "bf16" else errors[0]
    if worst > tolerance:
        sys.exit(f"{recipe}: expected a relative error of at most {tolerance}, got {worst}")
    print(f"{recipe}: {wanted} of {linears}, loss {errors[0]:.2e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph", help="path of the graph, without .linalg.mlir")
    parser.add_argument("linears", type=int, help="how many GEMMs of block linears it has")
    parser.add_argument("scratch", help="where files go")
    parser.add_argument("--recipes", nargs="+", default=RECIPES)
    parser.add_argument("--bits-of", metavar="GRAPH", help="compare the steps on this smaller graph, to save time")
    options = parser.parse_args()
    arguments = [f"--args={options.graph}.args.safetensors"]
    graph = [options.graph + ".linalg.mlir", f"--signature={options.graph}.json"]
    run("fp8-opt", *graph, "--until=import", "-o", options.scratch + ".imported")
    run("fp8-run", options.scratch + ".imported", *arguments, f"--out={options.scratch}.unquantized.safetensors")
    for recipe in options.recipes:
        check_recipe(recipe, options, graph, arguments)
        if options.bits_of:
            check_bits(recipe, [options.bits_of], ["--init=normal:7"], options.scratch, ["quantize", "axes", "fuse"])
        else:
            check_bits(recipe, graph, arguments, options.scratch, ["quantize", "axes"])


if __name__ == "__main__":
    main()
