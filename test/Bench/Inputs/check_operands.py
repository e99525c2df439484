# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Packing and comparing with PyTorch on the CPU, with kernels that are written in PyTorch too.

import torch

from fp8_opt.bench import check, exact, layouts, peers, shapes
from fp8_opt.bench.groups import Groups
from fp8_opt.bench.operands import NAN_CODE, Operands
from fp8_opt.bench.stacks import Stack

for shape in ((1, 7, 16), (16, 1, 1), (129, 130, 257), (65, 120, 128)):
    operands = Operands(shape, 3, "cpu")
    for codes in (operands.a, operands.b):
        rows, k = codes.shape
        packed = layouts.pack(codes.view(torch.uint8), "panels", NAN_CODE)
        exchange = torch.arange(8)[None] ^ (torch.arange(packed.shape[1])[:, None] & 7)
        chunks = packed.view(packed.shape[0], packed.shape[1], 8, 16)
        straight = torch.gather(chunks, 2, exchange[None, :, :, None].expand_as(chunks))
        matrix = straight.permute(1, 0, 2, 3).reshape(packed.shape[1], -1)
        assert bool((matrix[:rows, :k] == codes.view(torch.uint8)).all()), shape
        assert bool((matrix[:rows, k:] == 0).all()) and bool((matrix[rows:] == NAN_CODE).all()), shape
    scales = operands.pack(operands.a_by_block, "block_1x128")
    assert bool((scales[:, :shape[0]] == operands.a_by_block.t()).all()) and bool(scales[:, shape[0]:].isnan().all())


class Kernel:
    """Computes the exact product, but for a fault."""
    name = "kernel"

    def __init__(self, operands, mode, fault):
        self.operands, self.mode, self.fault, self.runs = operands, mode, fault, 0

    def bind(self, *arguments):
        place = {"tensor": 3}.get(shapes.scaling(self.mode), 2 if self.mode in shapes.TRANSPOSED else 4)
        into = arguments[place + (getattr(self.operands, "grouping", "batch") != "batch")]

        def launch(stream):
            for part in self.operands.parts:
                count = part.operands.shape[0]
                exact = part.operands.expected(self.mode, torch.arange(count))[0]
                if part.operands.types.into_panels:
                    self.pack(exact, into)
                else:
                    into[part.first:part.first + count].copy_(exact)
            self.runs += 1
            self.fault(into, self.runs)
        return launch

    def pack(self, exact, into):
        """Leaves rows of padding as they are."""
        scale = self.operands.scale
        words = (exact if scale is None else exact / scale.double()).to(into.dtype).view(torch.uint8)
        stored = into.view(torch.uint8).view(layouts.stored_shape("panels", words.shape))
        stored[:, :words.shape[0]] = layouts.pack(words, "panels", NAN_CODE)[:, :words.shape[0]]


def padding(into, _):
    # The last row is number 7 of 8: its first chunk is the last one, behind the last column.
    into.view(torch.uint8)[-128:-112] = 1


def beyond(into, _):
    torch.as_strided(into, (1,), (1,), into.storage_offset() + into.numel()).copy_(torch.zeros(1))


def half_an_element(into, _):
    into[-1, -1] += into.float().norm() / into.numel() ** 0.5 / 2


FAULTS = {"": lambda into, runs: None,
          "other bits when it runs again": lambda into, runs: into[0, 0].mul_(1 + 2.0 ** -7) if runs > 1 else None,
          "not finite": lambda into, runs: into[-1].fill_(float("nan")),
          "writes outside": beyond,
          "bounds away": half_an_element}
for mode, sizes in {"bf16": [(65, 40), (33, 40)], "bf16_wgrad": [(40, 65), (40, 33)]}.items():
    for number, size in zip(Operands((65, 33, 40), 2, "cpu").numbers(mode), sizes):
        lies = number.t() if mode == "bf16_wgrad" else number
        assert lies.shape == size and lies.is_contiguous(), mode
        around = torch.as_strided(lies, (2, 64), (64 + lies.numel(), 1), lies.storage_offset() - 64)
        assert bool(around.isnan().all()), mode
for types in (shapes.PLAIN, shapes.Types("f8E5M2", "f8E4M3FN", "f32"), shapes.Types("f8E4M3FN", "f8E4M3FN", "f32", True)):
    operands = Operands((65, 33, 300), 1, "cpu", types)
    for mode in shapes.MODES:
        for text, fault in FAULTS.items():
            problems = check.check(Kernel(operands, mode, fault), mode, operands, None, lambda: None)["problems"]
            assert any(text in problem for problem in problems) if text else not problems, (mode, types, text, problems)
# In panels: zeros behind the last column, nothing behind the last row; codes that saturate.
for types in shapes.LEFT + sum(shapes.READ.values(), ()):
    operands = Operands((64, 33, 304), 1, "cpu", types)
    faults = {"": FAULTS[""], "writes outside": beyond}
    if types.into_panels:
        faults["padding of panels that is not zero"] = padding
    for mode in [mode for mode in shapes.MODES if (mode in shapes.TRANSPOSED) == (types.a not in shapes.CODES)]:
        for text, fault in faults.items():
            problems = check.check(Kernel(operands, mode, fault), mode, operands, None, lambda: None)["problems"]
            assert any(text in problem for problem in problems) if text else not problems, (mode, types, text, problems)

# Of groups: rows that no product has stay as they are; a product that is wrong is found; an empty contraction is zeros.
for grouping in shapes.GROUPINGS:
    groups = Groups(grouping, (65, 33, 300), 1, "cpu")
    codes = groups.arguments("block", None)[0]
    assert bool((codes == NAN_CODE).any()), grouping
    part = groups.parts[2]
    rows = slice(part.first, part.first + part.operands.shape[0])
    for mode in shapes.PACKED:
        for text, fault in FAULTS.items():
            if fault is beyond:
                continue
            wrong = Kernel(groups, mode, lambda into, runs: fault(into[rows], runs))
            problems = check.check(wrong, mode, groups, None, lambda: None)["problems"]
            assert any(text in problem for problem in problems) if text else not problems, (grouping, mode, text, problems)
    if grouping in ("rows", "counted_rows"):
        problems = check.check(Kernel(groups, "row", lambda into, runs: into.nan_to_num_()), "row", groups, None, lambda: None)
        assert "writes to rows of no product" in problems["problems"], grouping

# Of batches: strides lead to each matrix, and a product of the wrong ones is found.
for mode, transposed in shapes.TRANSPOSED.items():
    stack = Stack(mode, (40, 24, 16), 1, "cpu")
    groups, inner, *strides = stack.arguments(mode, None)[4:-3]
    assert (groups, inner) == (6, 3)
    for side, name, rows in ((0, "a", 40), (1, "b", 24)):
        height, width = (16, rows) if transposed[side] else (rows, 16)
        of_row, of_inner, of_outer = strides[3 * side:3 * side + 3]
        for number, part in enumerate(stack.parts):
            source = stack.stacks[side]
            offset = source.storage_offset() + number % inner * of_inner + number // inner * of_outer
            matrix = torch.as_strided(source, (height, width), (of_row, 1), offset)
            wanted = part.operands.numbers(mode)[side]
            assert bool((matrix == (wanted.t() if transposed[side] else wanted)).all()), (mode, name, number)
    assert not check.check(Kernel(stack, mode, FAULTS[""]), mode, stack, None, lambda: None)["problems"], mode
    swapped = Kernel(stack, mode, lambda into, runs: into[:80].copy_(into[:80].roll(40, 0)))
    assert check.check(swapped, mode, stack, None, lambda: None)["problems"], mode


class DeepGEMM:
    """What its fp8_gemm_nt asks of scales of rows, to take them where they lie."""

    @staticmethod
    def fp8_gemm_nt(a, b, into):
        (a, by_row), (b, by_square) = a, b
        m, blocks = by_row.shape
        assert by_row.stride() == (1, -(-m // 4) * 4) and by_square.is_contiguous()
        scales = by_square.repeat_interleave(128, 0)[:b.shape[0]].repeat_interleave(128, 1)[:, :b.shape[1]].double()
        into.copy_((a.double() * by_row.double().repeat_interleave(128, 1)[:, :a.shape[1]]) @ (b.double() * scales).t())


for shape in ((1, 128, 256), (66, 64, 128), (3, 320, 640)):
    operands = Operands(shape, 1, "cpu")
    rows = torch.arange(shape[0])
    assert not check.compare(operands, "block", peers.deepgemm(operands, DeepGEMM)(), rows)[0], shape

# The products in f64 are those of integers.
for number, (mode, shape, types) in enumerate(exact.entries()):
    if shape[2] < 500:
        assert not exact.check(mode, shape, types, number, "cpu")["problems"], (mode, shape)
