# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a training step of LAYERS residual blocks of two linears each: deep_step.py LAYERS [loss|noloss] [own|shared].
# noloss: the gradient is an argument and the first result is the output. shared: all blocks have the same weights.

import sys

TYPE = "tensor<8x8xf32>"
MATRIX = "[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]"


def contract(result, a, b):
    print(f"%{result} = linalg.contract indexing_maps = #mm ins(%{a}, %{b} : !t, !t) outs(%z : !t) -> !t")



def gradients(gradient, data, weight, dgrad, wgrad, suffix):
    """dgrad and wgrad of one linear; the suffix keeps the names of transposes apart."""
    for value in (gradient, data, weight):
        print(f"%{value}_{suffix} = linalg.transpose ins(%{value} : !t) outs(%z : !t) permutation = [1, 0]")
    contract(dgrad, gradient, f"{weight}_{suffix}")
    contract(wgrad, f"{gradient}_{suffix}", f"{data}_{suffix}")


def main(layers, has_loss, is_shared):
    weight = (lambda i: "w0") if is_shared else (lambda i: f"w{i}")
    other = (lambda i: "v0") if is_shared else (lambda i: f"v{i}")
    count = 1 if is_shared else layers
    arguments = ["x", "z", "g"] + [f"{name}{i}" for i in range(count) for name in "wv"]
    results = [f"dw{i}" for i in range(layers)] + [f"dv{i}" for i in range(layers)]
    types = ", ".join(["tensor<f32>" if has_loss else "!t"] + ["!t"] * len(results))
    print(f"#mm = {MATRIX}\n!t = {TYPE}")
    print(f"func.func @main({', '.join(f'%{a}: !t' for a in arguments)}, %s: tensor<f32>) -> ({types}) {{")
    stream = "x"
    for i in range(layers):
        contract(f"y{i}", stream, weight(i))
        print(f"%a{i} = math.tanh %y{i} : !t")
        contract(f"u{i}", f"a{i}", other(i))
        print(f"%r{i} = arith.addf %{stream}, %u{i} : !t")
        stream = f"r{i}"
    first, gradient = stream, "g"
    if has_loss:
        print(f"%sq = arith.mulf %{stream}, %{stream} : !t")
        print("%loss = linalg.reduce { arith.addf } ins(%sq : !t) outs(%s : tensor<f32>) dimensions = [0, 1]")
        print(f"%seed = arith.addf %{stream}, %{stream} : !t")
        first, gradient = "loss", "seed"
    for i in reversed(range(layers)):
        gradients(gradient, f"a{i}", other(i), f"da{i}", f"dv{i}", f"v{i}t")
        print(f"%q{i} = arith.mulf %a{i}, %a{i} : !t\n%p{i} = arith.mulf %q{i}, %da{i} : !t")
        print(f"%dy{i} = arith.subf %da{i}, %p{i} : !t")
        gradients(f"dy{i}", f"r{i - 1}" if i else "x", weight(i), f"dx{i}", f"dw{i}", f"w{i}t")
        print(f"%g{i} = arith.addf %{gradient}, %dx{i} : !t")
        gradient = f"g{i}"
    print(f"return {', '.join('%' + value for value in [first] + results)} : {types}\n}}")


main(int(sys.argv[1]), "noloss" not in sys.argv, "shared" in sys.argv)
