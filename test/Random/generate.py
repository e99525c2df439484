# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes small random graphs: forward passes and training steps, with all that exporters do to them.
"""usage: generate.py [--first=SEED] [--count=N] [--recipe=NAME] > GRAPHS

Writes the graphs of seeds FIRST to FIRST + N - 1, apart by lines of "// -----". A seed gives the same graph always. In front of
each stands a line of JSON: the recipe to compile it under, the shapes to run it on, what its arguments are
(test/Random/RandomGraph.h). fp8-differential reads this.
"""
import argparse
import io
import json
import random
import sys

import blocks
from random_text import RandomText
from sizes import Dynamic

RECIPES = ["bf16", "fp8_current", "fp8_current_pow2", "fp8_rowwise", "fp8_rowwise_gw_hp", "fp8_block128", "deepseek_v3",
           "mxfp8", "mxfp8_ocp", "mxfp8_e5m2_grad", "mxfp6", "mxfp4", "mxint8", "nvfp4", "gaudi", "fnuz"]
WIDTHS = [1, 3, 8, 16, 17, 32, 33, 48, 64, 127, 128, 129]
LENGTHS = [0, 1, 2, 3, 5, 8, 17, 33, 64]


class Generator:
    def __init__(self, seed, recipe):
        self.rng = random.Random(seed)
        dtype = self.rng.choice(["bf16", "bf16", "bf16", "f32", "f16"])
        self.seed, self.recipe = seed, recipe or self.rng.choice(RECIPES)
        self.text = RandomText(self.rng)
        self.model = blocks.Model(self.text, self.rng, dtype, random.Random(f"spelling {seed}"))
        # What each dimension of the input is: a size, or None for one known in the run alone.
        self.lead = [None if self.rng.random() < 0.2 else self.rng.choice(LENGTHS[1:] if self.rng.random() < 0.97 else [0])
                     for _ in range(self.rng.choice([1, 2, 2]))]
        if len(self.lead) == 2 and self.lead[0]:
            self.lead[0] = min(self.lead[0], 4)
        if None in self.lead:
            # Upstream's bufferization does not collapse 0 beside a dynamic size.
            self.lead = [1 if size == 0 else size for size in self.lead]
        self.lead_shape = tuple(Dynamic(1, (f"lead{i}",)) if size is None else size for i, size in enumerate(self.lead))
        self.with_lead, self.runs = [], self.choose_runs()

    def choose_runs(self):
        count = 3 if None in self.lead else 2
        return [[self.rng.choice(LENGTHS[:7]) if size is None else size for size in self.lead] for _ in range(count)]

    def declare(self, width, dtype, kind, role="activation"):
        """An argument of shape lead + width, or lead alone without a width."""
        said = f"{{qt.role = #qt.role<{role}>}}" if kind == 0 and width and self.rng.random() < 0.05 else ""
        value = self.model.argument(self.lead_shape + ((width,) if width else ()), dtype, kind, said)
        self.with_lead.append((len(self.model.kinds) - 1, width))
        return value

    def input(self):
        """x, and what its gradient adds to."""
        model, text = self.model, self.text
        width, kind = self.rng.choice(WIDTHS), self.rng.choice(["plain", "plain", "lookup", "onehot"])
        if kind == "plain":
            x = self.declare(width, model.dtype, 0)
            return x, (lambda dx: model.kept.append(dx)) if self.rng.random() < 0.3 else (lambda dx: None)
        vocabulary = self.rng.choice([3, 16, 33])
        tokens = self.declare(None, "i64", vocabulary)
        table, lead = model.weight((vocabulary, width)), tuple(range(len(self.lead)))
        if kind == "lookup":
            loops = (*self.lead_shape, width)
            x = text.map(lambda t: text.extract(table, t, text.index(len(lead))), tokens, dtype=model.dtype, loops=loops,
                         reads=[lead])

            def backward(dx):
                flat = [len(lead), 1] if len(lead) > 1 else [1, 1]
                place = text.collapse(tokens, [len(lead)]) if len(lead) > 1 else tokens
                sums = text.add_rows(text.cast(text.collapse(dx, flat), "f32"), place, vocabulary)
                model.add_gradient(table, text.cast(sums, model.dtype))

            return x, backward

        def is_token(token):
            same = token.to("index").compare("eq", text.index(len(lead)))
            return same.select(text.scalar(1.0, model.dtype), text.scalar(0.0, model.dtype))

        onehot = text.map(is_token, tokens, dtype=model.dtype, loops=(*self.lead_shape, vocabulary), reads=[lead])
        r = blocks.rows(onehot)
        x = text.contract(f"{r}v,vk->{r}k", onehot, table)
        return x, lambda dx: model.add_gradient(table, text.contract(f"{r}v,{r}k->vk", onehot, dx))

    def make_block(self, width):
        """A block and the width of what it gives."""
        model, out = self.model, self.rng.choice(WIDTHS)
        keeps = [lambda: blocks.activation(model, width), lambda: blocks.norm(model, width)]
        if 0 not in self.lead:  # of which there are no slices
            keeps += [lambda: blocks.movement(model, width), lambda: blocks.stack(model, width)]
        changes = [lambda out: blocks.linear(model, width, out)] * 4 + [lambda out: blocks.gated(model, width, out)]
        if len(self.lead) == 2:
            changes.append(lambda out: blocks.attention(model, width, out))
        if self.rng.random() < 0.4:
            return self.rng.choice(keeps)(), width
        if self.rng.random() < 0.4:
            return blocks.residual(model, self.rng.choice(changes)(width)), width
        block = self.rng.choice(changes)(out)
        return (blocks.checkpoint(model, block) if self.rng.random() < 0.1 else block), out

    def head(self, y):
        """A loss and the gradient of y, or nothing for a forward pass."""
        text, dtype = self.text, y.dtype
        every, kind = tuple(range(len(y.shape))), self.rng.choice(["square", "dot", "softmax"])
        wide = text.cast(y, "f32")
        if kind == "square":
            loss = text.reduce(text.map(lambda v: v * v * 0.5, wide, dtype="f32"), every)
            return loss, lambda: text.cast(wide, dtype)
        if kind == "dot":
            cotangent = self.declare(y.shape[-1], dtype, 0, "gradient")
            loss = text.reduce(text.map(lambda v, c: v * c.to("f32"), wide, cotangent, dtype="f32"), every)
            return loss, lambda: cotangent
        labels = self.declare(None, "i64", y.shape[-1])
        last = len(y.shape) - 1
        lead = tuple(range(last))
        powers = text.map(lambda v: v.math("exp"), wide, dtype="f32")
        total = text.reduce(powers, (last,))
        pick = lambda t, l: t.math("log") - text.extract(wide, *(text.index(i) for i in lead), l)
        loss = text.reduce(text.map(pick, total, labels, dtype="f32"), lead)

        def slope(power, sum_, label):
            is_label = label.to("index").compare("eq", text.index(last))
            return (power / sum_ - is_label.select(text.scalar(1.0, "f32"), text.scalar(0.0, "f32"))).to(dtype)

        return loss, lambda: text.map(slope, powers, total, labels, dtype=dtype, reads=[None, lead, lead])

    def build(self):
        """The results."""
        x, from_input = self.input()
        parts, width, kept = [], x.shape[-1], []
        for _ in range(self.rng.choice([1, 1, 1, 1, 1, 2, 2, 3])):
            block, width = self.make_block(width)
            parts.append(block)
        backs = []
        for part in parts:
            x, back = part(x)
            backs.append(back)
            if self.rng.random() < 0.15:
                kept.append(x)
        if self.rng.random() < 0.25:
            return [x] + [value for value in kept if value is not x]
        loss, start = self.head(x)
        gradient = start()
        for back in reversed(backs):
            gradient = back(gradient)
        from_input(gradient)
        return [loss, *kept, *self.model.kept, *self.model.gradients.values()]

    def shapes(self, lead):
        widths = dict(self.with_lead)
        return [[*lead, *([widths[i]] if widths[i] else [])] if i in widths else list(value.shape)
                for i, value in enumerate(self.text.arguments)]

    def write(self, file):
        body, results = io.StringIO(), self.build()
        self.text.write(body, results)
        runs = [{"values": "normal" if number == 0 or self.rng.random() < 0.3 else "special", "shapes": self.shapes(lead)}
                for number, lead in enumerate(self.runs)]
        print("// " + json.dumps({"seed": self.seed, "recipe": self.recipe, "kinds": self.model.kinds, "runs": runs,
                                  "compare_import": self.text.import_keeps_bits and self.rng.random() < 0.4}), file=file)
        file.write(body.getvalue())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--recipe", choices=RECIPES, help="instead of a random one")
    options = parser.parse_args()
    for seed in range(options.first, options.first + options.count):
        if seed > options.first:
            print("// -----")
        Generator(seed, options.recipe).write(sys.stdout)


if __name__ == "__main__":
    main()
