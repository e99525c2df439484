#!/usr/bin/env python3
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks over the graphs of a folder that no upstream pass of the lowering changes a bit, and prints a table.
"""Each graph is run on the reference, as written and under a recipe beside its unquantized self. Then again, without one
of the passes that the lowering has from upstream, everything else being the same:

    same bits       the results are the same without the pass, wherever the lowering has it
    nothing to do   the pass leaves this graph as it is
    needed          without the pass there is no program

Bufferization is not left out, but made to copy before every write. A graph without arguments is not run. Tools are taken
from PATH: fp8-upstream, mlir-opt-22 for TOSA.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import graphs as table


def check(graph, recipe):
    """What is found of each pass."""
    options = [f"--recipe={recipe}"] if recipe else []
    done = subprocess.run(["fp8-upstream", str(graph.source), *graph.signature, *graph.values, *options],
                          text=True, capture_output=True)
    found = {name: what.split(":")[0] for name, what in re.findall(r"^(\S+): (.*)", done.stdout, re.MULTILINE)}
    if not found or done.returncode and "DIFFER" not in done.stdout:
        raise table.Failed((done.stderr.splitlines() or [f"exit status {done.returncode}"])[-1])
    return found


def main():
    parser = table.parser_of_folders(__doc__)
    parser.add_argument("--recipe", default="mxfp8")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at a time")
    options = parser.parse_args()
    failures, columns = 0, None
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = table.find(options, scratch)
        for graph in found:
            graph.prepare()
        rows = [(graph, recipe) for recipe in ("", options.recipe) for graph in found]
        work = lambda row: table.attempt(check, *row) if row[0].values else None
        for (graph, recipe), result in zip(rows, pool.map(work, rows)):
            if isinstance(result, dict) and not columns:
                columns = list(result)
                table.head("graph", "program", *(f"`{name}`" for name in columns))
            start = f"`{graph.name}`", f"`{recipe}`" if recipe else "as written"
            if result is None:
                table.row(*start, "not run: no arguments")
            elif isinstance(result, table.Failed):
                table.row(*start, f"FAILED: {result}")
            else:
                table.row(*start, *(result[name] for name in columns))
            failures += isinstance(result, table.Failed) or "DIFFER" in str(result)
    print(f"\n{len(found)} graphs, {failures} rows not as they must be")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
