# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Layouts by their maps against layouts by hand, element for element.

import itertools

from fp8_opt.bench import layouts


def up(size, multiple):
    return -(-size // multiple) * multiple


def panel_index(panel, row, place):
    """The element of a matrix in the byte `place` of a row of a panel: its 16-byte chunk is exchanged by the row."""
    chunk = place // 16 ^ row % 8
    return row, panel * 128 + chunk * 16 + place % 16


BY_HAND = {"panels": (lambda rows, columns: (up(columns, 128) // 128, up(rows, 16), 128), panel_index),
           "row": (lambda rows, columns: (up(rows, 4),), lambda place: (place, 0)),
           "block_1x128": (lambda rows, columns: (columns, up(rows, 4)), lambda block, row: (row, block)),
           "block_128x128": (lambda rows, columns: (rows, up(columns, 4)), lambda row, block: (row, block))}

assert set(BY_HAND) == set(layouts.LAYOUTS)
for name, (shape, index) in BY_HAND.items():
    for sizes in ((1, 1), (7, 16), (16, 128), (17, 129), (24, 300)):
        sizes = (sizes[0], 1) if name == "row" else sizes
        extents = layouts.stored_shape(name, sizes)
        assert extents == shape(*sizes), (name, sizes, extents)
        for stored in itertools.product(*map(range, extents)):
            assert layouts.logical_indices(name, sizes, stored) == index(*stored), (name, sizes, stored)
