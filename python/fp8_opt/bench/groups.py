# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Operands of several products that one launch computes: stacks of matrices, and groups of rows or of the contraction.

from . import layouts
from .operands import ALPHA, BLOCK, NAN_CODE, Operands, Part, ceil_div
from .refusal import import_torch
from .shapes import PLAIN, scaling

# Where groups of rows begin: what panels exchange repeats after so many.
ROW_ALIGNMENT = 8
# Matrices of a batch.
BATCH = 3


def sizes_of(grouping, shape):
    """Of each group: all, nothing, a part that ends anywhere, one, and a last one that is empty."""
    size = shape[2] if grouping == "contraction" else shape[0]
    return [size] * BATCH if grouping == "batch" else [size, 0, size // 2 + 1, 1, size // 3 + 5 if size > 8 else 1, 0]


def bounds_of(sizes, alignment):
    """Begin and end of groups that begin at multiples, with a gap before every second one."""
    bounds, end = [], 0
    for number, size in enumerate(sizes):
        begin = ceil_div(end, alignment) * alignment + (number % 2) * alignment
        end = begin + size
        bounds.append((begin, end))
    return bounds


class Groups:
    """Like Operands, of all products together. What no product has is NaN, but what layouts say is zero."""

    def __init__(self, grouping, shape, seed, device="cuda"):
        torch = self.torch = import_torch()
        self.grouping, self.shape, self.device, self.result = grouping, shape, device, PLAIN.result
        self.addend, self.scale, self.types = None, None, PLAIN
        m, n, k = shape
        sizes = sizes_of(grouping, shape)
        alignment = BLOCK if grouping == "contraction" else ROW_ALIGNMENT
        self.bounds = [(0, size) for size in sizes]
        if grouping in ("rows", "contraction"):
            self.bounds = bounds_of(sizes, alignment)
        # Numbers of the stacks' matrices.
        self.m = max(1, self.bounds[-1][1]) if grouping == "rows" else m
        self.k = max(1, self.bounds[-1][1]) if grouping == "contraction" else k
        self.parts = []
        for number, (begin, end) in enumerate(self.bounds):
            of_group = (m, n, end - begin) if grouping == "contraction" else (end - begin, n, k)
            alpha = ALPHA if grouping == "contraction" else ALPHA * (1 + number)
            operands = Operands(of_group, seed * len(sizes) + number, device, alpha=alpha)
            if grouping == "contraction" and self.parts:
                first = self.parts[0].operands
                operands.a_by_row, operands.b_by_row = first.a_by_row, first.b_by_row
            self.parts.append(Part(operands, begin if grouping == "rows" else number * m))
        self.result_rows = self.m if grouping == "rows" else len(sizes) * m

    def joined(self, pieces, fill, rows, columns, elements=1):
        """One matrix of a matrix of each group, which begins where its bounds say; a column is so many elements."""
        whole = self.torch.full((rows, columns), fill, dtype=pieces[0].dtype, device=self.device)
        for (begin, _), piece in zip(self.bounds, pieces):
            row, column = (begin, 0) if self.grouping == "rows" else (0, begin // elements)
            whole[row:row + piece.shape[0], column:column + piece.shape[1]] = piece
        return whole

    def stacked(self, pieces, fill, layout, rows):
        """Each matrix with as many rows, in the layout, after the others."""
        packed = []
        for piece in pieces:
            whole = self.torch.full((rows, piece.shape[1]), fill, dtype=piece.dtype, device=self.device)
            whole[:piece.shape[0]] = piece
            packed.append(layouts.pack(whole, layout, fill))
        return self.torch.stack(packed)

    def codes(self, side):
        pieces = [getattr(part.operands, side).view(self.torch.uint8) for part in self.parts]
        rows = self.m if side == "a" else self.shape[1]
        if self.grouping == "contraction":
            # Zeros up to the next panel.
            pieces = [self.torch.nn.functional.pad(piece, (0, -piece.shape[1] % BLOCK)) for piece in pieces]
            whole = self.joined(pieces, NAN_CODE, rows, ceil_div(self.k, BLOCK) * BLOCK)[:, :self.k]
            return layouts.pack(whole.contiguous(), "panels", NAN_CODE)
        if self.grouping == "rows" and side == "a":
            return layouts.pack(self.joined(pieces, NAN_CODE, rows, self.k), "panels", NAN_CODE)
        return self.stacked(pieces, NAN_CODE, "panels", rows)

    def scales(self, mode, side):
        index = 0 if side == "a" else 1
        pieces, layout = zip(*[part.operands.scales_of(mode)[index] for part in self.parts])
        layout, nan = layout[0], float("nan")
        rows = self.m if side == "a" else self.shape[1]
        rows = ceil_div(rows, BLOCK) if layout == "block_128x128" else rows
        if self.grouping == "contraction":
            whole = pieces[0] if scaling(mode) == "row" else self.joined(pieces, nan, rows, ceil_div(self.k, BLOCK), elements=BLOCK)
            return layouts.pack(whole, layout, nan)
        if self.grouping == "rows" and side == "a":
            return layouts.pack(self.joined(pieces, nan, rows, pieces[0].shape[1]), layout, nan)
        return self.stacked(pieces, nan, layout, rows)

    def arguments(self, mode, into):
        """Of a kernel, in its order."""
        if scaling(mode) == "tensor":
            alphas = [part.operands.alpha for part in self.parts]
            operands = [self.codes("a"), self.codes("b"), self.torch.cat(alphas)]
        else:
            operands = [self.codes("a"), self.scales(mode, "a"), self.codes("b"), self.scales(mode, "b")]
        if self.grouping != "batch":
            numbers = [end for _, end in self.bounds] if self.grouping == "counted_rows" else self.bounds
            operands.append(self.torch.tensor(numbers, dtype=self.torch.int32, device=self.device))
        return (*operands, into, len(self.parts), self.m, self.shape[1], self.k)
