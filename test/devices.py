# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What can be checked of kernels and device graphs without a device: one table of all schedules, one of all graphs.
"""usage: devices.py [FOLDER...] [--kinds=NAMES] [--recipes=NAMES] [--graphs=NAMES] [--target=NAME]

Prints, and exits with 1 where something is not as it must be:

 - every schedule of the target's tables, for each kind of product that fp8-bench has: how many ptxas assembles, registers and shared memory,
   spilled bytes and remarks, of which there must be none;
 - every graph of the folders under each recipe, compiled to a .vmfb: contractions that kernels compute, their share of the FLOPs
   and bytes of all contractions, kernels and launches, remarks of ptxas; then the products left to the engine, with the reason.

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

RECIPES = "bf16,fp8_current,fp8_block128,deepseek_v3"
# What all blocks of a cluster must see costs a round trip each time; setting barriers up, once a kernel, is not meant.
CLUSTER_RELEASE = re.compile(r"(?<!mbarrier_init)\.release\.cluster")


def run(*command, text=None):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, input=text)
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    return done


def kinds():
    """Every mode alone, in groups, and of other types."""
    return [prepare.Kind(mode) for mode in shapes.MODES] + [kind for kind, _ in prepare.beside()]


def given(options, *programs):
    """Paths of programs that are not on PATH, as options of the tools."""
    paths = {program: getattr(options, program.replace("-", "_")) for program in programs}
    return [f"--{program}={path}" for program, path in paths.items() if path]


def assemble(kind, options, scratch):
    """The report of all schedules of a kind, and the PTX."""
    target = options.target
    kernel = prepare.kernel_text(kind.name(), kind, target)
    scheduled = run("fp8-opt", f"--qtile-load-target=name={target}", "--qtile-choose-schedule=copies=100000", "-", text=kernel)
    module, report = scratch / "kernels.mlir", scratch / "kernels.json"
    module.write_text(scheduled.stdout)
    run("fp8-translate", "--nvvm-to-cubin", f"--target={target}", *given(options, "ptxas"), f"--report={report}", module,
        "-o", scratch / "kernels.cubin")
    ptx = run("fp8-translate", "--nvvm-to-ptx", f"--target={target}", module).stdout
    return json.loads(report.read_text()), ptx


def show_schedules(options, scratch):
    """How many rows fail."""
    graphs.head("kind", "schedules", "registers", "shared memory [KB]", "spilled bytes", "remarks", "cluster releases")
    failures = 0
    for kind in kinds():
        if options.kinds and kind.name() not in options.kinds:
            continue
        try:
            report, ptx = assemble(kind, options, scratch)
        except Failed as failure:
            row(f"`{kind.name()}`", f"FAILED: {failure}", *[""] * 5)
            failures += 1
            continue
        kernels, functions = report["kernels"], [each for each in report["functions"] if each["kernel"]]
        spilled = sum(each["spill_store_bytes"] + each["spill_load_bytes"] for each in report["functions"])
        remarks, releases = len(report["remarks"]), len(CLUSTER_RELEASE.findall(ptx))
        registers = [each["registers"] for each in functions]
        shared = [each["shared_bytes"] / 1024 for each in kernels]
        row(f"`{kind.name()}`", str(len(kernels)), f"{min(registers)} to {max(registers)}", f"{min(shared):.0f} to {max(shared):.0f}",
            *map(str, (spilled, remarks, releases)))
        failures += bool(spilled or remarks or releases or not kernels)
    return failures


class Graph(graphs.Graph):
    def compile_under(self, recipe, options):
        """The report, how many remarks ptxas has, and the bytes of the .vmfb."""
        made, report = pathlib.Path(f"{self.scratch}.vmfb"), pathlib.Path(f"{self.scratch}.report")
        done = run("fp8-opt", self.source, *self.signature, f"--recipe={recipe}", f"--target={options.target}",
                   *given(options, "ptxas", "iree-compile"), f"--report={report}", "-o", made)
        remarks = sum(line.startswith("ptxas: ") for line in done.stderr.splitlines())
        return json.loads(report.read_text())["kernels"], remarks, made.stat().st_size


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
            failures += bool(remarks)
    print()
    graphs.head("graph", "quantized products left to the engine, because", "recipes")
    for (name, reason), recipes in left.items():
        row(f"`{name}`", reason, ", ".join(f"`{recipe}` {recipes.count(recipe)}" for recipe in dict.fromkeys(recipes)))
    return failures


def main():
    parser = graphs.parser_of_folders(__doc__, folders="*")
    parser.add_argument("--kinds", type=names, help="of products, instead of all")
    parser.add_argument("--recipes", default=names(RECIPES), type=names)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--ptxas", help="as of fp8-opt")
    parser.add_argument("--iree-compile", help="as of fp8-opt")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        failures = show_schedules(options, scratch)
        print(flush=True)
        failures += show_graphs(options, scratch) if options.folders else 0
    print(f"\n{failures} not as they must be, {(time.monotonic() - start) / 60:.0f} minutes")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
