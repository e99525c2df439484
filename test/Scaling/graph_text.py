# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a function of linalg on tensors op by op: values, elementwise maps, sums, contractions and views.

import math


class Size(int):
    """A size that is known in the run alone. As a number it is what generators reckon with."""

    def __new__(cls, value, name):
        size = super().__new__(cls, value)
        size.name = name
        return size

    def __str__(self):
        return "?"

    def __repr__(self):
        return self.name

    def __eq__(self, other):
        return isinstance(other, Size) and self.name == other.name

    def __hash__(self):
        return hash(self.name)


class Value:
    """A tensor in the function."""

    __slots__ = ("name", "shape", "dtype")

    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, tuple(shape), dtype

    def __str__(self):
        return self.name

    @property
    def type(self):
        return "tensor<" + "".join(f"{size}x" for size in self.shape) + self.dtype + ">"


class Scalar:
    """A number in the body of an op. Its arithmetic writes the lines of the body."""

    __slots__ = ("graph", "name", "dtype")

    def __init__(self, graph, name, dtype):
        self.graph, self.name, self.dtype = graph, name, dtype

    def op(self, name, *operands, dtype=None, types=None):
        operands = [self] + [self.graph.scalar(operand, self.dtype) for operand in operands]
        return self.graph.body_op(name, operands, dtype or self.dtype, types or self.dtype)

    def __add__(self, other):
        return self.op("arith.addi" if self.dtype == "i64" else "arith.addf", other)

    def __sub__(self, other):
        return self.op("arith.subf", other)

    def __mul__(self, other):
        return self.op("arith.muli" if self.dtype == "i64" else "arith.mulf", other)

    def __truediv__(self, other):
        return self.op("arith.divf", other)

    def __neg__(self):
        return self.op("arith.negf")

    def math(self, function):
        return self.op("math." + function)

    def maximum(self, other):
        return self.op("arith.maximumf", other)

    def compare(self, predicate, other):
        return self.op(f"arith.cmp{'f' if self.dtype.startswith(('f', 'bf')) else 'i'} {predicate},", other, dtype="i1")

    def select(self, one, other):
        return self.op("arith.select", one, other, dtype=one.dtype, types=f"{self.dtype}, {one.dtype}")

    def to(self, dtype):
        """Converts between floats, from an integer to an index, from an index to i64 or a float, or from i1 to i64."""
        if dtype == self.dtype:
            return self
        if self.dtype == "index" and dtype != "i64":
            return self.to("i64").to(dtype)
        if self.dtype == "i1":
            name = "arith.extui"
        elif "index" in (self.dtype, dtype):
            name = "arith.index_cast"
        elif self.dtype == "i64":
            name = "arith.sitofp"
        else:
            name = "arith.extf" if dtype == "f32" else "arith.truncf"
        return self.graph.body_op(name, [self], dtype, f"{self.dtype} to {dtype}")


class Graph:
    """The text of one function. Constants, maps and empty tensors appear once, as exporters leave them."""

    def __init__(self, named):
        self.named = named
        self.arguments, self.attributes, self.lines, self.ops = [], {}, [], 0
        self.maps, self.constants, self.sizes, self.empties, self.fills = {}, {}, {}, {}, {}
        self.body, self.values, self.loops = [], 0, 0

    def argument(self, shape, dtype, attributes=""):
        """attributes is a text as `{name = value}`."""
        self.arguments.append(Value(f"%arg{len(self.arguments)}", shape, dtype))
        self.attributes[self.arguments[-1].name] = attributes
        return self.arguments[-1]

    def emit(self, text, shape, dtype):
        result = Value(f"%v{self.values}", shape, dtype)
        self.values += 1
        self.ops += 1
        self.lines.append(f"    {result} = {text}")
        return result

    def constant(self, value, dtype):
        """The name of a scalar constant."""
        key = (value, dtype)
        if key not in self.constants:
            literal = f"{value:.17e}" if dtype not in ("i64", "index") else str(value)
            self.constants[key] = f"%c{len(self.constants)}", "0xFF800000" if value == -math.inf else literal
        return self.constants[key][0]

    def size(self, value, text):
        """A size that `text` computes from constants, arguments and earlier sizes."""
        if text not in self.sizes:
            self.sizes[text] = Size(value, f"%size{len(self.sizes)}")
        return self.sizes[text]

    def product(self, sizes):
        if not any(isinstance(size, Size) for size in sizes):
            return math.prod(sizes)
        result = sizes[0]
        for size in sizes[1:]:
            names = [s.name if isinstance(s, Size) else self.constant(s, "index") for s in (result, size)]
            result = self.size(int(result) * int(size), f"arith.muli {', '.join(names)} : index")
        return result

    def float_of(self, size):
        """A size as a number for bodies, in f32."""
        if not isinstance(size, Size):
            return self.scalar(float(size), "f32")
        whole = self.emit(f"arith.index_cast {size.name} : index to i64", (), "i64")
        return Scalar(self, self.emit(f"arith.sitofp {whole} : i64 to f32", (), "f32").name, "f32")

    def empty(self, shape, dtype):
        if (shape, dtype) not in self.empties:
            self.empties[shape, dtype] = Value(f"%empty{len(self.empties)}", shape, dtype)
        return self.empties[shape, dtype]

    def filled(self, shape, dtype, value):
        key = (shape, dtype, value)
        if key not in self.fills:
            self.empty(shape, dtype)
            self.constant(value, dtype)
            self.fills[key] = Value(f"%fill{len(self.fills)}", shape, dtype)
        return self.fills[key]

    # Bodies.

    def scalar(self, value, dtype):
        return value if isinstance(value, Scalar) else Scalar(self, self.constant(value, dtype), dtype)

    def body_op(self, name, operands, dtype, types):
        result = Scalar(self, f"%e{len(self.body)}", dtype)
        self.body.append(f"      {result.name} = {name} {', '.join(o.name for o in operands)} : {types}")
        return result

    def index(self, dimension):
        """The number of the iteration of a dimension, in a body."""
        return self.body_op(f"linalg.index {dimension}", [], "index", "index")

    def extract(self, tensor, *indices):
        """An element of a tensor, in a body."""
        result = Scalar(self, f"%e{len(self.body)}", tensor.dtype)
        places = ", ".join(index.to("index").name for index in indices)
        result.name = f"%e{len(self.body)}"
        self.body.append(f"      {result.name} = tensor.extract {tensor}[{places}] : {tensor.type}")
        return result

    def affine_map(self, rank, dims):
        inner = ", ".join(f"d{i}" for i in range(rank))
        text = f"affine_map<({inner}) -> ({', '.join(f'd{i}' for i in dims)})>"
        return self.maps.setdefault(text, f"#map{len(self.maps)}")

    def generic(self, function, inputs, reads, loops, kept, out, dtype):
        """linalg.generic over `loops`; input i is read at the dimensions reads[i], the result is written at `kept`."""
        names = [Scalar(self, f"%in{i}", value.dtype) for i, value in enumerate(inputs)]
        arguments = names + [Scalar(self, "%out", dtype)]
        self.body = []
        result = function(*arguments)
        body = "\n".join(self.body)
        self.ops += len(self.body) + 1
        maps = ", ".join(self.affine_map(len(loops), dims) for dims in [*reads, kept])
        kinds = ", ".join('"parallel"' if i in kept else '"reduction"' for i in range(len(loops)))
        ins = f" ins({', '.join(map(str, inputs))} : {', '.join(v.type for v in inputs)})" if inputs else ""
        text = (f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}{ins} outs({out} : {out.type}) {{\n"
                f"    ^bb0({', '.join(f'{a.name}: {a.dtype}' for a in arguments)}):\n"
                f"{body}{chr(10) if body else ''}      linalg.yield {result.name} : {dtype}\n    }} -> {out.type}")
        return self.emit(text, out.shape, dtype)

    # Tensors.

    def map(self, function, *inputs, dtype, loops=None, reads=None):
        """Elementwise: function(inputs...) at each place; an input without `reads` has all dimensions."""
        loops = tuple(loops or inputs[0].shape)
        every = tuple(range(len(loops)))
        reads = [every if r is None else r for r in (reads or [None] * len(inputs))]
        body = lambda *arguments: function(*arguments[:-1])
        return self.generic(body, inputs, reads, loops, every, self.empty(loops, dtype), dtype)

    def reduce(self, value, dims, function=None, init=0.0):
        """Over the dimensions `dims`, in the order of the elements; sums if there is no function."""
        kept = tuple(i for i in range(len(value.shape)) if i not in dims)
        out = self.filled(tuple(value.shape[i] for i in kept), value.dtype, init)
        body = function or (lambda element, total: total + element)
        return self.generic(body, [value], [tuple(range(len(value.shape)))], value.shape, kept, out, value.dtype)

    def cast(self, value, dtype):
        return value if value.dtype == dtype else self.map(lambda x: x.to(dtype), value, dtype=dtype)

    def add(self, one, other):
        return self.map(lambda x, y: x + y, one, other, dtype=one.dtype)

    def transpose(self, value, permutation):
        if list(permutation) == sorted(permutation):
            return value
        out = self.empty(tuple(value.shape[i] for i in permutation), value.dtype)
        return self.emit(f"linalg.transpose ins({value} : {value.type}) outs({out} : {out.type}) "
                         f"permutation = {list(permutation)}", out.shape, value.dtype)

    def collapse(self, value, groups):
        """Joins neighbouring dimensions: groups is how many each result dimension takes."""
        if all(size == 1 for size in groups):
            return value
        shape, places, start = [], [], 0
        for size in groups:
            places.append(list(range(start, start + size)))
            shape.append(self.product(value.shape[start:start + size]))
            start += size
        result = Value("", shape, value.dtype)
        return self.emit(f"tensor.collapse_shape {value} {places} : {value.type} into {result.type}", shape, value.dtype)

    def expand(self, value, groups):
        """Splits dimensions: groups has the sizes that each dimension becomes."""
        if all(len(group) == 1 for group in groups):
            return value
        shape, places = [], []
        for group in groups:
            places.append(list(range(len(shape), len(shape) + len(group))))
            shape += group
        result = Value("", shape, value.dtype)
        return self.emit(f"tensor.expand_shape {value} {places} output_shape {shape} : {value.type} into {result.type}",
                         shape, value.dtype)

    def slice(self, value, dim, start, size):
        sizes = [size if i == dim else n for i, n in enumerate(value.shape)]
        starts = [start if i == dim else 0 for i in range(len(sizes))]
        result = Value("", sizes, value.dtype)
        return self.emit(f"tensor.extract_slice {value}{starts} {sizes} {[1] * len(sizes)} : {value.type} to "
                         f"{result.type}", sizes, value.dtype)

    def concat(self, dim, *values):
        shape = list(values[0].shape)
        shape[dim] = sum(value.shape[dim] for value in values)
        result = Value("", shape, values[0].dtype)
        return self.emit(f"tensor.concat dim({dim}) {', '.join(map(str, values))} : "
                         f"({', '.join(v.type for v in values)}) -> {result.type}", shape, values[0].dtype)

    def add_rows(self, rows, places, count):
        """A zero tensor of `count` rows, plus each of `rows` at its place, one after the other."""
        size, result = rows.shape[1], Value("", [count, rows.shape[1]], rows.dtype)
        row = f"tensor<{size}x{rows.dtype}>"
        first, step = (self.constant(n, "index") for n in (0, 1))
        end = rows.shape[0].name if isinstance(rows.shape[0], Size) else self.constant(rows.shape[0], "index")
        one = self.affine_map(1, (0,))
        self.ops += 9
        return self.emit(
            f"""scf.for %i = {first} to {end} step {step} iter_args(%t = {self.filled(result.shape, rows.dtype, 0.0)}) -> ({result.type}) {{
      %token = tensor.extract {places}[%i] : {places.type}
      %place = arith.index_cast %token : i64 to index
      %new = tensor.extract_slice {rows}[%i, 0] [1, {size}] [1, 1] : {rows.type} to {row}
      %old = tensor.extract_slice %t[%place, 0] [1, {size}] [1, 1] : {result.type} to {row}
      %sum = linalg.generic {{indexing_maps = [{one}, {one}], iterator_types = ["parallel"]}} ins(%new : {row}) outs(%old : {row}) {{
      ^bb0(%in0: {rows.dtype}, %out: {rows.dtype}):
        %e0 = arith.addf %out, %in0 : {rows.dtype}
        linalg.yield %e0 : {rows.dtype}
      }} -> {row}
      %whole = tensor.insert_slice %sum into %t[%place, 0] [1, {size}] [1, 1] : {row} into {result.type}
      scf.yield %whole : {result.type}
    }}""", result.shape, rows.dtype)

    # Loops over layers. A stack has the layers as its first dimension.

    def loop(self, count, starts, body):
        """body(place, carried...) `count` times, from the values `starts`; what is carried out of the last one."""
        place, number = f"%i{self.loops}", self.loops
        self.loops += 1
        carried = [Value(f"%l{number}_{i}", value.shape, value.dtype) for i, value in enumerate(starts)]
        outer, self.lines = self.lines, []
        ends = body(place, *carried)
        inner, self.lines = self.lines, outer
        name, types = f"%v{self.values}", ", ".join(value.type for value in starts)
        self.values += 1
        self.ops += 2
        bound = ", ".join(f"{c} = {start}" for c, start in zip(carried, starts))
        first, end, step = (self.constant(n, "index") for n in (0, count, 1))
        self.lines.append(f"    {name}:{len(starts)} = scf.for {place} = {first} to {end} step {step} iter_args({bound}) "
                          f"-> ({types}) {{")
        self.lines += inner
        self.lines.append(f"    scf.yield {', '.join(map(str, ends))} : {types}\n    }}")
        return [Value(f"{name}#{i}", value.shape, value.dtype) for i, value in enumerate(starts)]

    def place_from_last(self, place, count):
        return self.emit(f"arith.subi {self.constant(count - 1, 'index')}, {place} : index", (), "index").name

    def window(self, stack, place):
        """One layer of a stack, as slices spell it."""
        starts = ", ".join([place] + ["0"] * (len(stack.shape) - 1))
        return f"[{starts}] {[1, *stack.shape[1:]]} {[1] * len(stack.shape)}"

    def pick(self, stack, place):
        result = Value("", stack.shape[1:], stack.dtype)
        return self.emit(f"tensor.extract_slice {stack}{self.window(stack, place)} : {stack.type} to {result.type}",
                         result.shape, stack.dtype)

    def put(self, value, stack, place):
        return self.emit(f"tensor.insert_slice {value} into {stack}{self.window(stack, place)} : {value.type} into "
                         f"{stack.type}", stack.shape, stack.dtype)

    # Contractions accumulate in f32 and round once.

    def contract(self, spec, left, right):
        """spec is an einsum, as in "bsk,nk->bsn"."""
        a, b, c = spec.replace("->", ",").split(",")
        sizes = dict(zip(a + b, left.shape + right.shape))
        dtype = left.dtype
        if self.named:
            return self.matmul(a, b, c, sizes, left, right)
        order = c + "".join(d for d in a if d not in c)
        reads = [tuple(order.index(d) for d in dims) for dims in (a, b)]
        out = self.filled(tuple(sizes[d] for d in c), "f32", 0.0)
        body = lambda x, y, total: total + x.to("f32") * y.to("f32")
        result = self.generic(body, [left, right], reads, [sizes[d] for d in order], tuple(range(len(c))), out, "f32")
        return self.cast(result, dtype)

    def matmul(self, a, b, c, sizes, left, right):
        """linalg.matmul or batch_matmul, with the transposes and reshapes that it takes."""
        batch = [d for d in c if d in a and d in b]
        rows, columns = [d for d in c if d not in b], [d for d in c if d not in a]
        summed = [d for d in a if d not in c]
        lead = [len(batch)] if batch else []

        def prepare(value, dims, *parts):
            value = self.transpose(value, [dims.index(d) for d in [*batch, *parts[0], *parts[1]]])
            return self.collapse(value, lead + [len(part) for part in parts])

        left, right = prepare(left, a, rows, summed), prepare(right, b, summed, columns)
        out = self.filled((*left.shape[:-1], right.shape[-1]), "f32", 0.0)
        name = "linalg.batch_matmul" if batch else "linalg.matmul"
        result = self.emit(f"{name} ins({left}, {right} : {left.type}, {right.type}) outs({out} : {out.type}) -> {out.type}",
                           out.shape, "f32")
        parts = ([batch] if batch else []) + [rows, columns]
        result = self.expand(self.cast(result, left.dtype), [[sizes[d] for d in part] for part in parts])
        return self.transpose(result, [(batch + rows + columns).index(d) for d in c])

    def write(self, file, results):
        """Writes the module; how many ops it has."""
        for text, name in self.maps.items():
            print(f"{name} = {text}", file=file)
        types = ", ".join(value.type for value in results)
        arguments = ", ".join(f"{a}: {a.type} {self.attributes[a.name]}".rstrip() for a in self.arguments)
        print(f"func.func @main({arguments}) -> ({types}) {{", file=file)
        for (value, dtype), (name, literal) in self.constants.items():
            print(f"    {name} = arith.constant {literal} : {dtype}", file=file)
        for text, size in self.sizes.items():
            print(f"    {size.name} = {text}", file=file)
        for value in self.empties.values():
            dynamic = ", ".join(size.name for size in value.shape if isinstance(size, Size))
            print(f"    {value} = tensor.empty({dynamic}) : {value.type}", file=file)
        for (shape, dtype, number), value in self.fills.items():
            print(f"    {value} = linalg.fill ins({self.constants[number, dtype][0]} : {dtype}) "
                  f"outs({self.empties[shape, dtype]} : {value.type}) -> {value.type}", file=file)
        file.writelines(line + "\n" for line in self.lines)
        print(f"    return {', '.join(map(str, results))} : {types}\n}}", file=file)
        fixed = len(self.constants) + len(self.sizes) + len(self.empties) + 2 * len(self.fills) + 3
        return self.ops + fixed
