# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What kernels are compared with: a product in f64, by operations that PyTorch's tensors and NumPy's arrays share.

# The blocks of A and of B that share a scale, for each mode that has some; None is a whole dimension.
BLOCK = 128
BOXES = {"row": ((1, None), (1, None)), "block": ((1, BLOCK), (BLOCK, BLOCK)), "wgrad": ((1, BLOCK), (1, BLOCK))}


def spread(scales, box, rows, columns):
    """The scale of each element of the rows, which are numbers, and of so many columns."""
    by_row = scales[[row // box[0] for row in rows]]
    return by_row[:, [column // (box[1] or columns) for column in range(columns)]]


def scaled(numbers, scales, box, rows):
    """Rows of an operand times their scales. All of it is in f64, in which a code times an f32 is exact."""
    return numbers * spread(scales, box, rows, numbers.shape[1])


def product(a, b):
    """A times B transposed, and for each element the root of the sum of its squared products, which distances are told in."""
    return a @ b.T, ((a * a) @ (b * b).T) ** 0.5
