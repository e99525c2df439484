# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Sixty linears of sizes that are hard on tiles.
"""usage: products.py GRAPH.mlir GRAPH.json

Writes a graph of 60 linears x [M, K] times w [N, K] transposed in bf16, of sizes on both sides of those of instructions, tiles,
blocks of scales and paddings, and its signature. Each size is M, N and K of several; all pairs of them are far more than 60.
"""
import json
import sys

SIZES = (1, 8, 16, 24, 64, 96, 120, 128, 192, 256, 768, 1152, 2880)


def products():
    """Sixty of a Latin cube: with two of M, N and K given, the third follows."""
    count = len(SIZES)
    every = [(SIZES[i], SIZES[(i + 5 * j) % count], SIZES[(3 * i + j) % count]) for j in range(5) for i in range(count)]
    return every[:60]


def product(number, m, n, k):
    return f"""\
  %empty{number} = tensor.empty() : tensor<{m}x{n}xf32>
  %zero{number} = linalg.fill ins(%zero : f32) outs(%empty{number} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %y{number} = linalg.contract indexing_maps = [#x, #w, #y] ins(%x{number}, %w{number} : tensor<{m}x{k}xbf16>, tensor<{n}x{k}xbf16>)
    outs(%zero{number} : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
"""


def main():
    listed = products()
    assert len(set(listed)) == 60 and all({sizes[side] for sizes in listed} == set(SIZES) for side in range(3))
    arguments = ", ".join(f"%x{i}: tensor<{m}x{k}xbf16>, %w{i}: tensor<{n}x{k}xbf16>" for i, (m, n, k) in enumerate(listed))
    types = ", ".join(f"tensor<{m}x{n}xf32>" for m, n, _ in listed)
    results = ", ".join(f"%y{i}" for i in range(len(listed)))
    text = "#x = affine_map<(m, n, k) -> (m, k)>\n#w = affine_map<(m, n, k) -> (n, k)>\n#y = affine_map<(m, n, k) -> (m, n)>\n"
    text += f"func.func @main({arguments}) -> ({types}) {{\n  %zero = arith.constant 0.0 : f32\n"
    text += "".join(product(i, *sizes) for i, sizes in enumerate(listed))
    text += f"  return {results} : {types}\n}}\n"
    with open(sys.argv[1], "w") as file:
        file.write(text)
    named = []
    for i, (m, n, k) in enumerate(listed):
        named.append({"name": f"x{i}", "kind": "input", "shape": [m, k], "dtype": "bfloat16"})
        named.append({"name": f"w{i}", "kind": "parameter", "shape": [n, k], "dtype": "bfloat16"})
    outputs = [f"y{i}" for i in range(len(listed))]
    with open(sys.argv[2], "w") as file:
        json.dump({"function": "main", "arguments": named, "results": outputs}, file)


if __name__ == "__main__":
    main()
