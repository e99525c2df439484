# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a training step on a GPU and on the reference, and tells how far the results are apart.
"""usage: compare_step.py GRAPH RECIPE [--bound=PART] --work=FOLDER

Takes GRAPH.RECIPE.vmfb, GRAPH.RECIPE.graph (the same for the reference) and GRAPH.args.safetensors, and fp8-run beside this script. The
loss may differ by 0.2 %; gradients, all together in norm, by the bound, 4 % where none is given (prepare_checks.py says of which graphs another
one is). Where that is exceeded the graph is
asked how much it makes of a rounding: the reference runs again with the last bit that bf16 keeps turned over in every
hundredth element of the arguments, and the bound is 1.5 times of what that moves, if more.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys

from tensors import turn_last_bits

HERE = pathlib.Path(__file__).resolve().parent
LOSS, GRADIENTS, SENSITIVITIES = 0.002, 0.04, 1.5


def run(program, *options):
    done = subprocess.run([str(word) for word in (HERE / "fp8-run", program, *options)], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{program}: {done.stderr.strip() or done.returncode}")


def read_errors(told):
    """What fp8-run --json said of each result that has elements; an error that is not finite is infinite."""
    results = [each for each in json.loads(pathlib.Path(told).read_text())["results"] if "rel_error" in each]
    return [{**each, "rel_error": math.inf if each["rel_error"] is None else each["rel_error"]} for each in results]


class Step:
    def __init__(self, graph, recipe, work):
        self.base, self.arguments = f"{graph}.{recipe}", f"{graph}.args.safetensors"
        self.work = f"{work}/{pathlib.Path(graph).name}.{recipe}"

    def run(self, program, arguments, *options):
        run(f"{self.base}.{program}", f"--args={arguments}", *options)

    def compare(self, program, arguments):
        """How far the loss, all gradients together, and the furthest gradient are from the reference."""
        told = f"{self.work}.json"
        self.run(program, arguments, f"--python={sys.executable}", f"--compare={self.work}.reference", f"--json={told}")
        results = read_errors(told)
        gradients = [each for each in results if "x" in each["type"]]
        loss = max(each["rel_error"] for each in results if "x" not in each["type"])
        norms = [each["reference_norm"] for each in gradients]
        apart = [each["rel_error"] * each["reference_norm"] for each in gradients]
        return loss, math.hypot(*apart) / math.hypot(*norms), max(each["rel_error"] for each in gradients)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("recipe")
    parser.add_argument("--work", default=".", help="a folder for what is written")
    parser.add_argument("--bound", type=float, default=GRADIENTS, help=f"of the gradients, as a part of their norm (default: {GRADIENTS})")
    options = parser.parse_args()
    step = Step(options.graph, options.recipe, options.work)
    step.run("graph", step.arguments, f"--out={step.work}.reference")
    loss, gradients, furthest = step.compare("vmfb", step.arguments)
    bound = options.bound
    why = ""
    if not gradients <= bound:
        turned = f"{step.work}.turned"
        turn_last_bits(step.arguments, turned, every=100)
        moved = step.compare("graph", turned)[1]
        bound = max(bound, SENSITIVITIES * moved)
        why = f", as bits turned over make {100 * moved:.2g} %"
        os.remove(turned)
    os.remove(f"{step.work}.reference")
    is_right = loss <= LOSS and gradients <= bound
    print(f"loss {100 * loss:.2g} %, gradients {100 * gradients:.2g} % (bound {100 * bound:.2g} %{why}), furthest {100 * furthest:.2g} %"
          + ("" if is_right else ": BEYOND"))
    sys.exit(0 if is_right else 1)


if __name__ == "__main__":
    main()
