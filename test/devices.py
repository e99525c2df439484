# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What can be checked of kernels and device graphs without a device: one table of all schedules, one of all graphs.
"""usage: devices.py [FOLDER...] [--kinds=NAMES] [--recipes=NAMES] [--graphs=NAMES] [--target=NAME]

Prints, and exits with 1 where something is not as it must be:

 - every schedule of the target's tables, for each kind of product that fp8-bench has, or of MXFP8 and NVFP4 where warps multiply: how many ptxas
   assembles, registers and shared memory, which must hold what the schedule and the rings plan within the target's limits, spilled
   bytes and remarks, of which there must be none;
 - every graph of the folders under each recipe, compiled to a .vmfb: contractions that kernels compute, their share of the FLOPs
   and bytes of all contractions, kernels and launches, remarks of ptxas; then the quantized products left to the engine, with the
   reason, which must be one of those that EXPECTED lists.

Tools are taken from PATH: fp8-opt, fp8-translate, ptxas, iree-compile, mlir-opt-22 for TOSA.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]
import graphs  # noqa: E402
from fp8_opt.bench import prepare, shapes  # noqa: E402
from graphs import Failed, names, row  # noqa: E402

# By what a target has schedules for.
RECIPES = {"tensor": "bf16,fp8_current,fp8_block128,deepseek_v3", "block_1x32": "mxfp8,nvfp4"}
# Why a quantized product may be left to the engine.
EXPECTED = [re.compile(reason) for reason in ("it has a size of 0", "its scales are given")]
# Products whose instruction multiplies scales, which fp8-bench has not: types of codes and scales, and what else is met.
SCALED = {"block_1x32": ("f8E4M3FN", "f8E8M0FNU", False), "block_1x16": ("f4E2M1FN", "f8E4M3FN", True)}
TABLE = re.compile(r"qtile\.schedules of (\w+), (\w+)")
LIMIT = re.compile(r"(shared|registers) = (\d+)")
SCHEDULE = re.compile(r"consumers = (\d+).* registers = \[(\d+), (\d+)\]")
ROLE_THREADS = 128
# What all blocks of a cluster must see costs a round trip each time; setting barriers up, once a kernel, is not meant.
CLUSTER_RELEASE = re.compile(r"(?<!mbarrier_init)\.release\.cluster")


def run(*command, text=None):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, input=text)
    if done.returncode:
        lines = done.stderr.strip().splitlines()
        raise Failed(next((line for line in lines if "error: " in line), lines[-1] if lines else f"exit status {done.returncode}"))
    return done


class Target:
    """The pairs of scalings that a target has schedules for, and what a thread block may have."""

    def __init__(self, name):
        text = run("fp8-opt", f"--qtile-load-target=name={name}", "-", text="").stdout
        self.name, self.scalings = prepare.TARGET.search(text)[1], set(TABLE.findall(text))
        limits = dict(LIMIT.findall(text[text.index("limits"):].split(">")[0]))
        self.shared, self.registers = int(limits["shared"]), int(limits["registers"])

    def kinds(self):
        """Text of a kernel by its name: every mode alone, in groups, and of other types, of what there are schedules for."""
        found = {}
        for kind in [prepare.Kind(mode) for mode in shapes.MODES] + [kind for kind, _ in prepare.beside()]:
            scaling = shapes.scaling(kind.mode)
            of_mode = ("none", "none") if kind.mode in shapes.TRANSPOSED else prepare.SCALINGS.get(scaling, (scaling, scaling))
            if of_mode in self.scalings:
                found[kind.name()] = prepare.kernel_text(kind.name(), kind, self.name)
        found.update({name: scaled_text(name, self.name) for name in SCALED if (name, name) in self.scalings})
        return found

    def recipes(self):
        return next((names(recipes) for scaling, recipes in RECIPES.items() if (scaling, scaling) in self.scalings), [])

    def breaches(self, kernel, function):
        """What a kernel takes that the plan does not give it, or the target has not."""
        threads = kernel["threads"]
        consumers, producer, consumer = map(int, SCHEDULE.search(kernel["schedule"]).groups())
        allocated = -(-function["registers"] // 8) * 8 * threads
        if producer == consumer and function["registers"] > consumer:
            yield f"takes {function['registers']} registers a thread, of {consumer} in its schedule"
        # Registers that one role hands over are those that another takes.
        planned = ROLE_THREADS * (producer + consumers * consumer)
        if producer != consumer and planned > allocated:
            yield f"hands over {planned} registers, of {allocated} that ptxas gives it"
        if threads != ROLE_THREADS * (1 + consumers):
            yield f"has {threads} threads, {ROLE_THREADS * (1 + consumers)} in its schedule"
        if allocated > self.registers:
            yield f"takes {allocated} registers, of {self.registers}"
        shared = kernel["shared_bytes"] + function["static_shared_bytes"]
        if function["static_shared_bytes"] or shared > self.shared:
            yield f"takes {shared} bytes of shared memory, {function['static_shared_bytes']} of them unplanned, of {self.shared}"


def scaled_text(name, target):
    code, scale, has_alpha = SCALED[name]
    pointers = ", ".join(f"%{operand}: !qtile.global<{element}>" for operand, element in
                         (("a", code), ("sa", scale), ("b", code), ("sb", scale), *([("alpha", "f32")] if has_alpha else []), ("d", "bf16")))
    return (f"qtile.kernel @{name}({pointers}, {prepare.SIZES}) on @{target} {{\n  qtile.gemm %a as {name} by %sa, %b as {name} by %sb"
            f"{' alpha %alpha' if has_alpha else ''} into %d sizes(%m, %n, %k)\n"
            f"    : !qtile.global<{code}>, !qtile.global<{code}> -> !qtile.global<bf16>\n  qtile.return\n}}\n")


def given(options, *programs):
    """Paths of programs that are not on PATH, as options of the tools."""
    paths = {program: getattr(options, program.replace("-", "_")) for program in programs}
    return [f"--{program}={path}" for program, path in paths.items() if path]


def assemble(kernel, options, scratch):
    """The report of all schedules of a kernel, and the PTX."""
    target = options.target
    scheduled = run("fp8-opt", f"--qtile-load-target=name={target}", "--qtile-choose-schedule=copies=100000", "-", text=kernel)
    module, report = scratch / "kernels.mlir", scratch / "kernels.json"
    module.write_text(scheduled.stdout)
    run("fp8-translate", "--nvvm-to-cubin", f"--target={target}", *given(options, "ptxas"), f"--report={report}", module,
        "-o", scratch / "kernels.cubin")
    ptx = run("fp8-translate", "--nvvm-to-ptx", f"--target={target}", module).stdout
    return json.loads(report.read_text()), ptx


def show_schedules(target, options, scratch):
    """How many rows fail."""
    kinds, breaches = target.kinds(), []
    unknown = [kind for kind in options.kinds or [] if kind not in kinds]
    if unknown:
        sys.exit(f"expected kinds that {options.target} has schedules for, got {', '.join(unknown)}; those are {', '.join(kinds)}")
    graphs.head("kind", "schedules", "registers", "shared memory [KB]", "spilled bytes", "remarks", "cluster releases")
    failures = 0
    for name, text in kinds.items():
        if options.kinds and name not in options.kinds:
            continue
        try:
            report, ptx = assemble(text, options, scratch)
        except Failed as failure:
            row(f"`{name}`", f"FAILED: {failure}", *[""] * 5)
            failures += 1
            continue
        kernels, functions = report["kernels"], {each["name"]: each for each in report["functions"] if each["kernel"]}
        spilled = sum(each["spill_store_bytes"] + each["spill_load_bytes"] for each in report["functions"])
        remarks, releases = len(report["remarks"]), len(CLUSTER_RELEASE.findall(ptx))
        registers = [each["registers"] for each in functions.values()]
        shared = [each["shared_bytes"] / 1024 for each in kernels]
        row(f"`{name}`", str(len(kernels)), f"{min(registers)} to {max(registers)}", f"{min(shared):.0f} to {max(shared):.0f}",
            *map(str, (spilled, remarks, releases)))
        wrong = [f"`{each['name']}` {breach}" for each in kernels for breach in target.breaches(each, functions[each["name"]])]
        breaches += wrong
        failures += bool(spilled or remarks or releases or wrong or not kernels)
    if breaches:
        print("\n" + "\n".join(breaches))
    return failures


class Graph(graphs.Graph):
    def compile_under(self, recipe, options):
        """The report, how many remarks ptxas has, and the bytes of the .vmfb."""
        made, report = pathlib.Path(f"{self.scratch}.vmfb"), pathlib.Path(f"{self.scratch}.report")
        done = run("fp8-opt", self.source, *self.signature, f"--recipe={recipe}", f"--target={options.target}",
                   *given(options, "ptxas", "iree-compile"), f"--report={report}", "-o", made)
        remarks = sum(line.startswith("ptxas: ") for line in done.stderr.splitlines())
        return json.loads(report.read_text())["kernels"], remarks, made.stat().st_size


def is_expected(reason):
    return any(expected.search(reason) for expected in EXPECTED)


def show_graphs(options, scratch):
    """How many rows fail."""
    graphs.head("graph", "recipe", "by kernels", "quantized, left", "FLOPs", "bytes", "remarks of ptxas", ".vmfb [MB]", "seconds")
    failures, left = 0, {}
    for graph in graphs.find(options, scratch, Graph):
        graph.prepare()
        for recipe in options.recipes:
            start = time.monotonic()
            try:
                kernels, remarks, size = graph.compile_under(recipe, options)
            except Failed as failure:
                row(f"`{graph.name}`", f"`{recipe}`", f"FAILED: {failure}", *[""] * 6)
                failures += 1
                continue
            all_of_them, ours = kernels["all"], kernels["kernels"]
            stays = [each for each in kernels["contractions"] if each["quantized"] and not each["kernel"]]
            for each in stays:
                left.setdefault((graph.name, each["reason"]), []).append(recipe)
            row(f"`{graph.name}`", f"`{recipe}`", f"{ours['contractions']} of {all_of_them['contractions']}", str(len(stays)),
                *(f"{100 * ours[key] / max(all_of_them[key], 1):.1f} %" for key in ("flops", "bytes")),
                str(remarks), f"{size / 1e6:.1f}", f"{time.monotonic() - start:.0f}")
            failures += bool(remarks) or not all(is_expected(each["reason"]) for each in stays)
    print()
    graphs.head("graph", "quantized products left to the engine, because", "expected", "recipes")
    for (name, reason), recipes in left.items():
        row(f"`{name}`", reason, "yes" if is_expected(reason) else "no", ", ".join(f"`{recipe}` {recipes.count(recipe)}" for recipe in dict.fromkeys(recipes)))
    return failures


def main():
    parser = graphs.parser_of_folders(__doc__, folders="*")
    parser.add_argument("--kinds", type=names, help="of products, instead of all")
    parser.add_argument("--recipes", type=names, help="instead of those that the target has kernels for")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--ptxas", help="as of fp8-opt")
    parser.add_argument("--iree-compile", help="as of fp8-opt")
    options = parser.parse_args()
    start, target = time.monotonic(), Target(options.target)
    options.recipes = options.recipes or target.recipes()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        failures = show_schedules(target, options, scratch)
        print(flush=True)
        failures += show_graphs(options, scratch) if options.folders else 0
    print(f"\n{failures} not as they must be, {(time.monotonic() - start) / 60:.0f} minutes")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
