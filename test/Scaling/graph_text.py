# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes a function of linalg on tensors op by op: values, elementwise maps, sums, contractions, views and loops.

import math

import sizes


class Value:
    """A tensor in the function."""

    __slots__ = ("name", "shape", "dtype")

    def __init__(self, name, shape, dtype):
        self.name, self.shape, self.dtype = name, tuple(shape), dtype

    def __str__(self):
        return self.name

    @property
    def type(self):
        return "tensor<" + "".join(f"{sizes.text(size)}x" for size in self.shape) + self.dtype + ">"


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
        self.arguments, self.attributes, self.lines, self.ops = [], [], [], 0
        self.maps, self.constants, self.empties, self.fills = {}, {}, {}, {}
        self.lengths, self.length_lines = {}, []
        self.body, self.values, self.loops = [], 0, 0

    def argument(self, shape, dtype, attributes=""):
        """The first argument with a dynamic length says how long it is. Attributes are as `{name = value}`."""
        argument = Value(f"%arg{len(self.arguments)}", shape, dtype)
        self.arguments.append(argument)
        self.attributes.append(attributes)
        for dim, size in enumerate(shape):
            if isinstance(size, sizes.Dynamic) and size not in self.lengths:
                self.lengths[size] = self.length_op(f"tensor.dim {argument}, {self.constant(dim, 'index')} : {argument.type}")
        return argument

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

    def length_op(self, text):
        """The name of a value computed at the head of the function."""
        name = f"%n{len(self.length_lines)}"
        self.length_lines.append(f"    {name} = {text}")
        return name

    def length(self, size):
        """The name, or the number, of a size."""
        if not isinstance(size, sizes.Dynamic):
            return str(size)
        if size not in self.lengths:
            *rest, last = size.names
            one = self.length(sizes.Dynamic(size.factor, rest)) if rest else self.constant(size.factor, "index")
            other = self.length(sizes.Dynamic(1, (last,)))
            self.lengths[size] = self.length_op(f"arith.muli {one}, {other} : index")
        return self.lengths[size]

    def part_of(self, size, numerator, denominator, name):
        """size * numerator / denominator, rounded up; of a dynamic size a length with a name of its own."""
        if not isinstance(size, sizes.Dynamic):
            return -(-size * numerator // denominator)
        part = sizes.Dynamic(1, (name,))
        if part not in self.lengths:
            whole = self.length(size * numerator)
            self.lengths[part] = self.length_op(f"arith.ceildivsi {whole}, {self.constant(denominator, 'index')} : index")
        return part

    def float_of(self, size):
        """A size as a number for bodies, in f32."""
        if not isinstance(size, sizes.Dynamic):
            return self.scalar(float(size), "f32")
        whole = self.length_op(f"arith.index_cast {self.length(size)} : index to i64")
        return Scalar(self, self.length_op(f"arith.sitofp {whole} : i64 to f32"), "f32")

    def empty(self, shape, dtype):
        for size in shape:
            self.length(size)
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
        if all(count == 1 for count in groups):
            return value
        shape, places, start = [], [], 0
        for count in groups:
            places.append(list(range(start, start + count)))
            shape.append(math.prod(value.shape[start:start + count]))
            start += count
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
        lengths = ", ".join(map(self.length, shape))
        return self.emit(f"tensor.expand_shape {value} {places} output_shape [{lengths}] : {value.type} into {result.type}",
                         shape, value.dtype)

    def slice(self, value, dim, start, size):
        shape = [size if i == dim else n for i, n in enumerate(value.shape)]
        starts = [start if i == dim else 0 for i in range(len(shape))]
        result, lengths = Value("", shape, value.dtype), ", ".join(map(self.length, shape))
        return self.emit(f"tensor.extract_slice {value}{starts} [{lengths}] {[1] * len(shape)} : {value.type} to "
                         f"{result.type}", shape, value.dtype)

    def concat(self, dim, *values):
        shape = list(values[0].shape)
        shape[dim] = sum(value.shape[dim] for value in values)
        result = Value("", shape, values[0].dtype)
        return self.emit(f"tensor.concat dim({dim}) {', '.join(map(str, values))} : "
                         f"({', '.join(v.type for v in values)}) -> {result.type}", shape, values[0].dtype)

    def add_rows(self, rows, places, count):
        """A zero tensor of `count` rows, plus each of `rows` at its place, one after the other."""
        size, result = rows.shape[1], Value("", (count, rows.shape[1]), rows.dtype)
        row = f"tensor<{size}x{rows.dtype}>"
        first, step, end = (self.index_of(n) for n in (0, 1, rows.shape[0]))
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

    def index_of(self, size):
        return self.length(size) if isinstance(size, sizes.Dynamic) else self.constant(size, "index")

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
        self.ops += 1
        self.values += 1
        self.lines.append(f"    %v{self.values - 1} = arith.subi {self.constant(count - 1, 'index')}, {place} : index")
        return f"%v{self.values - 1}"

    def window(self, stack, place):
        """One layer of a stack, as slices spell it."""
        rest = ", ".join(map(self.length, stack.shape[1:]))
        return f"[{', '.join([place] + ['0'] * (len(stack.shape) - 1))}] [1, {rest}] {[1] * len(stack.shape)}"

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
        size = dict(zip(a + b, left.shape + right.shape))
        dtype = left.dtype
        if self.named:
            return self.matmul(a, b, c, size, left, right)
        order = c + "".join(d for d in a if d not in c)
        reads = [tuple(order.index(d) for d in dims) for dims in (a, b)]
        out = self.filled(tuple(size[d] for d in c), "f32", 0.0)
        body = lambda x, y, total: total + x.to("f32") * y.to("f32")
        result = self.generic(body, [left, right], reads, [size[d] for d in order], tuple(range(len(c))), out, "f32")
        return self.cast(result, dtype)

    def matmul(self, a, b, c, size, left, right):
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
        result = self.expand(self.cast(result, left.dtype), [[size[d] for d in part] for part in parts])
        return self.transpose(result, [(batch + rows + columns).index(d) for d in c])

    def write(self, file, results):
        """Writes the module; how many ops it has."""
        for text, name in self.maps.items():
            print(f"{name} = {text}", file=file)
        types = ", ".join(value.type for value in results)
        arguments = ", ".join(f"{a}: {a.type} {said}".rstrip() for a, said in zip(self.arguments, self.attributes))
        print(f"func.func @main({arguments}) -> ({types}) {{", file=file)
        for (value, dtype), (name, literal) in self.constants.items():
            print(f"    {name} = arith.constant {literal} : {dtype}", file=file)
        file.writelines(line + "\n" for line in self.length_lines)
        for value in self.empties.values():
            lengths = ", ".join(self.lengths[size] for size in value.shape if isinstance(size, sizes.Dynamic))
            print(f"    {value} = tensor.empty({lengths}) : {value.type}", file=file)
        for (shape, dtype, number), value in self.fills.items():
            print(f"    {value} = linalg.fill ins({self.constants[number, dtype][0]} : {dtype}) "
                  f"outs({self.empties[shape, dtype]} : {value.type}) -> {value.type}", file=file)
        file.writelines(line + "\n" for line in self.lines)
        print(f"    return {', '.join(map(str, results))} : {types}\n}}", file=file)
        fixed = len(self.constants) + len(self.length_lines) + len(self.empties) + 2 * len(self.fills) + 3
        return self.ops + fixed
