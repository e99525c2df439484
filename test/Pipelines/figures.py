# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks what quantization did to a training step against figures from elsewhere.
"""usage: figures.py REPORT.json COMPARISON.json RECIPE

The figures are those of an independent emulation of the recipes in another framework on llama_2l_train: the loss, the
lowest cosine of a gradient with the unquantized one, and the mean over the gradients of the relative error.
"""
import json
import sys

#            loss    within  cosine  within  mean error
FIGURES = {
    "fp8_current": (1.8526, 0.003, 0.9945, 0.004, 0.072),
    "fp8_block128": (1.8543, 0.003, 0.9969, 0.004, 0.059),
    "mxfp8": (1.8543, 0.003, 0.9969, 0.004, 0.059),
    "nvfp4": (1.8635, 0.010, 0.9670, 0.020, 0.203),
}
LINEAR_GEMMS = 42


def check(what, value, low, high):
    if not low <= value <= high:
        sys.exit(f"expected {what} in [{low}, {high}], got {value}")


def main():
    report, comparison, recipe = json.load(open(sys.argv[1])), json.load(open(sys.argv[2])), sys.argv[3]
    summary = report["summary"]
    check("GEMMs of block linears", summary["block_linears"], LINEAR_GEMMS, LINEAR_GEMMS)
    kept = [c for c in report["contractions"] if not c["quantized"]]
    if any(not c["kept"]["detail"] for c in kept):
        sys.exit("expected a reason for each contraction that is kept")
    results = {r["name"]: r for r in comparison["results"]}
    if recipe == "bf16":
        check("quantized GEMMs", summary["quantized"], 0, 0)
        check("results that differ", sum(r["rel_error"] != 0 for r in results.values()), 0, 0)
        return
    loss, loss_within, cosine, cosine_within, mean = FIGURES[recipe]
    check("quantized GEMMs", summary["quantized"], LINEAR_GEMMS, LINEAR_GEMMS)
    check("the loss", results["loss"]["value"], loss - loss_within, loss + loss_within)
    gradients = [r for name, r in results.items() if name != "loss"]
    check("gradients", len(gradients), 21, 21)
    check("the lowest cosine", min(r["cosine"] for r in gradients), cosine - cosine_within, 1)
    error = sum(r["rel_error"] for r in gradients) / len(gradients)
    check("the mean relative error", error, 0.8 * mean, 1.2 * mean)


if __name__ == "__main__":
    main()
