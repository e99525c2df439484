# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks the tables of docs/Plan.md: what the memory plan of a graph under a recipe keeps and moves, and what quantizing moves
# after step fuse.
"""usage: plan_tables.py PAGE FOLDER... [--write]

Compiles each graph of the tables that lies in one of the folders, and compares the rows, each number to the digits that the page
gives. With --write the page gets the numbers. Under scales of blocks, where step fuse neither needs fewer reads nor has amaxes
to move, what quantizing moves and what is computed again must be what the plan says, to the byte.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROW = re.compile(r"^\| `(\w+)` \| `(\w+)` \| (.+) \|$", re.MULTILINE)
SUMS = re.compile(r"against none: keeps (\d+) of (\d+) bytes.*the program keeps (\d+) of (\d+) bytes.*"
                  r"reads (\d+) of (\d+) bytes.*writes (\d+) of (\d+) bytes")
BLOCKS = ("fp8_block128", "mxfp8")


def compile_graph(folder, graph, recipe):
    with tempfile.TemporaryDirectory() as scratch:
        report = pathlib.Path(scratch, "report.json")
        run = subprocess.run(["fp8-opt", folder / f"{graph}.linalg.mlir", f"--signature={folder / graph}.json",
                              f"--recipe={recipe}", "--print-plan", f"--report={report}", "-o", f"{scratch}/out.mlirbc"],
                             capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{graph}, {recipe}: {run.stderr[-500:]}")
        return run.stderr, json.loads(report.read_text())


def rows(text, report):
    """The numbers of both tables; bytes are those that the page gives as MB."""
    found = SUMS.search(text)
    plan = [int(number) for number in found.groups()] if found else [0] * 8
    traffic = report["traffic"]
    if not traffic["tensors"]:
        return plan, [0] * 3, [0] * 6
    fused, unfused, again = (traffic[of] for of in ("fused", "unfused", "recomputed"))
    counts = [len(traffic["tensors"]), fused["reads"], unfused["reads"]]
    moved = [of[name] for name in ("bytes_read", "bytes_written") for of in (fused, unfused, again)]
    return plan, counts, moved


def like(cell, number):
    """Bytes as MB, to the digits of a cell."""
    digits = len(cell.partition(".")[2])
    return f"{number / 1e6:.{digits}f}"


def row(cells, plan, counts, moved):
    if len(cells) == len(plan):
        return [like(cell, number) for cell, number in zip(cells, plan)]
    if len(cells) == len(counts) + len(moved):
        return [str(count) for count in counts] + [like(cell, number) for cell, number in zip(cells[len(counts):], moved)]
    sys.exit(f"expected a row of {len(plan)} or {len(counts) + len(moved)} numbers, got {len(cells)}")


def main(page, folders, write):
    text = page.read_text()
    compiled, wrong, checked = {}, [], 0

    def compare(match):
        nonlocal checked
        graph, recipe, cells = match[1], match[2], match[3].split(" | ")
        folder = next((folder for folder in folders if (folder / f"{graph}.linalg.mlir").exists()), None)
        if not folder:
            return match[0]
        if (graph, recipe) not in compiled:
            compiled[graph, recipe] = rows(*compile_graph(folder, graph, recipe))
            plan, _, moved = compiled[graph, recipe]
            if recipe in BLOCKS and [moved[0] + moved[2], moved[3] + moved[5]] != [plan[4], plan[6]]:
                wrong.append(f"{graph}, {recipe}: plan {plan[4]} read and {plan[6]} written, step fuse {moved}")
        expected = row(cells, *compiled[graph, recipe])
        checked += 1
        if expected != cells:
            wrong.append(f"{graph}, {recipe}:\n  page  {' '.join(cells)}\n  tools {' '.join(expected)}")
        return f"| `{graph}` | `{recipe}` | {' | '.join(expected)} |"

    updated = ROW.sub(compare, text)
    if not checked:
        sys.exit(f"{page.name}: expected rows of graphs in {', '.join(map(str, folders))}, got none")
    if write:
        page.write_text(updated)
    elif wrong:
        sys.exit("\n".join(wrong))
    print(f"{checked} rows of {page.name}")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--write"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    main(pathlib.Path(arguments[0]), [pathlib.Path(folder) for folder in arguments[1:]], "--write" in sys.argv)
