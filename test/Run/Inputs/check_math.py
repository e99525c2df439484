# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares elementary functions of f32 with Python's, which are f64.
import math
import struct
import sys

from tensors import read


def single(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def last_place(value):
    return math.ldexp(1, max(math.frexp(value)[1] - 24, -149))


results = [tensor[2] for tensor in read(sys.argv[1]).values()]
x = results[0]
functions = [math.exp, lambda v: math.log(abs(v)), math.tanh, math.erf, math.sin, math.cos, lambda v: abs(v) ** v,
             lambda v: 1 / math.sqrt(abs(v))]
wrong = 0
for function, values in zip(functions, results[1:9]):
    wrong += sum(abs(value - function(v)) > last_place(function(v)) for v, value in zip(x, values))
print(f"{len(x)} numbers, {len(functions)} functions: {wrong} differ by more than a unit in the last place")
apart = (results[10][0] != results[1][7]) + (results[11][0] != single(math.e))
print(f"scalar and constant: {apart} differ from the loop")
print("cube:", sum(value != single(single(v * v) * v) for v, value in zip(x, results[9])), "differ")
