# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The kernels of the lists, assembled into a folder that can be carried to a machine with a GPU.

import json
import pathlib
import re
import shutil
import subprocess
import sys

from . import shapes
from .refusal import Refusal

SCALES = "!qtile.global<f32>"
SIZES = "%m: i32, %n: i32, %k: i32"
SCALINGS = {"block": ("block_1x128", "block_128x128"), "wgrad": ("block_1x128", "block_1x128"), "row": ("row", "row")}
CHOSEN = re.compile(r"qtile\.kernel @(\w+)\(.* schedule (#qtile\.schedule<[^>]*>)")


def kernel_text(name, mode, target, likely=None, schedule=None, types=shapes.PLAIN):
    """A kernel in qtile, for some likely sizes or under a given schedule."""
    first, second, result = (f"!qtile.global<{element}>" for element in types)
    if mode == "tensor":
        arguments = f"%a: {first}, %b: {second}, %alpha: {SCALES}"
        operands = "%a as tensor, %b as tensor alpha %alpha"
    else:
        arguments = f"%a: {first}, %sa: {SCALES}, %b: {second}, %sb: {SCALES}"
        operands = "%a as {} by %sa, %b as {} by %sb".format(*SCALINGS[mode])
    under = f" schedule {schedule}" if schedule else ""
    sizes = f" likely {list(likely)}" if likely else ""
    return (f"qtile.kernel @{name}({arguments}, %d: {result}, {SIZES}) on @{target}{under} {{\n"
            f"  qtile.gemm {operands} into %d sizes(%m, %n, %k){sizes}\n    : {first}, {second} -> {result}\n"
            "  qtile.return\n}\n")


def key(mode, shape):
    return mode + "_" + "_".join(map(str, shape))


def run(command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        raise Refusal(f"expected a program '{command[0]}', got none") from None
    if done.returncode:
        raise Refusal(f"expected '{command[0]}' to make kernels, got:\n{done.stderr.strip()}")
    return done.stdout


def products():
    """Mode and shape of everything that is timed."""
    return [(mode, shape) for mode in shapes.MODES for listed in shapes.TIMED.values() for shape in listed]


def typed():
    """The kernels of other types than those that are timed: name to mode and types."""
    return {"_".join((mode, *types)): (mode, types) for mode in shapes.MODES for types in shapes.TYPES}


def choose(fp8_opt, target):
    """The schedule of each mode and shape, and of each kernel of other types."""
    text = "".join(kernel_text(key(mode, shape), mode, target, likely=shape) for mode, shape in products())
    text += "".join(kernel_text(name, mode, target, likely=shapes.GEMM[0], types=types)
                    for name, (mode, types) in typed().items())
    output = run([fp8_opt, f"--qtile-load-target=name={target}", "--qtile-choose-schedule", "-"], text)
    return dict(CHOSEN.findall(output))


def module_text(fp8_opt, target, kernels, schedules):
    """The kernels under their schedules, beside the target that these are held against."""
    module = run([fp8_opt, f"--qtile-load-target=name={target}", "-"], "")
    scheduled = [kernel_text(name, mode, target, schedule=schedule) for name, (mode, schedule) in kernels.items()]
    scheduled += [kernel_text(name, mode, target, schedule=schedules[name], types=types)
                  for name, (mode, types) in typed().items()]
    return module.rstrip().removesuffix("}") + "".join(scheduled) + "}\n"


def name_kernels(schedules):
    """One kernel for each schedule of a mode, named after its tile: name to mode and schedule, and key to name."""
    kernels, chosen = {}, {}
    for mode, shape in products():
        schedule = schedules[key(mode, shape)]
        rows, columns = re.search(r"tile = \[(\d+), (\d+)\]", schedule).groups()
        name = base = f"{mode}_{rows}x{columns}"
        number = 1
        while kernels.get(name, (mode, schedule)) != (mode, schedule):
            number += 1
            name = f"{base}_{number}"
        kernels[name] = (mode, schedule)
        chosen[key(mode, shape)] = name
    return kernels, chosen


def prepare(folder, options):
    """Writes kernels.mlir, kernels.cubin, kernels.json (the report), chosen.json, and this program."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    schedules = choose(options.fp8_opt, options.target)
    kernels, chosen = name_kernels(schedules)
    (folder / "kernels.mlir").write_text(module_text(options.fp8_opt, options.target, kernels, schedules))
    assembler = [f"--ptxas={options.ptxas}"] if options.ptxas else []
    run([options.fp8_translate, "--nvvm-to-cubin", f"--target={options.target}", "--strict", *assembler,
         f"--report={folder / 'kernels.json'}", str(folder / "kernels.mlir"), "-o", str(folder / "kernels.cubin")])
    listed = {"modes": {name: mode for name, (mode, _) in kernels.items()}, "chosen": chosen, "types": typed()}
    (folder / "chosen.json").write_text(json.dumps(listed, indent=2) + "\n")
    program = pathlib.Path(sys.argv[0])
    if program.is_file() and program.resolve() != (folder / program.name).resolve():
        shutil.copy(program, folder)
    print(f"{len(kernels)} kernels for {len(chosen)} products and {len(typed())} of other types in {folder}")
