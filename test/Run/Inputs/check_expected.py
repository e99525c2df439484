# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compares the results of a run with what the framework computed, within the tolerances of docs/Decisions:
#
#   check_expected.py RESULTS EXPECTED [--matrices=0.1] [--old-weights=ARGUMENTS]
#
# Scalars 1e-3 relative; matrices 4 % in norm, or what --matrices says; vectors 6 %. What is smaller in norm than 1e-3 of the
# largest result is compared at that scale. With --old-weights, results named 1/... are new weights: their changes from
# the arguments 0/... are compared, and the 1 % of elements with the largest error is left out of both norms.
import argparse

from tensors import norm, numbers, read

parser = argparse.ArgumentParser()
parser.add_argument("results")
parser.add_argument("expected")
parser.add_argument("--matrices", type=float, default=0.04)
parser.add_argument("--old-weights")
options = parser.parse_args()


def compare(name, got, want, shape, scale):
    """Prints a line if the result is out of bounds; whether it is."""
    differences = [a - b for a, b in zip(got, want)]
    left_out = 0
    if options.old_weights and name.startswith("1/"):
        order = sorted(range(len(want)), key=lambda i: abs(differences[i]))
        left_out = len(order) // 100
        kept = order[:len(order) - left_out]
        differences, want = [differences[i] for i in kept], [want[i] for i in kept]
    bound = 1e-3 if not shape else 0.06 if len(shape) == 1 else options.matrices
    reference = max(norm(want), 1e-3 * scale) if shape else norm(want)
    error = norm(differences) / reference if reference else norm(differences)
    if left_out:
        print(f"{name}: {left_out} elements left out, error {error:.2g}")
    if error <= bound:
        return False
    print(f"{name}: error {error:.3g} OUT OF BOUND {bound}")
    return True


results, expected = read(options.results), read(options.expected)
old = read(options.old_weights) if options.old_weights else {}
pairs = []
for name, tensor in expected.items():
    if name not in results:
        print(f"{name}: NO RESULT")
        continue
    got, want = numbers(results[name]), numbers(tensor)
    before = old.get("0" + name[1:]) if name.startswith("1/") else None
    if before:
        got, want = ([a - b for a, b in zip(values, numbers(before))] for values in (got, want))
    pairs.append((name, got, want, tensor[1]))
scale = max((norm(want) for _, _, want, shape in pairs if shape), default=0)
bad = sum(compare(*pair, scale) for pair in pairs) + len(expected) - len(pairs)
print(f"{len(pairs)} results as expected" if not bad else f"{bad} results NOT AS EXPECTED")
