# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks an unquantized run against what the framework computed.
"""usage: tolerances.py COMPARISON.json [MATRIX_TOLERANCE]

bf16 results of framework and compiler differ by about 2 % of a gradient's norm, as they round at other places.
"""
import json
import sys

SCALAR, MATRIX, VECTOR = 1e-3, 0.04, 0.06


def main():
    matrix = float(sys.argv[2]) if len(sys.argv) > 2 else MATRIX
    # A result that the file does not have has no reference.
    results = [r for r in json.load(open(sys.argv[1]))["results"] if "rel_error" in r]
    if not results:
        sys.exit("expected results to compare, got none")
    largest = max(r["reference_norm"] for r in results)
    for result in results:
        shape = [part for part in result["type"].split("x")[:-1]]
        tolerance = SCALAR if not shape else VECTOR if len(shape) == 1 else matrix
        absolute = result["rel_error"] * result["reference_norm"]
        if absolute > tolerance * max(result["reference_norm"], 1e-3 * largest if shape else 0):
            sys.exit(f"expected {result['name']} within {tolerance} of the reference, got {result['rel_error']}")
    print(f"{len(results)} results agree")


if __name__ == "__main__":
    main()
