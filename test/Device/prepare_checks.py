#!/usr/bin/env python3
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes the folder that run_checks.py runs from on a machine with a GPU.
"""usage: prepare_checks.py FOLDER --graphs=INPUTS --build=BUILD

Needs the tools in BUILD/bin, kernels in BUILD/bench-kernels and BUILD/device-kernels, and ptxas and iree-compile on PATH; no GPU. INPUTS has
NAME.linalg.mlir, NAME.json and NAME.args.safetensors of the graphs. What is there and newer than the compiler is not made again.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RECIPES = ["bf16", "fp8_current", "fp8_rowwise", "fp8_block128", "deepseek_v3"]
COMPARED = ["llama_2l_train", "gpt2_2l_train", "jax_decoder_scan_grad", "jax_moe_2l_grad"]
TIMED = ["llama3_8b_layer_train"]
# Graphs of a few ops, under fewer recipes; of those with numbers, the first argument has so many rows, once for each.
SMALL = {HERE / "Inputs" / "flat.mlir": [], HERE / "Inputs" / "rows.mlir": [1, 5, 300],
         **{ROOT / "test/Target/IREE/Inputs" / f"{name}.mlir": [] for name in ("decode", "one-token", "named-elementwise", "given-codes")}}
SMALL_RECIPES = ["bf16", "fp8_current", "fp8_block128"]
# How far all gradients may be from the reference's, in norm, where that is not what compare_step.py takes: with experts a rounding
# can send a token elsewhere.
BOUNDS = {"jax_moe_2l_grad": 0.12}
SCRIPTS = [HERE / "run_checks.py", HERE / "compare_graph.py", HERE / "compare_step.py", HERE / "time_step.py", ROOT / "test/Run/Inputs/tensors.py",
           ROOT / "python/fp8_opt/run_iree.py"]
QUANTIZER_SCRIPTS = [ROOT / "test/Kernels/Quantize" / name for name in ("launch_quantizers.py", "convert_all.py", "count_quantizers.py", "exact_codes.py")]
TARGET = "sm_90a"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stderr}")
    return done.stdout


def copy(sources, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for source in sources:
        shutil.copy(source, folder)


def prepare_quantizers(folder, tools):
    copy([*QUANTIZER_SCRIPTS, tools / "fp8-quantizers"], folder)
    planned, lowered = folder / "planned.mlir", folder / "lowered.mlir"
    run(tools / "fp8-opt", "-", "--qtile-expand-quantize", "--qtile-plan-rings", "-o", planned,
        input=run(tools / "fp8-quantizers", "kernels"))
    run(tools / "fp8-opt", planned, "--convert-qtile-to-nvvm", "-o", lowered)
    run(tools / "fp8-translate", "--nvvm-to-cubin", f"--target={TARGET}", "--strict", lowered, "-o", folder / "kernels.cubin")
    lowered.unlink()


def compile_step(job):
    source, recipe, made, tools, options = job
    compiler = tools / "fp8-opt"
    if made.exists() and made.stat().st_mtime > max(compiler.stat().st_mtime, source.stat().st_mtime):
        return
    signature = source.with_name(source.name.replace(".linalg.mlir", ".json"))
    run(compiler, source, *([f"--signature={signature}"] if signature != source else []), f"--recipe={recipe}", *options, "-o", made)


def prepare_steps(folder, inputs, tools):
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []

    def add(source, name, recipes, is_compared):
        for recipe in recipes:
            jobs.append((source, recipe, folder / f"{name}.{recipe}.vmfb", tools, [f"--target={TARGET}"]))
            if is_compared:
                jobs.append((source, recipe, folder / f"{name}.{recipe}.graph", tools, ["--target=cpu"]))

    for name in COMPARED + TIMED:
        copy([inputs / f"{name}.{'args.safetensors' if name in COMPARED else 'json'}"], folder)
        add(inputs / f"{name}.linalg.mlir", name, RECIPES, name in COMPARED)
    for source in SMALL:
        add(source, source.stem, SMALL_RECIPES, True)
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compile_step, jobs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--graphs", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    options = parser.parse_args()
    folder, build = options.folder, options.build
    copy([*SCRIPTS, build / "bin" / "fp8-run"], folder)
    shutil.copytree(build / "bench-kernels", folder / "bench", dirs_exist_ok=True)
    shutil.copytree(build / "device-kernels", folder / "launch" / "device-kernels", dirs_exist_ok=True)
    copy([build / "unit" / "DeviceTests"], folder / "launch")
    prepare_quantizers(folder / "quantizers", build / "bin")
    prepare_steps(folder / "steps", options.graphs, build / "bin")
    steps = {"bounds": BOUNDS, "compared": {name: RECIPES for name in COMPARED}, "timed": {name: RECIPES for name in TIMED},
             "small": {source.stem: rows for source, rows in SMALL.items()}, "small_recipes": SMALL_RECIPES}
    (folder / "steps.json").write_text(json.dumps(steps, indent=2) + "\n")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{size / 1e6:.0f} MB in {folder}: python3 {folder.name}/run_checks.py check, on a machine with a GPU")


if __name__ == "__main__":
    main()
