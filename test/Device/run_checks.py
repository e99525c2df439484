# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks and times everything of ours on a machine with a GPU. It lies in the folder that prepare_checks.py makes.
"""usage: run_checks.py check|bench|table [--minutes=N] [--only=REGEX] [--results=FOLDER]

`check` compares: products in f64 with sums of integers, kernels with these products, quantizers with Numerics byte by byte, conversions, repeated launches, all under a
sanitizer, and whole training steps with the reference. `bench` times kernels beside their peers, counts their clocks and bytes, and
times one layer's step. Each part is a process of its own, whose output is a file of --results and whose outcome is a line of
outcomes.jsonl there. A part that has passed is not run again, and none is begun that would not end within --minutes: the same command
goes on where the last one stopped. `table` prints what is there, and what was timed. The exit status is 1 where something failed, 3 where
something is left to run.

Needs Python 3.9 or later with PyTorch, numpy and iree-base-runtime, and NVIDIA's driver; compute-sanitizer and Nsight Compute (ncu) on
PATH or beside nvcc, without which those parts are skipped.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
QUANTIZERS = [HERE / "quantizers" / name for name in ("fp8-quantizers", "planned.mlir", "kernels.cubin")]
SANITIZER = "compute-sanitizer"
PRODUCT_PARTS = 3
# What a sanitizer sees, which takes its time: products in so many parts; and quantizers of small matrices of bf16, by how their names end.
SANITIZED_PARTS = {"memcheck": 9, "synccheck": 2}
SANITIZED = ("tensor", "row", "block", "tile", "weight", "gradient", "cached", "mxfp8", "nvfp4")


def find(tool):
    """On PATH or beside nvcc."""
    nvcc = shutil.which("nvcc")
    return shutil.which(tool) or nvcc and shutil.which(tool, path=pathlib.Path(nvcc).resolve().parent)


@dataclasses.dataclass
class Part:
    """A command, the minutes that it takes at most on an H200, a tool that it needs, and whether what it finds is told alone:
    where the tool cannot judge."""
    name: str
    command: list
    minutes: float
    tool: str = None
    is_told: bool = False

    def skip_reason(self):
        return f"no {self.tool} on PATH or beside nvcc" if self.tool and not find(self.tool) else None


def python(script, *arguments):
    return [sys.executable, HERE / script, *arguments]


def products(name, results, *arguments):
    return python("bench/fp8-bench", "run", *arguments, f"--json={results / name}.jsonl")


def sanitized(name, tool, command, minutes, is_told=False):
    # PyTorch asks for memory as it is needed, so that each buffer has an end.
    return Part(f"{name}-{tool}", ["env", "PYTORCH_NO_CUDA_MEMORY_CACHING=1", find(SANITIZER), f"--tool={tool}", "--error-exitcode=1",
                                   *command], minutes, SANITIZER, is_told)


def checks(results):
    quantizers, steps = python("quantizers/launch_quantizers.py", *QUANTIZERS), json.loads((HERE / "steps.json").read_text())
    types = json.loads((HERE / "bench" / "chosen.json").read_text())["types"]
    # One test is of a machine without a driver.
    yield Part("launcher", [HERE / "launch" / "DeviceTests", f"--kernels={HERE / 'launch' / 'device-kernels'}",
                            "--gtest_filter=-Driver.missingOneIsAnError"], 0.5)
    yield Part("oracle", products("oracle", results, "--list=oracle"), 1)
    for number in range(1, PRODUCT_PARTS + 1):
        name = f"products-{number}"
        yield Part(name, products(name, results, "--list=check", f"--part={number}/{PRODUCT_PARTS}"), 2)
    yield Part("products-repeated", products("products-repeated", results, "--list=repeat"), 2)
    yield Part("quantizers", [*quantizers], 1.5)
    yield Part("quantizers-repeated", [*quantizers, "--repeat", "100"], 1)
    yield Part("conversions", python("quantizers/convert_all.py", *QUANTIZERS), 2)
    for tool, parts in SANITIZED_PARTS.items():
        for number in range(1, parts + 1):
            yield sanitized(f"products-{number}", tool, python("bench/fp8-bench", "run", "--list=small", f"--part={number}/{parts}"), 1)
        for name in SANITIZED:
            yield sanitized(f"quantizers-{name}", tool, [*quantizers, "--most", "130", "--only", f"{name}_bf16"], 1)
    # It does not follow bar.arrive and does not see stmatrix (docs/Checks.md), so that its errors of products say nothing. So one
    # kernel of those that stage by stores, which it sees, has to do: all of them take more than 3 minutes.
    staged = next(name for name, (_, _, result, *_) in types.items() if result == "f32")
    yield sanitized("products", "racecheck", python("bench/fp8-bench", "run", "--list=small", f"--kernel={staged}"), 1, is_told=True)
    for graph, rows in steps["small"].items():
        for recipe in steps["small_recipes"]:
            yield Part(f"graph-{graph}-{recipe}", python("compare_graph.py", HERE / "steps" / graph, recipe, f"--work={results}",
                                                         *(f"--rows={count}" for count in rows)), 0.5)
    for graph, recipes in steps["compared"].items():
        bound = [f"--bound={steps['bounds'][graph]}"] if graph in steps.get("bounds", ()) else []
        for recipe in recipes:
            yield Part(f"step-{graph}-{recipe}", python("compare_step.py", HERE / "steps" / graph, recipe, *bound,
                                                         f"--work={results}"), 1)


def benches(results):
    listed = json.loads((HERE / "bench" / "chosen.json").read_text())
    for mode in dict.fromkeys(listed["modes"].values()):
        for name in ("gemm", "few"):
            yield Part(f"{name}-{mode}", products(f"{name}-{mode}", results, f"--list={name}", f"--mode={mode}"), 1.5)
    for mode in dict.fromkeys(listed["modes"][form] for form in listed["forms"]):
        yield Part(f"forms-{mode}", products(f"forms-{mode}", results, "--list=forms", f"--mode={mode}"), 1.5)
    for name in ("gemm", "few"):
        yield Part(f"{name}-counters", products(f"{name}-counters", results, f"--list={name}", "--counters"), 2, "ncu")
    yield Part("quantizers-counters", python("quantizers/count_quantizers.py", *QUANTIZERS), 1, "ncu")
    for size in ("8192x4096", "8192x8192", "16384x32768"):
        yield Part(f"quantizers-{size}", python("quantizers/launch_quantizers.py", *QUANTIZERS, "--time", size,
                                                f"--json={results / f'quantizers-{size}.jsonl'}"), 1.5)
    for graph, recipes in json.loads((HERE / "steps.json").read_text())["timed"].items():
        for recipe in recipes:
            yield Part(f"step-{graph}-{recipe}", python("time_step.py", HERE / "steps" / graph, recipe), 0.5)
        yield Part(f"step-{graph}-unquantized", python("time_step.py", HERE / "steps" / graph, recipes[0], "--unquantized"), 0.5)


def last_line(path):
    lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""


def run(part, results):
    log, start = results / f"{part.name}.log", time.monotonic()
    print(f"{part.name} ...", flush=True)
    with open(log, "w") as file:
        status = subprocess.run([str(word) for word in part.command], stdout=file, stderr=subprocess.STDOUT).returncode
    status = 0 if part.is_told else status
    return {"part": part.name, "status": status, "last": last_line(log), "seconds": round(time.monotonic() - start, 1)}


def read_outcomes(results):
    """The last outcome of each part."""
    path = results / "outcomes.jsonl"
    return {each["part"]: each for each in map(json.loads, path.read_text().splitlines())} if path.exists() else {}


def show(parts, outcomes):
    print("| part | outcome | seconds |\n|---|---|---:|")
    for part in parts:
        done, reason = outcomes.get(part.name), part.skip_reason()
        if done:
            prefix = "FAILED: " if done["status"] else "told alone: " if part.is_told else ""
            print(f"| `{part.name}` | {prefix}{done['last']} | {done['seconds']:.0f} |")
        else:
            print(f"| `{part.name}` | {'skipped: ' + reason if reason else 'not run'} | |")


def show_times(results, outcomes):
    for part in benches(results):
        if part.name in outcomes:
            print(f"\n`{part.name}`\n\n{(results / f'{part.name}.log').read_text().strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("check", "bench", "table"))
    parser.add_argument("--minutes", type=float, default=9, help="(default: 9)")
    parser.add_argument("--only", default="", metavar="REGEX", help="parts whose name has a match")
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    options = parser.parse_args()
    missing = next((name for name in ("steps.json", "bench/chosen.json") if not (HERE / name).exists()), None)
    if missing:
        sys.exit(f"run_checks.py: expected to lie in the folder that prepare_checks.py makes, got no {missing} in '{HERE}'")
    options.results.mkdir(parents=True, exist_ok=True)
    results, start = options.results.resolve(), time.monotonic()
    kinds = {"check": (checks,), "bench": (benches,), "table": (checks, benches)}[options.what]
    parts = [part for kind in kinds for part in kind(results) if re.search(options.only, part.name)]
    if not parts:
        sys.exit(f"expected parts whose name matches '{options.only}', got none")
    outcomes = read_outcomes(results)
    pending = [part for part in parts if outcomes.get(part.name, {"status": 1})["status"] != 0 and not part.skip_reason()]
    for part in pending if options.what != "table" else ():
        if time.monotonic() - start + 60 * part.minutes > 60 * options.minutes:
            continue
        outcomes[part.name] = run(part, results)
        with open(results / "outcomes.jsonl", "a") as file:
            file.write(json.dumps(outcomes[part.name]) + "\n")
    show(parts, outcomes)
    if options.what == "table":
        show_times(results, outcomes)
    left = [part.name for part in pending if part.name not in outcomes]
    failed = [part.name for part in parts if outcomes.get(part.name, {"status": 0})["status"] != 0]
    print(f"\n{len(parts)} parts, {len(failed)} failed, {len(left)} left to run")
    sys.exit(1 if failed else 3 if left else 0)


if __name__ == "__main__":
    main()
