# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Changes a file at many places and runs a command on each: prints what the command says, each text once.
"""usage: change.py WHOLE CHANGED COMMAND...

Writes WHOLE to CHANGED with one bit turned, and runs COMMAND, which must refuse: at sixty places behind the magic, the version
and the name of the program that wrote it. Prints how many, then the distinct messages, with numbers as N.
"""
import pathlib
import re
import subprocess
import sys

whole, changed, command = pathlib.Path(sys.argv[1]).read_bytes(), pathlib.Path(sys.argv[2]), sys.argv[3:]
start = whole.index(b"\0") + 1
places = sorted({start + (len(whole) - start) * i // 60 for i in range(60)})
messages = set()
for place in places:
    turned = bytes([whole[place] ^ 1 << place % 8])
    changed.write_bytes(whole[:place] + turned + whole[place + 1 :])
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 1:
        sys.exit(f"expected a refusal of another byte {place}, got exit code {done.returncode}: {done.stderr}")
    messages.add(re.sub(r"\b(\d+|[0-9a-f]{16})\b", "N", done.stderr.replace(str(changed), "CHANGED")))
print(len(places), "places")
print("".join(sorted(messages)), end="")
