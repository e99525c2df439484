# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the reference pages in docs/Generated from the ODS descriptions, or tells which of them are out of date.

import argparse
import pathlib
import re
import subprocess
import sys

# Which pages a description file yields, by the end of its name: (end of the page's name, generator of mlir-tblgen).
GENERATORS = {
    "Ops.td": [("Ops", "-gen-op-doc")],
    "Attrs.td": [("Attributes", "-gen-attrdef-doc"), ("Enums", "-gen-enum-doc")],
    "Types.td": [("Types", "-gen-typedef-doc")],
    "Interfaces.td": [("Interfaces", "-gen-op-interface-docs")],
    "Passes.td": [("Passes", "-gen-pass-doc")],
}


def pages(project):
    """Yields (description file, page name, generator) of everything that has a page."""
    included = set()  # (what is included, the end of the name of the file that includes it)
    descriptions = sorted((project / "include").rglob("*.td"))
    for description in descriptions:
        for line in description.read_text().splitlines():
            if line.startswith("include "):
                included.update((line.split('"')[1], end) for end in GENERATORS if description.name.endswith(end))
    for description in descriptions:
        inside = description.relative_to(project / "include")
        for end, generators in GENERATORS.items():
            if not description.name.endswith(end):
                continue
            # A file of ops that another file of ops includes is documented there, and so for the others.
            if (str(inside), end) in included:
                continue
            room = "".join(part for part in inside.parent.parts[1:] if part not in ("Dialect", "IR"))
            stem = description.name[: -len(end)]
            for kind, generator in generators:
                yield description, (stem if stem else room) + kind + ".md", generator


PASS = re.compile(r'^def \w+ : Pass<"([^"]*)"', re.MULTILINE)
OPTION = re.compile(r'Option<"\w+",\s*"([^"]*)",\s*"[^"]*",\s*(?:/\*default=\*/)?"((?:[^"\\]|\\.)*)"')


def defaults(description):
    """The default of each option that has one, by pass and option: mlir-tblgen does not print them."""
    found = {}
    parts = PASS.split(description.read_text())
    for name, body in zip(parts[1::2], parts[2::2]):
        for option, default in OPTION.findall(body):
            word = default.replace('\\"', "").split("::")[-1]
            found[name, option] = word.lower() if "::" in default else word
    return found


def add_defaults(lines, found):
    current = None
    for line in lines:
        heading = re.match(r"### `-(.*)`$", line)
        current = heading.group(1) if heading else current
        option = re.match(r"-(\S+) +: ", line)
        default = found.get((current, option.group(1))) if option else None
        yield f"{line} (default {default})" if default else line


def render(project, tblgen, include, description, generator, title):
    command = [tblgen, generator, "-I", str(project / "include"), "-I", include, str(description)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = [line.rstrip() for line in text.splitlines()]
    if generator == "-gen-pass-doc":
        lines = list(add_defaults(lines, defaults(description)))
    return f"# {title}\n\n" + "\n".join(lines).strip() + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes docs/Generated, or checks it.")
    parser.add_argument("--project", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--tblgen", default="/usr/lib/llvm-22/bin/mlir-tblgen")
    parser.add_argument("--include", default="/usr/lib/llvm-22/include", help="where MLIR's .td files are")
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a page differs")
    options = parser.parse_args()

    folder = options.project / "docs" / "Generated"
    wanted = {}
    for description, page, generator in pages(options.project):
        text = render(options.project, options.tblgen, options.include, description, generator, page[: -len(".md")])
        if page in wanted:
            sys.exit(f"expected one description for the page {page}, got a second one: {description}")
        # A description without a single entry prints its banner alone.
        if any(not line.startswith(("<!--", "# ")) for line in text.splitlines() if line):
            wanted[page] = text
    present = {path.name: path.read_text() for path in folder.glob("*.md")}

    differing = [page for page in sorted(wanted.keys() | present.keys()) if wanted.get(page) != present.get(page)]
    if options.check:
        for page in differing:
            print(f"docs/Generated/{page}: expected what the descriptions say, got another text; run `ninja docs`")
        sys.exit(1 if differing else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for page in differing:
        if page in wanted:
            (folder / page).write_text(wanted[page])
        else:
            (folder / page).unlink()
        print(f"wrote docs/Generated/{page}" if page in wanted else f"removed docs/Generated/{page}")


if __name__ == "__main__":
    main()
