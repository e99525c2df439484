# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks the last line of fp8-differential:  check_found.py OUTPUT AT_LEAST_MUTATED AT_MOST_MISSED
import re
import sys

last = open(sys.argv[1]).read().splitlines()[-1]
mutated, failed = (int(re.search(rf"(\d+) {word}", last)[1]) for word in ("mutated", "failed"))
if mutated < int(sys.argv[2]) or mutated - failed > int(sys.argv[3]) or failed > mutated:
    sys.exit(f"expected at least {sys.argv[2]} programs with a mutation, of which at most {sys.argv[3]} go unnoticed, got: {last}")
