# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes decoder models of any size as graphs in linalg on tensors.
"""usage: generate.py OUT [--layers=N] [--hidden=N] ... [--generic] [--forward] [--loop] [--dynamic] [--experts=N]

Writes OUT.linalg.mlir and OUT.json, the signature. The model is a decoder as Llama is: RMSNorm, attention with rotary
positions and grouped key and value heads, SwiGLU, an untied head. The graph takes the parameters, the inverse frequencies,
tokens and labels, and returns the loss and the gradient of each parameter; with --forward it takes no labels and returns
the logits. Contractions are linalg.matmul and linalg.batch_matmul with the transposes they need, as torch-mlir
writes them, or with --generic linalg.generic over the axes as they lie, as JAX does. With --loop the layers are in a loop
over stacked parameters, as jax.lax.scan has them, and the backward loop computes each layer again. With --dynamic batch and
sequence are known at run time only; the signature has the sizes to run with. With --experts each layer has a router and so
many feed-forward parts, each with places for 5/4 of its share of the tokens: how many is computed in the graph with --dynamic.
The same flags write the same bytes.

Seven linears a layer, in a training graph three GEMMs each: 21 * layers GEMMs are of block linears (28 with --loop).
`gradient_check.py` compares the gradients with differences of the loss.
"""
import argparse
import json
import pathlib

from experts import experts
from graph_text import Graph
from layers import attention, cross_entropy, feed_forward, linear, rms_norm, rotary_positions
from sizes import Dynamic, example

NAMES = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "i64": "int64"}


def block(graph, x, weights, positions, options):
    """`weights` are the four of attention, those of the feed-forward part, and the two of the norms."""
    normed, from_first = rms_norm(graph, x, weights[-2])
    mixed, from_attention = attention(graph, normed, weights[:4], positions, options.heads, options.kv_heads)
    middle = graph.add(x, mixed)
    normed, from_second = rms_norm(graph, middle, weights[-1])
    fed, from_feed = (experts(graph, normed, weights[4:-2], options.top) if options.experts else
                      feed_forward(graph, normed, weights[4:-2]))

    def backward(dy):
        dnormed, feeds = from_feed(dy)
        part, second = from_second(dnormed)
        dmiddle = graph.add(dy, part)
        dnormed, attentions = from_attention(dmiddle)
        part, first = from_first(dnormed)
        return graph.add(dmiddle, part), attentions + feeds + [first, second]

    return graph.add(middle, fed), backward


def layer_shapes(options):
    """The parameters of one layer, by name: those of attention, of the feed-forward part, and the norms."""
    hidden, ffn, width = options.hidden, options.ffn, options.hidden // options.heads
    kv, experts = options.kv_heads * width, (options.experts,) if options.experts else ()
    return {"q_proj": (hidden, hidden), "k_proj": (kv, hidden), "v_proj": (kv, hidden), "o_proj": (hidden, hidden),
            **({"router": (options.experts, hidden)} if experts else {}),
            "gate_proj": (*experts, ffn, hidden), "up_proj": (*experts, ffn, hidden), "down_proj": (*experts, hidden, ffn),
            "attention_norm": (hidden,), "mlp_norm": (hidden,)}


def declare(graph, options):
    """The arguments by name: parameters, inverse frequencies, tokens, labels."""
    arguments = {"embed_tokens.weight": graph.argument((options.vocabulary, options.hidden), options.dtype)}
    layers = [("layers", (options.layers,))] if options.loop else [(f"layers.{i}", ()) for i in range(options.layers)]
    for prefix, stacked in layers:
        for name, shape in layer_shapes(options).items():
            dtype = "f32" if name == "router" else options.dtype
            arguments[f"{prefix}.{name}.weight"] = graph.argument(stacked + shape, dtype)
    arguments["norm.weight"] = graph.argument((options.hidden,), options.dtype)
    arguments["lm_head.weight"] = graph.argument((options.vocabulary, options.hidden), options.dtype)
    arguments["inv_freq"] = graph.argument((options.hidden // options.heads // 2,), "f32")
    sizes = [Dynamic(1, (name,)) if options.dynamic else getattr(options, name) for name in ("batch", "sequence")]
    for name in ["input_ids"] if options.forward else ["input_ids", "labels"]:
        arguments[name] = graph.argument(sizes, "i64")
    return arguments


def unrolled(graph, x, weights, positions, options):
    """The layers one after the other; `weights` are those of the first, of the second, ..."""
    count, tape = len(weights) // options.layers, []
    for first in range(0, len(weights), count):
        x, from_block = block(graph, x, weights[first:first + count], positions, options)
        tape.append(from_block)

    def backward(dy):
        gradients = []
        for from_block in reversed(tape):
            dy, dweights = from_block(dy)
            gradients = dweights + gradients
        return dy, gradients

    return x, backward


def looped(graph, x, weights, positions, options):
    """The layers in a loop over stacked weights. What the layers read is stacked too; the backward loop computes each layer
    again from it, and then its gradients."""
    layer = lambda place, x: block(graph, x, [graph.pick(weight, place) for weight in weights], positions, options)
    stack = graph.empty((options.layers, *x.shape), x.dtype)
    forward = lambda place, x, read: [layer(place, x)[0], graph.put(x, read, place)]
    y, read = graph.loop(options.layers, [x, stack], forward)

    def backward(dy):
        def step(place, dx, *stacks):
            place = graph.place_from_last(place, options.layers)
            dx, dweights = layer(place, graph.pick(read, place))[1](dx)
            return [dx] + [graph.put(dweight, stack, place) for dweight, stack in zip(dweights, stacks)]

        dx, *gradients = graph.loop(options.layers, [dy] + [graph.empty(w.shape, w.dtype) for w in weights], step)
        return dx, gradients

    return y, backward


def build(graph, options):
    """The arguments and the results by name."""
    arguments = declare(graph, options)
    parameters = [value for name, value in arguments.items() if name.endswith(".weight")]
    embedding, tokens, dtype = parameters[0], arguments["input_ids"], options.dtype
    x = graph.map(lambda token: graph.extract(embedding, token, graph.index(2)), tokens, dtype=dtype,
                  loops=(*tokens.shape, options.hidden), reads=[(0, 1)])
    positions = rotary_positions(graph, arguments["inv_freq"], tokens.shape[1], dtype)
    layers = looped if options.loop else unrolled
    x, from_layers = layers(graph, x, parameters[1:-2], positions, options)
    normed, from_norm = rms_norm(graph, x, parameters[-2])
    logits, from_head = linear(graph, normed, parameters[-1])
    if options.forward:
        return arguments, {"logits": logits}
    loss, from_loss = cross_entropy(graph, logits, arguments["labels"])
    dnormed, dhead = from_head(from_loss())
    dx, dnorm = from_norm(dnormed)
    dx, gradients = from_layers(dx)
    rows = graph.cast(graph.collapse(dx, [2, 1]), "f32")
    dembedding = graph.add_rows(rows, graph.collapse(tokens, [2]), options.vocabulary)
    gradients = [graph.cast(dembedding, dtype), *gradients, dnorm, dhead]
    names = [f"grad.{name}" for name in arguments if name.endswith(".weight")]
    return arguments, {"loss": loss, **dict(zip(names, gradients))}


def signature(arguments, results, origin, lengths):
    """A shape is the one to run with; the graph may leave some of its lengths open."""
    def kind(name):
        return "parameter" if name.endswith(".weight") else "buffer" if name == "inv_freq" else "input"

    described = [{"name": name, "kind": kind(name), "shape": [example(size, lengths) for size in value.shape],
                  "dtype": NAMES[value.dtype]}
                 for name, value in arguments.items()]
    return {"origin": origin, "function": "main", "arguments": described, "results": list(results)}


def write(out, options):
    """Writes the graph and its signature; how many ops the graph has."""
    graph = Graph(not options.generic)
    arguments, results = build(graph, options)
    with open(f"{out}.linalg.mlir", "w") as file:
        ops = graph.write(file, list(results.values()))
    shown = ", ".join(f"{name} {value}" for name, value in sorted(vars(options).items()) if name != "out")
    text = json.dumps(signature(arguments, results, f"generated: {ops} ops, {shown}", vars(options)), indent=1)
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
    result.add_argument("--loop", action="store_true", help="layers in a loop over stacked weights")
    result.add_argument("--dynamic", action="store_true", help="batch and sequence known at run time only")
    result.add_argument("--experts", type=int, default=0, help="experts in each layer, with a router; default none")
    result.add_argument("--top", type=int, default=2, help="experts that a token goes to; default 2")
    return result


def main():
    options = parser().parse_args()
    if options.hidden % (2 * options.heads) or options.heads % options.kv_heads:
        raise SystemExit("expected hidden to be a multiple of twice the heads, and heads one of the KV heads")
    if options.experts and not 0 < options.top <= options.experts:
        raise SystemExit("expected a token to go to at least one expert, and to no more of them than there are")
    print(f"{options.out}.linalg.mlir: {write(options.out, options)} ops")


if __name__ == "__main__":
    main()
