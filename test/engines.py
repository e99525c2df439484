# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One table for all graphs of some folders: what IREE makes of them, beside the reference or beside its own unquantized run.
"""usage: engines.py FOLDER... [--recipes=NAMES] [--graphs=NAMES] [--freed=NAMES] [--data=NAME=OTHER] [--repeat=0] [--large]

Graphs and their files are found as by graphs.py. Under each recipe a graph with arguments runs on both engines, and a row is
printed as soon as it is known, so that a run that was broken off goes on with --graphs and --recipes. The row says

 - how many quantizers' numbers were read back from IREE, and how many of their codes and scales are not what Numerics makes
   of the same source (must be 0);
 - the largest difference of a result from the reference's, in norm. What is smaller in norm than 1e-3 of the largest result
   is measured at that scale. Of new weights of an optimizer the change is compared, without the 1 % of elements with the
   largest error: one step of AdamW divides by roots of numbers near zero;
 - the bound on it: 3 %, 6 % under a recipe with 4-bit codes;
 - with --repeat=N, seconds of one step on IREE, quantized and not, and in parentheses those of all processors together: the
   least of N processes, each the median of --steps steps after a first one; and the most memory the process held.

With --large the graphs without arguments run instead, on generated ones (--init), one step on IREE, quantized and not. The table
compares both, and a second one lists every contraction that stays in high precision. With b significand bits of the codes, as
graphs.py counts them, the first result may differ by 48 % / 2^b, and the error that a cosine stands for be 160 % / 2^b: with 8-bit
floats 6 % and a cosine of 0.98. --seconds bounds the
quantized step by its processor seconds over the number of processors, which other work on the machine does not change, and
--memory the GB that it holds. Anything that fails or is out of bounds makes the exit status 1. The tools
are taken from PATH.
"""
import json
import math
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import graphs  # noqa: E402
from graphs import Failed, names, row, run  # noqa: E402
from tensors import new_weights, norm, numbers, read  # noqa: E402

RECIPES = "fp8_current,mxfp8,nvfp4"


def change_error(got, got_old, want, want_old):
    """Of a step from old weights to new ones, without the 1 % of elements with the largest error."""
    changes = sorted(((a - b, c - d) for a, b, c, d in zip(got, got_old, want, want_old)),
                     key=lambda pair: abs(pair[0] - pair[1]))
    kept = changes[:len(changes) - len(changes) // 100]
    size = norm([want for _, want in kept])
    return norm([got - want for got, want in kept]) / size if size else 0.0


class Graph(graphs.Graph):
    def __init__(self, path, scratch, options):
        super().__init__(path, scratch, options)
        self.options = options
        self.is_large = not self.values
        if self.is_large:
            self.values = [f"--init={options.init}"]

    def out(self, end):
        return f"{self.scratch}.{end}"

    def compile_under(self, recipe):
        """The report."""
        self.compile("graph", f"--recipe={recipe}", f"--report={self.out('report')}")
        return json.loads(pathlib.Path(self.out("report")).read_text())

    def compared(self, *options):
        """What fp8-run says of a comparison."""
        run("fp8-run", self.out("graph"), f"--json={self.out('json')}", *options)
        return json.loads(pathlib.Path(self.out("json")).read_text())

    def on_iree(self, *options):
        given = [f"--iree-compile={self.options.iree_compile}"] if self.options.iree_compile else []
        return self.compared("--engine=iree", *given, *self.values, *options)

    def largest_difference(self, comparison, out, arguments):
        """How far the result is that is furthest from the reference, and its name."""
        results = [result for result in comparison["results"] if "rel_error" in result]
        largest = max(result["reference_norm"] for result in results)
        new, differences = new_weights([result["name"] for result in results]), []
        files = [out, arguments, self.out("reference"), self.file("args.safetensors")] if new else []
        tensors = [read(file) for file in files]
        for result in results:
            name, size = result["name"], result["reference_norm"]
            if name in new:
                old = "0" + name[1:]
                error = change_error(*(numbers(file[key]) for file, key in zip(tensors, (name, old, name, old))))
            else:
                is_scalar = "x" not in result["type"]
                scale = 1 if is_scalar or not largest else size / max(size, 1e-3 * largest)
                error = math.inf if result["rel_error"] is None else result["rel_error"] * scale
            differences.append((error, name))
        return max(differences)

    def compare(self, recipe):
        """The cells that tell whether the numbers are right, and whether they are."""
        self.compile_under(recipe)
        run("fp8-run", self.out("graph"), *self.values, f"--out={self.out('reference')}")
        comparison = self.on_iree("--check-quantizers", f"--compare={self.out('reference')}", f"--out={self.out('iree')}")
        checked = [quantizer for quantizer in comparison["quantized"] if "differing_codes" in quantizer]
        differing = [sum(quantizer[key] for quantizer in checked) for key in ("differing_codes", "differing_scales")]
        error, name = self.largest_difference(comparison, self.out("iree"), self.file("args.safetensors"))
        bound = 0.06 if "f4E2M1FN" in run("fp8-opt", f"--show-recipe={recipe}", os.devnull) else 0.03
        cells = [f"{len(checked)} of {len(comparison['quantized'])}", f"{differing[0]} + {differing[1]}",
                 f"{100 * error:.2g} % (`{name}`)", f"{'' if error <= bound else 'BEYOND '}{100 * bound:.0f} %"]
        return cells, checked and not any(differing) and error <= bound

    def time(self, steps):
        """What a run of both functions says, with the least times and the most memory of all."""
        runs = [self.on_iree("--compare=unquantized", f"--steps={steps}") for _ in range(self.options.repeat or 1)]
        least = {key: min(each["seconds"][key] for each in runs) for key in runs[0]["seconds"]}
        most = {key: max(each[key] for each in runs) for key in runs[0] if key.endswith("peak_bytes")}
        return runs[0] | {"seconds": least} | most


def timed_cells(timed):
    seconds = timed["seconds"]
    return [f"{seconds[key]:.3g} ({seconds[key + '_processors']:.3g})" for key in ("step", "unquantized_step")] + [
        f"{timed[key] / 1e9:.2g}" for key in ("peak_bytes", "unquantized_peak_bytes")]


TIMES = "step [s]", "unquantized [s]", "memory [GB]", "unquantized [GB]"


def show_numbers(chosen, options):
    """How many rows fail."""
    graphs.head("graph", "recipe", "quantizers read", "codes + scales that differ", "largest difference", "bound",
                *(TIMES if options.repeat else []))
    failures = 0
    for graph in chosen:
        for recipe in options.recipes:
            try:
                cells, is_right = graph.compare(recipe)
                cells += timed_cells(graph.time(options.steps)) if options.repeat else []
            except Failed as failure:
                cells, is_right = [f"FAILED: {failure}"] + [""] * (7 if options.repeat else 3), False
            row(f"`{graph.name}`" + (", its length freed" if graph.is_freed else ""), f"`{recipe}`", *cells)
            failures += not is_right
    return failures


def numbers_of_large(report, timed):
    """The cells of the first result and of the lowest cosine, and whether both are within bounds."""
    quantized = report["summary"]["quantized"]
    bits = graphs.significand_bits(report["contractions"]) if quantized else math.inf
    first, cosine = timed["results"][0]["rel_error"], timed["summary"]["lowest_cosine"]
    # A cosine of 1 - e^2 / 2 stands for an error of e.
    first_bound, cosine_bound = 0.48 / 2**bits, 1 - (1.6 / 2**bits)**2 / 2
    is_first, is_cosine = first is not None and first <= first_bound, cosine is not None and cosine >= cosine_bound - 1e-6
    cells = ["-" if first is None else f"{first:.1e}", "-" if cosine is None else f"{cosine:.4f}"]
    cells[0] += "" if is_first else f" BEYOND {first_bound:.1e}"
    cells[1] += "" if is_cosine else f" BELOW {cosine_bound:.4f}"
    return cells, is_first and is_cosine


def show_large(chosen, options):
    """How many rows fail."""
    graphs.head("graph", "recipe", "block linears", "contractions", "first result", "lowest cosine", *TIMES, "compiling [s]")
    failures, kept = 0, {}
    for graph in chosen:
        for recipe in options.recipes:
            try:
                report = graph.compile_under(recipe)
                timed = graph.time(0)
            except Failed as failure:
                row(f"`{graph.name}`", f"`{recipe}`", f"FAILED: {failure}", *[""] * 8)
                failures += 1
                continue
            summary = report["summary"]
            kept[graph.name, recipe] = [c for c in report["contractions"] if not c["quantized"]], summary["quantized"] > 0
            cells, is_near = numbers_of_large(report, timed)
            row(f"`{graph.name}`", f"`{recipe}`", f"{summary['block_linears_quantized']} of {summary['block_linears']}",
                f"{summary['quantized']} of {summary['contractions']}", *cells, *timed_cells(timed),
                f"{timed['seconds']['compile']:.0f}")
            seconds = timed["seconds"]["step_processors"] / len(os.sched_getaffinity(0))
            failures += not (is_near and seconds <= options.seconds and timed["peak_bytes"] <= 1e9 * options.memory)
    print()
    graphs.show_kept(kept, options.recipes)
    return failures


def main():
    parser = graphs.parser_of_folders(__doc__)
    parser.add_argument("--recipes", default=names(RECIPES), type=names)
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--init", default="normal:1")
    parser.add_argument("--iree-compile", help="as of fp8-run")
    parser.add_argument("--large", action="store_true", help="the graphs without arguments")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--memory", type=float, default=12)
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        chosen = [graph for graph in graphs.find(options, scratch, Graph) if graph.is_large == options.large]
        if not chosen:
            sys.exit("expected graphs in the folders, got none that fit the options")
        for graph in chosen:
            graph.prepare()
        failures = (show_large if options.large else show_numbers)(chosen, options)
    minutes = (time.monotonic() - start) / 60
    print(f"\n{len(chosen)} graphs, {len(options.recipes)} recipes, {failures} not as they must be, {minutes:.0f} minutes")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
