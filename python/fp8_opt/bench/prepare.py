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
import typing

from . import shapes
from .refusal import Refusal

SCALES, MAPS, BOUNDS = (f"!qtile.global<{element}>" for element in ("f32", "i8", "i32"))
SIZES = "%m: i32, %n: i32, %k: i32"
SCALINGS = {"block": ("block_1x128", "block_128x128"), "wgrad": ("block_1x128", "block_1x128"), "row": ("row", "row")}
TARGET = re.compile(r"qtile\.target @(\w+)")
CHOSEN = re.compile(r"qtile\.kernel @(\w+)\(.* schedule (#qtile\.schedule<[^>]*>)")


class Kind(typing.NamedTuple):
    """A mode; the grouping of what a launch computes, None where that is one product; types of codes and of the result."""
    mode: str
    grouping: typing.Optional[str] = None
    types: shapes.Types = shapes.PLAIN

    def name(self):
        grouping = (self.grouping,) if self.grouping else ()
        return "_".join((self.mode, *grouping, *(self.types_name() if self.types != shapes.PLAIN else ())))

    def types_name(self):
        types = self.types
        return (*types[:3], *(["accumulate"] if types.accumulates else []), *([f"plus_{types.bias}"] if types.bias else []),
                *(["from_panels"] if types.from_panels else []), *(["into_panels"] if types.into_panels else []))

    def arguments(self):
        """Pointers behind the operands, integers before m, and how the op spells them."""
        if not self.grouping:
            return "", "", ""
        if self.mode in shapes.TRANSPOSED:
            strides = [f"%{operand}{number}" for operand in "ab" for number in range(3)]
            integers = "".join(f"{name}: i32, " for name in ("%g", "%inner", *strides))
            return "", integers, f" in batch(%g) strides of %inner [{', '.join(strides[:3])}], [{', '.join(strides[3:])}]"
        if self.grouping == "batch":
            return "", "%g: i32, ", " in batch(%g)"
        return f", %bounds: {BOUNDS}", "%g: i32, ", f" in {self.grouping}(%g by %bounds)"


def kernel_text(name, kind, target, likely=None, schedule=None):
    """A kernel in qtile, for some likely sizes or under a given schedule."""
    mode, types, (pointers, integers, groups), maps = kind.mode, kind.types, kind.arguments(), ""
    first, second, result = (f"!qtile.global<{element}>" for element in (*shapes.elements(mode, types), types.result))
    if mode in shapes.TRANSPOSED:
        maps = " maps %maps"
        arguments = f"%a: {first}, %b: {second}"
        a, b = ("transposed" if transposed else "row_major" for transposed in shapes.TRANSPOSED[mode])
        operands = f"%a as none in {'panels' if types.from_panels else a}, %b as none in {b}"
    elif shapes.scaling(mode) == "tensor":
        arguments = f"%a: {first}, %b: {second}, %alpha: {SCALES}"
        operands = "%a as tensor, %b as tensor alpha %alpha"
    else:
        arguments = f"%a: {first}, %sa: {SCALES}, %b: {second}, %sb: {SCALES}"
        operands = "%a as {} by %sa, %b as {} by %sb".format(*SCALINGS[shapes.scaling(mode)])
    operands += " promoted" if mode in shapes.PROMOTED else ""
    under = f" schedule {schedule}" if schedule else ""
    sizes = f" likely {list(likely)}" if likely else ""
    written, left = result_text(types)
    written += f", %maps: {MAPS}" if maps else ""
    return (f"qtile.kernel @{name}({arguments}{pointers}, {written}, {integers}{SIZES}) on @{target}{under} {{\n"
            f"  qtile.gemm {operands} into %d{left}{maps} sizes(%m, %n, %k){groups}{sizes}\n    : {first}, {second} -> {result}\n"
            "  qtile.return\n}\n")


def result_text(types):
    """What is written and read for it, as arguments; and how the op spells it."""
    arguments, spelled = f"%d: !qtile.global<{types.result}>", " in panels" if types.into_panels else ""
    if types.result in shapes.CODES:
        arguments += f", %s: {SCALES}"
        spelled += f" as #qt.scheme<{types.result}, [#qt.scale<f32 per tensor by fdiv>]> of bf16 by %s"
    if types.bias:
        arguments += f", %bias: !qtile.global<{types.bias}>"
        spelled += f" plus %bias : !qtile.global<{types.bias}>"
    return arguments, spelled + (" accumulate" if types.accumulates else "")


def key(kind, shape):
    return kind.name() + "_" + "_".join(map(str, shape))


def run(command, text=None):
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True)
    except FileNotFoundError:
        raise Refusal(f"expected a program '{command[0]}', got none") from None
    if done.returncode:
        raise Refusal(f"expected '{command[0]}' to make kernels, got:\n{done.stderr.strip()}")
    return done.stdout


def products():
    """Kind and shape of everything that is timed."""
    return [(Kind(mode), shape) for mode in shapes.MODES for listed in shapes.TIMED.values() for shape in listed
            if shapes.fits(mode, shape)]


def beside():
    """Kind and shape of what is checked beside these: in groups, of other types, and what else a kernel leaves and reads."""
    others = [Kind(mode, types=types) for mode in shapes.PACKED for types in shapes.TYPES + shapes.LEFT]
    others += [Kind(mode, types=types) for mode, read in shapes.READ.items() for types in read]
    grouped = [Kind(mode, "batch") for mode in shapes.TRANSPOSED]
    grouped += [Kind(mode, grouping) for mode in shapes.PACKED for grouping in shapes.GROUPINGS]
    return [(kind, shapes.GROUPED_LIKELY) for kind in grouped] + [(kind, shapes.GEMM[0]) for kind in others]


def load_target(fp8_opt, target):
    """A module of the target alone, which is one of the library or a file; and its name."""
    module = run([fp8_opt, f"--qtile-load-target=name={target}", "-"], "")
    return module.rstrip().removesuffix("}"), TARGET.search(module).group(1)


def choose(fp8_opt, module, target):
    """The schedule of each kind and shape."""
    text = "".join(kernel_text(key(kind, shape), kind, target, likely=(*shape, shapes.GROUPS_LIKELY) if kind.grouping else shape)
                   for kind, shape in products() + beside())
    output = run([fp8_opt, "--qtile-choose-schedule", "-"], module + text + "}\n")
    return dict(CHOSEN.findall(output))


def module_text(module, target, kernels):
    """The kernels under their schedules, beside the target that these are held against."""
    scheduled = (kernel_text(name, kind, target, schedule=schedule) for name, (kind, schedule) in kernels.items())
    return module + "".join(scheduled) + "}\n"


def name_kernels(schedules):
    """One kernel for each schedule of a kind, named after its tile: name to kind and schedule, key to name; and of each form the
    name of the kernel that leaves a row-major result in the same tile, under the same schedule where that is of no other shape."""
    kernels = {}

    def name_of(kind, schedule):
        rows, columns = re.search(r"tile = \[(\d+), (\d+)\]", schedule).groups()
        return f"{kind.name()}_{rows}x{columns}"

    def add(kind, schedule):
        name = base = name_of(kind, schedule)
        number = 1
        while kernels.get(name, (kind, schedule)) != (kind, schedule):
            number += 1
            name = f"{base}_{number}"
        kernels[name] = (kind, schedule)
        return name

    chosen = {key(kind, shape): add(kind, schedules[key(kind, shape)]) for kind, shape in products() + beside()}
    forms = {name: (Kind(kind.mode), schedule) for name, (kind, schedule) in kernels.items()
             if kind.types in shapes.FORMS.get(kind.mode, ())}
    # Codes take half of the memory that a row-major result is staged in, so that their schedules may have more stages.
    beside_forms = {name: name_of(*plain) if name_of(*plain) in kernels else add(*plain) for name, plain in forms.items()}
    return kernels, chosen, beside_forms


def prepare(folder, options):
    """Writes kernels.mlir, kernels.cubin, kernels.json (the report), chosen.json, and this program."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    module, target = load_target(options.fp8_opt, options.target)
    kernels, chosen, forms = name_kernels(choose(options.fp8_opt, module, target))
    (folder / "kernels.mlir").write_text(module_text(module, target, kernels))
    assembler = [f"--ptxas={options.ptxas}"] if options.ptxas else []
    run([options.fp8_translate, "--nvvm-to-cubin", f"--target={target}", "--strict", *assembler,
         f"--report={folder / 'kernels.json'}", str(folder / "kernels.mlir"), "-o", str(folder / "kernels.cubin")])
    listed = {"modes": {name: kind.mode for name, (kind, _) in kernels.items()},
              "groupings": {name: kind.grouping for name, (kind, _) in kernels.items() if kind.grouping},
              "types": {name: kind.types for name, (kind, _) in kernels.items() if kind.types != shapes.PLAIN}, "forms": forms, "chosen": chosen}
    (folder / "chosen.json").write_text(json.dumps(listed, indent=2) + "\n")
    program = pathlib.Path(sys.argv[0])
    if program.is_file() and program.resolve() != (folder / program.name).resolve():
        shutil.copy(program, folder)
    print(f"{len(kernels)} kernels for {len(chosen)} products in {folder}")
