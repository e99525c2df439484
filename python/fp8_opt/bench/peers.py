# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What else multiplies on the same GPU: cuBLASLt, as PyTorch calls it.

from .shapes import TRANSPOSED, scaling


def peer(operands, mode):
    """A function that computes the same product, in its own layout of the scales."""
    torch = operands.torch
    if mode in TRANSPOSED:
        x, y = operands.numbers(mode)
        return lambda: torch.matmul(x, y.t())
    a, b = operands.a, operands.b.t()
    scales = {"tensor": lambda: (operands.alpha.reshape(()), torch.ones((), device=operands.device)),
              "row": lambda: (operands.a_by_row, operands.b_by_row.t().contiguous()),
              # Scales of A and of B's rows lie along the rows, those of squares along the contraction.
              "block": lambda: (operands.a_by_block.t().contiguous().t(), operands.b_by_square.t()),
              "wgrad": lambda: (operands.a_by_block.t().contiguous().t(), operands.b_by_block.t().contiguous())}[scaling(mode)]()
    # The faster of its two ways to add, where it has two; the other one where sums are promoted.
    options = {"use_fast_accum": True} if mode in ("tensor", "row") else {}
    return lambda: torch._scaled_mm(a, b, *scales, out_dtype=torch.bfloat16, **options)


def find_peer(operands, mode):
    """The function, or none and why: it does not have all scales on all GPUs, and not all shapes."""
    call = peer(operands, mode)
    try:
        call()
        operands.torch.cuda.synchronize()
    except (RuntimeError, ValueError, NotImplementedError) as error:
        return None, str(error).strip().split("\n")[0][:200]
    return call, None
