# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a program whose results count differing bits between moving a quantized tensor and quantizing a moved one.

Each case moves numbers with an upstream op and quantizes the result, and quantizes the numbers and moves codes and
scales with the op of qt. The numbers reach over many powers of two and have zeros, a NaN and infinities in some blocks.
With --break one code of each case is changed: every result must then differ from 0.
"""

import argparse
import itertools

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
    if block is None:
        return [1] * (rank - 2) + ["*"] * min(rank, 2)
    return ([1] * rank + list(block))[-rank:]


def scale_shape(shape, block, sizes):
    if block is None:
        return list(sizes[:-2])
    return [1 if b == "*" else "?" if s == "?" and b != "*" else -(-s // b)
            for s, b in zip(sizes, full_block(block, len(sizes)))]


def parts(form, block, shape):
    """Types of codes and scales of a quantized tensor."""
    code = "i16" if form == "wide" else "i8"
    levels = [(block, "i8" if form in ("mx", "int8", "nv") else "f32")]
    if form == "nv":
        levels.append((None, "f32"))
    return [(list(shape), code)] + [(scale_shape(shape, of, shape), element) for of, element in levels]


class Case:
    """A view from one shape to another; `views` writes the two ops, given the names of operand and result."""

    def __init__(self, form, start, start_block, end, end_block, plain, moved, dynamic=False):
        self.form, self.plain, self.moved = form, plain, moved
        self.start, self.start_block, self.end, self.end_block = start, start_block, end, end_block
        self.dynamic = dynamic


def unknown(case, shape):
    """The shape as the case's types have it."""
    return ["?"] * len(shape) if case.dynamic is True else \
        ["?" if case.dynamic and dim in case.dynamic else size for dim, size in enumerate(shape)]


def groups_text(groups):
    return "[" + ", ".join("[" + ", ".join(map(str, group)) + "]" for group in groups) + "]"


def reshape(form, large, large_block, small, small_block, groups, dynamic=False):
    """Both directions."""
    text = groups_text(groups)

    def collapse(case, x, q, start, end, tq, te):
        return (f"%y = tensor.collapse_shape %{x} {text} : {tensor(start)} into {tensor(end)}",
                f"%m = qt.reshape %{q} {text} : {tq} -> {te}")

    def expand(case, x, q, start, end, tq, te):
        names = [f"%c{size}" if known == "?" else str(size) for size, known in zip(case.end, end)]
        sizes = ", ".join(name for name, known in zip(names, end) if known == "?")
        return (f"%y = tensor.expand_shape %{x} {text} output_shape [{', '.join(names)}] "
                f": {tensor(start)} into {tensor(end)}",
                f"%m = qt.reshape %{q} {text}{f' sizes({sizes})' if sizes else ''} : {tq} -> {te}")

    yield Case(form, large, large_block, small, small_block, collapse, None, dynamic)
    yield Case(form, small, small_block, large, large_block, expand, None, dynamic)


def slice_of(form, start, block, offsets, sizes, strides, dynamic=False, hidden=()):
    """`hidden` are the dimensions whose offset and size are known at run time only."""
    def views(case, x, q, begin, end, tq, te):
        def numbers(of, hide):
            return "[" + ", ".join(f"%c{n}" if hide and dim in hidden else str(n) for dim, n in enumerate(of)) + "]"
        at = f"{numbers(offsets, True)} {numbers(sizes, True)} {numbers(strides, False)}"
        return (f"%y = tensor.extract_slice %{x}{at} : {tensor(begin)} to {tensor(end)}",
                f"%m = qt.slice %{q}{at} : {tq} -> {te}")
    case = Case(form, start, block, sizes, block, views, None, dynamic)
    case.end_dynamic = hidden
    yield case


def concat(form, operands, block, dim):
    end = list(operands[0])
    end[dim] = sum(operand[dim] for operand in operands)

    def views(case, x, q, begin, to, tq, te):
        plain, moved, names = [], [], []
        offset = 0
        for number, operand in enumerate(operands):
            at = [0] * len(operand)
            at[dim] = offset
            offset += operand[dim]
            whole = [1] * len(operand)
            if operand[dim] == 0:
                plain.append(f"%p{number} = tensor.empty() : {tensor(operand)}")
            else:
                plain.append(f"%p{number} = tensor.extract_slice %{x}{at} {operand} {whole} "
                             f": {tensor(begin)} to {tensor(operand)}")
            moved.append(f"%q{number} = qt.quantize %p{number} : {tensor(operand)} to "
                         f"{quantized(operand, scheme(form, block))}")
        names = range(len(operands))
        plain.append(f"%y = tensor.concat dim({dim}) {', '.join(f'%p{n}' for n in names)} : "
                     f"({', '.join(tensor(operand) for operand in operands)}) -> {tensor(to)}")
        types = ", ".join(quantized(operand, scheme(form, block)) for operand in operands)
        moved.append(f"%m = qt.concat dim({dim}) {', '.join(f'%q{n}' for n in names)} : ({types}) -> {te}")
        return "\n  ".join(plain), "\n  ".join(moved)
    # The operands are slices of one tensor, so that the numbers are those of the whole.
    yield Case(form, end, block, end, block, views, None)


def broadcast(form, start, start_block, end, end_block, dimensions, dynamic=False):
    def views(case, x, q, begin, to, tq, te):
        sizes = ", ".join(f"%c{case.end[dim]}" for dim in dimensions if to[dim] == "?")
        kept = [dim for dim in range(len(end)) if dim not in dimensions]
        empty = [f"%c{case.end[dim]}" for dim in range(len(end)) if to[dim] == "?"]
        assert kept
        return (f"%e = tensor.empty({', '.join(empty)}) : {tensor(to)}\n  "
                f"%y = linalg.broadcast ins(%{x} : {tensor(begin)}) outs(%e : {tensor(to)}) dimensions = {dimensions}",
                f"%m = qt.broadcast %{q} dimensions = {dimensions}{f' sizes({sizes})' if sizes else ''} : {tq} -> {te}")
    case = Case(form, start, start_block, end, end_block, views, None, False)
    case.end_dynamic = dynamic or ()
    yield case


def pad(form, start, block, low, high, dynamic=False, hidden=()):
    end = [size + before + behind for size, before, behind in zip(start, low, high)]

    def views(case, x, q, begin, to, tq, te):
        def numbers(of):
            return "[" + ", ".join(f"%c{n}" if dim in hidden else str(n) for dim, n in enumerate(of)) + "]"
        arguments = ", ".join(f"%i{dim}: index" for dim in range(len(start)))
        return (f"%zero = arith.constant 0.0 : bf16\n  "
                f"%y = tensor.pad %{x} low{numbers(low)} high{numbers(high)} {{\n  ^bb0({arguments}):\n"
                f"    tensor.yield %zero : bf16\n  }} : {tensor(begin)} to {tensor(to)}",
                f"%m = qt.pad %{q} low{numbers(low)} high{numbers(high)} : {tq} -> {te}")
    case = Case(form, start, block, end, block, views, None, dynamic)
    case.end_dynamic = hidden
    yield case


def cases():
    for form in FORMS:
        yield from reshape(form, [2, 3, 65], [1, "*"], [6, 65], [1, "*"], [[0, 1], [2]])
        yield from reshape(form, [2, 3, 65], [1, 32], [6, 65], [1, 32], [[0, 1], [2]])
        yield from reshape(form, [2, 3, 65], ["*", "*", "*"], [6, 65], None, [[0, 1], [2]], True)
        yield from reshape(form, [3, 8, 6], [1, 4, 6], [3, 48], [1, 24], [[0], [1, 2]])
        yield from reshape(form, [4, 8, 6], [2, 8, 5], [32, 6], [16, 5], [[0, 1], [2]])
        yield from reshape(form, [1, 5, 40], [1, 4, 32], [5, 40], [4, 32], [[0, 1], [2]], [1, 2])
        yield from reshape(form, [1, 5, 40], None, [5, 40], None, [[0, 1], [2]])
        yield from reshape(form, [3, 4, 8], [1, 1, 8], [3, 32], [1, 8], [[0], [1, 2]])
        yield from reshape(form, [40, 1], ["*", 1], [40], [1, "*"], [[0, 1]])
        yield from reshape(form, [0, 4, 8], [1, 1, "*"], [0, 8], [1, "*"], [[0, 1], [2]])
        yield from reshape(form, [2, 0, 8], ["*", "*", 8], [0, 8], ["*", 8], [[0, 1], [2]])
        yield from slice_of(form, [5, 100], [1, 32], [1, 64], [2, 36], [3, 1])
        yield from slice_of(form, [9, 100], [4, 32], [4, 32], [5, 32], [1, 1])
        yield from slice_of(form, [9, 40], [1, "*"], [2, 0], [6, 40], [1, 1], [0], [0])
        yield from slice_of(form, [4, 5, 40], None, [1, 0, 0], [2, 5, 40], [2, 1, 1])
        yield from slice_of(form, [5, 64], [1, 32], [4, 32], [0, 32], [1, 1])
        yield from concat(form, [[5, 64], [5, 0], [5, 40]], [1, 32], 1)
        yield from concat(form, [[8, 40], [5, 40]], [4, 32], 0)
        yield from concat(form, [[2, 5, 40], [1, 5, 40]], None, 0)
        yield from concat(form, [[5, 40]], [1, "*"], 1)
        yield from broadcast(form, [40], [1, 32], [3, 40], [1, 32], [0])
        yield from broadcast(form, [40], [1, "*"], [3, 40], None, [0])
        yield from broadcast(form, [5, 40], None, [2, 5, 3, 40], [1, "*", "*", "*"], [0, 2])
        yield from broadcast(form, [5, 40], [4, 32], [5, 7, 40], [4, 2, 32], [1])
        yield from broadcast(form, [5], [1, 4], [5, 6], [4, 4], [1], [1])
        yield from broadcast(form, [40], [1, 32], [0, 40], [2, 32], [0], [0])
        yield from pad(form, [5, 64], [1, 32], [2, 32], [1, 40])
        yield from pad(form, [5, 40], [1, "*"], [2, 0], [3, 0], [0], [0])
        yield from pad(form, [2, 5, 40], None, [1, 0, 0], [2, 0, 0])
        yield from pad(form, [8, 40], [4, 32], [8, 0], [3, 0])
        yield from pad(form, [0, 40], [1, 32], [2, 0], [1, 0])
    nv = "nv"
    yield from reshape(nv, [1, 5, 40], [1, 16], [5, 40], [1, 16], [[0, 1], [2]])
    yield from reshape(nv, [1, 33, 40], [16, 16], [33, 40], [16, 16], [[0, 1], [2]], [1, 2])
    yield from reshape(nv, [2, 3, 5, 40], [1, 16], [6, 5, 40], [1, 16], [[0, 1], [2], [3]], [0, 1])
    yield from slice_of(nv, [4, 5, 40], [1, 16], [1, 0, 0], [2, 5, 40], [2, 1, 1])
    yield from slice_of(nv, [4, 5, 40], [1, 16], [1, 0, 0], [3, 5, 40], [1, 1, 1], [0], [0])
    yield from concat(nv, [[2, 5, 40], [1, 5, 40]], [1, 16], 0)
    yield from broadcast(nv, [5, 40], [1, 16], [3, 5, 40], [1, 16], [0])
    yield from broadcast(nv, [5, 40], [16, 16], [3, 5, 40], [16, 16], [0], [0])
    yield from broadcast(nv, [40], [1, 16], [5, 40], [1, 16], [0])
    yield from pad(nv, [2, 5, 40], [1, 16], [1, 0, 0], [2, 0, 0])


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
        size = "?" if "?" in shape else eval("*".join(map(str, shape)))
        kind2 = f"tensor<{size}x{element}>"
        lines.append(f"%f{index} = tensor.collapse_shape %{name} [{list(range(len(shape)))}] : {kind} into {kind2}")
        current, kind = f"f{index}", kind2
    lines.append(f"%d{index} = tensor.cast %{current} : {kind} to tensor<?x{element}>")
    return lines


def write_case(number, case, broken):
    start = unknown(case, case.start)
    end = ["?" if dim in getattr(case, "end_dynamic", ()) else size
           for dim, size in enumerate(unknown(case, case.end) if case.dynamic is True or not hasattr(case, "end_dynamic")
                                      else case.end)]
    if isinstance(case.dynamic, list) and not hasattr(case, "end_dynamic"):
        # A dimension of the smaller rank is unknown where one of its group is.
        offset = len(case.start) - len(case.end)
        end = ["?" if (dim + offset if offset > 0 else dim) in case.dynamic else size for dim, size in enumerate(case.end)] \
            if offset > 0 else unknown(case, case.end)
        start = unknown(case, case.start) if offset > 0 else \
            ["?" if dim - offset in case.dynamic else size for dim, size in enumerate(case.start)]
        if offset > 0 and 0 in case.dynamic:
            end[0] = "?"
        if offset < 0 and 0 in case.dynamic:
            start[0] = "?"
    start_type = quantized(start, scheme(case.form, case.start_block))
    end_type = quantized(end, scheme(case.form, case.end_block))
    plain, moved = case.plain(case, "x", "q", start, end, start_type, end_type)
    constants = sorted(set(itertools.chain(case.start, case.end, [0, 1, 2, 3])))
    lines = [f"%k{size} = arith.constant {size} : index\n  %c{size} = arith.addi %k{size}, %zero_at_run_time : index"
             for size in constants]
    lines += [plain, f"%a = qt.quantize %y : {tensor(end)} to {end_type}",
              f"%q = qt.quantize %x : {tensor(start)} to {start_type}", moved]
    kinds = parts(case.form, case.end_block, end)
    types = ", ".join(tensor(shape, element) for shape, element in kinds)
    wanted = [f"w{n}" for n in range(len(kinds))]
    got = [f"g{n}" for n in range(len(kinds))]
    lines += [f"{', '.join('%' + n for n in names)} = qt.disassemble %{of} : {end_type} -> {types}"
              for names, of in ((wanted, "a"), (got, "m"))]
    if broken and 0 not in case.end:
        zeros = ", ".join("%c0" for _ in case.end)
        element = kinds[0][1]
        lines += [f"%old = tensor.extract %g0[{zeros}] : {tensor(*kinds[0])}", f"%bit = arith.constant 1 : {element}",
                  f"%new = arith.xori %old, %bit : {element}",
                  f"%changed = tensor.insert %new into %g0[{zeros}] : {tensor(*kinds[0])}"]
        got[0] = "changed"
    lines.append("%n0 = arith.constant 0 : i64")
    for n, (shape, element) in enumerate(kinds):
        lines += flat(wanted[n], shape, element, 2 * n) + flat(got[n], shape, element, 2 * n + 1)
        lines += [f"%r{n} = call @differ_{element}(%d{2 * n}, %d{2 * n + 1}) : (tensor<?x{element}>, tensor<?x{element}>) -> i64",
                  f"%n{n + 1} = arith.addi %n{n}, %r{n} : i64"]
    body = "\n  ".join(lines)
    return f"func.func private @case_{number}(%x: {tensor(start)}, %zero_at_run_time: index) -> i64 {{\n  {body}\n  return %n{len(kinds)} : i64\n}}", start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--break", dest="broken", action="store_true")
    broken = parser.parse_args().broken
    all_cases = [case for case in cases() if not broken or 0 not in case.end]
    print(NUMBER)
    for element, bits in [("i8", "i8"), ("i16", "i16"), ("f32", "i32")]:
        print(DIFFER.format(element, bits))
    for shape in sorted({tuple(case.start) for case in all_cases}):
        print(numbers(shape))
    calls = []
    for number, case in enumerate(all_cases):
        text, start = write_case(number, case, broken)
        print(text)
        name = "x".join(map(str, case.start))
        calls += [f"%seed{number} = arith.constant {number} : index",
                  f"%x{number} = call @numbers_{name}(%seed{number}) : (index) -> {tensor(case.start)}"]
        known = f"%x{number}"
        if start != list(case.start):
            calls.append(f"%u{number} = tensor.cast {known} : {tensor(case.start)} to {tensor(start)}")
            known = f"%u{number}"
        calls.append(f"%r{number} = call @case_{number}({known}, %zero) : ({tensor(start)}, index) -> i64")
    results = ", ".join("i64" for _ in all_cases)
    names = ", ".join(f"%r{number}" for number in range(len(all_cases)))
    body = "\n  ".join(calls)
    # The argument is 0, which nothing knows when sizes are folded.
    print(f"func.func @main(%n: tensor<i64>) -> ({results}) {{\n  %i = tensor.extract %n[] : tensor<i64>\n"
          f"  %zero = arith.index_cast %i : i64 to index\n  {body}\n  return {names} : {results}\n}}")


main()
