# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs clang-tidy over the sources of a built tree, on all cores. A source that was clean stays clean until it, a header of
# the project or the rules change, so running it again costs nothing. With a limit of time the sources that were changed
# last come first, and the last line says how many were not reached.

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time


def sources(project, build):
    """The project's own sources that the build compiles."""
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        if project in path.parents and project / "build" not in path.parents:
            yield path


def last_changed_first(paths, project):
    """By the last commit that touched each; what no commit has comes first."""
    log = subprocess.run(["git", "log", "--format=", "--name-only"], cwd=project, capture_output=True, text=True).stdout
    age = {}
    for number, name in enumerate(log.split()):
        age.setdefault(project / name, number)
    return sorted(paths, key=lambda path: (age.get(path, -1), path))


def digest(paths):
    sum_of_all = hashlib.sha256()
    for path in sorted(paths):
        sum_of_all.update(path.read_bytes())
    return sum_of_all.hexdigest()


def main():
    project = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description="Runs clang-tidy over the sources of a built tree.")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--tool", default="clang-tidy-22")
    parser.add_argument("--minutes", type=float, help="start no source after so many (default: all)")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="these sources alone")
    options = parser.parse_args()
    build = options.build.resolve()
    wanted = {path.resolve() for path in options.files} or set(sources(project, build))

    shared = [path for folder in ("include", "lib", "tools", "test") for end in ("*.h", "*.td", "*.def")
              for path in (project / folder).rglob(end)]
    rules = digest(shared + [project / ".clang-tidy"])
    stamps = build / "tidy"
    stamps.mkdir(exist_ok=True)

    start = time.monotonic()

    def is_clean(path):
        if options.minutes is not None and time.monotonic() - start > options.minutes * 60:
            return path, "", None
        stamp = stamps / (hashlib.sha256(str(path).encode()).hexdigest()[:16])
        state = rules + digest([path])
        if stamp.is_file() and stamp.read_text() == state:
            return path, "", True
        command = [options.tool, "-p", str(build), "--quiet", "--extra-arg=-Wno-unknown-warning-option", str(path)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode == 0:
            stamp.write_text(state)
        return path, result.stdout + (result.stderr if result.returncode else ""), result.returncode == 0

    failed, missed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, output, good in pool.map(is_clean, last_changed_first(wanted, project)):
            missed += good is None
            if good is False:
                failed += 1
                print(f"{path.relative_to(project)}:\n{output}", flush=True)
    reached = f", {missed} not reached in {options.minutes:g} minutes" if missed else ""
    print(f"tidy: {len(wanted)} sources, {failed} with findings{reached}, {time.monotonic() - start:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
