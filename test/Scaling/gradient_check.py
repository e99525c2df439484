# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the gradients of a generated graph with differences of its loss.
"""usage: gradient_check.py SCRATCH [--each] [flags of generate.py]

The parameters move along random directions; the loss must change as the gradients say, within 0.2 %. With --each every
parameter moves alone. The graph is in f32, so that rounding stays below the differences.
"""
import json
import pathlib
import random
import subprocess
import sys

import generate

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Run" / "Inputs"))
import tensors  # noqa: E402

STEP, TOLERANCE, DIRECTIONS = 2.0 ** -7, 2e-3, 2


def size(shape):
    return 1 if not shape else shape[0] * size(shape[1:])


def arguments_of(signature, vocabulary, source):
    arguments = {}
    for argument in signature["arguments"]:
        shape, count = argument["shape"], size(argument["shape"])
        if argument["kind"] == "input":
            values, dtype = [source.randrange(vocabulary) for _ in range(count)], "I64"
        else:
            spread, mean = (0.1, 1) if len(shape) == 1 else (shape[-1] ** -0.5, 0)
            values, dtype = [source.gauss(mean, spread) for _ in range(count)], "F32"
        arguments[argument["name"]] = (dtype, shape, values)
    return arguments


def run(graph, arguments):
    tensors.write(f"{graph}.args.safetensors", arguments)
    done = subprocess.run(["fp8-run", f"{graph}.linalg.mlir", f"--signature={graph}.json",
                           f"--args={graph}.args.safetensors", f"--out={graph}.out.safetensors"],
                          text=True, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr)
    return tensors.read(f"{graph}.out.safetensors")


def moved(arguments, direction, step):
    result = dict(arguments)
    for name, steps in direction.items():
        dtype, shape, values = arguments[name]
        result[name] = (dtype, shape, [value + step * d for value, d in zip(values, steps)])
    return result


def check(graph, arguments, gradients, names, source):
    """Moves the parameters `names`; the error relative to the sum of what each contributes."""
    direction, expected, scale = {}, 0, 0
    for name in names:
        gradient = gradients["grad." + name][2]
        norm = sum(value * value for value in gradient) ** 0.5
        # Half along the gradient, so that differences stand out, and half anywhere, so that every element counts.
        along = [value / norm + source.gauss(0, 1) / len(gradient) ** 0.5 for value in gradient]
        factor = source.choice([1, -1]) * source.uniform(0.5, 1.5) / norm
        direction[name] = [factor * value for value in along]
        part = sum(g * d for g, d in zip(gradient, direction[name]))
        expected, scale = expected + part, scale + abs(part)
    largest = max(sum(d * d for d in steps) ** 0.5 for steps in direction.values())
    step = STEP / largest
    loss = [run(graph, moved(arguments, direction, sign * step))["loss"][2][0] for sign in (1, -1)]
    return abs((loss[0] - loss[1]) / (2 * step) - expected) / scale


def main():
    each = "--each" in sys.argv
    options = generate.parser().parse_args([flag for flag in sys.argv[1:] if flag != "--each"] + ["--dtype=f32"])
    generate.write(options.out, options)
    signature = json.loads(pathlib.Path(f"{options.out}.json").read_text())
    source = random.Random(1)
    arguments = arguments_of(signature, options.vocabulary, source)
    gradients = run(options.out, arguments)
    names = [a["name"] for a in signature["arguments"] if a["kind"] == "parameter"]
    for group in [[name] for name in names] if each else [names] * DIRECTIONS:
        error = check(options.out, arguments, gradients, group, source)
        print(f"{', '.join(group) if each else len(group)}: off by {error:.1e}")
        if not error < TOLERANCE:
            sys.exit(f"expected the loss to change as the gradients say, got an error of {error:.2g}")


if __name__ == "__main__":
    main()
