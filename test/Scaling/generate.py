# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes decoder models of any size as graphs in linalg on tensors.
"""usage: generate.py OUT [--layers=N] [--hidden=N] ... [--generic] [--forward]

Writes OUT.linalg.mlir and OUT.json, the signature. The model is a decoder as Llama is: RMSNorm, attention with rotary
positions and grouped key and value heads, SwiGLU, an untied head. The graph takes the parameters, the inverse frequencies,
tokens and labels, and returns the loss and the gradient of each parameter; with --forward it takes no labels and returns
the logits. Contractions are linalg.matmul and linalg.batch_matmul with the transposes they need, as torch-mlir
writes them, or with --generic linalg.generic over the axes as they lie, as JAX does. The same flags write the same bytes.

Seven linears a layer, in a training graph three GEMMs each: 21 * layers GEMMs are of block linears.
`gradient_check.py` compares the gradients with differences of the loss.
"""
import argparse
import json
import math
import pathlib

from graph_text import Graph

NAMES = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "i64": "int64"}


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


def causal_softmax(graph, scores, factor):
    dtype, rows = scores.dtype, (0, 1, 2)

    def masked(score):
        is_seen = graph.index(3).compare("ule", graph.index(2))
        return is_seen.select(score.to("f32") * factor, graph.scalar(-math.inf, "f32"))

    wide = graph.map(masked, scores, dtype="f32")
    largest = graph.reduce(wide, (3,), lambda element, most: element.maximum(most), -math.inf)
    powers = graph.map(lambda v, m: (v - m).math("exp"), wide, largest, dtype="f32", reads=[None, rows])
    shares = graph.map(lambda p, t: p / t, powers, graph.reduce(powers, (3,)), dtype="f32", reads=[None, rows])

    def backward(dy):
        products = graph.map(lambda d, p: d.to("f32") * p, dy, shares, dtype="f32")
        return graph.map(lambda x, p, d: ((x - p * d) * factor).to(dtype), products, shares, graph.reduce(products, (3,)),
                         dtype=dtype, reads=[None, None, rows])

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


def feed_forward(graph, x, weights):
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


def block(graph, x, weights, positions, options):
    normed, from_first = rms_norm(graph, x, weights[7])
    mixed, from_attention = attention(graph, normed, weights[:4], positions, options.heads, options.kv_heads)
    middle = graph.add(x, mixed)
    normed, from_second = rms_norm(graph, middle, weights[8])
    fed, from_feed = feed_forward(graph, normed, weights[4:7])

    def backward(dy):
        dnormed, feeds = from_feed(dy)
        part, second = from_second(dnormed)
        dmiddle = graph.add(dy, part)
        dnormed, attentions = from_attention(dmiddle)
        part, first = from_first(dnormed)
        return graph.add(dmiddle, part), attentions + feeds + [first, second]

    return graph.add(middle, fed), backward


def cross_entropy(graph, logits, labels):
    """The mean over the tokens, and its gradient."""
    wide, rows, tokens = graph.cast(logits, "f32"), (0, 1), logits.shape[0] * logits.shape[1]
    largest = graph.reduce(wide, (2,), lambda element, most: element.maximum(most), -math.inf)
    powers = graph.map(lambda v, m: (v - m).math("exp"), wide, largest, dtype="f32", reads=[None, rows])
    total = graph.reduce(powers, (2,))
    pick = lambda t, m, label: t.math("log") + m - graph.extract(wide, graph.index(0), graph.index(1), label)
    losses = graph.map(pick, total, largest, labels, dtype="f32")
    loss = graph.map(lambda v: v * (1 / tokens), graph.reduce(losses, (0, 1)), dtype="f32")

    def backward():
        def slope(power, sum_, label):
            is_label = label.to("index").compare("eq", graph.index(2))
            wanted = is_label.select(graph.scalar(1.0, "f32"), graph.scalar(0.0, "f32"))
            return ((power / sum_ - wanted) * (1 / tokens)).to(logits.dtype)

        return graph.map(slope, powers, total, labels, dtype=logits.dtype, reads=[None, rows, rows])

    return loss, backward


def rotary_positions(graph, frequencies, length, dtype):
    loops = (length, frequencies.shape[0])
    angles = graph.map(lambda f: graph.index(0).to("f32") * f, frequencies, dtype="f32", loops=loops, reads=[(1,)])
    halves = (graph.map(lambda a: a.math(name).to(dtype), angles, dtype=dtype) for name in ("cos", "sin"))
    return [graph.concat(1, half, half) for half in halves]


def declare(graph, options):
    """The arguments by name: parameters, inverse frequencies, tokens, labels."""
    hidden, ffn, width = options.hidden, options.ffn, options.hidden // options.heads
    kv = options.kv_heads * width
    shapes = {"q_proj": (hidden, hidden), "k_proj": (kv, hidden), "v_proj": (kv, hidden), "o_proj": (hidden, hidden),
              "gate_proj": (ffn, hidden), "up_proj": (ffn, hidden), "down_proj": (hidden, ffn),
              "attention_norm": (hidden,), "mlp_norm": (hidden,)}
    arguments = {"embed_tokens.weight": graph.argument((options.vocabulary, hidden), options.dtype)}
    for layer in range(options.layers):
        for name, shape in shapes.items():
            arguments[f"layers.{layer}.{name}.weight"] = graph.argument(shape, options.dtype)
    arguments["norm.weight"] = graph.argument((hidden,), options.dtype)
    arguments["lm_head.weight"] = graph.argument((options.vocabulary, hidden), options.dtype)
    arguments["inv_freq"] = graph.argument((width // 2,), "f32")
    for name in ["input_ids"] if options.forward else ["input_ids", "labels"]:
        arguments[name] = graph.argument((options.batch, options.sequence), "i64")
    return arguments


def build(graph, options):
    """The arguments and the results by name."""
    arguments = declare(graph, options)
    parameters = [value for name, value in arguments.items() if name.endswith(".weight")]
    embedding, tokens, dtype = parameters[0], arguments["input_ids"], options.dtype
    loops = (options.batch, options.sequence, options.hidden)
    x = graph.map(lambda token: graph.extract(embedding, token, graph.index(2)), tokens, dtype=dtype, loops=loops,
                  reads=[(0, 1)])
    positions = rotary_positions(graph, arguments["inv_freq"], options.sequence, dtype)
    tape = []
    for layer in range(options.layers):
        x, backward = block(graph, x, parameters[1 + 9 * layer:10 + 9 * layer], positions, options)
        tape.append(backward)
    normed, from_norm = rms_norm(graph, x, parameters[-2])
    logits, from_head = linear(graph, normed, parameters[-1])
    if options.forward:
        return arguments, {"logits": logits}
    loss, from_loss = cross_entropy(graph, logits, arguments["labels"])
    dnormed, dhead = from_head(from_loss())
    dx, dnorm = from_norm(dnormed)
    gradients = [dnorm, dhead]
    for backward in reversed(tape):
        dx, dweights = backward(dx)
        gradients = dweights + gradients
    rows = graph.cast(graph.collapse(dx, [2, 1]), "f32")
    dembedding = graph.add_rows(rows, graph.collapse(tokens, [2]), options.vocabulary)
    gradients = [graph.cast(dembedding, dtype)] + gradients
    names = [f"grad.{name}" for name in arguments if name.endswith(".weight")]
    return arguments, {"loss": loss, **dict(zip(names, gradients))}


def signature(arguments, results, origin):
    def kind(name):
        return "parameter" if name.endswith(".weight") else "buffer" if name == "inv_freq" else "input"

    described = [{"name": name, "kind": kind(name), "shape": value.shape, "dtype": NAMES[value.dtype]}
                 for name, value in arguments.items()]
    return {"origin": origin, "function": "main", "arguments": described, "results": list(results)}


def write(out, options):
    """Writes the graph and its signature; how many ops the graph has."""
    graph = Graph(not options.generic)
    arguments, results = build(graph, options)
    with open(f"{out}.linalg.mlir", "w") as file:
        ops = graph.write(file, list(results.values()))
    shown = ", ".join(f"{name} {value}" for name, value in sorted(vars(options).items()) if name != "out")
    text = json.dumps(signature(arguments, results, f"generated: {ops} ops, {shown}"), indent=1)
    pathlib.Path(f"{out}.json").write_text(text + "\n")
    return ops


def parser():
    result = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("out", help="path without suffix")
    sizes = dict(layers=2, hidden=64, heads=4, kv_heads=2, ffn=192, sequence=32, batch=2, vocabulary=64)
    for name, default in sizes.items():
        result.add_argument("--" + name.replace("_", "-"), type=int, default=default, help=f"default {default}")
    result.add_argument("--dtype", choices=["bf16", "f16", "f32"], default="bf16")
    result.add_argument("--generic", action="store_true", help="contractions as linalg.generic")
    result.add_argument("--forward", action="store_true", help="no loss and no gradients")
    return result


def main():
    options = parser().parse_args()
    if options.hidden % (2 * options.heads) or options.heads % options.kv_heads:
        raise SystemExit("expected hidden to be a multiple of twice the heads, and heads one of the KV heads")
    print(f"{options.out}.linalg.mlir: {write(options.out, options)} ops")


if __name__ == "__main__":
    main()
