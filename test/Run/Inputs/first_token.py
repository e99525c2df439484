# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cuts arguments and expected logits of a causal model down to the first token of each sequence, whose logits depend on
# nothing else:  first_token.py ARGUMENTS EXPECTED NEW_ARGUMENTS NEW_EXPECTED
import sys

from tensors import read, write

arguments, expected = read(sys.argv[1]), read(sys.argv[2])
for name in ("input_ids", "position_ids"):
    dtype, (batch, length), values = arguments[name]
    arguments[name] = (dtype, [batch, 1], values[::length])
dtype, shape, values = arguments["attention_mask"]
arguments["attention_mask"] = (dtype, [1, 1, 1, 1], values[:1])
dtype, (batch, length, width), values = expected["logits"]
first = [value for row in range(batch) for value in values[row * length * width:][:width]]
expected["logits"] = (dtype, [batch, 1, width], first)
write(sys.argv[3], arguments)
write(sys.argv[4], expected)
