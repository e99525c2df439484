# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a loop of matrix products with one habit: clean, or one of those that draw a remark of ptxas.

import sys

SUMS = 64  # numbers that one thread holds of a 64x128 product; the serialized loop spills them
TYPE = f"!llvm.struct<({', '.join(['f32'] * SUMS)})>"
FENCE = "nvvm.wgmma.fence.aligned"
COMMIT = "nvvm.wgmma.commit.group.sync.aligned"


def multiply(result, sums):
    return (f"{result} = nvvm.wgmma.mma_async %a, %b, {sums}, #nvvm.shape<m = 64, n = {2 * SUMS}, k = 32>, D [<f32>, <one>], "
            f"A [<e4m3>, <one>, <row>], B [<e4m3>, <one>, <col>] : {TYPE} -> {TYPE}")


def wait(groups):
    return f"nvvm.wgmma.wait.group.sync.aligned {groups}"


def scale(result, sums):
    """All sums times a number: what must not happen before their wait."""
    lines = [f"%scaled0 = llvm.mlir.undef : {TYPE}"]
    for i in range(SUMS):
        target = result if i == SUMS - 1 else f"%scaled{i + 1}"
        lines += [f"%old{i} = llvm.extractvalue {sums}[{i}] : {TYPE}", f"%new{i} = llvm.fmul %old{i}, %scale : f32",
                  f"{target} = llvm.insertvalue %new{i}, %scaled{i}[{i}] : {TYPE}"]
    return lines


# Body, and the two accumulators that the next iteration gets.
HABITS = {
    "clean": ([FENCE, multiply("%sum", "%first"), COMMIT, wait(0)], ("%sum", "%second")),
    "no-fence": ([multiply("%raw", "%first"), COMMIT, wait(0)] + scale("%sum", "%raw"), ("%sum", "%second")),
    "early-read": ([FENCE, multiply("%raw", "%first"), COMMIT] + scale("%sum", "%raw") + [wait(0)], ("%sum", "%second")),
    "no-wait": ([FENCE, multiply("%sum", "%first"), COMMIT], ("%sum", "%second")),
    "exchange": ([FENCE, multiply("%sum", "%first"), COMMIT, wait(1)], ("%second", "%sum")),
    "no-launch-bounds": (["nvvm.setmaxregister increase 232", FENCE, multiply("%sum", "%first"), COMMIT, wait(0)],
                         ("%sum", "%second")),
}

habit = sys.argv[1]
body, (first, second) = HABITS[habit]
bounds = "" if habit == "no-launch-bounds" else ", nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32"
lines = [
    f"llvm.func @products(%a: i64, %b: i64, %out: !llvm.ptr<1>, %count: i32, %scale: f32) attributes {{nvvm.kernel{bounds}}} {{",
    f"%zero = llvm.mlir.zero : {TYPE}", "%none = llvm.mlir.constant(0 : i32) : i32", "%one = llvm.mlir.constant(1 : i32) : i32",
    f"llvm.br ^body(%none, %zero, %zero : i32, {TYPE}, {TYPE})",
    f"^body(%i: i32, %first: {TYPE}, %second: {TYPE}):", *body,
    "%next = llvm.add %i, %one : i32", "%more = llvm.icmp \"slt\" %next, %count : i32",
    f"llvm.cond_br %more, ^body(%next, {first}, {second} : i32, {TYPE}, {TYPE}), ^end",
    "^end:", *([] if habit == "no-wait" else [wait(0)]), f"llvm.store {first}, %out : {TYPE}, !llvm.ptr<1>",
    "%out2 = llvm.getelementptr %out[1024] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32",
    f"llvm.store {second}, %out2 : {TYPE}, !llvm.ptr<1>", "llvm.return", "}",
]
print("\n".join(lines))
