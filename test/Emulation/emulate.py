# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What recipes and single causes do to whole models, in NumPy, without the compiler: evidence for the bounds of docs/Graphs.md.
"""usage: emulate.py FOLDER... [--rows=NAME;NAME]

Emulates those of the graphs llama_2l_forward (on the data of llama_2l_dynamic_forward), jax_decoder_adamw_step and
llama_2l_train whose NAME.args.safetensors and NAME.expected.safetensors lie in the folders. Prints

 - how far the unquantized emulation is from what the framework computed: beyond 1e-3 of a loss, 2 % of logits or 6 % of a
   change of weights, the exit status is 1;
 - how far each recipe, each variant that is no recipe, and each fault moves the emulation, in norm and percent: a product of two
   matrices of normal values, with the schemes of activations and weights; the logits; of the tensor where it is largest, that of
   gradients, and of the change of the weights by AdamW: without the 1 % of elements with the largest error, as test/graphs.py
   has it, and with them.

--rows names some of them, separated by semicolons. Needs numpy and ml_dtypes, which build/iree/bin/python3 has.
"""
import argparse
import pathlib
import sys

try:
    import ml_dtypes  # noqa: F401
    import numpy as np
except ImportError as absent:
    sys.exit(f"emulate.py: expected numpy and ml_dtypes, as build/iree/bin/python3 has them after tools/setup.sh --iree; {absent}")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Run" / "Inputs"))
import tensors  # noqa: E402
from models import DecoderStep, Llama  # noqa: E402
from schemes import FAULTS, RECIPES, VARIANTS, Recipe, quantized  # noqa: E402

LOSS, LOGITS, CHANGES = 1e-3, 0.02, 0.06


def read(path):
    types = {"I64": np.int64, "I32": np.int32}
    return {name: np.array(tensors.numbers(tensor), types.get(tensor[0], np.float32)).reshape(tensor[1])
            for name, tensor in tensors.read(path).items()}


def error(got, wanted):
    return float(np.linalg.norm(got - wanted) / np.linalg.norm(wanted))


def largest_error(got, wanted, percent=0):
    """Of a tensor, without so many percent of its elements, those with the largest error."""
    worst = 0.0
    for name in wanted:
        a, b = got[name].ravel(), wanted[name].ravel()
        kept = np.argsort(np.abs(a - b), kind="stable")[:a.size - a.size * percent // 100]
        worst = max(worst, error(a[kept], b[kept]))
    return worst


class Forward:
    """Logits; of the graph with a loss, that too."""
    MEASURED = "logits",

    def __init__(self, arguments, expected):
        self.arguments, self.expected = arguments, expected
        self.unquantized = Llama(arguments).logits()

    def check(self):
        if "loss" in self.expected:
            wanted = float(self.expected["loss"])
            loss = abs(Llama(self.arguments).loss(self.unquantized) - wanted) / wanted
            return f"loss {loss:.1e}", loss <= LOSS
        logits = error(self.unquantized, self.expected["logits"])
        return f"logits {100 * logits:.2f} %", logits <= LOGITS

    def move(self, recipe):
        return [error(Llama(self.arguments, recipe).logits(), self.unquantized)]


class Step:
    """Gradients and changes of weights."""
    MEASURED = "gradients", "changes of weights", "with all elements"

    def __init__(self, arguments, expected):
        self.arguments, self.expected = arguments, expected
        self.loss, self.gradients, self.changes = self.run(Recipe())

    def run(self, recipe):
        step = DecoderStep(self.arguments, recipe)
        loss = step.run()
        return loss, step.gradients, step.changes()

    def check(self):
        key, wanted = DecoderStep.key, float(self.expected["0"])
        changes = {name: self.expected[key(1, name)] - self.arguments[key(0, name)] for name in self.changes}
        loss, change = abs(self.loss - wanted) / wanted, largest_error(self.changes, changes, 1)
        shares = sorted(100 * self.share_of_large_gradients(name) for name in self.changes if self.changes[name].ndim > 1)
        return (f"loss {loss:.1e}, changes of weights {100 * change:.2f} %; in {shares[0]:.0f} to {shares[-1]:.0f} % of the "
                "elements of a matrix g^2 is above 19 v", loss <= LOSS and change <= CHANGES)

    def share_of_large_gradients(self, name):
        """Of the elements whose change is near the sign of the gradient, as docs/Graphs.md tells."""
        return np.mean(np.square(self.gradients[name]) > 19 * self.arguments[DecoderStep.key(2, name)])

    def move(self, recipe):
        _, gradients, changes = self.run(recipe)
        return [largest_error(gradients, self.gradients), largest_error(changes, self.changes, 1),
                largest_error(changes, self.changes)]


# By the name of the graph, the name of its data.
MODELS = {
    "llama_2l_forward": ("llama_2l_dynamic_forward", Forward),
    "jax_decoder_adamw_step": ("jax_decoder_adamw_step", Step),
    "llama_2l_train": ("llama_2l_train", Forward),
}


def error_of_product(recipe):
    source = np.random.default_rng(0)
    a, b = (source.standard_normal((256, 1024), dtype=np.float32) for _ in range(2))
    return error(quantized(a, recipe.activation) @ quantized(b, recipe.weight).T, a @ b.T)


def row(*cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def head(*cells):
    row(*cells)
    print(f"|{'---|' * len(cells)}")


def load(folders):
    """The models whose data are there, by name."""
    found = {}
    for name, (data, model) in MODELS.items():
        for folder in folders:
            for arguments in sorted(folder.rglob(f"{data}.args.safetensors"))[:1]:
                expected = arguments.with_name(f"{data}.expected.safetensors")
                found.setdefault(name, model(read(arguments), read(expected)))
    return found


def show_moves(models, rows):
    head("", "a product", *(f"`{name}`, {what}" for name, model in models.items() for what in model.MEASURED))
    for text, recipe in rows:
        moves = [error_of_product(recipe), *(move for model in models.values() for move in model.move(recipe))]
        row(text, *(f"{100 * move:.1f} %" for move in moves))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--rows", type=lambda text: text.split(";"))
    options = parser.parse_args()
    known = {**RECIPES, **VARIANTS, **FAULTS}
    unknown = [name for name in options.rows or [] if name not in known]
    if unknown:
        parser.error(f"expected rows among {'; '.join(known)}; got {unknown[0]}")
    models = load(options.folders)
    if not models:
        sys.exit(f"emulate.py: expected data of {', '.join(data for data, _ in MODELS.values())} in the folders, got none")
    failures = 0
    head("graph", "unquantized emulation against the framework's")
    for name, model in models.items():
        text, is_near = model.check()
        row(f"`{name}`", text if is_near else f"{text} NOT AS EXPECTED")
        failures += not is_near
    print()
    wanted = options.rows or list(known)
    show_moves(models, [(f"`{name}`" if name in RECIPES else name, known[name]) for name in wanted])
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
