# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The pieces of random models: each writes its part of the forward half and knows its part of the backward half.
"""A block is made once, with its weights and all that is random about it but spellings, and is called with a value x of
shape (tokens..., width). It gives y and a function from the gradient of y to that of x, which adds the gradients of the
weights to the model. Called again it computes the same once more, as recomputation does.
"""
import math

LETTERS = "bs"


class Model:
    """The text, what is random, and the gradients of the weights so far."""

    def __init__(self, text, rng, dtype, spelling):
        self.text, self.rng, self.dtype = text, rng, dtype
        self.spelling = spelling  # apart, so that graphs without a weight in parts are what they were
        self.gradients, self.kinds, self.weights, self.kept = {}, [], [], []

    def argument(self, shape, dtype, kind, attributes=""):
        self.kinds.append(kind)
        return self.text.argument(tuple(shape), dtype, attributes)

    def weight(self, shape):
        shape = tuple(shape)
        alike = [value for value in self.weights if value.shape == shape]
        if alike and len(shape) == 2 and self.rng.random() < 0.25:
            return self.rng.choice(alike)  # tied
        said = "{qt.role = #qt.role<weight>}" if len(shape) == 2 and self.rng.random() < 0.1 else ""
        self.weights.append(self.argument(shape, self.dtype, -1, said))
        return self.weights[-1]

    def add_gradient(self, weight, value):
        have = self.gradients.get(weight.name)
        self.gradients[weight.name] = self.text.add(have, value) if have else value

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, share):
        return self.rng.random() < share


class Parts:
    """A weight that is a part of an argument, several arguments in a row, or one and zeros around it."""

    def __init__(self, model, shape):
        self.model, rng = model, model.spelling
        self.dim, self.kind = rng.randrange(2), rng.choice(["slice", "concat", "pad"])
        size, beside = shape[self.dim], rng.choice([1, 8, 32, 64, 128])
        if self.kind != "slice" and size < 2:
            self.kind = "slice"
        self.low = rng.choice([0, beside]) if self.kind == "slice" else rng.choice([1, size // 2, min(size - 1, 32), min(size - 1, 64)])
        self.size, with_size = size, lambda new: (*shape[:self.dim], new, *shape[self.dim + 1:])
        sizes = {"slice": [size + beside], "concat": [self.low, size - self.low], "pad": [size - self.low]}[self.kind]
        self.weights = [model.weight(with_size(each)) for each in sizes]

    def value(self):
        text, first = self.model.text, self.weights[0]
        if self.kind == "slice":
            return text.slice(first, self.dim, self.low, self.size)
        return text.concat(self.dim, *self.weights) if self.kind == "concat" else text.pad(first, self.dim, self.low, 0)

    def add_gradient(self, gradient):
        text, first = self.model.text, self.weights[0]
        if self.kind == "slice":
            behind = first.shape[self.dim] - self.low - self.size
            return self.model.add_gradient(first, text.pad(gradient, self.dim, self.low, behind))
        start = self.low if self.kind == "pad" else 0
        for weight in self.weights:
            self.model.add_gradient(weight, text.slice(gradient, self.dim, start, weight.shape[self.dim]))
            start += weight.shape[self.dim]


def rows(x):
    """The letters of the dimensions before the last."""
    return LETTERS[-(len(x.shape) - 1):]


def linear(model, width, out):
    text, last_in_row, parts = model.text, model.chance(0.6), None
    if model.chance(0.06) and width * out <= 2000:
        numbers = [model.rng.gauss(0, 1) / math.sqrt(width) for _ in range(width * out)]
        weight = text.dense((out, width) if last_in_row else (width, out), model.dtype, numbers)
        is_frozen = True
    else:
        shape = (out, width) if last_in_row else (width, out)
        parts = Parts(model, shape) if model.spelling.random() < 0.12 else None
        weight = None if parts else model.weight(shape)
        is_frozen = model.chance(0.05)
    is_repeated = model.spelling.random() < 0.12
    bias = model.weight((out,)) if model.chance(0.3) else None
    is_flat, w = model.chance(0.3), "nk" if last_in_row else "kn"

    def block(x):
        r, shape = rows(x), x.shape
        flat = is_flat and len(r) == 2
        view = text.collapse(x, [2, 1]) if flat else x
        q = "s" if flat else r
        whole = parts.value() if parts else weight
        # Of a batch: repeated for each matrix of it, as exporters write it.
        each, v = (text.broadcast(whole, (0,), (shape[0], *whole.shape)), q[0] + w) if is_repeated and len(q) == 2 else (whole, w)
        y = text.contract(f"{q}k,{v}->{q}n", view, each)
        y = text.expand(y, [list(shape[:2]), [out]]) if flat else y
        if bias:
            dims = (len(r),)
            if model.chance(0.5):
                y = text.map(lambda v, b: v + b, y, bias, dtype=model.dtype, reads=[None, dims])
            else:
                y = text.add(y, text.broadcast(bias, range(len(r)), y.shape))

        def backward(dy):
            if bias:
                model.add_gradient(bias, text.cast(text.reduce(text.cast(dy, "f32"), range(len(r))), model.dtype))
            dview = text.collapse(dy, [2, 1]) if flat else dy
            if not is_frozen:
                add_gradient = parts.add_gradient if parts else lambda gradient: model.add_gradient(weight, gradient)
                add_gradient(model.pick(*[lambda a=a: text.contract(*a) for a in (
                    (f"{q}n,{q}k->{w}", dview, view), (f"{q}k,{q}n->{w}", view, dview))])())
            dx = text.contract(f"{q}n,{v}->{q}k", dview, each)
            return text.expand(dx, [list(shape[:2]), [width]]) if flat else dx

        return y, backward

    return block


def activation(model, width):
    text, name, calls = model.text, model.pick("tanh", "silu", "relu"), model.chance(0.3)

    def block(x):
        dtype = x.dtype
        if name == "tanh":
            y = text.call("tanh", x) if calls else text.map(lambda v: v.math("tanh"), x, dtype=dtype)
            return y, lambda dy: text.map(lambda d, t: d * (text.scalar(1.0, dtype) - t * t), dy, y, dtype=dtype)
        if name == "relu":
            y = text.map(lambda v: v.maximum(text.scalar(0.0, dtype)), x, dtype=dtype)

            def slope(d, v):
                is_on = text.body_op("arith.cmpf ogt,", [v, text.scalar(0.0, dtype)], "i1", dtype)
                return is_on.select(d, text.scalar(0.0, dtype))

            return y, lambda dy: text.map(slope, dy, x, dtype=dtype)
        one = lambda: text.scalar(1.0, "f32")
        gate = text.map(lambda v: one() / ((-v.to("f32")).math("exp") + 1.0), x, dtype="f32")
        y = text.map(lambda v, s: (v.to("f32") * s).to(dtype), x, gate, dtype=dtype)

        def slope(d, v, s):
            return (d.to("f32") * (s * (v.to("f32") * (one() - s) + 1.0))).to(dtype)

        return y, lambda dy: text.map(slope, dy, x, gate, dtype=dtype)

    return block


def norm(model, width):
    """RMS or, without its mean, layer normalization; statistics are in f32."""
    text, weight, centers = model.text, model.weight((width,)), model.chance(0.4)

    def block(x):
        lead, last, dtype = tuple(range(len(x.shape) - 1)), len(x.shape) - 1, x.dtype
        wide = text.cast(x, "f32")
        if centers:
            mean = text.map(lambda v: v * (1 / width), text.reduce(wide, (last,)), dtype="f32")
            wide = text.map(lambda v, m: v - m, wide, mean, dtype="f32", reads=[None, lead])
        square = text.reduce(text.map(lambda v: v * v, wide, dtype="f32"), (last,))
        scale = text.map(lambda v: (v * (1 / width) + 1e-5).math("rsqrt"), square, dtype="f32")
        normed = text.map(lambda v, s: (v * s).to(dtype), wide, scale, dtype=dtype, reads=[None, lead])

        def backward(dy):
            products = text.map(lambda d, n: (d * n).to("f32"), dy, normed, dtype="f32")
            model.add_gradient(weight, text.cast(text.reduce(products, lead), dtype))
            dnormed = text.map(lambda d, w: (d * w).to("f32"), dy, weight, dtype="f32", reads=[None, (last,)])
            dot = text.reduce(text.map(lambda d, v: d * v, dnormed, wide, dtype="f32"), (last,))
            factor = text.map(lambda d, s: d * (s * s * s) * (1 / width), dot, scale, dtype="f32")
            dwide = text.map(lambda d, v, s, f: d * s - v * f, dnormed, wide, scale, factor, dtype="f32",
                             reads=[None, None, lead, lead])
            if centers:
                mean = text.map(lambda v: v * (1 / width), text.reduce(dwide, (last,)), dtype="f32")
                dwide = text.map(lambda v, m: v - m, dwide, mean, dtype="f32", reads=[None, lead])
            return text.cast(dwide, dtype)

        return text.map(lambda n, w: n * w, normed, weight, dtype=dtype, reads=[None, (last,)]), backward

    return block


def gated(model, width, out):
    """down(act(gate(x)) * up(x))"""
    text, inner = model.text, model.pick(8, 17, 32, 48)
    gate, up, down = linear(model, width, inner), linear(model, width, inner), linear(model, inner, out)
    act = activation(model, inner)

    def block(x):
        (g, from_gate), (u, from_up) = gate(x), up(x)
        a, from_act = act(g)
        y, from_down = down(text.map(lambda p, q: p * q, a, u, dtype=x.dtype))

        def backward(dy):
            dproduct = from_down(dy)
            du = text.map(lambda d, p: d * p, dproduct, a, dtype=x.dtype)
            dg = from_act(text.map(lambda d, q: d * q, dproduct, u, dtype=x.dtype))
            return text.add(from_gate(dg), from_up(du))

        return y, backward

    return block


def softmax(text, scores, factor):
    dtype, last = scores.dtype, len(scores.shape) - 1
    lead = tuple(range(last))
    wide = text.map(lambda s: s.to("f32") * factor, scores, dtype="f32")
    largest = text.reduce(wide, (last,), lambda element, most: element.maximum(most), -math.inf)
    powers = text.map(lambda v, m: (v - m).math("exp"), wide, largest, dtype="f32", reads=[None, lead])
    shares = text.map(lambda p, t: p / t, powers, text.reduce(powers, (last,)), dtype="f32", reads=[None, lead])

    def backward(dy):
        products = text.map(lambda d, p: d.to("f32") * p, dy, shares, dtype="f32")
        return text.map(lambda x, p, d: ((x - p * d) * factor).to(dtype), products, shares,
                        text.reduce(products, (last,)), dtype=dtype, reads=[None, None, lead])

    return text.cast(shares, dtype), backward


def attention(model, width, out):
    """One head, or several of which each is a slice of the width; over (batch, length, width)."""
    text, heads, size = model.text, model.pick(1, 1, 2), model.pick(4, 8, 16)
    projections = [linear(model, width, heads * size) for _ in range(3)]
    output = linear(model, heads * size, out)

    def split(x):
        return text.transpose(text.expand(x, [[x.shape[0]], [x.shape[1]], [heads, size]]), [0, 2, 1, 3])

    def join(x):
        return text.collapse(text.transpose(x, [0, 2, 1, 3]), [1, 1, 2])

    def block(x):
        split_, join_, h = (split, join, "h") if heads > 1 else (lambda v: v, lambda v: v, "")
        parts, backs = zip(*(projection(x) for projection in projections))
        query, key, value = map(split_, parts)
        scores = text.contract(f"b{h}qd,b{h}kd->b{h}qk", query, key)
        shares, from_shares = softmax(text, scores, 1 / math.sqrt(size))
        y, from_output = output(join_(text.contract(f"b{h}qk,b{h}kd->b{h}qd", shares, value)))

        def backward(dy):
            dmixed = split_(from_output(dy))
            dvalue = text.contract(f"b{h}qk,b{h}qd->b{h}kd", shares, dmixed)
            dscores = from_shares(text.contract(f"b{h}qd,b{h}kd->b{h}qk", dmixed, value))
            dquery = text.contract(f"b{h}qk,b{h}kd->b{h}qd", dscores, key)
            dkey = text.contract(f"b{h}qk,b{h}qd->b{h}kd", dscores, query)
            dx = None
            for back, gradient in zip(backs, (dquery, dkey, dvalue)):
                part = back(join_(gradient))
                dx = text.add(dx, part) if dx else part
            return dx

        return y, backward

    return block


def movement(model, width):
    """Data that moves: halves that change places, a pad that is cut off, a transposed copy, a scaled one."""
    text, kind = model.text, model.pick("halves", "pad", "transpose", "scale")
    scale = model.argument((width,), model.dtype, 0) if kind == "scale" else None
    low, high = model.rng.randrange(4), model.rng.randrange(1, 40)

    def turn(x):
        last = len(x.shape) - 1
        half = x.shape[-1] // 2
        return text.concat(last, text.slice(x, last, half, half), text.slice(x, last, 0, half))

    def block(x):
        last = len(x.shape) - 1
        if kind == "halves" and width % 2 == 0:
            return turn(x), turn
        if kind == "pad":
            cut = lambda v: text.slice(text.pad(v, last, low, high), last, low, width)
            return cut(x), cut
        if kind == "scale":
            times = lambda v: text.map(lambda a, b: a * b, v, text.broadcast(scale, range(last), v.shape), dtype=v.dtype)
            return times(x), times
        swap = [*range(last - 1), last, last - 1]

        def twice(v):
            flipped = text.transpose(v, swap)
            return text.transpose(text.map(lambda a: a + a, flipped, dtype=v.dtype), swap)

        return twice(x), twice

    return block


def stack(model, width):
    """Layers in a loop, tanh(x . W[i]); the backward loop recomputes them from what the forward loop kept of x."""
    text, layers = model.text, model.pick(1, 2, 3)
    weights = model.weight((layers, width, width))

    def layer(x, weight):
        return text.map(lambda v: v.math("tanh"), text.contract("sk,nk->sn", x, weight), dtype=x.dtype)

    def block(x):
        shape = x.shape
        flat = text.collapse(x, [2, 1]) if len(shape) == 3 else x
        kept = text.empty((layers, *flat.shape), x.dtype)

        def forward(place, here, all_):
            return [layer(here, text.pick(weights, place)), text.put(here, all_, place)]

        y, saved = text.loop(layers, [flat, kept], forward)

        def backward(dy):
            dflat = text.collapse(dy, [2, 1]) if len(shape) == 3 else dy

            def step(number, gradient, all_):
                place = text.place_from_last(number, layers)
                here, weight = text.pick(saved, place), text.pick(weights, place)
                slope = lambda d, t: d * (text.scalar(1.0, x.dtype) - t * t)
                inner = text.map(slope, gradient, layer(here, weight), dtype=x.dtype)
                of_weight = text.contract("sn,sk->nk", inner, here)
                return [text.contract("sn,nk->sk", inner, weight), text.put(of_weight, all_, place)]

            dx, dweights = text.loop(layers, [dflat, text.empty(weights.shape, x.dtype)], step)
            model.add_gradient(weights, dweights)
            return text.expand(dx, [list(shape[:2]), [width]]) if len(shape) == 3 else dx

        return (text.expand(y, [list(shape[:2]), [width]]) if len(shape) == 3 else y), backward

    return block


def residual(model, inner):
    def block(x):
        y, back = inner(x)
        return model.text.add(x, y), lambda dy: model.text.add(dy, back(dy))

    return block


def checkpoint(model, inner):
    """Computes the block again for the backward half, in the same spelling, and keeps nothing else of it."""

    def block(x):
        start = model.rng.getstate()

        def backward(dy):
            now = model.rng.getstate()
            model.rng.setstate(start)
            back = inner(x)[1]
            model.rng.setstate(now)
            return back(dy)

        return inner(x)[0], backward

    return block
