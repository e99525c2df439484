#!/bin/bash
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sets up, builds once, and runs every test: unit tests, lit, House, formatting, linting. The last line is the sum.
# Usage: test/run.sh [release|dev|asan]. FP8OPT_EXTRA_INPUTS names a folder with further graphs to test; CI=true makes
# warnings errors.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:-release}
case "$preset" in release | dev | asan) ;; *) echo "expected release, dev or asan, got '$preset'" >&2; exit 2 ;; esac
build=build/$preset

# The last line is a sum of results also where nothing could be run.
trap 'echo "test: could not set up or build"; echo "0 passed, 1 failed, 0 skipped"' ERR
setup=(--tests)
[ "$preset" = asan ] && setup+=(--asan)
tools/setup.sh "${setup[@]}"
# PyPI may be out of reach; then the tests on IREE and ptxas are skipped, but not in continuous integration.
tools/setup.sh --iree || [ "${CI:-}" != true ]
tools/setup.sh --ptxas || [ "${CI:-}" != true ]

settings=(-DFP8OPT_WERROR=OFF)
[ "${CI:-}" = true ] && settings=(-DFP8OPT_WERROR=ON)
if [ -n "${FP8OPT_EXTRA_INPUTS:-}" ]; then
  settings+=("-DFP8OPT_EXTRA_INPUTS:PATH=$(cd "$FP8OPT_EXTRA_INPUTS" && pwd)")
fi
mkdir -p "$build"
echo "test: building the $preset preset"
cmake --preset "$preset" "${settings[@]}" >"$build/configure.log" ||
  { cat "$build/configure.log"; false; }
ninja -C "$build" fp8opt-tests

trap - ERR

# Counted below from what the runner wrote; its own exit status says no more than that.
echo "test: running"
results=$build/results.xml
rm -f "$results"
/usr/lib/llvm-22/bin/lit -v --xunit-xml-output="$results" "$build/test" "$build/recipes" "$build/unit" || true
tidy=0
python3 test/tidy.py --build "$build" --minutes=20 || tidy=$?
python3 test/sum_results.py "$results" --also "clang-tidy=$tidy"
