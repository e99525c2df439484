# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What holds of the plan of every graph under every recipe.
"""usage: plan_keeps_less.py FOLDER SCRATCH

For each NAME.linalg.mlir in the folder, with its NAME.json, and each recipe of the library:

 - the plan keeps no more bytes than the program without a plan;
 - no codes of a weight that is an argument are kept: the weight is there anyway;
 - the form that was chosen keeps no more than each that was rejected;
 - what the whole program keeps, counted in the program, changes by what the tensors of the plan keep instead of their values, or by
   more where a value that only moves elements of others, which the plan does not count, is made again.

And for three recipes: common subexpression elimination after the plan changes what is kept only by what the graph itself computes
twice and elimination merges, which is as much as without a plan.
"""
import json
import pathlib
import re
import subprocess
import sys

RECIPES_WITH_CSE = ["fp8_current", "mxfp8", "deepseek_v3"]


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    return done.stdout


def kept(path, *passes):
    """Bytes that a program keeps as it stands, after passes."""
    text = run("fp8-opt", path, *passes, "--qt-match-operand-axes")
    return int(re.search(r"#qt.plan<kept = \d+ of (\d+)", text).group(1))


def check_plan(name, plan):
    if plan["kept"]["planned"] > plan["kept"]["unplanned"]:
        sys.exit(f"{name}: keeps more than without a plan: {plan['kept']}")
    for tensor in plan["tensors"]:
        if tensor.get("role") == "weight" and tensor["form"] not in ("again", "single", "one_pass", "recomputed"):
            sys.exit(f"{name}: keeps codes of a weight: {tensor}")
        if any(other["kept"] < tensor["kept"] for other in tensor["rejected"]):
            sys.exit(f"{name}: a form that keeps less was rejected: {tensor}")


    values = sum(form["kept"] for tensor in plan["tensors"] for form in [tensor] + tensor["rejected"] if form["form"] == "again")
    codes = sum(tensor["kept"] for tensor in plan["tensors"])
    if plan["kept"]["unplanned"] - values < plan["kept"]["planned"] - codes:
        sys.exit(f"{name}: {values} bytes of values become {codes} of codes, but in all {plan['kept']} are kept")


def main():
    folder, scratch = pathlib.Path(sys.argv[1]), sys.argv[2]
    recipes = [line.split()[0] for line in run("fp8-opt", "--list-recipes").splitlines()]
    plans = saved = crossing = 0
    for graph in sorted(folder.glob("*.linalg.mlir")):
        options = [graph, f"--signature={str(graph).removesuffix('.linalg.mlir')}.json"]
        run("fp8-opt", *options, "--recipe=mxfp8", "--until=quantize", "-o", f"{scratch}.quantize")
        before = kept(f"{scratch}.quantize", "--cse") - kept(f"{scratch}.quantize")
        for recipe in recipes:
            report = f"{scratch}.json"
            run("fp8-opt", *options, f"--recipe={recipe}", "--until=axes", f"--report={report}", "-o", f"{scratch}.axes")
            plan = json.loads(pathlib.Path(report).read_text())["plan"]
            check_plan(f"{graph.name}, {recipe}", plan)
            plans += 1
            saved += plan["kept"]["planned"] < plan["kept"]["unplanned"]
            crossing += any(tensor["kept"] > 0 for tensor in plan["tensors"])
            if recipe not in RECIPES_WITH_CSE:
                continue
            after = kept(f"{scratch}.axes", "--cse") - plan["kept"]["planned"]
            if before != after:
                sys.exit(f"{graph.name}, {recipe}: elimination of common subexpressions changes what is kept by "
                         f"{after} bytes after the plan, by {before} without one")
    print(f"{plans} plans hold, {saved} keep less than none, {crossing} keep codes")


if __name__ == "__main__":
    main()
