# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs every IR example of a reference page through fp8-opt. Examples are fragments: what they use without defining it
# is supplied here, its type taken from the tool's own diagnostics, so that an example shows the op and nothing else.

import argparse
import pathlib
import re
import subprocess
import sys

FENCE = re.compile(r"^ *```mlir\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
VALUE = re.compile(r"%[A-Za-z_0-9$.]+")
# Where a value is defined: at the head of a statement, or as an argument with its type.
RESULTS = re.compile(r"^\s*((?:%[A-Za-z_0-9$.]+(?::\d+)?\s*,?\s*)+)=", re.MULTILINE)
ARGUMENT = re.compile(r"(%[A-Za-z_0-9$.]+)\s*:\s*(?=[!\w])")
LEARNT_TYPE = re.compile(r"previously used here with type '(.*)'")
KERNEL = """qtile.target @chip chip "" features ""
  limits #qtile.limits<processors = 1, shared = 1, registers = 65536, threads = 1024, barriers = 16> instructions []
qtile.kernel @example() on @chip {
"""
# What an op must be in, and whether values from outside can be used there.
SURROUNDINGS = {"": ("", "", True), "qt.recipe": ("qt.recipe @example {\n", "}\n", True),
                "qtile.kernel": (KERNEL, "qtile.return\n}\n", False)}
PARENT = re.compile(r"expects parent op '([^']*)'")


def undefined_values(example):
    defined = set()
    for statement in RESULTS.finditer(example):
        defined.update(VALUE.findall(statement.group(1)))
    if "(" in example and re.search(r"^\s*(func\.func|\^)", example, re.MULTILINE):
        defined.update(ARGUMENT.findall(example))
    return [value for value in dict.fromkeys(VALUE.findall(example)) if value not in defined]


def run(tool, text):
    result = subprocess.run([tool, "-", "-o", "-"], input=text, capture_output=True, text=True)
    return result.returncode == 0, result.stderr


def parses(tool, aliases, example):
    """Whether the example parses and verifies once its operands are supplied, and the last diagnostics if not."""
    values = undefined_values(example)
    types, parent = {}, ""
    while True:
        # A module is a graph region: what an op uses may be defined after it.
        supplied = "".join(f'{v} = "builtin.unrealized_conversion_cast"() : () -> ({types.get(v, "i1")})\n' for v in values)
        opening, closing, is_open = SURROUNDINGS[parent]
        body = example + closing + supplied if is_open else supplied + example + closing
        good, diagnostics = run(tool, aliases + opening + body)
        if good:
            return True, ""
        wanted = PARENT.search(diagnostics)
        if wanted and not parent and wanted.group(1) in SURROUNDINGS:
            parent = wanted.group(1)
            continue
        learnt = LEARNT_TYPE.search(diagnostics)
        culprit = re.search(r"definition of SSA value '(%[^'#]+)#?\d*' has type", diagnostics)
        if not learnt or not culprit or culprit.group(1) in types:
            return False, diagnostics
        types[culprit.group(1)] = learnt.group(1)


def ops_without(text):
    """The ops of a reference page that have no example."""
    entries = re.split(r"^### `([^`]*)`.*$", text, flags=re.MULTILINE)
    return [name for name, entry in zip(entries[1::2], entries[2::2]) if not FENCE.search(entry)]


def main():
    parser = argparse.ArgumentParser(description="Runs the IR examples of reference pages through fp8-opt.")
    parser.add_argument("--tool", default="fp8-opt")
    parser.add_argument("--aliases", type=pathlib.Path, help="IR with the attribute aliases that examples may use")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    aliases = options.aliases.read_text() if options.aliases else ""

    tried, failed, sketches = 0, 0, 0
    for page in options.pages:
        for op in ops_without(page.read_text()) if page.name.endswith("Ops.md") else ():
            failed += 1
            print(f"{page.name}: expected an example of {op}, got none")
        for example in FENCE.findall(page.read_text()):
            # A pass is shown by what it does to a program, of which it may leave out the rest; its test has the whole.
            if page.name.endswith("Passes.md") and "..." in example:
                sketches += 1
                continue
            tried += 1
            good, diagnostics = parses(options.tool, aliases, example)
            if not good:
                failed += 1
                print(f"{page.name}: expected an example that parses, got:\n{example}{diagnostics}")
    print(f"{tried} examples, {failed} wrong, {sketches} sketches")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
