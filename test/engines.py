# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One table for all graphs of some folders: what IREE makes of them, beside the reference and beside its own unquantized run.
"""usage: engines.py FOLDER... [--recipes=fp8_current,mxfp8,nvfp4] [--graphs=NAME,...] [--steps=5] [--repeat=1]
                  [--init=normal:1] [--large] [--iree-compile=PATH]

A graph is NAME.linalg.mlir, with its signature NAME.json and arguments NAME.args.safetensors. Under each recipe the graph
runs on both engines. The table says

 - quantizers whose numbers were read back from IREE, and how many of their codes and scales are not what Numerics makes
   of the same source (must be 0);
 - the largest difference of a result from the reference's, in norm, and the bound on it: 3 %, 6 % under a recipe with
   4-bit codes, 12 % for a graph with a router. What is smaller in norm than 1e-3 of the largest result is measured at
   that scale. Of new weights of an optimizer (results named 1/...) the change is compared, without the 1 % of elements
   with the largest error: one step of AdamW divides by roots of numbers near zero;
 - seconds of one step on IREE, quantized and not, and in parentheses those of all processors together, which other work on
   the machine changes less: the least of --repeat processes, each the median of --steps steps after a first one; and the most memory the process held.

With --large the graphs without arguments run too, on generated ones, on IREE alone and one step. Anything that fails or is
out of bounds makes the exit status 1. With --repeat=0 nothing is timed. The tools are taken from PATH.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "Run" / "Inputs"))
import tensors  # noqa: E402

RECIPES = "fp8_current,mxfp8,nvfp4"


class Failed(Exception):
    """A command that failed, by the last line of its errors."""


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        raise Failed((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])
    return done.stderr


def norm(values):
    return sum(value * value for value in values) ** 0.5


def numbers(tensor):
    dtype, _, values = tensor
    if dtype == "BF16":
        values = [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values]
    return values


def change_error(got, want, old):
    """Of a step from `old`, without the 1 % of elements with the largest error."""
    errors = sorted(range(len(old)), key=lambda i: abs(got[i] - want[i]))
    kept = errors[:len(errors) - len(errors) // 100]
    change = norm([want[i] - old[i] for i in kept])
    return norm([got[i] - want[i] for i in kept]) / change if change else 0.0


class Graph:
    def __init__(self, path, options, scratch):
        self.name = path.name.removesuffix(".linalg.mlir")
        self.path, self.base, self.options = path, path.parent / self.name, options
        self.scratch = scratch / self.name
        self.arguments = pathlib.Path(f"{self.base}.args.safetensors")
        self.is_large = not self.arguments.exists()
        self.values = [f"--init={options.init}"] if self.is_large else [f"--args={self.arguments}"]

    def file(self, end):
        return f"{self.scratch}.{end}"

    def compile(self, recipe):
        signature = [f"--signature={self.base}.json"] if pathlib.Path(f"{self.base}.json").exists() else []
        run("fp8-opt", self.path, *signature, f"--recipe={recipe}", f"--report={self.file('report')}", "-o",
            self.file("graph"))
        contractions = json.loads(pathlib.Path(self.file("report")).read_text())["contractions"]
        self.has_router = any(contraction.get("site") == "router" for contraction in contractions)

    def bound(self, recipe):
        if self.has_router:
            return 0.12
        return 0.06 if "f4E2M1FN" in run_text("fp8-opt", f"--show-recipe={recipe}") else 0.03

    def on_iree(self, *options):
        if self.options.iree_compile:
            options = (f"--iree-compile={self.options.iree_compile}", *options)
        run("fp8-run", self.file("graph"), "--engine=iree", *self.values, f"--json={self.file('json')}", *options)
        return json.loads(pathlib.Path(self.file("json")).read_text())

    def worst(self, comparison):
        """The name of the result that is furthest from the reference, and how far."""
        results = [result for result in comparison["results"] if "rel_error" in result]
        largest = max(result["reference_norm"] for result in results)
        worst = ("", 0.0)
        new = tensors.new_weights([result["name"] for result in results])
        read = [tensors.read(self.file(end)) for end in ("iree", "reference")] + [tensors.read(self.arguments)] if new else []
        for result in results:
            name = result["name"]
            if name in new:
                error = change_error(numbers(read[0][name]), numbers(read[1][name]), numbers(read[2]["0" + name[1:]]))
            else:
                scale = result["reference_norm"] / max(result["reference_norm"], 1e-3 * largest) if largest else 0
                error = (result["rel_error"] or 0) * scale if result["type"] not in ("F32", "BF16") else result["rel_error"]
            worst = max(worst, (name, error), key=lambda pair: pair[1])
        return worst

    def compare(self, recipe):
        """The cells that tell whether the numbers are right, and whether they are."""
        run("fp8-run", self.file("graph"), *self.values, f"--out={self.file('reference')}")
        comparison = self.on_iree("--check-quantizers", f"--compare={self.file('reference')}", f"--out={self.file('iree')}")
        checked = [quantizer for quantizer in comparison["quantized"] if "differing_codes" in quantizer]
        differing = [sum(quantizer[key] for quantizer in checked) for key in ("differing_codes", "differing_scales")]
        _, error = self.worst(comparison)
        bound = self.bound(recipe)
        cells = [f"{len(checked)} of {len(comparison['quantized'])}", f"{differing[0]} + {differing[1]}",
                 f"{100 * error:.2g} % (of {100 * bound:.0f} %)"]
        return cells, not any(differing) and error <= bound and checked

    def time(self):
        steps = 0 if self.is_large else self.options.steps
        runs = [self.on_iree("--compare=unquantized", f"--steps={steps}") for _ in range(self.options.repeat)]
        least = [min(each["seconds"][key] for each in runs) for key in
                 ("step", "unquantized_step", "step_processors", "unquantized_step_processors")]
        most = [max(each[key] for each in runs) / 1e9 for key in ("peak_bytes", "unquantized_peak_bytes")]
        return [f"{least[0]:.3g} ({least[2]:.3g})", f"{least[1]:.3g} ({least[3]:.3g})", f"{most[0]:.2g}", f"{most[1]:.2g}"]


def run_text(*command):
    return subprocess.run(command, text=True, capture_output=True, check=True).stdout


def row(*cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--recipes", default=RECIPES, type=lambda text: text.split(","))
    parser.add_argument("--graphs", type=lambda text: text.split(","), help="names; all without")
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--init", default="normal:1")
    parser.add_argument("--iree-compile", help="as of fp8-run")
    parser.add_argument("--large", action="store_true", help="only the graphs without arguments, timed")
    options = parser.parse_args()
    failures = 0
    row("graph", "recipe", "quantizers read", "codes + scales that differ", "largest difference", "step [s]", "unquantized [s]",
        "memory [GB]", "unquantized [GB]")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as scratch:
        paths = [path for folder in options.folders for path in sorted(folder.rglob("*.linalg.mlir"))]
        graphs = [Graph(path, options, pathlib.Path(scratch)) for path in paths]
        for graph in graphs:
            if graph.is_large != options.large or (options.graphs and graph.name not in options.graphs):
                continue
            for recipe in options.recipes:
                try:
                    graph.compile(recipe)
                    cells, is_right = (["-", "-", "-"], True) if graph.is_large else graph.compare(recipe)
                    cells += graph.time() if options.repeat else ["-"] * 4
                except Failed as failure:
                    cells, is_right = [f"FAILED: {failure}"] + [""] * 6, False
                row(f"`{graph.name}`", f"`{recipe}`", *cells)
                failures += not is_right
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
