# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a function as graph_text.py does, each contraction in one of many spellings, with loops, calls and other ops of
# exporters.

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scaling"))
from graph_text import Graph, Value  # noqa: E402
from sizes import Dynamic  # noqa: E402


class RandomText(Graph):
    """`rng` chooses spellings. `import_keeps_bits` says whether all of them compute what the normal form does, bit for
    bit."""

    def __init__(self, rng):
        super().__init__(named=True)
        self.rng, self.functions, self.import_keeps_bits = rng, [], True

    # Contractions.

    def contract(self, spec, left, right):
        a, b, c = spec.replace("->", ",").split(",")
        sizes = dict(zip(a + b, left.shape + right.shape))
        dtype = left.dtype
        spelling = self.rng.choice(["named", "generic", "generic", "contract", "wide", "narrow"])
        if spelling == "wide" and dtype != "f32":
            # The cast stands apart, as before a product that a framework computes in f32.
            left, right = self.cast(left, "f32"), self.cast(right, "f32")
        if spelling == "named" or spelling == "wide":
            if not set(a) & set(b) & set(c) and len(a) == len(b) == len(c) == 2:
                return self.cast(self.matmul_with_maps(a, b, c, left, right), dtype)
            return self.cast(self.matmul(a, b, c, sizes, left, right), dtype)
        if spelling == "contract":
            return self.cast(self.contract_op(a, b, c, sizes, left, right), dtype)
        narrow = spelling == "narrow" and dtype == "bf16" and self.rng.random() < 0.3
        if narrow:
            self.import_keeps_bits = False
        return self.cast(self.contract_generic(a, b, c, sizes, left, right, dtype if narrow else "f32"), dtype)

    def matmul_with_maps(self, a, b, c, left, right):
        """linalg.matmul that reads its operands as they lie."""
        if c[0] in b:
            a, b, left, right = b, a, right, left
        summed = next(d for d in a if d not in c)
        order = c + summed
        maps = ", ".join(self.affine_map(3, [order.index(d) for d in dims]) for dims in (a, b, c))
        sizes = dict(zip(a + b, left.shape + right.shape))
        out = self.filled(tuple(sizes[d] for d in c), "f32", 0.0)
        return self.emit(f"linalg.matmul indexing_maps = [{maps}] ins({left}, {right} : {left.type}, {right.type}) "
                         f"outs({out} : {out.type}) -> {out.type}", out.shape, "f32")

    def orders(self, a, b, c):
        """The dimensions in some order of loops; those that are summed stay in that of the left operand."""
        summed = [d for d in a if d not in c]
        order = list(c)
        self.rng.shuffle(order)
        for place, d in zip(sorted(self.rng.sample(range(len(order) + len(summed)), len(summed))), summed):
            order.insert(place, d)
        return order

    def contract_op(self, a, b, c, sizes, left, right):
        order = self.orders(a, b, c)
        if self.rng.random() < 0.5:
            a, b, left, right = b, a, right, left
        maps = ", ".join(self.affine_map(len(order), [order.index(d) for d in dims]) for dims in (a, b, c))
        out = self.filled(tuple(sizes[d] for d in c), "f32", 0.0)
        return self.emit(f"linalg.contract indexing_maps = [{maps}] ins({left}, {right} : {left.type}, {right.type}) "
                         f"outs({out} : {out.type}) -> {out.type}", out.shape, "f32")

    def contract_generic(self, a, b, c, sizes, left, right, dtype):
        order = self.orders(a, b, c)
        if self.rng.random() < 0.5:
            a, b, left, right = b, a, right, left
        reads = [tuple(order.index(d) for d in dims) for dims in (a, b)]
        kept = tuple(order.index(d) for d in c)
        out = self.filled(tuple(sizes[d] for d in c), dtype, 0.0)
        bodies = [lambda x, y, total: total + x.to(dtype) * y.to(dtype),
                  lambda x, y, total: x.to(dtype) * y.to(dtype) + total,
                  lambda x, y, total: y.to(dtype) * x.to(dtype) + total]
        return self.generic(self.rng.choice(bodies), [left, right], reads, [sizes[d] for d in order], kept, out, dtype)

    # Other ops of exporters.

    def broadcast(self, value, dims, shape):
        """Repeats a value along the new dimensions `dims`."""
        out = self.empty(tuple(shape), value.dtype)
        return self.emit(f"linalg.broadcast ins({value} : {value.type}) outs({out} : {out.type}) dimensions = {list(dims)}",
                         out.shape, value.dtype)

    def pad(self, value, dim, low, high):
        shape = list(value.shape)
        shape[dim] += low + high
        amounts = [[amount if i == dim else 0 for i in range(len(shape))] for amount in (low, high)]
        zero, result = self.constant(0.0, value.dtype), Value("", shape, value.dtype)
        indices = ", ".join(f"%p{i}: index" for i in range(len(shape)))
        return self.emit(f"tensor.pad {value} low{amounts[0]} high{amounts[1]} {{\n    ^bb0({indices}):\n"
                         f"      tensor.yield {zero} : {value.dtype}\n    }} : {value.type} to {result.type}",
                         shape, value.dtype)

    def dense(self, shape, dtype, numbers):
        def text(dims, values):
            if not dims:
                return f"{values[0]:.6e}"
            part = len(values) // dims[0]
            return "[" + ", ".join(text(dims[1:], values[i * part:(i + 1) * part]) for i in range(dims[0])) + "]"

        result = Value("", shape, dtype)
        return self.emit(f"arith.constant dense<{text(list(shape), numbers)}> : {result.type}", shape, dtype)

    def call(self, name, value):
        """math.NAME of each element, in a private function."""
        function = f"@{name}{len(self.functions)}"
        rank, type = len(value.shape), value.type
        dims = [i for i, size in enumerate(value.shape) if isinstance(size, Dynamic)]
        lines = "".join(f"  %c{i} = arith.constant {i} : index\n  %d{i} = tensor.dim %x, %c{i} : {type}\n" for i in dims)
        inner = ", ".join(f"d{i}" for i in range(rank))
        read = f"affine_map<({inner}) -> ({inner})>"
        kinds = ", ".join(['"parallel"'] * rank)
        self.functions.append(
            f"func.func private {function}(%x: {type}) -> {type} {{\n{lines}"
            f"  %empty = tensor.empty({', '.join(f'%d{i}' for i in dims)}) : {type}\n"
            f"  %y = linalg.generic {{indexing_maps = [{read}, {read}], iterator_types = [{kinds}]}} ins(%x : {type}) "
            f"outs(%empty : {type}) {{\n  ^bb0(%a: {value.dtype}, %o: {value.dtype}):\n"
            f"    %m = math.{name} %a : {value.dtype}\n    linalg.yield %m : {value.dtype}\n  }} -> {type}\n"
            f"  return %y : {type}\n}}\n")
        return self.emit(f"func.call {function}({value}) : ({type}) -> {type}", value.shape, value.dtype)

    # Loops over layers are scf.for or, as JAX has them, scf.while.

    def loop(self, count, starts, body):
        return super().loop(count, starts, body) if self.rng.random() < 0.5 else self.while_loop(count, starts, body)

    def while_loop(self, count, starts, body):
        name, outer = f"%w{self.loops}", self.lines
        self.loops += 1
        place, carried = f"{name}_i", [Value(f"{name}_{i}", v.shape, v.dtype) for i, v in enumerate(starts)]
        self.lines = []
        ends = ", ".join(map(str, body(place, *carried)))
        inner, self.lines = self.lines, outer
        first, end, step = (self.constant(n, "index") for n in (0, count, 1))
        types = ", ".join(["index"] + [value.type for value in starts])
        bound = ", ".join([f"{place} = {first}"] + [f"{c} = {start}" for c, start in zip(carried, starts)])
        passed = ", ".join([place] + [str(c) for c in carried])
        block = ", ".join([f"{place}: index"] + [f"{c}: {c.type}" for c in carried])
        self.lines += [f"    {name}:{1 + len(starts)} = scf.while ({bound}) : ({types}) -> ({types}) {{",
                       f"      {name}_c = arith.cmpi slt, {place}, {end} : index",
                       f"      scf.condition({name}_c) {passed} : {types}\n    }} do {{\n    ^bb0({block}):", *inner,
                       f"      {name}_n = arith.addi {place}, {step} : index",
                       f"      scf.yield {name}_n, {ends} : {types}\n    }}"]
        return [Value(f"{name}#{1 + i}", value.shape, value.dtype) for i, value in enumerate(starts)]

    def write(self, file, results):
        ops = super().write(file, results)
        file.writelines(self.functions)
        return ops
