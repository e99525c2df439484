# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the results of a generated graph at each depth, bit for bit.
"""usage: depths.py SCRATCH RECIPE[,RECIPE...] [flags of generate.py]

Compiles the graph, in f32, under each recipe up to the steps quantize, axes and fuse, and runs all three on the same arguments. The
bytes of their results must be equal, and other ones than those of the unquantized graph.
"""
import json
import pathlib
import random
import subprocess
import sys

import generate
from gradient_check import arguments_of, tensors

DEPTHS = ["quantize", "axes", "fuse"]


def called(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}:\n{done.stderr}")


def results(program, arguments, *flags):
    """The bytes of all results."""
    called("fp8-run", program, f"--args={arguments}", f"--out={program}.safetensors", *flags)
    return pathlib.Path(f"{program}.safetensors").read_bytes()


def main():
    recipes = sys.argv.pop(2).split(",")
    options = generate.parser().parse_args(sys.argv[1:] + ["--dtype=f32"])
    generate.write(options.out, options)
    signature, arguments = f"{options.out}.json", f"{options.out}.args.safetensors"
    described = json.loads(pathlib.Path(signature).read_text())
    tensors.write(arguments, arguments_of(described, options.vocabulary, random.Random(1)))
    for recipe in recipes:
        programs = {step: f"{options.out}.{recipe}.{step}" for step in DEPTHS}
        for step, program in programs.items():
            called("fp8-opt", f"{options.out}.linalg.mlir", f"--signature={signature}", f"--recipe={recipe}", f"--until={step}",
                   "-o", program)
        got = [results(program, arguments) for program in programs.values()]
        different = [step for step, bits in zip(DEPTHS, got) if bits != got[0]]
        if different:
            sys.exit(f"{recipe}: expected the results at {DEPTHS[0]}, got others at {', '.join(different)}")
        if results(programs["fuse"], arguments, "--function=main_unquantized") == got[0]:
            sys.exit(f"{recipe}: expected other results than those of the unquantized graph, got the same")
        print(f"{recipe}: {len(DEPTHS)} depths alike")


if __name__ == "__main__":
    main()
