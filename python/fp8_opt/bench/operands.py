# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random operands of a product: as PyTorch has them, as kernels read them, and what the product is.

from . import bounds, layouts, oracle
from .oracle import BLOCK
from .refusal import import_torch
from .shapes import PLAIN, TRANSPOSED, elements, scaling

# The code of a NaN in both formats, and what both operands of `tensor` are scaled by.
NAN_CODE, ALPHA = 0x7f, 0.25
# The largest numbers of codes.
LARGEST = {"f8E4M3FN": 448, "f8E5M2": 57344}
# NaN before and behind numbers that are not packed, which no kernel may read; what a kernel describes both in, for as many thread
# blocks as any GPU has at a time, and for alignment.
GUARD, MAP_BYTES, MOST_BLOCKS = 64, 128, 1024


def ceil_div(size, divisor):
    return -(-size // divisor)


def maps_for(torch, device):
    return torch.empty((2 * MOST_BLOCKS + 1) * MAP_BYTES, dtype=torch.int8, device=device)


class Part:
    """A product of a launch, and its rows of the result: from `first` on."""

    def __init__(self, operands, first):
        self.operands, self.first = operands, first


class Operands:
    def __init__(self, shape, seed, device="cuda", types=PLAIN, alpha=ALPHA):
        torch = self.torch = import_torch()
        self.shape, self.device, self.result, self.types = shape, device, types.result, types
        codes_of = {"f8E4M3FN": torch.float8_e4m3fn, "f8E5M2": torch.float8_e5m2, "bf16": torch.bfloat16, "f16": torch.float16}
        m, n, k = shape
        generator = torch.Generator(device=device).manual_seed(seed)

        def codes(rows, element):
            return torch.randn(rows, k, device=device, generator=generator).to(codes_of[element])

        def scales(*sizes):
            return torch.rand(*sizes, device=device, generator=generator) + 0.5

        blocks = ceil_div(k, BLOCK)
        self.a, self.b = codes(m, types.a), codes(n, types.b)
        self.alpha = torch.full((1,), alpha, device=device)
        self.a_by_row, self.b_by_row = scales(m, 1), scales(n, 1)
        self.a_by_block, self.b_by_block = scales(m, blocks), scales(n, blocks)
        self.b_by_square = scales(ceil_div(n, BLOCK), blocks)
        self.packed = {}
        # One product, whose rows are those of the result.
        self.parts, self.result_rows = [Part(self, 0)], m
        self.generator = generator
        # What a kernel finds in the result, where it adds to it.
        self.addend = torch.randn(m, n, device=device, generator=generator) * k ** 0.5 if types.accumulates else None
        # What is added to each column, in a run of whole 16 bytes; and the scale of the result's codes, under which some of
        # them saturate.
        self.bias = torch.randn(n, device=device, generator=generator) * k ** 0.5 / 4 if types.bias else None
        if types.bias:
            self.bias = self.bias.to({"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}[types.bias])
        largest = LARGEST.get(types.result)
        self.scale = torch.full((1,), 0.7 * k ** 0.5 / largest, device=device) if largest else None

    def scales_of(self, mode):
        """What A and B have scales for, each with the layout that a kernel reads them in."""
        return {"row": ((self.a_by_row, "row"), (self.b_by_row, "row")),
                "block": ((self.a_by_block, "block_1x128"), (self.b_by_square, "block_128x128")),
                "wgrad": ((self.a_by_block, "block_1x128"), (self.b_by_block, "block_1x128"))}[scaling(mode)]

    def numbers(self, mode):
        """A and B in bf16 or f16, of m and n rows, which lie as the mode says. Made once for each way to lie."""
        m, n, k = self.shape
        return [self.number(name, element, rows, k, transposed)
                for name, element, rows, transposed in zip("ab", elements(mode, self.types), (m, n), TRANSPOSED[mode])]

    def number(self, name, element, rows, k, is_transposed):
        key = name, is_transposed
        if key not in self.packed:
            kind = {"bf16": self.torch.bfloat16, "f16": self.torch.float16}[element]
            whole = self.torch.full((2 * GUARD + rows * k,), float("nan"), dtype=kind, device=self.device)
            matrix = whole[GUARD:GUARD + rows * k].view(*((k, rows) if is_transposed else (rows, k)))
            matrix.copy_(self.torch.randn(*matrix.shape, device=self.device, generator=self.generator))
            self.packed[key] = matrix.t() if is_transposed else matrix
        return self.packed[key]

    def arguments(self, mode, into):
        """Of a kernel, in its order. Packed once for all kernels."""
        behind = (into, *([] if self.scale is None else [self.scale]), *([] if self.bias is None else [self.padded_bias()]))
        if mode in TRANSPOSED:
            a, b = self.numbers(mode)
            if self.types.from_panels:
                a = self.pack_numbers(a)
            return (a, b, *behind, maps_for(self.torch, self.device), *self.shape)
        a, b = self.pack("a", "panels"), self.pack("b", "panels")
        if scaling(mode) == "tensor":
            return (a, b, self.alpha, *behind, *self.shape)
        first, second = [self.pack(scales, layout) for scales, layout in self.scales_of(mode)]
        return (a, first, b, second, *behind, *self.shape)

    def padded_bias(self):
        """Behind the last number are NaN."""
        whole = -len(self.bias) % (16 // self.bias.element_size())
        return self.torch.nn.functional.pad(self.bias, (0, whole), value=float("nan"))

    def pack_numbers(self, matrix):
        """Panels are of bytes; two 0x7f are a NaN."""
        words = matrix.contiguous().view(self.torch.uint8)
        return layouts.pack(words, "panels", NAN_CODE)

    def pack(self, what, layout):
        key = what if isinstance(what, str) else id(what)
        if key not in self.packed:
            if isinstance(what, str):
                self.packed[key] = layouts.pack(getattr(self, what).view(self.torch.uint8), layout, NAN_CODE)
            else:
                self.packed[key] = layouts.pack(what, layout, float("nan"))
        return self.packed[key]

    def expected(self, mode, rows):
        """What a kernel is to leave, in f64, and how far an element may be away: for its products, and for itself."""
        exact, magnitude = self.exact(mode, rows)
        if self.addend is not None:
            exact = exact + self.addend[rows]
        if self.bias is not None:
            exact = exact + self.bias.double()
        scale = 1 if self.scale is None else self.scale.double().item()
        away = bounds.relative_bound(mode, self.shape[2]) * magnitude + bounds.rounding_bound(self.result) * exact.abs()
        largest = LARGEST.get(self.result, float("inf")) * scale
        return exact.clamp(-largest, largest), away + bounds.smallest_bound(self.result) * scale

    def scaled(self, mode, rows):
        """A's rows and B in f64, times their scales; nothing is rounded."""
        if mode in TRANSPOSED:
            a, b = self.numbers(mode)
            return a[rows].double(), b.double()
        a, b = self.a.view(self.torch.uint8)[rows].view(self.a.dtype).double(), self.b.double()
        if scaling(mode) == "tensor":
            return a * self.alpha.double(), b
        (first, _), (second, _) = self.scales_of(mode)
        of_a, of_b = oracle.BOXES[scaling(mode)]
        return (oracle.scaled(a, first.double(), of_a, rows.tolist()), oracle.scaled(b, second.double(), of_b, range(len(b))))

    def exact(self, mode, rows):
        """The product in f64, and for each element the root of the sum of its squared products."""
        return oracle.product(*self.scaled(mode, rows))
