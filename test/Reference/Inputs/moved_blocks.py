# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a program that checks views of quantized tensors.
"""Writes a program whose results count differing bits between moving a quantized tensor and quantizing a moved one.

Each case moves numbers with an upstream op and quantizes the result, and quantizes the numbers and moves codes and
scales with the op of qt. The numbers reach over many powers of two and have zeros, a NaN and infinities in some blocks.
With --break there are fewer cases, and in each of them one code is changed: no result may then be 0.
"""

import argparse
import math

FORMS = {
    "fp8": ("f8E4M3FN", "f32 per {} by fdiv"),
    "pow2": ("f8E5M2", "f32 per {} by fdiv_pow2, floor = 1.0e-12, overflow = flt_max"),
    "dec": ("f8E4M3FN", "f32 per {} by fdiv_dec, floor = 1.0e-4, apply = div_decode"),
    "mx": ("f8E4M3FN", "f8E8M0FNU per {} by rceil_mul"),
    "fnuz": ("f8E4M3FNUZ", "f32 per {} by fdiv"),
    "int8": ("int8", "f8E8M0FNU per {} by floor"),
    "wide": ("f12E5M6", "f32 per {} by fdiv"),
}


def scheme(form, block):
    """The scheme of a form with a block (a list, or None per tensor); nv has a level per tensor over it."""
    text = "tensor" if block is None else "block [" + ", ".join(str(size) for size in block) + "]"
    if form == "nv":
        return f"#qt.scheme<f4E2M1FN, [#qt.scale<f8E4M3FN per {text} by nvfp4>, #qt.scale<f32 per tensor by nvfp4>]>"
    code, level = FORMS[form]
    return f"#qt.scheme<{code}, [#qt.scale<{level.format(text)}>]>"


def shape_text(shape):
    return "".join(f"{size}x" for size in shape)


def tensor(shape, element="bf16"):
    return f"tensor<{shape_text(shape)}{element}>"


def quantized(shape, of):
    return f"!qt.tensor<{shape_text(shape)}bf16, {of}>"


def full_block(block, rank):
    return ([1] * rank + list(block))[-rank:]


def scale_shape(block, shape):
    if block is None:
        return list(shape[:-2])
    return [1 if b == "*" else "?" if size == "?" else -(-size // b)
            for size, b in zip(shape, full_block(block, len(shape)))]


def parts(form, block, shape):
    """Types of codes and scales of a quantized tensor."""
    code = "i16" if form == "wide" else "i8"
    levels = [(block, "i8" if form in ("mx", "int8", "nv") else "f32")]
    if form == "nv":
        levels.append((None, "f32"))
    return [(list(shape), code)] + [(scale_shape(of, shape), element) for of, element in levels]


class Case:
    """A view from `start` to `end`; `write` gives the upstream op from %x to %y and the op of qt from %q to %m.

    In types the dimensions `unknown_start` and `unknown_end` are dynamic; %c5 is a size of 5 that is known at run time only.
    """

    def __init__(self, form, start, start_block, end, end_block, write, unknown_start=(), unknown_end=()):
        self.form, self.start, self.end, self.write = form, start, end, write
        self.end_block = end_block
        self.from_shape = ["?" if dim in unknown_start else size for dim, size in enumerate(start)]
        self.to_shape = ["?" if dim in unknown_end else size for dim, size in enumerate(end)]
        self.from_type = quantized(self.from_shape, scheme(form, start_block))
        self.to_type = quantized(self.to_shape, scheme(form, end_block))
        self.plain_types = tensor(self.from_shape), tensor(self.to_shape)


def number_list(numbers, unknown=()):
    return "[" + ", ".join(f"%c{number}" if dim in unknown else str(number) for dim, number in enumerate(numbers)) + "]"


def sizes_clause(sizes):
    return f" sizes({', '.join(f'%c{size}' for size in sizes)})" if sizes else ""


def reshape(form, large, large_block, small, small_block, groups, unknown=()):
    """Both directions; a dimension of the smaller rank is unknown where one of its group is."""
    text = "[" + ", ".join(str(group) for group in groups) + "]"
    unknown_small = [dim for dim, group in enumerate(groups) if set(group) & set(unknown)]
    sizes = [large[dim] for dim in unknown]

    def collapse(case):
        return (f"%y = tensor.collapse_shape %x {text} : {case.plain_types[0]} into {case.plain_types[1]}",
                f"%m = qt.reshape %q {text} : {case.from_type} -> {case.to_type}")

    def expand(case):
        return (f"%y = tensor.expand_shape %x {text} output_shape {number_list(large, unknown)} "
                f": {case.plain_types[0]} into {case.plain_types[1]}",
                f"%m = qt.reshape %q {text}{sizes_clause(sizes)} : {case.from_type} -> {case.to_type}")

    yield Case(form, large, large_block, small, small_block, collapse, unknown, unknown_small)
    yield Case(form, small, small_block, large, large_block, expand, unknown_small, unknown)


def slice_of(form, start, block, offsets, sizes, strides, unknown=()):
    def write(case):
        at = f"{number_list(offsets, unknown)} {number_list(sizes, unknown)} {number_list(strides)}"
        return (f"%y = tensor.extract_slice %x{at} : {case.plain_types[0]} to {case.plain_types[1]}",
                f"%m = qt.slice %q{at} : {case.from_type} -> {case.to_type}")
    yield Case(form, start, block, sizes, block, write, (), unknown)


def concat(form, operands, block, dim):
    """Of slices of one tensor, so that its numbers are those of the whole."""
    end = list(operands[0])
    end[dim] = sum(operand[dim] for operand in operands)
    types = [quantized(operand, scheme(form, block)) for operand in operands]

    def write(case):
        plain, moved, offset = [], [], [0] * len(end)
        for number, operand in enumerate(operands):
            plain.append(f"%p{number} = tensor.empty() : {tensor(operand)}" if 0 in operand else
                         f"%p{number} = tensor.extract_slice %x{offset} {operand} {[1] * len(end)} "
                         f": {case.plain_types[0]} to {tensor(operand)}")
            moved.append(f"%q{number} = qt.quantize %p{number} : {tensor(operand)} to {types[number]}")
            offset[dim] += operand[dim]
        plain.append(f"%y = tensor.concat dim({dim}) {', '.join(f'%p{n}' for n in range(len(operands)))} : "
                     f"({', '.join(map(tensor, operands))}) -> {case.plain_types[1]}")
        moved.append(f"%m = qt.concat dim({dim}) {', '.join(f'%q{n}' for n in range(len(operands)))} : "
                     f"({', '.join(types)}) -> {case.to_type}")
        return "\n  ".join(plain), "\n  ".join(moved)
    yield Case(form, end, block, end, block, write)


def broadcast(form, start, start_block, end, end_block, dimensions, unknown=()):
    def write(case):
        sizes = [end[dim] for dim in unknown]
        return (f"%e = tensor.empty({', '.join(f'%c{size}' for size in sizes)}) : {case.plain_types[1]}\n  "
                f"%y = linalg.broadcast ins(%x : {case.plain_types[0]}) outs(%e : {case.plain_types[1]}) "
                f"dimensions = {dimensions}",
                f"%m = qt.broadcast %q dimensions = {dimensions}{sizes_clause(sizes)} "
                f": {case.from_type} -> {case.to_type}")
    yield Case(form, start, start_block, end, end_block, write, (), unknown)


def pad(form, start, block, low, high, unknown=()):
    end = [size + before + behind for size, before, behind in zip(start, low, high)]

    def write(case):
        amounts = f"low{number_list(low, unknown)} high{number_list(high, unknown)}"
        arguments = ", ".join(f"%i{dim}: index" for dim in range(len(start)))
        return (f"%zero = arith.constant 0.0 : bf16\n  %y = tensor.pad %x {amounts} {{\n  ^bb0({arguments}):\n"
                f"    tensor.yield %zero : bf16\n  }} : {case.plain_types[0]} to {case.plain_types[1]}",
                f"%m = qt.pad %q {amounts} : {case.from_type} -> {case.to_type}")
    yield Case(form, start, block, end, block, write, (), unknown)


VIEWS = [
    (reshape, [2, 3, 65], [1, "*"], [6, 65], [1, "*"], [[0, 1], [2]]),
    (reshape, [2, 3, 65], [1, 32], [6, 65], [1, 32], [[0, 1], [2]]),
    (reshape, [2, 3, 65], ["*", "*", "*"], [6, 65], None, [[0, 1], [2]], [0, 1, 2]),
    (reshape, [3, 8, 6], [1, 4, 6], [3, 48], [1, 24], [[0], [1, 2]]),
    (reshape, [4, 8, 6], [2, 8, 5], [32, 6], [16, 5], [[0, 1], [2]]),
    (reshape, [1, 5, 40], [1, 4, 32], [5, 40], [4, 32], [[0, 1], [2]], [1, 2]),
    (reshape, [1, 5, 40], None, [5, 40], None, [[0, 1], [2]]),
    (reshape, [3, 4, 8], [1, 1, 8], [3, 32], [1, 8], [[0], [1, 2]]),
    (reshape, [40, 1], ["*", 1], [40], [1, "*"], [[0, 1]]),
    (reshape, [0, 4, 8], [1, 1, "*"], [0, 8], [1, "*"], [[0, 1], [2]]),
    (reshape, [2, 0, 8], ["*", "*", 8], [0, 8], ["*", 8], [[0, 1], [2]]),
    (slice_of, [5, 100], [1, 32], [1, 64], [2, 36], [3, 1]),
    (slice_of, [9, 100], [4, 32], [4, 32], [5, 32], [1, 1]),
    (slice_of, [9, 40], [1, "*"], [2, 0], [6, 40], [1, 1], [0]),
    (slice_of, [4, 5, 40], None, [1, 0, 0], [2, 5, 40], [2, 1, 1]),
    (slice_of, [5, 64], [1, 32], [4, 32], [0, 32], [1, 1]),
    (concat, [[5, 64], [5, 0], [5, 40]], [1, 32], 1),
    (concat, [[8, 40], [5, 40]], [4, 32], 0),
    (concat, [[2, 5, 40], [1, 5, 40]], None, 0),
    (concat, [[5, 40]], [1, "*"], 1),
    (broadcast, [40], [1, 32], [3, 40], [1, 32], [0]),
    (broadcast, [40], [1, "*"], [3, 40], None, [0]),
    (broadcast, [5, 40], None, [2, 5, 3, 40], [1, "*", "*", "*"], [0, 2]),
    (broadcast, [5, 40], [4, 32], [5, 7, 40], [4, 2, 32], [1]),
    (broadcast, [5], [1, 4], [5, 6], [4, 4], [1], [1]),
    (broadcast, [40], [1, 32], [0, 40], [2, 32], [0], [0]),
    (pad, [5, 64], [1, 32], [2, 32], [1, 40]),
    (pad, [5, 40], [1, "*"], [2, 0], [3, 0], [0]),
    (pad, [2, 5, 40], None, [1, 0, 0], [2, 0, 0]),
    (pad, [8, 40], [4, 32], [8, 0], [3, 0]),
    (pad, [0, 40], [1, 32], [2, 0], [1, 0]),
]

# Under two levels.
TWO_LEVEL_VIEWS = [
    (reshape, [1, 5, 40], [1, 16], [5, 40], [1, 16], [[0, 1], [2]]),
    (reshape, [1, 33, 40], [16, 16], [33, 40], [16, 16], [[0, 1], [2]], [1, 2]),
    (reshape, [2, 3, 5, 40], [1, 16], [6, 5, 40], [1, 16], [[0, 1], [2], [3]], [0, 1]),
    (slice_of, [4, 5, 40], [1, 16], [1, 0, 0], [2, 5, 40], [2, 1, 1]),
    (slice_of, [4, 5, 40], [1, 16], [1, 0, 0], [3, 5, 40], [1, 1, 1], [0]),
    (concat, [[2, 5, 40], [1, 5, 40]], [1, 16], 0),
    (broadcast, [5, 40], [1, 16], [3, 5, 40], [1, 16], [0]),
    (broadcast, [5, 40], [16, 16], [3, 5, 40], [16, 16], [0], [0]),
    (broadcast, [40], [1, 16], [5, 40], [1, 16], [0]),
    (pad, [2, 5, 40], [1, 16], [1, 0, 0], [2, 0, 0]),
]


def cases():
    """Each view under one or two of the forms, in turn, and those that two levels allow under these."""
    forms = list(FORMS)
    for number, (view, *arguments) in enumerate(VIEWS):
        for form in dict.fromkeys([forms[number % len(forms)], "mx" if number % 2 else forms[number % len(forms)]]):
            yield from view(form, *arguments)
    for view, *arguments in TWO_LEVEL_VIEWS:
        yield from view("nv", *arguments)


DIFFER = """
func.func private @differ_{0}(%a: tensor<?x{0}>, %b: tensor<?x{0}>) -> i64 {{
  %zero = arith.constant dense<0> : tensor<i64>
  %n = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}}
      ins(%a, %b : tensor<?x{0}>, tensor<?x{0}>) outs(%zero : tensor<i64>) {{
  ^bb0(%x: {0}, %y: {0}, %sum: i64):
    %u = arith.bitcast %x : {0} to {1}
    %v = arith.bitcast %y : {0} to {1}
    %differs = arith.cmpi ne, %u, %v : {1}
    %one = arith.extui %differs : i1 to i64
    %next = arith.addi %sum, %one : i64
    linalg.yield %next : i64
  }} -> tensor<i64>
  %r = tensor.extract %n[] : tensor<i64>
  return %r : i64
}}"""


def numbers(shape):
    """A tensor whose elements are known at run time only: magnitudes of twenty powers of two, some special."""
    rank = len(shape)
    indices = "\n".join(f"    %x{dim} = linalg.index {dim} : index\n    %k{dim} = arith.constant {prime} : index\n"
                        f"    %t{dim} = arith.muli %x{dim}, %k{dim} : index\n"
                        f"    %s{dim + 1} = arith.addi %s{dim}, %t{dim} : index"
                        for dim, prime in zip(range(rank), [7919, 6037, 4871, 3571]))
    identity = f"affine_map<({', '.join(f'd{d}' for d in range(rank))}) -> ({', '.join(f'd{d}' for d in range(rank))})>"
    iterators = ", ".join('"parallel"' for _ in range(rank))
    return f"""
func.func private @numbers_{"x".join(map(str, shape))}(%seed: index) -> {tensor(shape)} {{
  %e = tensor.empty() : {tensor(shape)}
  %r = linalg.generic {{indexing_maps = [{identity}], iterator_types = [{iterators}]}} outs(%e : {tensor(shape)}) {{
  ^bb0(%unread: bf16):
    %s0 = arith.addi %seed, %seed : index
{indices}
    %i = arith.index_cast %s{rank} : index to i32
    %r = func.call @number(%i) : (i32) -> bf16
    linalg.yield %r : bf16
  }} -> {tensor(shape)}
  return %r : {tensor(shape)}
}}"""


NUMBER = """
func.func private @number(%i: i32) -> bf16 {
  %c0 = arith.constant 0 : i32
  %c17 = arith.constant 17 : i32
  %c20 = arith.constant 20 : i32
  %c251 = arith.constant 251 : i32
  %c125 = arith.constant 125 : i32
  %c1 = arith.constant 1 : i32
  %mixed = arith.muli %i, %c17 : i32
  %m = arith.remui %mixed, %c251 : i32
  %centred = arith.subi %m, %c125 : i32
  %mantissa = arith.sitofp %centred : i32 to f32
  %power = arith.remui %i, %c20 : i32
  %two = arith.shli %c1, %power : i32
  %scale = arith.sitofp %two : i32 to f32
  %small = arith.constant 1.0e-4 : f32
  %scaled = arith.mulf %mantissa, %scale : f32
  %value = arith.mulf %scaled, %small : f32
  %nan = arith.constant 0x7FC00000 : f32
  %infinity = arith.constant 0x7F800000 : f32
  %is_nan = arith.cmpi eq, %m, %c0 : i32
  %is_infinity = arith.cmpi eq, %m, %c1 : i32
  %or_nan = arith.select %is_nan, %nan, %value : f32
  %special = arith.select %is_infinity, %infinity, %or_nan : f32
  %r = arith.truncf %special : f32 to bf16
  return %r : bf16
}"""


def flat(name, shape, element, index):
    """Lines that make a part a tensor<?x...>."""
    if not shape:
        return [f"%f{index} = tensor.expand_shape %{name} [] output_shape [1] : tensor<{element}> into tensor<1x{element}>",
                f"%d{index} = tensor.cast %f{index} : tensor<1x{element}> to tensor<?x{element}>"]
    lines, current, kind = [], name, tensor(shape, element)
    if len(shape) > 1:
        size = "?" if "?" in shape else math.prod(shape)
        kind2 = f"tensor<{size}x{element}>"
        lines.append(f"%f{index} = tensor.collapse_shape %{name} [{list(range(len(shape)))}] : {kind} into {kind2}")
        current, kind = f"f{index}", kind2
    lines.append(f"%d{index} = tensor.cast %{current} : {kind} to tensor<?x{element}>")
    return lines


def write_case(number, case, broken):
    plain, moved = case.write(case)
    constants = sorted({*case.start, *case.end, 0, 1, 2, 3})
    lines = [f"%k{size} = arith.constant {size} : index\n  %c{size} = arith.addi %k{size}, %zero_at_run_time : index"
             for size in constants]
    lines += [plain, f"%a = qt.quantize %y : {case.plain_types[1]} to {case.to_type}",
              f"%q = qt.quantize %x : {case.plain_types[0]} to {case.from_type}", moved]
    kinds = parts(case.form, case.end_block, case.to_shape)
    types = ", ".join(tensor(shape, element) for shape, element in kinds)
    wanted = [f"w{n}" for n in range(len(kinds))]
    got = [f"g{n}" for n in range(len(kinds))]
    lines += [f"{', '.join('%' + n for n in names)} = qt.disassemble %{of} : {case.to_type} -> {types}"
              for names, of in ((wanted, "a"), (got, "m"))]
    if broken:
        at, (shape, element) = ", ".join("%c0" for _ in case.end), kinds[0]
        lines += [f"%old = tensor.extract %g0[{at}] : {tensor(shape, element)}", f"%bit = arith.constant 1 : {element}",
                  f"%new = arith.xori %old, %bit : {element}",
                  f"%changed = tensor.insert %new into %g0[{at}] : {tensor(shape, element)}"]
        got[0] = "changed"
    lines.append("%n0 = arith.constant 0 : i64")
    for n, (shape, element) in enumerate(kinds):
        lines += flat(wanted[n], shape, element, 2 * n) + flat(got[n], shape, element, 2 * n + 1)
        lines += [f"%r{n} = call @differ_{element}(%d{2 * n}, %d{2 * n + 1}) "
                  f": (tensor<?x{element}>, tensor<?x{element}>) -> i64",
                  f"%n{n + 1} = arith.addi %n{n}, %r{n} : i64"]
    body = "\n  ".join(lines)
    return (f"func.func private @case_{number}(%x: {case.plain_types[0]}, %zero_at_run_time: index) -> i64 {{\n  {body}\n"
            f"  return %n{len(kinds)} : i64\n}}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--break", dest="broken", action="store_true")
    broken = parser.parse_args().broken
    all_cases = list(cases())
    if broken:
        all_cases = [case for case in all_cases if 0 not in case.end][::10]
    print(NUMBER)
    for element, bits in [("i8", "i8"), ("i16", "i16"), ("f32", "i32")]:
        print(DIFFER.format(element, bits))
    for shape in sorted({tuple(case.start) for case in all_cases}):
        print(numbers(shape))
    calls = []
    for number, case in enumerate(all_cases):
        print(write_case(number, case, broken))
        name = "x".join(map(str, case.start))
        calls += [f"%seed{number} = arith.constant {number} : index",
                  f"%x{number} = call @numbers_{name}(%seed{number}) : (index) -> {tensor(case.start)}"]
        known = f"%x{number}"
        if case.from_shape != list(case.start):
            calls.append(f"%u{number} = tensor.cast {known} : {tensor(case.start)} to {case.plain_types[0]}")
            known = f"%u{number}"
        calls.append(f"%r{number} = call @case_{number}({known}, %zero) : ({case.plain_types[0]}, index) -> i64")
    results = ", ".join("i64" for _ in all_cases)
    names = ", ".join(f"%r{number}" for number in range(len(all_cases)))
    body = "\n  ".join(calls)
    # The argument is 0, which nothing knows when sizes are folded.
    print(f"func.func @main(%n: tensor<i64>) -> ({results}) {{\n  %i = tensor.extract %n[] : tensor<i64>\n"
          f"  %zero = arith.index_cast %i : i64 to index\n  {body}\n  return {names} : {results}\n}}")


main()
