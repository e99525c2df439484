# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Converts every number there is on a GPU, through the quantizers per tensor, and compares the codes with a rule on integers that
# shares nothing with ours: all 2^32 patterns of f32 under a factor of one, all 2^16 of bf16 and f16 under many.
#
#   python3 convert_all.py TOOL PLANNED CUBIN
#
# The arguments are those of launch_quantizers.py.

import argparse
import pathlib

from exact_codes import FORMATS, exact_codes
from launch_quantizers import Kernels, find_gpu, finish, read_launches, torch

# A launch has so many rows of a panel.
COLUMNS, CHUNK = 128, 1 << 24
AMAXES = (448.0, 57344.0, 1.0, 0.37, 3.0e-5, 1.0e-30, 1.2e-38, 65504.0, 3.3e38, 12345.678)


def convert(kernels, launch, numbers, amax):
    """The codes of numbers, 128 to a row, row major."""
    rows = numbers.numel() // COLUMNS
    cell = torch.tensor([amax], dtype=torch.float32, device="cuda")
    codes = torch.full((rows, COLUMNS), 0xA5, dtype=torch.uint8, device="cuda")
    scale = torch.zeros(4, dtype=torch.float32, device="cuda")
    kernels.bind(launch.name, launch.blocks * rows // launch.rows, numbers, cell, codes, scale, rows, COLUMNS)()
    # The eight chunks of a row are exchanged by the row.
    eight = torch.arange(8, device="cuda")
    place = eight[:, None] ^ eight[None, :]
    return codes.view(-1, 8, 8, 16)[:, eight[:, None], place].reshape(-1)


def count(kernels, launch, name, numbers, amax):
    fraction, bias, largest, most = FORMATS[name]
    factor = torch.tensor(most, device="cuda") / torch.tensor(amax, device="cuda", dtype=torch.float32)
    factor = factor.clamp(max=torch.finfo(torch.float32).max)
    scaled = numbers.view(-1).float() * factor
    # One, so that the patterns are what is converted, NaN too.
    bits = (numbers if numbers.dtype == torch.float32 and float(factor) == 1 else scaled).view(torch.int32).long()
    wanted = exact_codes(torch, bits & 0xFFFFFFFF, fraction, bias, largest)
    return int((convert(kernels, launch, numbers, amax).long() != wanted).sum())


def check_singles(kernels, launches):
    wrong = 0
    for name, (_, _, _, most) in FORMATS.items():
        differences = 0
        for first in range(0, 1 << 32, CHUNK):
            patterns = torch.arange(first - (1 << 31), first - (1 << 31) + CHUNK, device="cuda").to(torch.int32)
            differences += count(kernels, launches[f"columns_{name}_f32"], name, patterns.view(torch.float32), most)
        print(f"f32 to {name}: 2^32 patterns, {differences} differ", flush=True)
        wrong += differences
    return wrong


def check_halves(kernels, launches):
    wrong = 0
    for name in FORMATS:
        for kind, number_type in (("bf16", torch.bfloat16), ("f16", torch.float16)):
            patterns = torch.arange(-(1 << 15), 1 << 15, device="cuda").to(torch.int16).view(number_type)
            differences = sum(count(kernels, launches[f"columns_{name}_{kind}"], name, patterns, amax) for amax in AMAXES)
            print(f"{kind} to {name}: 2^16 patterns, {len(AMAXES)} scales, {differences} differ", flush=True)
            wrong += differences
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("planned")
    parser.add_argument("cubin", type=pathlib.Path)
    options = parser.parse_args()
    gpu, launches = find_gpu(), {launch.name: launch for launch in read_launches(options.tool, options.planned, f"32x{COLUMNS}")}
    kernels = Kernels(gpu, options.cubin, launches.values())
    return 1 if check_singles(kernels, launches) + check_halves(kernels, launches) else 0


if __name__ == "__main__":
    finish(main)
