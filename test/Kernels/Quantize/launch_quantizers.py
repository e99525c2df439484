# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs quantizers and dequantizers on a GPU and compares what they leave with what fp8-quantizers says, byte by byte; or, with
# --time, how much memory they move in a second, beside a copy; or, with --repeat, whether N launches leave the same bytes; or,
# with --marked, launches them N times at the size of --time between the marks of a profiler.
# Needs torch, for memory and events, and the CUDA driver.
#
#   python3 launch_quantizers.py TOOL PLANNED CUBIN [--only NAME] [--most ELEMENTS] [--time ROWSxCOLUMNS]
#     [--repeat N] [--marked N]
#
# TOOL is fp8-quantizers, which can be compiled beside the GPU from its own folder and lib/Numerics alone; PLANNED is its
# module of kernels after qtile-plan-rings, CUBIN what became of that.

import argparse
import collections
import concurrent.futures
import ctypes
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

import torch

driver = ctypes.CDLL("libcuda.so.1")
POISON = 0xA5
GUARD = 256
NUMBERS = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
BITS = {4: torch.int32, 2: torch.int16}


def check(status, what):
    if status:
        text = ctypes.c_char_p()
        driver.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"{what}: {status} {text.value}")


class Kernels:
    def __init__(self, path):
        self.module = ctypes.c_void_p()
        check(driver.cuModuleLoadData(ctypes.byref(self.module), path.read_bytes()), f"load {path}")
        self.functions = {}

    def launch(self, name, blocks, threads, shared, pointers, integers):
        if name not in self.functions:
            function = ctypes.c_void_p()
            check(driver.cuModuleGetFunction(ctypes.byref(function), self.module, name.encode()), name)
            self.functions[name] = function
        values = [ctypes.c_uint64(p) for p in pointers] + [ctypes.c_uint32(i) for i in integers]
        arguments = (ctypes.c_void_p * len(values))(*[ctypes.addressof(v) for v in values])
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        check(driver.cuLaunchKernel(self.functions[name], blocks, 1, 1, threads, 1, 1, shared, stream, arguments, None),
              f"launch {name}")


def read(path):
    return torch.frombuffer(bytearray(path.read_bytes()), dtype=torch.uint8).cuda()


class Launch:
    """A line of fp8-quantizers; see describeLaunch."""

    def __init__(self, words):
        self.name = words[0]
        self.blocks, self.threads, self.shared, self.batch, self.rows, self.columns = map(int, words[1:7])
        self.amax, self.amax_blocks, self.amax_shared, self.amaxes = words[7], *map(int, words[8:11])
        self.inputs = int(words[11])
        self.outputs = words[12:]

    def is_dequantizer(self):
        return self.inputs == 2 and len(self.outputs) == 1


def read_launches(tool, planned, size, only=""):
    """Of a matrix of ROWSxCOLUMNS, the kernels with this in their names."""
    text = subprocess.run([tool, "launches", planned, *size.split("x")], check=True, capture_output=True, text=True).stdout
    return [launch for launch in map(Launch, map(str.split, text.splitlines())) if only in launch.name]


def run(kernels, case, inputs, outputs):
    """Both are tensors, of any type: numbers, or codes and scales, and so on."""
    sizes = ([case.batch] if case.batch else []) + [case.rows, case.columns]
    pointers = [tensor.data_ptr() for tensor in inputs]
    if case.amax != "-":
        amaxes = torch.zeros(max(1, case.batch) * case.amaxes, dtype=torch.float32, device="cuda")
        pointers.append(amaxes.data_ptr())
        kernels.launch(case.amax, case.amax_blocks, case.threads, case.amax_shared, pointers, sizes)
    pointers += [output.data_ptr() for output in outputs]
    kernels.launch(case.name, case.blocks, case.threads, case.shared, pointers, sizes)


def count_differences(folder, number, case, kernels):
    inputs = [read(folder / f"{number}.in{i}") for i in range(case.inputs)]
    wanted = [read(folder / f"{number}.out{i}") for i in range(len(case.outputs))]
    got = [torch.full((w.numel() + GUARD,), POISON, dtype=torch.uint8, device="cuda") for w in wanted]
    run(kernels, case, inputs, got)
    torch.cuda.synchronize()
    differences = 0
    for i, (kind, want, have) in enumerate(zip(case.outputs, wanted, got)):
        written = read(folder / f"{number}.written{i}")
        differences += int((have[want.numel():] != POISON).sum())
        have = have[:want.numel()]
        if kind in NUMBERS:
            number_type = NUMBERS[kind]
            bits = BITS[number_type.itemsize]
            written = written.view(-1, number_type.itemsize)[:, 0]
            want, have = want.view(number_type), have.contiguous().view(number_type)
            differs = (want.view(bits) != have.view(bits)) & ~(want.isnan() & have.isnan())
        else:
            differs = want != have
        differences += int((differs & (written != 0)).sum())
    return differences


def time_together(functions, rounds=5, launches=9):
    """Medians of single launches, in rounds and random order, as fp8-bench takes them."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = [[] for _ in functions]
    for _ in range(rounds):
        for number in random.sample(range(len(functions)), len(functions)):
            events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(launches)]
            for start, end in events:
                flush.zero_()
                start.record()
                functions[number]()
                end.record()
            torch.cuda.synchronize()
            times[number] += [start.elapsed_time(end) for start, end in events[1:]]
    return [statistics.median(taken) for taken in times]


def padded(rows, columns):
    """How many codes a matrix has in panels, along either dimension at most."""
    return -(-rows // 128) * -(-columns // 128) * 128 * 128


def needed_bytes(launch):
    """Of numbers of bf16, twice where an amax comes first, and codes; without scales."""
    read = 1 if launch.inputs == 2 else 4 if launch.amax != "-" else 2
    written = 2 if launch.is_dequantizer() else len(launch.outputs) // 2
    return (read + written) * launch.rows * launch.columns


class Buffers:
    """Random inputs of bf16, or codes of such under scales near 1; and what is written."""

    def __init__(self, launch):
        rows, columns = launch.rows, launch.columns
        numbers = torch.randn(rows, columns, device="cuda")
        if launch.inputs == 1:
            self.inputs = [numbers.to(torch.bfloat16)]
        else:
            codes = torch.randn(padded(rows, columns), device="cuda").to(torch.float8_e4m3fn)
            self.inputs = [codes, torch.rand(padded(rows, columns), device="cuda") + 0.5]
        self.outputs = [torch.zeros(2 * padded(rows, columns), dtype=torch.uint8, device="cuda") for _ in launch.outputs]
        self.bytes = needed_bytes(launch)


def measured(launches):
    return [launch for launch in launches if launch.name.endswith("_bf16") and not launch.batch]


def time_all(launches, kernels):
    for launch in measured(launches):
        buffers = Buffers(launch)
        # The peer: a copy that reads and writes as many bytes in all.
        source = torch.empty(buffers.bytes // 2, dtype=torch.uint8, device="cuda")
        into = torch.empty_like(source)
        taken, copied = time_together([lambda: run(kernels, launch, buffers.inputs, buffers.outputs), lambda: into.copy_(source)])
        print(f"{launch.name:45} {taken * 1e3:8.1f} us {buffers.bytes / taken / 1e9:.3f} TB/s {copied / taken:.3f} of a copy's "
              f"{buffers.bytes / copied / 1e9:.3f}", flush=True)


def launch_between_marks(launches, kernels, count):
    for launch in measured(launches):
        buffers = Buffers(launch)
        run(kernels, launch, buffers.inputs, buffers.outputs)
        torch.cuda.synchronize()
        for _ in range(count):
            with torch.cuda.profiler.profile():
                run(kernels, launch, buffers.inputs, buffers.outputs)
                torch.cuda.synchronize()


def repeat_all(launches, kernels, count):
    launches, failed = measured(launches), 0
    for launch in launches:
        buffers, first = Buffers(launch), None
        for number in range(count):
            run(kernels, launch, buffers.inputs, buffers.outputs)
            if first is None:
                first = [output.clone() for output in buffers.outputs]
            elif not all(bool((a == b).all()) for a, b in zip(first, buffers.outputs)):
                print(f"{launch.name} {launch.rows}x{launch.columns}: other bytes in launch {number}", flush=True)
                failed += 1
                break
    print(f"{len(launches)} kernels, {count} launches each, {failed} differ")
    return 1 if failed else 0


def make_cases(tool, planned, names, most):
    """Folders of cases, of a kernel each. Those of the next kernels are made meanwhile, by a processor each."""
    ahead = os.cpu_count()

    def make(name):
        folder = tempfile.TemporaryDirectory()
        subprocess.run([tool, "cases", planned, folder.name, name, str(most)], check=True, capture_output=True)
        return folder

    with concurrent.futures.ThreadPoolExecutor(ahead) as pool:
        making = collections.deque(pool.submit(make, name) for name in names[:ahead])
        for number in range(len(names)):
            with making.popleft().result() as folder:
                if number + ahead < len(names):
                    making.append(pool.submit(make, names[number + ahead]))
                yield pathlib.Path(folder)


def compare_all(tool, planned, names, kernels, most):
    cases = failed = 0
    for folder in make_cases(tool, planned, names, most):
        for line in (folder / "cases.txt").read_text().splitlines():
            number, *words = line.split()
            case = Launch(words)
            differences = count_differences(folder, number, case, kernels)
            cases += 1
            if differences:
                failed += 1
                print(f"{case.name} {case.rows}x{case.columns} (case {number}): {differences} differences", flush=True)
    print(f"{cases} cases, {failed} differ")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("planned")
    parser.add_argument("cubin", type=pathlib.Path)
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--most", type=int, default=1100000, help="elements of a matrix that is compared")
    parser.add_argument("--time", help="ROWSxCOLUMNS")
    parser.add_argument("--repeat", type=int, help="launches of each kernel of bf16, of 1000x1032")
    parser.add_argument("--marked", type=int, help="launches of each kernel of bf16, of the size of --time, which a profiler sees")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    kernels = Kernels(options.cubin)
    launches = read_launches(options.tool, options.planned, options.time or "1000x1032", options.only)
    if options.marked:
        return launch_between_marks(launches, kernels, options.marked)
    if options.time:
        return time_all(launches, kernels)
    if options.repeat:
        return repeat_all(launches, kernels, options.repeat)
    return compare_all(options.tool, options.planned, [launch.name for launch in launches], kernels, options.most)


if __name__ == "__main__":
    sys.exit(main())
