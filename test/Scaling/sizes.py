# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Lengths of dimensions: integers, and products of lengths that are known only at run time.

import math


class Dynamic:
    """The product of a number and of lengths that have names, as in 4 * batch * sequence."""

    __slots__ = ("factor", "names")

    def __init__(self, factor, names):
        self.factor, self.names = factor, tuple(sorted(names))

    def __mul__(self, other):
        if isinstance(other, Dynamic):
            return Dynamic(self.factor * other.factor, self.names + other.names)
        return Dynamic(self.factor * other, self.names)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Dynamic) and (self.factor, self.names) == (other.factor, other.names)

    def __hash__(self):
        return hash((self.factor, self.names))


def text(size):
    """As types and static sizes print it."""
    return "?" if isinstance(size, Dynamic) else str(size)


def example(size, lengths):
    """The size when the named lengths are those of `lengths`."""
    return size.factor * math.prod(lengths[name] for name in size.names) if isinstance(size, Dynamic) else size
