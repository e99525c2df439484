# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks that sizes known at run time only change nothing in the memory plan.
"""usage: dynamic_plan.py SCRATCH [FLAG...]

Generates a training graph with these flags twice, with static sizes and with dynamic ones, compiles both under each recipe,
and compares them tensor by tensor: the form chosen, the forms rejected, and the bytes that keeping the value takes, where the
dynamic graph counts one token; and how often tensors are read to be quantized.
"""
import json
import pathlib
import subprocess
import sys

GENERATE = pathlib.Path(__file__).resolve().parent / "generate.py"
RECIPES = ["nvfp4", "mxfp8", "fp8_current", "fp8_block128"]
TOKENS = 2 * 32  # the default batch and sequence of the generator


def write(out, flags):
    subprocess.run([sys.executable, GENERATE, out, *flags], check=True, stdout=subprocess.DEVNULL)


def report(out, recipe):
    subprocess.run(["fp8-opt", f"{out}.linalg.mlir", f"--signature={out}.json", f"--recipe={recipe}",
                    f"--report={out}.report.json", "-o", f"{out}.out"], check=True, stderr=subprocess.DEVNULL)
    return json.loads(pathlib.Path(f"{out}.report.json").read_text())


def forms(tensor):
    return tensor["form"], sorted(cost["form"] for cost in tensor["rejected"])


def kept_as_value(tensor):
    """What the value takes where it is kept for the backward half."""
    return next((cost["kept"] for cost in [tensor, *tensor["rejected"]] if cost["form"] == "again"), 0)


def compare(recipe, static, dynamic):
    reads, expected = (of["traffic"]["fused"]["reads"] for of in (dynamic, static))
    if reads != expected:
        sys.exit(f"{recipe}: {reads} reads with dynamic sizes, {expected} with static ones")
    static, dynamic = (of["plan"]["tensors"] for of in (static, dynamic))
    if len(static) != len(dynamic) or not static:
        sys.exit(f"{recipe}: {len(static)} tensors with static sizes, {len(dynamic)} with dynamic ones")
    wrong = []
    for ours, twin in zip(dynamic, static):
        name = ours.get("label", ours["type"])
        if name != twin.get("label", twin["type"]) and "label" in ours:
            wrong.append(f"{name}: beside {twin.get('label')}")
        elif forms(ours) != forms(twin):
            wrong.append(f"{name}: {ours['form']} with dynamic sizes, {twin['form']} with static ones")
        elif kept_as_value(ours) * TOKENS != kept_as_value(twin):
            wrong.append(f"{name}: {kept_as_value(ours)} bytes a token, {kept_as_value(twin)} in all")
    if wrong:
        sys.exit(f"{recipe}:\n" + "\n".join(wrong))
    print(f"{recipe}: {len(static)} tensors alike, {reads} reads")


def main():
    scratch, flags = sys.argv[1], sys.argv[2:]
    write(f"{scratch}.static", flags)
    write(f"{scratch}.dynamic", [*flags, "--dynamic"])
    for recipe in RECIPES:
        compare(recipe, report(f"{scratch}.static", recipe), report(f"{scratch}.dynamic", recipe))


if __name__ == "__main__":
    main()
