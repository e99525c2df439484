# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Puts right what torch-mlir does to the dynamic length of a causal model:  free_length.py GRAPH NEW_GRAPH
"""The exporter writes the result of a norm of (batch, length, width) as tensor<?x1xWIDTH> and counts batch rows in the linear
behind it, as if the length were 1. Upstream's lowering then writes and reads beyond buffers, and IREE concludes that
the length of the argument is 1. Here these values are tensor<?x?xWIDTH>, and what they are flattened to has batch * length
rows. At length 1 both graphs are the same. Exits with an error where there is nothing to put right.
"""
import pathlib
import re
import sys

TOKENS = re.compile(r"%dim = tensor.dim %arg0, %c0 .*\n(.*\n)*?\s*%(?P<length>\w+) = tensor.dim %arg0, %c1 .*\n")
FIXED = re.compile(r"tensor<\?x1x(\d+)x(bf16|f32)>")


def free(text):
    found = TOKENS.search(text)
    if not found or not FIXED.search(text):
        sys.exit("expected token ids of dynamic batch and length, and values of length 1, got none")
    length = found["length"]
    head, tail = text[:found.end()], text[found.end():]
    tail = FIXED.sub(r"tensor<?x?x\1x\2>", tail)
    tail = re.sub(r"\[\[0\], \[1, 2\]\] : (tensor<\?x\?x\d+x\w+> into tensor<\?x\d+x\w+>)", r"[[0, 1], [2]] : \1", tail)
    tail = re.sub(r"tensor\.empty\((%\w+)\) : tensor<\?x\?x", rf"tensor.empty(\1, %{length}) : tensor<?x?x", tail)
    tail = re.sub(r"tensor\.empty\(%\w+\) : (tensor<\?x\d+x\w+>)", r"tensor.empty(%rows) : \1", tail)
    return f"{head}    %rows = arith.muli %dim, %{length} : index\n{tail}"


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(free(pathlib.Path(sys.argv[1]).read_text()))
