# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arguments of ../given-encode.mlir: numbers of all sizes, and scales that are no powers of two.
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Run", "Inputs"))
import tensors

rng = random.Random(11)
x = [rng.uniform(-2, 2) * 2.0 ** rng.randint(-20, 14) for _ in range(50 * 40)]
x[:4] = [float("inf"), float("-inf"), -0.0, 0.0]
unit = [0x38 if i == j else 0 for i in range(40) for j in range(40)]
tensors.write(sys.argv[1], {
    "arg0": ("F32", [50, 40], x), "arg1": ("F32", [], [1.7]),
    "arg2": ("F32", [50], [rng.uniform(0.1, 9) for _ in range(50)]), "arg3": ("F8_E4M3", [40, 40], unit)})
