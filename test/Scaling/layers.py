# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The layers of generated decoders: each writes its forward pass and returns what writes its backward pass.

import math


def linear(graph, x, weight):
    def backward(dy):
        return graph.contract("bsn,nk->bsk", dy, weight), graph.contract("bsn,bsk->nk", dy, x)

    return graph.contract("bsk,nk->bsn", x, weight), backward


def rms_norm(graph, x, weight):
    """Statistics are in f32; `scale` is 1 over the root mean square of a row."""
    dtype, width, rows = x.dtype, x.shape[-1], (0, 1)
    wide = graph.cast(x, "f32")
    square = graph.reduce(graph.map(lambda v: v * v, wide, dtype="f32"), (2,))
    scale = graph.map(lambda v: (v * (1 / width) + 1e-6).math("rsqrt"), square, dtype="f32")
    normed = graph.map(lambda v, s: (v * s).to(dtype), wide, scale, dtype=dtype, reads=[None, rows])

    def backward(dy):
        products = graph.map(lambda d, n: (d * n).to("f32"), dy, normed, dtype="f32")
        dweight = graph.cast(graph.reduce(products, (0, 1)), dtype)
        dnormed = graph.map(lambda d, w: (d * w).to("f32"), dy, weight, dtype="f32", reads=[None, (2,)])
        dot = graph.reduce(graph.map(lambda d, v: d * v, dnormed, wide, dtype="f32"), (2,))
        factor = graph.map(lambda d, s: d * (s * s * s) * (1 / width), dot, scale, dtype="f32")
        dx = graph.map(lambda d, v, s, f: (d * s - v * f).to(dtype), dnormed, wide, scale, factor, dtype=dtype,
                       reads=[None, None, rows, rows])
        return dx, dweight

    return graph.map(lambda n, w: n * w, normed, weight, dtype=dtype, reads=[None, (2,)]), backward


def rotate(graph, x, cosine, sine, sign):
    """Turns the pairs (i, i + half) of the last dimension; sign -1 turns them back, which is the gradient."""
    half = x.shape[-1] // 2
    low, high = graph.slice(x, 3, 0, half), graph.slice(x, 3, half, half)
    turned = graph.concat(3, graph.map(lambda v: -v, high, dtype=x.dtype), low)
    combine = lambda v, t, c, s: v * c + t * s if sign > 0 else v * c - t * s
    return graph.map(combine, x, turned, cosine, sine, dtype=x.dtype, reads=[None, None, (2, 3), (2, 3)])


def repeat_heads(graph, x, times):
    batch, heads, length, width = x.shape
    if times == 1:
        return x, lambda dy: dy
    copies = graph.map(lambda v: v, x, dtype=x.dtype, loops=(batch, heads, times, length, width), reads=[(0, 1, 3, 4)])

    def backward(dy):
        parts = graph.expand(dy, [[batch], [heads, times], [length], [width]])
        return graph.cast(graph.reduce(graph.cast(parts, "f32"), (2,)), x.dtype)

    return graph.collapse(copies, [1, 2, 1, 1]), backward


def softmax(graph, x):
    """Of f32, over the last dimension."""
    last = len(x.shape) - 1
    rows = tuple(range(last))
    largest = graph.reduce(x, (last,), lambda element, most: element.maximum(most), -math.inf)
    powers = graph.map(lambda v, m: (v - m).math("exp"), x, largest, dtype="f32", reads=[None, rows])
    shares = graph.map(lambda p, t: p / t, powers, graph.reduce(powers, (last,)), dtype="f32", reads=[None, rows])

    def backward(dy):
        products = graph.map(lambda d, p: d.to("f32") * p, dy, shares, dtype="f32")
        return graph.map(lambda x, p, d: x - p * d, products, shares, graph.reduce(products, (last,)), dtype="f32",
                         reads=[None, None, rows])

    return shares, backward


def causal_softmax(graph, scores, factor):
    dtype = scores.dtype

    def masked(score):
        is_seen = graph.index(3).compare("ule", graph.index(2))
        return is_seen.select(score.to("f32") * factor, graph.scalar(-math.inf, "f32"))

    wide = graph.map(masked, scores, dtype="f32")
    shares, from_shares = softmax(graph, wide)

    def backward(dy):
        dwide = from_shares(dy)
        return graph.map(lambda d: (d * factor).to(dtype), dwide, dtype=dtype)

    return graph.cast(shares, dtype), backward


def attention(graph, x, weights, positions, heads, kv_heads):
    batch, length, _ = x.shape
    width = weights[0].shape[0] // heads
    counts = (heads, kv_heads, kv_heads)
    linears = [linear(graph, x, weight) for weight in weights[:3]]
    query, key, value = (
        graph.transpose(graph.expand(y, [[batch], [length], [count, width]]), [0, 2, 1, 3])
        for (y, _), count in zip(linears, counts))
    query, key = rotate(graph, query, *positions, 1), rotate(graph, key, *positions, 1)
    (key, from_key), (value, from_value) = (repeat_heads(graph, v, heads // kv_heads) for v in (key, value))
    shares, from_shares = causal_softmax(graph, graph.contract("bhqd,bhkd->bhqk", query, key), 1 / math.sqrt(width))
    mixed = graph.transpose(graph.contract("bhqk,bhkd->bhqd", shares, value), [0, 2, 1, 3])
    y, from_output = linear(graph, graph.collapse(mixed, [1, 1, 2]), weights[3])

    def backward(dy):
        dmixed, doutput = from_output(dy)
        dmixed = graph.transpose(graph.expand(dmixed, [[batch], [length], [heads, width]]), [0, 2, 1, 3])
        dvalue = from_value(graph.contract("bhqk,bhqd->bhkd", shares, dmixed))
        dscores = from_shares(graph.contract("bhqd,bhkd->bhqk", dmixed, value))
        dquery = rotate(graph, graph.contract("bhqk,bhkd->bhqd", dscores, key), *positions, -1)
        dkey = from_key(graph.contract("bhqk,bhqd->bhkd", dscores, query))
        dkey = rotate(graph, dkey, *positions, -1)
        dx, dweights = None, []
        for (_, from_linear), gradient in zip(linears, (dquery, dkey, dvalue)):
            flat = graph.collapse(graph.transpose(gradient, [0, 2, 1, 3]), [1, 1, 2])
            part, dweight = from_linear(flat)
            dx = graph.add(dx, part) if dx else part
            dweights.append(dweight)
        return dx, dweights + [doutput]

    return y, backward


def feed_forward(graph, x, weights, linear=linear):
    """down(silu(gate(x)) * up(x))"""
    dtype = x.dtype
    (gate, from_gate), (up, from_up) = linear(graph, x, weights[0]), linear(graph, x, weights[1])
    sigmoid = graph.map(lambda g: graph.scalar(1.0, "f32") / ((-g.to("f32")).math("exp") + 1.0), gate, dtype="f32")
    silu = graph.map(lambda g, s: (g.to("f32") * s).to(dtype), gate, sigmoid, dtype=dtype)
    product = graph.map(lambda a, u: a * u, silu, up, dtype=dtype)
    y, from_down = linear(graph, product, weights[2])

    def backward(dy):
        dproduct, ddown = from_down(dy)
        dup = graph.map(lambda d, a: d * a, dproduct, silu, dtype=dtype)

        def slope(d, u, g, s):
            rest = graph.scalar(1.0, "f32") - s
            return ((d * u).to("f32") * (s * (g.to("f32") * rest + 1.0))).to(dtype)

        dgate = graph.map(slope, dproduct, up, gate, sigmoid, dtype=dtype)
        (from_one, dgate_weight), (from_other, dup_weight) = from_gate(dgate), from_up(dup)
        return graph.add(from_one, from_other), [dgate_weight, dup_weight, ddown]

    return y, backward


def cross_entropy(graph, logits, labels):
    """The mean over the tokens, and its gradient."""
    wide, rows = graph.cast(logits, "f32"), (0, 1)
    tokens = graph.float_of(logits.shape[0] * logits.shape[1])
    largest = graph.reduce(wide, (2,), lambda element, most: element.maximum(most), -math.inf)
    powers = graph.map(lambda v, m: (v - m).math("exp"), wide, largest, dtype="f32", reads=[None, rows])
    total = graph.reduce(powers, (2,))
    pick = lambda t, m, label: t.math("log") + m - graph.extract(wide, graph.index(0), graph.index(1), label)
    losses = graph.map(pick, total, largest, labels, dtype="f32")
    loss = graph.map(lambda v: v / tokens, graph.reduce(losses, (0, 1)), dtype="f32")

    def backward():
        def slope(power, sum_, label):
            is_label = label.to("index").compare("eq", graph.index(2))
            wanted = is_label.select(graph.scalar(1.0, "f32"), graph.scalar(0.0, "f32"))
            return ((power / sum_ - wanted) / tokens).to(logits.dtype)

        return graph.map(slope, powers, total, labels, dtype=logits.dtype, reads=[None, rows, rows])

    return loss, backward


def rotary_positions(graph, frequencies, length, dtype):
    loops = (length, frequencies.shape[0])
    angles = graph.map(lambda f: graph.index(0).to("f32") * f, frequencies, dtype="f32", loops=loops, reads=[(1,)])
    halves = (graph.map(lambda a: a.math(name).to(dtype), angles, dtype=dtype) for name in ("cos", "sin"))
    return [graph.concat(1, half, half) for half in halves]
