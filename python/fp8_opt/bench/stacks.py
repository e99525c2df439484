# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Operands of a batch of products in bf16, which lie where attention leaves them: outer times inner matrices.

from .operands import GUARD, Operands, Part, maps_for
from .refusal import import_torch
from .shapes import PLAIN, TRANSPOSED

# Sequences and heads.
OUTER, INNER = 2, 3
# Of A and of B: whether rows of the inner matrices take turns, as heads do where a row is a token.
TAKES_TURNS = {"bf16": (True, False), "bf16_dgrad": (False, True), "bf16_wgrad": (True, True)}


class Stack:
    """Like Operands, of all products together."""

    def __init__(self, mode, shape, seed, device="cuda", batch=(OUTER, INNER)):
        torch = self.torch = import_torch()
        self.shape, self.device, self.types, self.result, self.batch = shape, device, PLAIN, PLAIN.result, batch
        self.addend = self.bias = self.scale = None
        m, n, k = shape
        generator = torch.Generator(device=device).manual_seed(seed)
        self.stacks, self.parts, self.result_rows = [], [], batch[0] * batch[1] * m
        for rows, transposed, takes_turns in zip((m, n), TRANSPOSED[mode], TAKES_TURNS[mode]):
            height, width = (k, rows) if transposed else (rows, k)
            count = batch[0] * batch[1] * height * width
            whole = torch.full((2 * GUARD + count,), float("nan"), dtype=torch.bfloat16, device=device)
            lies = (batch[0], height, batch[1], width) if takes_turns else (*batch, height, width)
            stack = whole[GUARD:GUARD + count].view(lies)
            stack.copy_(torch.randn(lies, device=device, generator=generator))
            self.stacks.append(stack.transpose(1, 2) if takes_turns else stack)
        for number in range(batch[0] * batch[1]):
            operands = Operands(shape, seed, device)
            for name, transposed, stack in zip("ab", TRANSPOSED[mode], self.stacks):
                matrix = stack[number // batch[1], number % batch[1]]
                operands.packed[name, transposed] = matrix.t() if transposed else matrix
            self.parts.append(Part(operands, number * m))

    def arguments(self, mode, into):
        """Of a kernel, in its order."""
        strides = [(stack.stride(2), stack.stride(1), stack.stride(0)) for stack in self.stacks]
        return (*self.stacks, into, maps_for(self.torch, self.device), self.batch[0] * self.batch[1], self.batch[1],
                *strides[0], *strides[1], *self.shape)
