# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the commands that a page shows in blocks fenced ```console ("$ command", then its output) and compares the output.
# A line "..." stands for any lines. Times, and progress that long work prints, are not compared. With --write the page
# gets all that the commands print.

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRESS = re.compile(r"^fp8-run: \w+ing .*\n", re.MULTILINE)
TIME = re.compile(r"\b\d+(\.\d+)?(?= ?(ms|s|min)\b)")


def commands(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def play(block, project, folder):
    """What the commands of a block print, in the form in which a page shows it."""
    text = ""
    for command in commands(block):
        result = subprocess.run(command, shell=True, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = result.stdout.replace(f"{project}/", "").replace(f"{folder}/", "")
        text += f"$ {command}\n" + PROGRESS.sub("", "".join(line.rstrip() + "\n" for line in output.splitlines()))
        if result.returncode:
            text += f"[exit status {result.returncode}]\n"
    return text


def shows(block, output):
    lines = [r"(?:.*\n)*" if line == "..." else re.escape(line) + r"\n" for line in TIME.sub("#", block).splitlines()]
    return re.fullmatch("".join(lines), TIME.sub("#", output)) is not None


def main():
    parser = argparse.ArgumentParser(description="Compares the console blocks of a page with what their commands print.")
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--project", type=pathlib.Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    project = options.project.resolve()

    page = options.page.read_text()
    differences = 0
    # The commands write into the build folder; here they get one of their own.
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/build/release")
        os.symlink(project / "examples", f"{folder}/examples")
        blocks = BLOCK.findall(page)
        for block in blocks:
            got = play(block, project, folder)
            if options.write:
                page = page.replace(block, got)
                continue
            if not shows(block, got):
                differences += 1
                print(f"{options.page.name}: expected what the page shows, got another output")
                print("\n".join(difflib.unified_diff(block.splitlines(), got.splitlines(), "page", "output", lineterm="")))
    if not blocks:
        sys.exit(f"expected a block fenced ```console in {options.page}, got none")
    if options.write:
        options.page.write_text(page)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
