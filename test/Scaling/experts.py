# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A mixture of experts: each token goes to the best few experts, as far as these have room, by contractions with masks.

from layers import feed_forward, softmax


def expert_linear(graph, x, weight):
    """One product for all experts: x is [expert, place, k], the weight [expert, n, k]."""
    def backward(dy):
        return graph.contract("ecn,enk->eck", dy, weight), graph.contract("ecn,eck->enk", dy, x)

    return graph.contract("eck,enk->ecn", x, weight), backward


def choose(graph, shares, top):
    """1 where an expert is among the `top` of its token, else 0: [token, expert]. Of equal shares the first wins."""
    tokens, experts = shares.shape

    def count_better(share, other, total):
        wins = other.compare("ogt", share).to("i64") + (
            other.compare("oeq", share).to("i64") * graph.index(2).compare("ult", graph.index(1)).to("i64"))
        return total + wins

    rank = graph.generic(count_better, [shares, shares], [(0, 1), (0, 2)], (tokens, experts, experts), (0, 1),
                         graph.filled((tokens, experts), "i64", 0), "i64")
    one, zero = graph.scalar(1.0, "f32"), graph.scalar(0.0, "f32")
    return graph.map(lambda r: r.compare("slt", graph.scalar(top, "i64")).select(one, zero), rank, dtype="f32")


def dispatch_masks(graph, chosen, room):
    """1 where a token takes a place of an expert, in the order of the tokens: [token, expert, place]."""
    tokens, experts = chosen.shape
    zero = graph.scalar(0.0, "f32")
    is_before = lambda v, total: total + graph.index(2).compare("ult", graph.index(0)).select(v, zero)
    before = graph.generic(is_before, [chosen], [(2, 1)], (tokens, experts, tokens), (0, 1),
                           graph.filled((tokens, experts), "f32", 0.0), "f32")
    at_place = lambda mask, count: graph.index(2).to("f32").compare("oeq", count).select(mask, zero)
    return graph.map(at_place, chosen, before, dtype="f32", loops=(tokens, experts, room), reads=[(0, 1), (0, 1)])


def experts(graph, x, weights, top):
    """The router is in f32, also where the experts are not. A token that finds no room adds nothing."""
    router, dtype, pair = weights[0], x.dtype, (0, 1)
    flat = graph.collapse(x, [2, 1])
    wide = graph.cast(flat, "f32")
    count, number = flat.shape[0], router.shape[0]
    shares, from_shares = softmax(graph, graph.contract("tk,ek->te", wide, router))
    chosen = choose(graph, shares, top)
    places = dispatch_masks(graph, chosen, room=graph.part_of(count, 5 * top, 4 * number, "room"))
    weighted = graph.map(lambda p, s: (p * s).to(dtype), places, shares, dtype=dtype, reads=[None, pair])
    masks = graph.cast(places, dtype)
    fed, from_feed = feed_forward(graph, graph.contract("tec,tk->eck", masks, flat), weights[1:], expert_linear)
    y = graph.contract("tec,eck->tk", weighted, fed)

    def backward(dy):
        dy = graph.collapse(dy, [2, 1])
        dinner, feeds = from_feed(graph.contract("tec,tk->eck", weighted, dy))
        dplaces = graph.contract("tk,eck->tec", dy, fed)
        gains = graph.map(lambda d, p: d.to("f32") * p, dplaces, places, dtype="f32")
        dscores = from_shares(graph.reduce(gains, (2,)))
        drouter = graph.contract("te,tk->ek", dscores, wide)
        through_router = graph.cast(graph.contract("te,ek->tk", dscores, router), dtype)
        dx = graph.add(graph.contract("tec,eck->tk", masks, dinner), through_router)
        return graph.expand(dx, [list(x.shape[:2]), [x.shape[2]]]), [drouter] + feeds

    return graph.expand(y, [list(x.shape[:2]), [x.shape[2]]]), backward
