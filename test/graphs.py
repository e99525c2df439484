# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One table for all graphs of some folders: what each recipe quantizes, and what that does to the numbers.
"""usage: graphs.py FOLDER... [--recipes=NAMES] [--all-depths] [--freed=NAMES] [--data=NAME=OTHER]

A graph is NAME.linalg.mlir, or NAME.tosa.mlir, which upstream's passes bring to linalg; with its signature NAME.json, arguments
NAME.args.safetensors and what its framework computed, NAME.expected.safetensors, where there are such files. Prints, and
exits with 1 where something is not as it must be:

 - the unquantized run: within the tolerances of test/Run/Inputs/check_expected.py of what the framework computed;
 - under each recipe, at the last step: GEMMs of block linears that are quantized, contractions that are, and how far the run
   is from the unquantized one, within the bounds below. Under bf16 the bits are the same;
 - whether the other steps from `quantize` on give the same bits, for some graphs and recipes or all;
 - every contraction that stays in high precision, with the reason.

    result                   bound by b, the significand bits of the codes, mean over the operands of quantized GEMMs
    loss, a scalar first     1 %; 3 % where b < 2
    logits, a tensor first   55 % / 2^b, at most 25 %; in norm
    changes of weights       140 % / 2^b; in norm, without the 1 % of elements with the largest error

A graph without arguments is compiled and not run. Tools are taken from PATH: fp8-opt, fp8-run, mlir-opt-22 for TOSA.
"""
import argparse
import concurrent.futures
import filecmp
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "Run" / "Inputs"))
from tensors import new_weights, read  # noqa: E402

CHECK = pathlib.Path(__file__).resolve().parent / "Run" / "Inputs" / "check_expected.py"
FREE = CHECK.parent / "free_length.py"
TOSA = "builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,canonicalize))"
# docs/Graphs.md says where these and the bounds below come from.
BITS_WITHOUT_EXPONENT = {"int8": 4.5}
# The other steps are run for these; --all-depths runs them for all.
DEPTH_GRAPHS = "llama_2l_train,gpt2_2l_train,deepseek_mla_2l_train,jax_decoder_scan_grad,jax_moe_2l_grad"
DEPTH_RECIPES = "fp8_current,fp8_block128,deepseek_v3,mxfp8,nvfp4"


class Failed(Exception):
    """A command that failed, by the last line of its errors, without folders."""


def run(*command):
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "error: " in line or line.startswith("fp8-")]
        message = (errors or [f"exit status {done.returncode}"])[-1].split("error: ")[-1]
        raise Failed(re.sub(r"[\w/.-]*/", "", message.removeprefix(f"{command[0]}: ")))
    return done.stdout


def names(text):
    return list(filter(None, text.split(",")))


def all_recipes():
    return [line.split()[0] for line in run("fp8-opt", "--list-recipes", os.devnull).splitlines()]


def depths():
    """The steps from `quantize` on, as the compiler tells them. Those from `kernels` on are a device's."""
    done = subprocess.run(["fp8-opt", "--until=?", os.devnull], text=True, capture_output=True)
    steps = re.search(r"this version has \((.*?)\)", done.stderr)[1].split(", ")
    return steps[steps.index("quantize"):steps.index("kernels")]


def significand_bits(contractions):
    """Of the codes, without the leading one, mean over the operands of quantized GEMMs."""
    codes = [re.search(r"scheme<(\w+)", scheme)[1] for c in contractions if c["quantized"] for scheme in c["schemes"]]
    return sum(BITS_WITHOUT_EXPONENT.get(code) or int(re.search(r"M(\d)", code)[1]) for code in codes) / len(codes)


def bound(what, bits):
    if what == "loss":
        return 0.03 if bits < 2 else 0.01
    return min(0.55 / 2**bits, 0.25) if what == "logits" else 1.4 / 2**bits


def change_of_weights(got, wanted, old):
    """The largest error of a weight's change, as check_expected.py measures it; None where no weight changes."""
    worst = None
    for name in new_weights(wanted):
        before = old["0" + name[1:]][2]
        pairs = sorted(((b - a, c - a) for a, b, c in zip(before, got[name][2], wanted[name][2])),
                       key=lambda pair: abs(pair[0] - pair[1]))
        kept = pairs[:len(pairs) - len(pairs) // 100]
        size = math.sqrt(math.fsum(c * c for _, c in kept))
        error = math.sqrt(math.fsum((b - c) ** 2 for b, c in kept))
        worst = max(worst or 0, error / size if size else error)
    return worst


class Graph:
    def __init__(self, path, scratch, options):
        self.name = path.name.removesuffix(".mlir").removesuffix(".linalg").removesuffix(".tosa")
        data = dict(pair.split("=") for pair in options.data).get(self.name, self.name)
        self.scratch, self.base, self.source = scratch / self.name, path.parent / data, path
        self.signature = [f"--signature={self.base}.json"] if self.file("json").exists() else []
        self.values = [f"--args={self.file('args.safetensors')}"] if self.file("args.safetensors").exists() else []
        self.is_freed = self.name in names(options.freed)

    def file(self, suffix):
        return pathlib.Path(f"{self.base}.{suffix}")

    def prepare(self):
        """Brings what is no linalg, or not as its exporter meant it, into a file of its own."""
        new = f"{self.scratch}.linalg.mlir"
        if self.source.name.endswith(".tosa.mlir"):
            run("mlir-opt-22", self.source, f"--pass-pipeline={TOSA}", "-o", new)
        elif self.is_freed:
            run(sys.executable, FREE, self.source, new)
        else:
            return
        self.source = pathlib.Path(new)

    def compile(self, out, *options):
        """Seconds that it took."""
        start = time.monotonic()
        run("fp8-opt", self.source, *self.signature, *options, "-o", f"{self.scratch}.{out}")
        return time.monotonic() - start

    def execute(self, out, *options):
        run("fp8-run", f"{self.scratch}.{out}", *self.values, f"--out={self.scratch}.{out}.out", *options)

    def check_unquantized(self):
        """What the unquantized run shows, and whether that is as it should be."""
        self.prepare()
        self.compile("import", "--until=import")
        if not self.values:
            return "not run: no arguments", True
        self.execute("import")
        if not self.file("expected.safetensors").exists():
            return "runs; nothing to compare with", True
        # Routing flips on differences of roundings.
        options = ["--matrices=0.1"] if self.has_router() else []
        if new_weights(json.loads(self.file("json").read_text())["results"]):
            options.append(f"--old-weights={self.file('args.safetensors')}")
        lines = run(sys.executable, CHECK, f"{self.scratch}.import.out", self.file("expected.safetensors"), *options)
        return "; ".join(lines.splitlines()[-1:]), "NOT AS EXPECTED" not in lines

    def has_router(self):
        report = f"{self.scratch}.roles.json"
        self.compile("roles", "--recipe=bf16", "--until=schemes", f"--report={report}")
        contractions = json.loads(pathlib.Path(report).read_text())["contractions"]
        return any(contraction.get("site") == "router" for contraction in contractions)

    def try_recipe(self, recipe, steps):
        """A row, what stays in high precision and whether anything does not, and whether all is as it should be."""
        report = f"{self.scratch}.{recipe}.report.json"
        seconds = self.compile(recipe, f"--recipe={recipe}", f"--report={report}")
        report = json.loads(pathlib.Path(report).read_text())
        summary = report["summary"]
        cells = [f"{summary['block_linears_quantized']} of {summary['block_linears']}",
                 f"{summary['quantized']} of {summary['contractions']}"]
        kept = [c for c in report["contractions"] if not c["quantized"]], summary["quantized"] > 0
        if not self.values:
            return cells + ["-"] * 4 + [f"{seconds:.1f}"], kept, True
        comparison = f"{self.scratch}.{recipe}.json"
        self.execute(recipe, f"--compare={self.scratch}.import.out", f"--json={comparison}")
        comparison = json.loads(pathlib.Path(comparison).read_text())
        deviations, is_near = self.deviations(recipe, comparison, report["contractions"])
        differing = [step for step in steps if not self.has_bits(recipe, step)]
        bits = f"DIFFER: {', '.join(differing)}" if differing else "same bits" if steps else "-"
        lowest, spent = comparison["summary"]["lowest_cosine"], comparison["seconds"]
        return (cells + [deviations, "-" if lowest is None else f"{lowest:.4f}", bits,
                         f"{seconds:.1f} + {spent['compile']:.1f} + {spent['run']:.1f}"], kept, is_near and not differing)

    def deviations(self, recipe, comparison, contractions):
        """How far the run is from the unquantized one, and whether that is near enough."""
        if not comparison["quantized"]:
            is_same = filecmp.cmp(f"{self.scratch}.{recipe}.out", f"{self.scratch}.import.out", shallow=False)
            return "same bits" if is_same else "NOT THE SAME BITS", is_same
        first = comparison["results"][0]
        found = {"logits" if "x" in first["type"] else "loss": first["rel_error"]}
        change = change_of_weights(read(f"{self.scratch}.{recipe}.out"), read(f"{self.scratch}.import.out"),
                                   read(self.file("args.safetensors")))
        if change is not None:
            found["weights"] = change
        bits, texts, is_near = significand_bits(contractions), [], True
        for what, error in found.items():
            is_within = error is not None and error <= bound(what, bits)
            is_near = is_near and is_within
            texts.append(f"{what} {error:.1e}" + ("" if is_within else f" BEYOND {bound(what, bits):.1e}"))
        return ", ".join(texts), is_near

    def has_bits(self, recipe, step):
        """Whether a step gives the bits of the last one."""
        out = f"{recipe}.{step}"
        self.compile(out, f"--recipe={recipe}", f"--until={step}")
        self.execute(out)
        return filecmp.cmp(f"{self.scratch}.{out}.out", f"{self.scratch}.{recipe}.out", shallow=False)


def row(*cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def head(*cells):
    row(*cells)
    print(f"|{'---|' * len(cells)}")


def attempt(work, *arguments):
    try:
        return work(*arguments)
    except Failed as failure:
        return failure


def show_unquantized(graphs, pool):
    """The graphs that can be tried under recipes, and how many fail."""
    head("graph", "unquantized run against the framework's")
    good = []
    for graph, result in zip(graphs, pool.map(lambda g: attempt(g.check_unquantized), graphs)):
        text, is_right = (f"FAILED: {result}", False) if isinstance(result, Failed) else result
        row(f"`{graph.name}`" + (", its length freed" if graph.is_freed else ""), text)
        good += [graph] if is_right else []
    return good, len(graphs) - len(good)


def show_recipes(graphs, options, pool):
    """What stays in high precision, by graph and recipe, and how many rows fail."""
    others, kept, failures = depths()[:-1], {}, 0
    head("graph", "recipe", "block linears", "contractions", "against the unquantized run", "lowest cosine",
         f"{', '.join(f'`{step}`' for step in others)}", "seconds")

    def steps(graph, recipe):
        is_listed = graph.name in names(options.depth_graphs) and recipe in names(options.depth_recipes)
        return others if options.all_depths or is_listed else []

    pairs = [(graph, recipe) for graph in graphs for recipe in options.recipes]
    results = pool.map(lambda pair: attempt(pair[0].try_recipe, pair[1], steps(*pair)), pairs)
    for (graph, recipe), result in zip(pairs, results):
        if isinstance(result, Failed):
            cells, is_right = [f"FAILED: {result}"] + [""] * 5, False
        else:
            cells, kept[graph.name, recipe], is_right = result
        row(f"`{graph.name}`", f"`{recipe}`", *cells)
        failures += not is_right
    return kept, failures


def describe(contraction, recipe):
    """What stays in high precision, and why; sizes that are known in the run alone as ?."""
    size = {key: "?" if contraction[key] < 0 else str(contraction[key]) for key in ("batch", "m", "n", "k")}
    batch = "" if contraction["batch"] == 1 else f"{size['batch']} times "
    what = f"{contraction.get('gemm', 'contraction')} {batch}{size['m']}x{size['n']}x{size['k']}"
    reason = contraction["kept"]["detail"].removesuffix(f" by recipe {recipe}").replace(f"recipe {recipe} ", "the recipe ")
    return what, reason, contraction["location"].split(":")[-2]


def show_kept(kept, recipes):
    """Every contraction in high precision. Recipes that keep the same for the same reason share a row."""
    rows, groups = {}, {}
    for (graph, recipe), (contractions, is_any_quantized) in kept.items():
        if not is_any_quantized:
            rows.setdefault((graph, "", "every contraction", "the recipe has no rules"), []).append(recipe)
            continue
        for contraction in contractions:
            what, reason, line = describe(contraction, recipe)
            rows.setdefault((graph, line, what, reason), []).append(recipe)
    for (graph, line, what, reason), under in rows.items():
        groups.setdefault((graph, what, reason, tuple(under)), []).append(line)
    quantizing = [recipe for recipe in recipes if any(key[1] == recipe and value[1] for key, value in kept.items())]
    head("graph", "contraction, m x n x k", "lines", "reason", "recipes")
    for (graph, what, reason, under), lines in sorted(groups.items(), key=lambda group: group[0][0]):
        shown = "all that quantize" if list(under) == quantizing else ", ".join(f"`{recipe}`" for recipe in under)
        row(f"`{graph}`", what, ", ".join(lines), reason, shown)


def parser_of_folders(usage, folders="+"):
    """With the options that say which graphs are meant; `usage` is the text of the script."""
    parser = argparse.ArgumentParser(description=usage, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs=folders, type=pathlib.Path)
    parser.add_argument("--graphs", type=names, help="instead of all of the folders")
    parser.add_argument("--freed", default="", help="graphs that free_length.py puts right first")
    parser.add_argument("--data", action="append", default=[], metavar="NAME=OTHER", help="NAME is run on the files of OTHER")
    return parser


def find(options, scratch, kind=Graph):
    """The graphs of the folders that are asked for, each name once."""
    found = {}
    for folder in options.folders:
        for path in sorted(folder.rglob("*.linalg.mlir")) + sorted(folder.rglob("*.tosa.mlir")):
            found.setdefault(path.name, path)
    graphs = [kind(path, pathlib.Path(scratch), options) for path in found.values()]
    return [graph for graph in graphs if not options.graphs or graph.name in options.graphs]


def main():
    parser = parser_of_folders(__doc__)
    parser.add_argument("--recipes", type=names, help="instead of all of the library")
    parser.add_argument("--all-depths", action="store_true", help="all steps of all graphs under all recipes")
    parser.add_argument("--depth-graphs", default=DEPTH_GRAPHS, help="run all steps of these")
    parser.add_argument("--depth-recipes", default=DEPTH_RECIPES, help="under these")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at a time")
    options = parser.parse_args()
    options.recipes = options.recipes or all_recipes()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        graphs = find(options, scratch)
        if not graphs:
            sys.exit("expected graphs NAME.linalg.mlir in the folders, got none")
        graphs, failures = show_unquantized(graphs, pool)
        print()
        kept, more = show_recipes(graphs, options, pool)
        print()
        show_kept(kept, options.recipes)
    minutes = (time.monotonic() - start) / 60
    print(f"\n{len(graphs)} graphs, {len(options.recipes)} recipes, {failures + more} not as they must be, {minutes:.0f} minutes")
    sys.exit(1 if failures + more else 0)


if __name__ == "__main__":
    main()
