# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Times a step on a GPU: by the clock of the host, and in kernels of each class, by CUPTI through PyTorch.
"""usage: time_step.py GRAPH RECIPE [--unquantized] [--steps=20] [--profiled=5]

Takes GRAPH.RECIPE.vmfb, and GRAPH.json, the signature: arguments are random as those of fp8-run --init are. Prints milliseconds of each
kernel of ours, and a line of all. `--unquantized` times the program beside it, which IREE computes without a kernel of ours.
One program a process: the profiler takes a function for one that was at its address before.
"""
import argparse
import collections
import json
import math
import pathlib
import statistics
import warnings

import torch
from torch.profiler import ProfilerActivity, profile

import run_iree

# A kernel of ours by the beginning of its name; what is none is IREE's.
ELEMENTS = {"bfloat16": "BF16", "float16": "F16", "float32": "F32", "int64": "I64"}
CLASSES = {"products": ("gemm",), "quantizers": ("quantize", "requantize", "dequantize", "amax")}


def class_of(kernel):
    return next((name for name, starts in CLASSES.items() if kernel.startswith(starts)), "IREE's")


def random_arguments(signature):
    """Element name, shape and bytes of each argument."""
    torch.manual_seed(1)
    for argument in json.loads(signature.read_text())["arguments"]:
        shape, element = argument["shape"], argument["dtype"]
        numbers = torch.randn(shape) if element != "int64" else torch.zeros(shape)
        if argument["kind"] == "parameter":
            numbers = numbers / math.sqrt(shape[-1]) if len(shape) >= 2 else 1 + 0.1 * numbers
        numbers = numbers.to(getattr(torch, element)).contiguous()
        yield ELEMENTS[element], shape, memoryview(numbers.view(torch.uint8).numpy()).cast("B")


def time_step(path, arguments, function, options):
    """Milliseconds: the median step, and the mean of each class."""
    module = run_iree.Module(path)
    module.start(function)
    values = [module.argument(*argument) for argument in arguments]
    module.call(function, values)
    taken = [module.call(function, values)[1][0] for _ in range(options.steps)]
    with profile(activities=[ProfilerActivity.CUDA]) as seen:
        for _ in range(options.profiled):
            module.call(function, values)
        torch.cuda.synchronize()
    kernels = collections.Counter()
    for event in seen.events():
        if event.device_type == torch.autograd.DeviceType.CUDA:
            kernels[event.name] += event.device_time_total / 1e3 / options.profiled
    return 1e3 * statistics.median(taken), kernels


def by_class(kernels):
    spent = dict.fromkeys((*CLASSES, "IREE's"), 0.0)
    for kernel, milliseconds in kernels.items():
        spent[class_of(kernel)] += milliseconds
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph")
    parser.add_argument("recipe")
    parser.add_argument("--unquantized", action="store_true")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--profiled", type=int, default=5)
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    warnings.simplefilter("ignore")  # the profiler's, of cycles that are not used
    arguments = random_arguments(pathlib.Path(f"{options.graph}.json"))
    step, kernels = time_step(f"{options.graph}.{options.recipe}.vmfb", arguments,
                              "main_unquantized" if options.unquantized else "main", options)
    for kernel, milliseconds in kernels.items():
        if class_of(kernel) != "IREE's":
            print(f"{milliseconds:8.3f} {kernel}")
    print(f"step {step:.2f} ms: " + ", ".join(f"{name} {value:.2f}" for name, value in by_class(kernels).items()))


if __name__ == "__main__":
    main()
