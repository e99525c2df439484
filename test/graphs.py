# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One table for all graphs of some folders: what each recipe quantizes, and what that does to the numbers.
"""usage: graphs.py FOLDER... [--recipes=fp8_current,mxfp8,...] [--init=normal:1]

A graph is NAME.linalg.mlir, with its signature NAME.json, arguments NAME.args.safetensors and what its framework computed,
NAME.expected.safetensors, where there are such files. The table has two parts:

 - the unquantized run: within the tolerances of test/Run/Inputs/check_expected.py of what the framework computed;
 - under each recipe: GEMMs of block linears that are quantized, contractions that are, relative change of the loss (of the
   first result, where it is no scalar), lowest cosine of a result with the unquantized one, whether the steps `quantize` and
   `axes` give the same bits, and seconds: of the compiler, of compiling to machine code, and of both runs.

A graph without arguments is compiled and not run, unless --init generates them. A graph that does not run as it is written,
before this project changes it, is shown and is no failure. Everything else that fails makes the exit status 1.
fp8-opt and fp8-run are taken from PATH.
"""
import argparse
import filecmp
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

CHECK = pathlib.Path(__file__).resolve().parent / "Run" / "Inputs" / "check_expected.py"
RECIPES = "fp8_current,fp8_block128,mxfp8,nvfp4"


class Failed(Exception):
    """A command that failed, by the last line of its errors, without folders."""


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error: " in line or line.startswith("fp8-")]
        message = (errors or [f"exit status {done.returncode}"])[-1].split("error: ")[-1]
        raise Failed(re.sub(r"[\w/.-]*/", "", message.removeprefix(f"{command[0]}: ")))
    return done.stdout


class Graph:
    def __init__(self, path, scratch, init):
        self.path, self.name = path, path.name.removesuffix(".linalg.mlir")
        self.scratch, self.base = scratch / self.name, path.parent / self.name
        self.signature = [f"--signature={self.base}.json"] if self.file("json").exists() else []
        if self.file("args.safetensors").exists():
            self.values = [f"--args={self.file('args.safetensors')}"]
        else:
            self.values = [f"--init={init}"] if init else []
        self.has_router = False

    def file(self, suffix):
        return pathlib.Path(f"{self.base}.{suffix}")

    def compile(self, step, *options):
        """Seconds that it took."""
        start = time.monotonic()
        run("fp8-opt", self.path, *self.signature, *options, f"--until={step}", "-o", f"{self.scratch}.{step}")
        return time.monotonic() - start

    def execute(self, step, *options):
        run("fp8-run", f"{self.scratch}.{step}", *self.values, f"--out={self.scratch}.{step}.out", *options)

    def check_unquantized(self):
        """What the unquantized run shows, and whether that is as it should be."""
        self.compile("import")
        if not self.values:
            return "not run: no arguments", True
        try:
            self.execute("import")
        except Failed as failure:
            try:
                run("fp8-run", self.path, *self.signature, *self.values)
            except Failed as own:
                self.values = []
                return f"the graph itself does not run: {own}", True
            raise failure
        if not self.file("expected.safetensors").exists():
            return "runs; nothing to compare with", True
        options = ["--matrices=0.1"] if self.has_router else []
        if any(name.startswith("1/") for name in self.results()):
            options.append(f"--old-weights={self.file('args.safetensors')}")
        lines = run(sys.executable, CHECK, f"{self.scratch}.import.out", self.file("expected.safetensors"), *options)
        return "; ".join(lines.splitlines()[-1:]), "NOT AS EXPECTED" not in lines

    def results(self):
        return json.loads(self.file("json").read_text())["results"] if self.signature else []

    def try_recipe(self, recipe):
        """The cells of a row, and whether all is as it should be."""
        report = f"{self.scratch}.report.json"
        seconds = self.compile("axes", f"--recipe={recipe}", f"--report={report}")
        report = json.loads(pathlib.Path(report).read_text())
        summary = report["summary"]
        cells = [f"{summary['block_linears_quantized']} of {summary['block_linears']}",
                 f"{summary['quantized']} of {summary['contractions']}"]
        if not self.values:
            return cells + ["-", "-", "-", f"{seconds:.1f}"], True
        self.compile("quantize", f"--recipe={recipe}")
        comparison = f"{self.scratch}.comparison.json"
        self.execute("axes", "--compare=unquantized", f"--json={comparison}")
        self.execute("quantize")
        is_same = filecmp.cmp(f"{self.scratch}.axes.out", f"{self.scratch}.quantize.out", shallow=False)
        comparison = json.loads(pathlib.Path(comparison).read_text())
        loss, lowest = comparison["results"][0]["rel_error"], comparison["summary"]["lowest_cosine"]
        spent = comparison["seconds"]
        return cells + [f"{loss:.1e}", "-" if lowest is None else f"{lowest:.4f}", "same bits" if is_same else "DIFFER",
                        f"{seconds:.1f} + {spent['compile']:.1f} + {spent['run']:.1f}"], is_same

    def has_site(self, site, recipe):
        report = f"{self.scratch}.report.json"
        self.compile("schemes", f"--recipe={recipe}", f"--report={report}")
        contractions = json.loads(pathlib.Path(report).read_text())["contractions"]
        return any(contraction.get("site") == site for contraction in contractions)


def row(*cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def show_unquantized(graphs, recipe):
    """How many graphs fail."""
    failures = 0
    row("graph", "unquantized run against the framework's")
    print("|---|---|")
    for graph in graphs:
        try:
            graph.has_router = graph.has_site("router", recipe)
            text, is_right = graph.check_unquantized()
        except Failed as failure:
            text, is_right = f"FAILED: {failure}", False
        row(f"`{graph.name}`", text)
        failures += not is_right
    return failures


def show_recipes(graphs, recipes):
    """How many graphs and recipes fail."""
    failures = 0
    row("graph", "recipe", "block linears", "contractions", "loss", "lowest cosine", "`quantize`, `axes`", "seconds")
    print("|---|---|---|---|---|---|---|---|")
    for graph in graphs:
        for recipe in recipes:
            try:
                cells, is_right = graph.try_recipe(recipe)
            except Failed as failure:
                cells, is_right = [f"FAILED: {failure}"] + [""] * 5, False
            row(f"`{graph.name}`", f"`{recipe}`", *cells)
            failures += not is_right
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--recipes", default=RECIPES, type=lambda text: text.split(","))
    parser.add_argument("--init", help="as of fp8-run, for graphs without arguments")
    options = parser.parse_args()
    paths = [path for folder in options.folders for path in sorted(folder.rglob("*.linalg.mlir"))]
    if not paths:
        sys.exit("expected graphs NAME.linalg.mlir in the folders, got none")
    with tempfile.TemporaryDirectory() as scratch:
        graphs = [Graph(path, pathlib.Path(scratch), options.init) for path in paths]
        failures = show_unquantized(graphs, options.recipes[0])
        print()
        failures += show_recipes(graphs, options.recipes)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
