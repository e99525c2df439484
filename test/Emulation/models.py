# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The models of three graphs in NumPy: numbers are f32, rounded to bf16 where the framework does. The products of block
# linears go through Products, which quantizes their operands.
import ml_dtypes
import numpy as np

from schemes import Recipe, quantized


def bf16(values):
    return values.astype(ml_dtypes.bfloat16).astype(np.float32)


def transposed(matrix):
    return np.ascontiguousarray(matrix.T)


class Products:
    """The three GEMMs of a linear: x is [tokens, k], the weight [n, k], dy [tokens, n]."""

    def __init__(self, recipe):
        self.recipe = recipe

    def product(self, gemm, left, left_scheme, right, right_scheme):
        if gemm in self.recipe.gemms:
            left, right = quantized(left, left_scheme), quantized(right, right_scheme)
        return bf16(left @ right.T)

    def fprop(self, x, weight):
        return self.product("fprop", x, self.recipe.activation, weight, self.recipe.weight)

    def dgrad(self, dy, weight):
        return self.product("dgrad", dy, self.recipe.gradient, transposed(weight), self.recipe.weight)

    def wgrad(self, dy, x):
        x = quantized(x, self.recipe.activation) if self.recipe.dual else x
        return self.product("wgrad", transposed(dy), self.recipe.gradient, transposed(x), self.recipe.activation)


def softmax(values):
    powers = np.exp(values - values.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def inverse_norm(x):
    return 1 / np.sqrt(np.square(x).mean(-1, keepdims=True) + np.float32(1e-6))


def cross_entropy(logits, labels):
    """The mean loss, and the probabilities; logits are [tokens, vocabulary]."""
    probabilities = softmax(logits)
    return -np.log(probabilities[np.arange(len(labels)), labels]).mean(), probabilities


class Llama:
    """The forward pass of two layers, as `transformers` writes it; `tensors` are the arguments of the graph."""

    def __init__(self, tensors, recipe=Recipe()):
        self.tensors = {name.removeprefix("m."): tensor for name, tensor in tensors.items()}
        self.products = Products(recipe)
        frequencies = self.tensors.get("model.rotary_emb.inv_freq")
        if frequencies is None:
            frequencies = bf16((1 / 10000 ** (np.arange(0, 32, 2) / 32)).astype(np.float32))
        angles = np.tile(self.tensors["position_ids"][0][:, None] * frequencies, 2).astype(np.float32)
        self.cos, self.sin, self.head = bf16(np.cos(angles)), bf16(np.sin(angles)), angles.shape[1]

    def linear(self, x, name):
        return self.products.fprop(x, self.tensors[f"{name}.weight"])

    def norm(self, x, name):
        return bf16(self.tensors[f"{name}.weight"] * bf16(x * inverse_norm(x)))

    def rotated(self, x):
        half = self.head // 2
        turned = np.concatenate([-x[..., half:], x[..., :half]], -1)
        return bf16(bf16(x * self.cos) + bf16(turned * self.sin))

    def attention(self, x, layer):
        batch, length, _ = x.shape
        q, k, v = (self.linear(x, f"{layer}.self_attn.{part}_proj").reshape(batch, length, -1, self.head).swapaxes(1, 2)
                   for part in "qkv")
        q, k = self.rotated(q), self.rotated(k)
        k, v = (np.repeat(part, q.shape[1] // k.shape[1], 1) for part in (k, v))
        scores = bf16(bf16(q @ k.swapaxes(2, 3)) * bf16(np.float32(self.head**-0.5)))
        mixed = bf16(bf16(softmax(bf16(scores + self.tensors["attention_mask"]))) @ v)
        return self.linear(mixed.swapaxes(1, 2).reshape(batch, length, -1), f"{layer}.self_attn.o_proj")

    def mlp(self, x, layer):
        gate, up = (self.linear(x, f"{layer}.mlp.{part}_proj") for part in ("gate", "up"))
        return self.linear(bf16(bf16(gate / (1 + np.exp(-gate))) * up), f"{layer}.mlp.down_proj")

    def logits(self):
        x = self.tensors["model.embed_tokens.weight"][self.tensors["input_ids"]]
        for layer in ("model.layers.0", "model.layers.1"):
            x = bf16(x + self.attention(self.norm(x, f"{layer}.input_layernorm"), layer))
            x = bf16(x + self.mlp(self.norm(x, f"{layer}.post_attention_layernorm"), layer))
        return bf16(self.norm(x, "model.norm") @ self.tensors["lm_head.weight"].T)

    def loss(self, logits):
        return cross_entropy(logits.reshape(-1, logits.shape[-1]), self.tensors["labels"].ravel())[0]


class DecoderStep:
    """A training step of one layer and AdamW, in JAX; `tensors` are the arguments of the graph."""
    BLOCK = "g1", "g2", "wd", "wg", "wo", "wqkv", "wu"
    HEADS, RATE, DECAY = 4, 1e-3, 0.1

    def __init__(self, tensors, recipe=Recipe()):
        self.tensors, self.products, self.gradients = tensors, Products(recipe), {}
        self.weights = {name: bf16(tensors[self.key(0, name)]) for name in (*self.BLOCK, "emb")}

    @staticmethod
    def key(group, name):
        return f"{group}/emb" if name == "emb" else f"{group}/blocks/0/{name}"

    def linear(self, x, name):
        return self.products.fprop(x, transposed(self.weights[name]))

    def linear_backward(self, dy, x, name):
        self.gradients[name] = self.products.wgrad(dy, x).T
        return self.products.dgrad(dy, transposed(self.weights[name]))

    def norm(self, x, name):
        return bf16(bf16(x * inverse_norm(x)) * self.weights[name])

    def norm_backward(self, dy, x, name):
        inverse = inverse_norm(x)
        normal, scaled = x * inverse, dy * self.weights[name]
        self.gradients[name] = (dy * normal).sum(0)
        return bf16(inverse * (scaled - normal * (scaled * normal).mean(-1, keepdims=True)))

    def by_head(self, x):
        batch, length = self.tensors["4/0"].shape
        return x.reshape(batch, length, self.HEADS, -1).swapaxes(1, 2)

    @staticmethod
    def by_token(x):
        return x.swapaxes(1, 2).reshape(x.shape[0] * x.shape[2], -1)

    def attention(self, qkv):
        """The mixed values, and the pullback from their gradient to that of `qkv`."""
        q, k, v = (self.by_head(part) for part in np.split(qkv, 3, axis=1))
        root = np.sqrt(np.float32(q.shape[-1]))
        scores = np.where(np.tri(q.shape[2], dtype=bool), q @ k.swapaxes(2, 3) / root, np.float32(-1e30))
        shares = softmax(scores)

        def backward(d_mixed):
            d_mixed = self.by_head(d_mixed)
            d_shares = d_mixed @ v.swapaxes(2, 3)
            d_scores = shares * (d_shares - (d_shares * shares).sum(-1, keepdims=True)) / root
            parts = d_scores @ k, d_scores.swapaxes(2, 3) @ q, bf16(shares).swapaxes(2, 3) @ d_mixed
            return np.concatenate([self.by_token(bf16(part)) for part in parts], 1)

        return self.by_token(bf16(bf16(shares) @ v)), backward

    def mlp(self, x):
        """What is added to the residual, and the pullback from its gradient to that of `x`."""
        gate, up = self.linear(x, "wg"), self.linear(x, "wu")
        sigmoid = 1 / (1 + np.exp(-gate))
        act = bf16(gate * sigmoid)
        gated = bf16(act * up)

        def backward(dy):
            d_gated = self.linear_backward(dy, gated, "wd")
            d_gate = bf16(bf16(d_gated * up) * (sigmoid + gate * sigmoid * (1 - sigmoid)))
            return bf16(self.linear_backward(d_gate, x, "wg") + self.linear_backward(bf16(d_gated * act), x, "wu"))

        return self.linear(gated, "wd"), backward

    def run(self):
        """The loss; gradients are left in `gradients`."""
        tokens, labels, table = self.tensors["4/0"].ravel(), self.tensors["4/1"].ravel(), self.weights["emb"]
        x0 = table[tokens]
        n1 = self.norm(x0, "g1")
        mixed, attention_backward = self.attention(self.linear(n1, "wqkv"))
        x1 = bf16(x0 + self.linear(mixed, "wo"))
        added, mlp_backward = self.mlp(self.norm(x1, "g2"))
        x2 = bf16(x1 + added)
        loss, d_logits = cross_entropy(x2 @ table.T, labels)
        d_logits[np.arange(len(labels)), labels] -= 1
        d_logits /= len(labels)
        d2 = bf16(d_logits @ table)
        d1 = bf16(d2 + self.norm_backward(mlp_backward(d2), x1, "g2"))
        d_qkv = attention_backward(self.linear_backward(d1, mixed, "wo"))
        d0 = bf16(d1 + self.norm_backward(self.linear_backward(d_qkv, n1, "wqkv"), x0, "g1"))
        self.gradients["emb"] = d_logits.T @ x2
        np.add.at(self.gradients["emb"], tokens, d0)
        return loss

    def changes(self):
        """Of the weights by AdamW, after `run`."""
        step, changes = float(self.tensors["3"]), {}
        for name, gradient in self.gradients.items():
            weight, first, second = (self.tensors[self.key(group, name)] for group in range(3))
            mean = (0.9 * first + 0.1 * gradient) / (1 - 0.9**step)
            square = (0.95 * second + 0.05 * gradient * gradient) / (1 - 0.95**step)
            changes[name] = -self.RATE * (mean / (np.sqrt(square) + 1e-8) + self.DECAY * weight)
        return changes
