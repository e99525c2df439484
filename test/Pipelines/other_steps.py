# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles and runs one graph under every shipped recipe.
"""usage: other_steps.py GRAPH_WITHOUT_SUFFIX LINEAR_GEMMS SCRATCH

Under each recipe all GEMMs of block linears are quantized (none under bf16, where nothing changes a bit), and the loss
stays within 1 % of the unquantized one, 3 % with 4-bit codes. The steps `quantize` and `axes` give the same results.
"""
import filecmp
import json
import subprocess
import sys

RECIPES = {"bf16": 0, "fp8_current": 0.01, "fp8_block128": 0.01, "mxfp8": 0.01, "nvfp4": 0.03}


def run(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def main():
    graph, linears, scratch = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    for recipe, tolerance in RECIPES.items():
        for step in ("quantize", "axes"):
            run("fp8-opt", graph + ".linalg.mlir", f"--signature={graph}.json", f"--recipe={recipe}", f"--until={step}",
                f"--report={scratch}.report.json", "-o", f"{scratch}.{step}")
            run("fp8-run", f"{scratch}.{step}", f"--args={graph}.args.safetensors", "--compare=unquantized",
                f"--json={scratch}.json", f"--out={scratch}.{step}.safetensors")
        summary = json.load(open(f"{scratch}.report.json"))["summary"]
        wanted = 0 if recipe == "bf16" else linears
        if (summary["block_linears"], summary["block_linears_quantized"]) != (linears, wanted):
            sys.exit(f"{recipe}: expected {wanted} of {linears} GEMMs quantized, got {summary}")
        errors = [r["rel_error"] for r in json.load(open(f"{scratch}.json"))["results"]]
        worst = max(errors) if recipe == "bf16" else errors[0]
        if worst > tolerance:
            sys.exit(f"{recipe}: expected a relative error of at most {tolerance}, got {worst}")
        if not filecmp.cmp(f"{scratch}.quantize.safetensors", f"{scratch}.axes.safetensors", shallow=False):
            sys.exit(f"{recipe}: expected the same results at the steps quantize and axes")
        print(f"{recipe}: {wanted} of {linears}, loss {errors[0]:.2e}")


if __name__ == "__main__":
    main()
