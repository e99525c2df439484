# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The rules of the house that a text search can check: who includes whom, sizes, names, licence, words that may not
# stand in a library. Prints "file:line: expected ..., got ..." for each breach.

import argparse
import pathlib
import re
import subprocess
import sys

SIZE_LIMIT, SIZE_WISH = 600, 400
CODE = (".cpp", ".h", ".td", ".def")
LIBRARY = ("lib/", "include/")
PRODUCT = LIBRARY + ("tools/",)
# These files spell out what they forbid.
SPEAKS_OF_RULES = ("test/House/",)

class Tree:
    """The files of a source tree, read once."""

    def __init__(self, root):
        self.root = root
        listing = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
        top = subprocess.run(["git", "-C", root, "rev-parse", "--show-toplevel"], capture_output=True, text=True)
        if listing.returncode == 0 and top.stdout.strip() == str(root):
            names = listing.stdout.splitlines()
        else:
            names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
            names = [name for name in names if not name.startswith("build/")]
        self.lines = {}
        for name in sorted(set(names)):
            path = root / name
            if path.is_file() and path.suffix not in (".safetensors", ".bytecode", ".png", ".json"):
                self.lines[name] = path.read_text(errors="replace").splitlines()

    def files(self, ends=None, under=""):
        for name, lines in self.lines.items():
            if name.startswith(under) and (ends is None or name.endswith(ends)):
                yield name, lines

    def search(self, pattern, ends=None, under="", but=()):
        for name, lines in self.files(ends, under):
            if but and name.startswith(but):
                continue
            for number, line in enumerate(lines, 1):
                match = pattern.search(line)
                if match:
                    yield name, number, match


def read_ladder(tree):
    """Room to line of the ladder, as docs/Rationale/House.md draws it; that page is its only home."""
    page = tree.lines.get("docs/Rationale/House.md", [])
    ladder, also = {}, {}
    inside = False
    for line in page:
        if line.startswith("```"):
            inside = line.strip() == "```ladder"
        elif inside and line.strip():
            number, *rooms = line.split()
            for room in rooms:
                room, _, uses = room.partition(":")
                ladder[room] = int(number)
                also[room] = set(filter(None, uses.split(",")))
    return ladder, also


def room_of(name, ladder):
    """The longest room that the path lies in; headers at the top of include/fp8-opt belong to Pipelines."""
    inside = re.sub(r"^(lib/|include/fp8-opt/|fp8-opt/)", "", name)
    if inside.startswith(("tools/", "python/")):
        return inside.split("/")[0]
    rooms = [room for room in ladder if inside.startswith(room + "/")]
    if rooms:
        return max(rooms, key=len)
    return "Pipelines" if "/" not in inside and name.startswith(("include/", "fp8-opt/")) else None


def check_ladder(tree):
    ladder, also = read_ladder(tree)
    if not ladder:
        yield "docs/Rationale/House.md", 1, "expected the ladder of rooms in a block fenced ```ladder, got none"
        return
    for name, lines in tree.files(CODE):
        if not name.startswith(PRODUCT):
            continue
        room = room_of(name, ladder)
        if room not in ladder:
            yield name, 1, f"expected a file in a room of the ladder, got {name}"
            continue
        for number, line in enumerate(lines, 1):
            match = re.match(r'\s*(?:#\s*)?include\s+(["<])([^">]+)[">]', line)
            if not match:
                continue
            bracket, target = match.groups()
            used = room_of(target, ladder) if target.startswith("fp8-opt/") else None
            if target.startswith("fp8-opt/") and used not in ladder:
                yield name, number, f"expected an include from a room of the ladder, got {target}"
            elif used and used != room and ladder[used] >= ladder[room] and used not in also[room]:
                yield name, number, (f"expected {room} (line {ladder[room]}) to include rooms above its line, "
                                     f"got {target} of {used} (line {ladder[used]})")
            elif room == "Numerics" and not used and (bracket == '"' or re.search(r"[./]", target)):
                yield name, number, f"expected Numerics to include the C++ standard library only, got {target}"
            elif room == "Launch" and (used or target).startswith(("mlir", "llvm", "Target", "Dialect")):
                yield name, number, f"expected Launch to know neither MLIR nor LLVM, got {target}"
            elif room == "Layout" and target.startswith("mlir/") and not target.startswith("mlir/IR/Affine"):
                yield name, number, f"expected Layout to include MLIR's affine maps only, got {target}"


def check_size(tree):
    for name, lines in tree.files((".cpp", ".h", ".td", ".def", ".py", ".sh", ".cmake", ".txt", ".test", ".mlir", ".md")):
        if not name.startswith(("examples/", "docs/Generated/")) and len(lines) > SIZE_LIMIT:
            yield name, len(lines), f"expected at most {SIZE_LIMIT} lines, got {len(lines)}"


def check_names(tree):
    pattern = re.compile(r"(?:Utils?|Helpers?|Common|Misc|(?:^|[_-])(?:utils?|helpers?|common|misc))$")
    for name in tree.lines:
        for part in pathlib.PurePath(name).parts:
            if pattern.search(part.split(".")[0]):
                yield name, 1, f"expected a file named after what it holds, got {part}"


def check_licence(tree):
    want = ["Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.",
            "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception", ""]
    for name, lines in tree.files(CODE + (".py", ".sh")):
        mark = "#" if name.endswith((".py", ".sh")) else "//"
        body = lines[1:] if lines and lines[0].startswith("#!") else lines
        head = [line[len(mark):].strip() if line.startswith(mark) else None for line in body[:4]]
        if head[:3] != want:
            yield name, 1, "expected the two lines of licence and an empty comment line at the head, got another head"
        elif len(head) < 4 or not head[3]:
            yield name, 4, "expected one sentence of purpose after the licence, got none"


def check_guards(tree):
    for name, lines in tree.files((".h",)):
        want = "FP8_OPT_" + re.sub(r"[^A-Z0-9]", "_", re.sub(r"^include/fp8-opt/", "", name).upper())
        guard = next((line.split()[1] for line in lines if line.startswith("#ifndef ")), "none")
        if guard != want:
            yield name, 1, f"expected the include guard {want}, got {guard}"


def check_attributes(tree):
    pattern = re.compile(r"\b(?:get|set|has|remove)(?:Discardable|Inherent|Arg|Result|Named)?Attr(?:OfType<[^>]*>)?"
                         r"\((?:[^()\"]*,\s*)?\"")
    for name, number, match in tree.search(pattern, (".cpp", ".h", ".td")):
        if name.startswith(PRODUCT):
            yield name, number, f"expected a typed accessor, got an attribute by quoted name: {match.group(0)}"


def check_process(tree):
    pattern = re.compile(r"(?<![\w.>:])(?:std::)?(getenv|exit|_exit|abort|f?printf|puts|system)\s*\("
                         r"|\bstd::(cout|cerr)\b|\bllvm::(outs|errs|dbgs)\(\)|(?<![\w.>:])(outs|errs)\(\)"
                         r"|\breport_fatal_error\b|<iostream>|\bLLVM_DEBUG\b")
    for name, number, match in tree.search(pattern, (".cpp", ".h")):
        if name.startswith(LIBRARY):
            yield name, number, ("expected a library to return its result, neither exit, print nor read the "
                                 f"environment, got {match.group(0).strip()}")


def check_flags(tree):
    pattern = re.compile(r"^\s*(?:static\s+)?(?:llvm::)?cl::(opt|list|bits|alias)\b")
    for name, number, match in tree.search(pattern, (".cpp", ".h")):
        if name.startswith(LIBRARY):
            yield name, number, f"expected options as values passed down, got a flag in a library: {match.group(0).strip()}"


def check_limits(tree):
    """Format limits are derived from Formats.def; anywhere else they would be typed a second time."""
    pattern = re.compile(r"(?<![\w.])(?:448|57344|61440|65504)(?:\.0*)?f?(?![\w.])")
    for name, number, match in tree.search(pattern, (".cpp", ".h")):
        if name.startswith(PRODUCT) and "/Numerics/" not in name:
            yield name, number, f"expected the limit of a format from Numerics, got the literal {match.group(0)}"


def check_rewrites(tree):
    for name, number, match in tree.search(re.compile(r"\(void\)\s*apply\w+"), (".cpp",)):
        yield name, number, f"expected the result of a rewrite to be checked, got {match.group(0)}"


def check_fusion(tree):
    """Upstream's takes an all-parallel op that reads its output for elementwise, and loses sums; see Import/read-outputs.mlir."""
    pattern = re.compile(r"createLinalgElementwiseOpFusionPass|populateElementwiseOpsFusionPatterns|linalg-fuse-elementwise-ops")
    for name, number, match in tree.search(pattern, (".cpp", ".h", ".td")):
        if name.startswith(PRODUCT):
            yield name, number, f"expected no elementwise fusion of upstream's, got {match.group(0)}"


def check_todo(tree):
    pattern = re.compile(r"\b(?:TODO(?!\(#\d+\):)|FIXME|XXX)[:(]|(?://|#)\s*(?:TODO(?!\(#\d+\):)|FIXME|XXX)\b")
    for name, number, match in tree.search(pattern, but=SPEAKS_OF_RULES):
        yield name, number, f"expected a TODO with the number of a public entry, TODO(#12), got {match.group(0)}"


def check_paths(tree):
    pattern = re.compile(r"(?<![\w.])/(work|root|home|tmp|workspace)/|\bissue #?\d+|\bPR #?\d+", re.IGNORECASE)
    for name, number, match in tree.search(pattern, but=SPEAKS_OF_RULES):
        yield name, number, f"expected the project to speak of itself alone, got {match.group(0)}"


def anchors(lines):
    """The names by which links reach a page's headings, as GitHub makes them."""
    headings = [line.lstrip("#").strip() for line in lines if re.match(r"#+ ", line)]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(tree):
    for name, lines in tree.files((".md",)):
        if name.startswith("docs/Generated/"):
            continue
        for number, line in enumerate(lines, 1):
            for path, anchor in re.findall(r"\]\(([^)#:\s]*)#?([^):\s]*)\)", line):
                target = (tree.root / name).parent / path if path else tree.root / name
                if not target.exists():
                    yield name, number, f"expected a link to something in this tree, got {path}"
                elif anchor and target.is_file() and anchor not in anchors(target.read_text().splitlines()):
                    yield name, number, f"expected a link to a heading of {target.name}, got #{anchor}"


CHECKS = {name[len("check_"):]: check for name, check in list(globals().items()) if name.startswith("check_")}


def main():
    parser = argparse.ArgumentParser(description="Checks the rules of the house over a source tree.")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--only", choices=CHECKS, action="append", help="run this check alone; may be repeated")
    options = parser.parse_args()

    tree = Tree(options.root.resolve())
    if not tree.lines:
        sys.exit(f"expected a tree with files, got {options.root}")
    breaches = 0
    for check in options.only or CHECKS:
        for name, number, message in CHECKS[check](tree):
            breaches += 1
            print(f"{name}:{number}: {message} [{check}]")
    if not options.only:
        for name, lines in tree.files(CODE + (".py",)):
            if SIZE_WISH < len(lines) <= SIZE_LIMIT:
                print(f"note: {name} has {len(lines)} lines; files over {SIZE_WISH} hold more than one idea")
    print(f"{len(tree.lines)} files, {breaches} breaches")
    sys.exit(1 if breaches else 0)


if __name__ == "__main__":
    main()
