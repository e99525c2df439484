#!/bin/bash
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets up, builds the tools, quantizes this training step, and runs it beside its unquantized self.
# Usage: run.sh [RECIPE], a name from `fp8-opt --list-recipes` or a recipe file; mxfp8 if none is given.
set -euo pipefail
recipe=${1:-mxfp8}
# As fp8-opt takes it: a name has neither a slash nor a dot.
case "$recipe" in */* | *.*) recipe=$(cd "$(dirname "$recipe")" && pwd)/$(basename "$recipe") ;; esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools/setup.sh
[ -f build/release/build.ninja ] || cmake --preset release >/dev/null
ninja -C build/release --quiet fp8-opt fp8-run

model=examples/llama_2l_train/llama_2l_train
artifact=build/release/llama_2l_train.$(basename "$recipe" .mlir)
show() { echo "\$ $*"; "$@"; }
export PATH=$PWD/build/release/bin:$PATH
show fp8-opt $model.linalg.mlir --recipe="$recipe" --target=cpu --signature=$model.json -o "$artifact"
show fp8-run "$artifact" --args=$model.args.safetensors --compare=unquantized
