# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What can be checked of kernels and device graphs without a device: tables of all schedules, of a sweep of shapes, of all graphs.
"""usage: devices.py [FOLDER...] [--kinds=NAMES] [--recipes=NAMES] [--graphs=NAMES] [--target=NAME] [--also=NAME] [--page=FILE]

Prints docs/Assembled.md, with --page how long assembling takes too and all of it into that file as well, and exits with 1 where something is
not as it must be:

 - every schedule of the target's tables, for each kind of product that fp8-bench has, or of MXFP8 and NVFP4 where warps multiply: how many ptxas
   assembles, registers and shared memory, which must hold what the schedule and the rings plan within the target's limits, spilled
   bytes and remarks, of which there must be none;
 - every shape of case O28 in each mode: the schedule that qtile-choose-schedule gives it, and the plan of its kernel, which verifies and
   keeps within the target's limits; only rows that the copy engine cannot copy may be none for a kernel;
 - every graph of the folders under each recipe, compiled to a .vmfb: contractions that kernels compute, their share of the FLOPs
   and bytes of all contractions, kernels and launches, remarks of ptxas; then the contractions left to the engine, with the
   reason, which for quantized products must be one of those that EXPECTED lists.

Tools are taken from PATH: fp8-opt, fp8-translate, ptxas, iree-compile, mlir-opt-22 for TOSA.
"""
import contextlib
import datetime
import functools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "Pipelines" / "Inputs"), str(HERE.parent / "python")]
import graphs  # noqa: E402
import products  # noqa: E402
from fp8_opt.bench import prepare, shapes  # noqa: E402
from graphs import Failed, names, row  # noqa: E402

# By what a target has schedules for.
RECIPES = {"tensor": "bf16,fp8_current,fp8_block128,deepseek_v3", "block_1x32": "mxfp8,nvfp4"}
# Why a quantized product may be left to the engine.
EXPECTED = [re.compile(reason) for reason in ("it has a size of 0", "its scales are given")]
# Products whose instruction multiplies scales, which fp8-bench has not: types of codes and scales, and what else is met.
SCALED = {"block_1x32": ("f8E4M3FN", "f8E8M0FNU", False), "block_1x16": ("f4E2M1FN", "f8E4M3FN", True)}
SWEPT = [(m, n, k) for m in products.SIZES for n in products.SIZES for k in products.SIZES]
TABLE = re.compile(r"qtile\.schedules of (\w+), (\w+)")
PLANNED = re.compile(r"qtile\.kernel @\w+\(.* shared (\d+) \{")
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

    def has(self, mode):
        """Whether there are schedules for it."""
        scaling = shapes.scaling(mode)
        pair = ("none", "none") if mode in shapes.TRANSPOSED else prepare.SCALINGS.get(scaling, (scaling, scaling))
        return pair in self.scalings

    def scaled(self):
        return [name for name in SCALED if (name, name) in self.scalings]

    def kinds(self):
        """Text of a kernel by its name: every mode alone, in groups, and of other types."""
        kinds = [prepare.Kind(mode) for mode in shapes.MODES] + [kind for kind, _ in prepare.beside()]
        found = {kind.name(): prepare.kernel_text(kind.name(), kind, self.name) for kind in kinds if self.has(kind.mode)}
        return {**found, **{name: scaled_text(name, name, self.name) for name in self.scaled()}}

    def modes(self):
        """By name, what writes a kernel with this name for likely sizes or under a schedule."""
        found = {mode: functools.partial(prepare.kernel_text, kind=prepare.Kind(mode), target=self.name)
                 for mode in shapes.MODES if self.has(mode)}
        return {**found, **{name: functools.partial(scaled_text, kind=name, target=self.name) for name in self.scaled()}}

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


def scaled_text(name, kind, target, likely=None, schedule=None):
    code, scale, has_alpha = SCALED[kind]
    under, sizes = f" schedule {schedule}" if schedule else "", f" likely {list(likely)}" if likely else ""
    pointers = ", ".join(f"%{operand}: !qtile.global<{element}>" for operand, element in
                         (("a", code), ("sa", scale), ("b", code), ("sb", scale), *([("alpha", "f32")] if has_alpha else []), ("d", "bf16")))
    return (f"qtile.kernel @{name}({pointers}, {prepare.SIZES}) on @{target}{under} {{\n  qtile.gemm %a as {kind} by %sa, %b as {kind} by %sb"
            f"{' alpha %alpha' if has_alpha else ''} into %d sizes(%m, %n, %k){sizes}\n"
            f"    : !qtile.global<{code}>, !qtile.global<{code}> -> !qtile.global<bf16>\n  qtile.return\n}}\n")


def given(options, *programs):
    """Paths of programs that are not on PATH, as options of the tools."""
    paths = {program: getattr(options, program.replace("-", "_")) for program in programs}
    return [f"--{program}={path}" for program, path in paths.items() if path]


def assemble(kernel, target, options, scratch):
    """The report of all schedules of a kernel, and the PTX."""
    scheduled = run("fp8-opt", f"--qtile-load-target=name={target.name}", "--qtile-choose-schedule=copies=100000", "-", text=kernel)
    module, report = scratch / "kernels.mlir", scratch / "kernels.json"
    module.write_text(scheduled.stdout)
    run("fp8-translate", "--nvvm-to-cubin", f"--target={target.name}", *given(options, "ptxas"), f"--report={report}", module,
        "-o", scratch / "kernels.cubin")
    ptx = run("fp8-translate", "--nvvm-to-ptx", f"--target={target.name}", module).stdout
    return json.loads(report.read_text()), ptx


def show_schedules(target, options, scratch):
    """How many rows fail."""
    kinds, breaches = target.kinds(), []
    unknown = [kind for kind in options.kinds or [] if kind not in kinds]
    if unknown:
        sys.exit(f"expected kinds that {target.name} has schedules for, got {', '.join(unknown)}; those are {', '.join(kinds)}")
    print(f"Every schedule of the tables of `{target.name}` for every kind of product of `fp8-bench`, or of MXFP8 and NVFP4 where warps multiply, assembled by\n"
          f"{ptxas_version(options)}: no spill, no remark, no release to a cluster but that of setting barriers up, and no kernel takes more registers or\n"
          "shared memory than its schedule and its rings plan. Only schedules with whole panels leave panels, so that those kinds have fewer.\n")
    graphs.head("kind", "schedules", "registers", "shared memory [KB]", "spilled bytes", "remarks", "cluster releases")
    failures = 0
    for name, text in kinds.items():
        if options.kinds and name not in options.kinds:
            continue
        try:
            report, ptx = assemble(text, target, options, scratch)
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


def plan(target, text_of):
    """How many of the shapes get a schedule, how many schedules these are, and the shared memory of each one's kernel."""
    module, name = prepare.load_target("fp8-opt", target.name)
    swept = "".join(text_of("_".join(map(str, ("of", *shape))), likely=shape) for shape in SWEPT)
    chosen = prepare.CHOSEN.findall(run("fp8-opt", "--qtile-choose-schedule", "-", text=f"{module}{swept}}}\n").stdout)
    schedules = dict.fromkeys(schedule for _, schedule in chosen)
    kernels = "".join(text_of(f"planned_{number}", schedule=schedule) for number, schedule in enumerate(schedules))
    planned = run("fp8-opt", "--qtile-expand-gemm", "--qtile-plan-rings", "--verify-each", "-", text=f"{module}{kernels}}}\n").stdout
    return len(chosen), len(schedules), list(map(int, PLANNED.findall(planned)))


def show_shapes(targets, options):
    """How many rows fail."""
    sizes = ", ".join(map(str, products.SIZES[:-1]))
    print(f"Every shape of case O28 of [Cases](Cases.md), M, N and K each of {sizes} and {products.SIZES[-1]}, in each mode: the schedules that\n"
          "`qtile-choose-schedule` gives them, and the kernels of these, planned and verified. Shapes that no kernel takes are those whose rows of bf16\n"
          "are no multiple of 16 bytes, as the copy engine wants them.")
    return sum(show_shapes_of(target, options) for target in targets)


def show_shapes_of(target, options):
    """How many rows of one target fail."""
    print(f"\nOn `{target.name}`:\n")
    graphs.head("mode", "shapes", "with a schedule", "by kernels", "rows not of 16 bytes", "schedules", "shared memory [KB]")
    failures = 0
    for mode, text_of in target.modes().items():
        if options.kinds and mode not in options.kinds:
            continue
        fit = sum(shapes.fits(mode, shape) for shape in SWEPT)
        try:
            chosen, schedules, shared = plan(target, text_of)
        except Failed as failure:
            row(f"`{mode}`", str(len(SWEPT)), f"FAILED: {failure}", *[""] * 4)
            failures += 1
            continue
        failures += chosen != len(SWEPT) or len(shared) != schedules or max(shared) > target.shared
        row(f"`{mode}`", str(len(SWEPT)), str(chosen), str(fit), str(len(SWEPT) - fit), str(schedules),
            f"{min(shared) / 1024:.0f} to {max(shared) / 1024:.0f}")
    return failures


def ptxas_version(options):
    told = run(options.ptxas or "ptxas", "--version").stdout
    release = re.search(r"release ([\d.]+)", told)
    return f"ptxas {release[1] if release else 'of unknown version'}"


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
    print(f"Every graph under {len(options.recipes)} recipes as a `.vmfb` for `{options.target}`: contractions that kernels compute, quantized products that they do not, and the\n"
          "kernels' shares of the FLOPs and bytes of all contractions. ptxas has no remark.\n")
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
            for each in kernels["contractions"]:
                if not each["kernel"]:
                    left.setdefault((graph.name, each["reason"], each["quantized"]), []).append(recipe)
            stays = [each for each in kernels["contractions"] if each["quantized"] and not each["kernel"]]
            row(f"`{graph.name}`", f"`{recipe}`", f"{ours['contractions']} of {all_of_them['contractions']}", str(len(stays)),
                *(f"{100 * ours[key] / max(all_of_them[key], 1):.1f} %" for key in ("flops", "bytes")),
                str(remarks), f"{size / 1e6:.1f}", f"{time.monotonic() - start:.0f}")
            failures += bool(remarks) or not all(is_expected(each["reason"]) for each in stays)
    quantized = sum(len(recipes) for (_, _, is_quantized), recipes in left.items() if is_quantized)
    print(f"\n{quantized or 'No'} quantized product{'s are' if quantized > 1 else ' is'} left to the engine; one that is left for a reason that the script does not "
          "expect is counted as a failure. What\nis left, how often under which recipe:\n")
    graphs.head("graph", "left to the engine, because", "quantized", "expected", "recipes")
    for (name, reason, is_quantized), recipes in left.items():
        row(f"`{name}`", reason, "yes" if is_quantized else "no", ("yes" if is_expected(reason) else "no") if is_quantized else "–",
            ", ".join(f"`{recipe}` {recipes.count(recipe)}" for recipe in dict.fromkeys(recipes)))
    return failures


def least(*command, text=None):
    """Seconds of the fastest of three."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        run(*command, text=text)
        times.append(time.monotonic() - start)
    return min(times)


def show_durations(target, options, scratch):
    """Of one kernel that is written by hand, of each of fp8-bench, and of all of these together."""
    forms = {"to PTX": ["fp8-translate", "--nvvm-to-ptx", f"--target={target.name}", "-o", os.devnull],
             "to a cubin": ["fp8-translate", "--nvvm-to-cubin", f"--target={target.name}", *given(options, "ptxas"), "-o", os.devnull]}
    gemm = [least(*command, HERE.parent / "examples" / "tour" / "gemm.mlir") for command in forms.values()]
    print("## How long it takes\n\n    time fp8-translate --nvvm-to-ptx --target=sm_90a examples/tour/gemm.mlir -o /dev/null       # the schedule is chosen too\n"
          "    time fp8-translate --nvvm-to-cubin --target=sm_90a examples/tour/gemm.mlir -o /dev/null\n")
    start = time.monotonic()
    told = run("fp8-bench", "prepare", scratch / "bench", *given(options, "ptxas"), f"--target={options.target}").stdout
    took, (count, of) = time.monotonic() - start, re.findall(r"\d+", told)[:2]
    print(f"{gemm[0]:.2f} s to PTX and {gemm[1]:.2f} s to a cubin. Each of the {count} kernels of `fp8-bench prepare` alone, under a schedule that is given:\n")
    module, name = prepare.load_target("fp8-opt", options.target)
    kernels, _, _ = prepare.name_kernels(prepare.choose("fp8-opt", module, name))
    graphs.head("", "least", "median", "most")
    for form, command in forms.items():
        times = {kernel: least(*command, "-", text=prepare.module_text(module, name, {kernel: of_it})) for kernel, of_it in kernels.items()}
        first, last = min(times, key=times.get), max(times, key=times.get)
        row(f"{form} [s]", f"{times[first]:.2f} (`{first}`)", f"{statistics.median(times.values()):.2f}", f"{times[last]:.2f} (`{last}`)")
    print(f"\nLeast times of three, by the clock, on one of {len(os.sched_getaffinity(0))} processors. `fp8-bench prepare` chooses the schedules of {of} products and assembles all {count}\n"
          f"in {took:.0f} s.")


class Both:
    """A stream that writes to two."""

    def __init__(self, *streams):
        self.streams = streams

    def write(self, text):
        for stream in self.streams:
            stream.write(text)

    def flush(self):
        for stream in self.streams:
            stream.flush()


def show_page(target, options, scratch):
    """How much is not as it must be."""
    commit = subprocess.run(["git", "-C", HERE, "rev-parse", "--short=7", "HEAD"], text=True, capture_output=True).stdout.strip()
    print("# Assembled kernels\n\nWhat `ninja devices` says of kernels without a device: every schedule through ptxas, a sweep of shapes, every graph to a `.vmfb`. It writes this\n"
          "page as `devices.md` of the build. How fast kernels are is in [Performance](Performance.md).\n\n"
          "    ninja -C build/release devices       # the target exists with -DFP8OPT_EXTRA_INPUTS=FOLDER; ptxas and iree-compile as for the tests\n\n"
          f"{datetime.date.today()}, commit {commit or 'unknown'}, {len(os.sched_getaffinity(0))} processors.\n\n## Schedules\n")
    failures = show_schedules(target, options, scratch)
    if options.also:
        print()
        failures += show_schedules(Target(options.also), options, scratch)
    print("\n## Shapes\n", flush=True)
    failures += show_shapes([target, *([Target(options.also)] if options.also else [])], options)
    if options.folders:
        print("\n## Graphs\n", flush=True)
        failures += show_graphs(options, scratch)
    if options.page and not options.kinds:
        print(flush=True)
        show_durations(target, options, scratch)
    return failures


def main():
    parser = graphs.parser_of_folders(__doc__, folders="*")
    parser.add_argument("--kinds", type=names, help="of products, instead of all")
    parser.add_argument("--recipes", type=names, help="instead of those that the target has kernels for")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--also", metavar="TARGET", help="a second one, of which no graphs are compiled")
    parser.add_argument("--page", type=pathlib.Path, metavar="FILE", help="also write what is printed to this file, and how long assembling takes")
    parser.add_argument("--ptxas", help="as of fp8-opt")
    parser.add_argument("--iree-compile", help="as of fp8-opt")
    options = parser.parse_args()
    start, target = time.monotonic(), Target(options.target)
    options.recipes = options.recipes or target.recipes()
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        if options.page:
            file = stack.enter_context(open(options.page, "w"))
            stack.enter_context(contextlib.redirect_stdout(Both(sys.stdout, file)))
        failures = show_page(target, options, pathlib.Path(folder))
        minutes = (time.monotonic() - start) / 60
        print(f"\nAll of this takes {minutes:.0f} minutes; {failures or 'nothing'} is not as it must be.")
    print(f"\n{failures} not as they must be, {minutes:.0f} minutes")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
