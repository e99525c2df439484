# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reads what the test runner wrote, says why each skipped test was skipped, and ends with "N passed, M failed, K skipped".

import argparse
import collections
import pathlib
import sys
import xml.etree.ElementTree as xml

REASONS = {
    "extra-inputs": "FP8OPT_EXTRA_INPUTS names no folder with further graphs",
    "mlir-opt": "there is no mlir-opt-22 on this machine",
    "llc": "there is no llc 22 on this machine",
    "ptxas": "there is no ptxas on this machine (tools/setup.sh --ptxas)",
    "clang-format": "there is no clang-format-22 on this machine",
    "clang-tidy": "there is no clang-tidy-22 on this machine",
    "release": "it is about the static tools of the release preset",
    "asan": "it is about the asan preset",
    "User interrupt": "the test skipped itself",
}
# GoogleTest binaries that skip tests of their own accord: the runner does not pass on what they say.
SKIP_THEMSELVES = {"DeviceTests": "there is no NVIDIA GPU on this machine, or no kernels for it (DeviceTests says which)"}


def reason_of(name, message):
    for binary, reason in SKIP_THEMSELVES.items():
        if binary in name:
            return reason
    missing = message.rpartition(": ")[2].split(", ")
    return "; ".join(REASONS.get(feature, feature) for feature in missing)


def main():
    parser = argparse.ArgumentParser(description="Sums up the results of the tests.")
    parser.add_argument("results", type=pathlib.Path, help="the runner's results in xunit form")
    parser.add_argument("--also", action="append", default=[], metavar="NAME=STATUS",
                        help="a check that ran outside the runner, and its exit status")
    options = parser.parse_args()

    if not options.results.is_file():
        print("expected the results of the test runner, got none")
        print("0 passed, 1 failed, 0 skipped")
        sys.exit(1)
    passed, failed, skipped = 0, [], collections.defaultdict(list)
    for case in xml.parse(options.results).iter("testcase"):
        name = f"{case.get('classname')}/{case.get('name')}"
        skip = case.find("skipped")
        if case.find("failure") is not None:
            failed.append(name)
        elif skip is not None:
            skipped[reason_of(name, skip.get("message"))].append(name)
        else:
            passed += 1

    for check in options.also:
        name, _, status = check.partition("=")
        if status == "0":
            passed += 1
        else:
            failed.append(name)

    for reason, names in skipped.items():
        print(f"skipped, as {reason}:", *names, sep="\n  ")
    if failed:
        print("failed:", *failed, sep="\n  ")
    print(f"{passed} passed, {len(failed)} failed, {sum(map(len, skipped.values()))} skipped")
    # No test at all is no success.
    sys.exit(0 if passed and not failed else 1)


if __name__ == "__main__":
    main()
