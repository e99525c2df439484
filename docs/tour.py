#!/usr/bin/env python3
# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Fills the code blocks of Tour.md with what the tools really print, or checks that they are.
"""usage: tour.py [--check] TOOL_FOLDER

A block of Tour.md that follows a comment `<!-- run: COMMAND | show: REGEX -->` holds the lines of the command's output
that match the regular expression. Commands run in the project's folder with the tools of TOOL_FOLDER; $SCRATCH is an
empty folder that all of them share.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"(<!-- run: (?P<command>.*?) \| show: (?P<show>.*?) -->\n```\w*\n)(?P<text>.*?)(```\n)", re.DOTALL)


def output(command, show, tools, project, scratch):
    environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"], SCRATCH=scratch)
    done = subprocess.run(command, shell=True, cwd=project, env=environment, text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    lines = [line for line in done.stdout.splitlines() if re.search(show, line)]
    indent = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    return "".join(line[indent:].rstrip() + "\n" for line in lines)


def main():
    check, tools = "--check" in sys.argv[1:], sys.argv[-1]
    docs = os.path.dirname(os.path.abspath(__file__))
    path = os.path.join(docs, "Tour.md")
    with open(path, encoding="utf-8") as file:
        old = file.read()
    with tempfile.TemporaryDirectory() as scratch:
        new = BLOCK.sub(lambda m: m[1] + output(m["command"], m["show"], os.path.abspath(tools), os.path.dirname(docs),
                                                scratch) + m[5], old)
    if not check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(new)
    elif new != old:
        for mine, real in zip(old.splitlines(), new.splitlines()):
            if mine != real:
                sys.exit(f"docs/Tour.md differs from what the tools print; run docs/tour.py\n  page: {mine}\n  tool: {real}")
        sys.exit("docs/Tour.md differs in length from what the tools print; run docs/tour.py")


if __name__ == "__main__":
    main()
