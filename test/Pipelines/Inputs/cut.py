# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Cuts a file at many places and runs a command on each: prints what the command says, each text once.
"""usage: cut.py WHOLE CUT COMMAND...

Writes the first bytes of WHOLE to CUT and runs COMMAND, which must refuse: for cuts into the first bytes, into the last, and at
places between. Prints how many cuts, then the distinct messages, their numbers of bytes as N.
"""
import pathlib
import re
import subprocess
import sys

whole, cut, command = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2]), sys.argv[3:]
size = len(whole)
places = sorted({*range(1, 12), *range(12, size, size // 16), size - 20, size - 2, size - 1})
messages = set()
for place in places:
    cut.write_bytes(whole[:place])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 1:
        sys.exit(f"expected a refusal of the first {place} bytes, got exit code {done.returncode}: {done.stderr}")
    messages.add(re.sub(r"at least \d+ bytes, got \d+", "at least N bytes, got N", done.stderr))
print(len(places), "cuts")
print("".join(sorted(messages)), end="")
