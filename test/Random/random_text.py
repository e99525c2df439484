# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a function as graph_text.py does, each contraction in one of many spellings, with loops, calls and other ops of
# exporters.

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Scaling"))
from graph_text import Graph, Scalar, Size, Value  # noqa: E402


def dynamic_sizes(shape):
    return ", ".join(size.name for size in shape if isinstance(size, Size))


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
        dims = [i for i, size in enumerate(value.shape) if isinstance(size, Size)]
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

    # Loops over what is stacked along the first dimension.

    def loop(self, count, carried, body):
        """body(index, values) gives the values of the next iteration; as scf.for or, as JAX has it, scf.while."""
        types = ", ".join(value.type for value in carried)
        prefix, outer = f"%r{self.values}", self.lines
        self.values += 1
        inside = [Value(f"{prefix}_{i}", value.shape, value.dtype) for i, value in enumerate(carried)]
        index = Scalar(self, f"{prefix}_i", "index")
        self.lines = []
        yielded = body(index, inside)
        lines, self.lines = self.lines, outer
        first, step, end = (self.constant(n, "index") for n in (0, 1, count))
        names = ", ".join(map(str, yielded))
        code = "\n".join(lines)
        if self.rng.random() < 0.5:
            starts = ", ".join(f"{i} = {v}" for i, v in zip(inside, carried))
            text = (f"    {prefix}:{len(carried)} = scf.for {index.name} = {first} to {end} step {step} "
                    f"iter_args({starts}) -> ({types}) {{\n{code}\n      scf.yield {names} : {types}\n    }}")
            shift = 0
        else:
            starts = ", ".join([f"{index.name} = {first}"] + [f"{i} = {v}" for i, v in zip(inside, carried)])
            again = ", ".join([index.name] + [str(i) for i in inside])
            block = ", ".join([f"{index.name}: index"] + [f"{i}: {i.type}" for i in inside])
            text = (f"    {prefix}:{len(carried) + 1} = scf.while ({starts}) : (index, {types}) -> (index, {types}) {{\n"
                    f"      {prefix}_c = arith.cmpi slt, {index.name}, {end} : index\n"
                    f"      scf.condition({prefix}_c) {again} : index, {types}\n    }} do {{\n    ^bb0({block}):\n{code}\n"
                    f"      {prefix}_n = arith.addi {index.name}, {step} : index\n"
                    f"      scf.yield {prefix}_n, {names} : index, {types}\n    }}")
            shift = 1
        self.lines.append(text)
        return [Value(f"{prefix}#{i + shift}", value.shape, value.dtype) for i, value in enumerate(carried)]

    def backwards(self, index, count):
        """count - 1 - index"""
        name = f"%b{self.values}"
        self.values += 1
        self.lines.append(f"    {name} = arith.subi {self.constant(count - 1, 'index')}, {index.name} : index")
        return Scalar(self, name, "index")

    def places(self, value, index):
        rest = value.shape[1:]
        return f"[{index.name}{', 0' * len(rest)}] {[1, *rest]} {[1] * (1 + len(rest))}"

    def part(self, value, index):
        result = Value("", value.shape[1:], value.dtype)
        return self.emit(f"tensor.extract_slice {value}{self.places(value, index)} : {value.type} to {result.type}",
                         result.shape, value.dtype)

    def set_part(self, whole, index, part):
        return self.emit(f"tensor.insert_slice {part} into {whole}{self.places(whole, index)} : {part.type} into "
                         f"{whole.type}", whole.shape, whole.dtype)

    def write(self, file, results):
        ops = super().write(file, results)
        file.writelines(self.functions)
        return ops
