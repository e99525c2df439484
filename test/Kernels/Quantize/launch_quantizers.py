# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs quantizers on a GPU and compares what they leave with what fp8-quantizers wrote, byte by byte; or, with --time, how
# much memory they move in a second, beside a copy. Needs torch, for memory and events, and the CUDA driver.
#
#   python3 launch_quantizers.py FOLDER quantizers.cubin [--time ROWSxCOLUMNS]

import argparse
import ctypes
import pathlib
import sys

import torch

driver = ctypes.CDLL("libcuda.so.1")
POISON = 0xA5
GUARD = 256


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


class Case:
    """One line of cases.txt; see quantizers.cpp."""

    def __init__(self, line):
        words = line.split()
        self.number, self.name = words[0], words[1]
        self.blocks, self.threads, self.shared, self.rows, self.columns = map(int, words[2:7])
        self.amax, self.amax_blocks, self.amax_shared = words[7], int(words[8]), int(words[9])
        self.outputs = words[10:]


def run(kernels, case, source, outputs):
    """Outputs are tensors of bytes: codes, scales, and so on."""
    sizes = [case.rows, case.columns]
    pointers = [source.data_ptr()]
    if case.amax != "-":
        cell = torch.zeros(4, dtype=torch.float32, device="cuda")
        pointers.append(cell.data_ptr())
        kernels.launch(case.amax, case.amax_blocks, case.threads, case.amax_shared, pointers, sizes)
    pointers += [output.data_ptr() for output in outputs]
    kernels.launch(case.name, case.blocks, case.threads, case.shared, pointers, sizes)


def count_differences(folder, case, kernels):
    source = read(folder / f"{case.number}.in")
    expected = [(output, what) for output in case.outputs for what in ("codes", "scales")]
    wanted = [read(folder / f"{case.number}.{output}.{what}") for output, what in expected]
    got = [torch.full((w.numel() + GUARD,), POISON, dtype=torch.uint8, device="cuda") for w in wanted]
    run(kernels, case, source, got)
    torch.cuda.synchronize()
    differences = 0
    for (output, what), want, have in zip(expected, wanted, got):
        written = read(folder / f"{case.number}.{output}." + ("written" if what == "codes" else "scales_written"))
        differences += int((have[want.numel():] != POISON).sum())
        have = have[:want.numel()]
        if what == "scales":
            want, have = want.view(torch.float32), have.contiguous().view(torch.float32)
            differs = (want.view(torch.int32) != have.view(torch.int32)) & ~(want.isnan() & have.isnan())
        else:
            differs = want != have
        differences += int((differs & (written != 0)).sum())
    return differences


def time_kernel(function, rounds=20):
    function()
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = []
    for _ in range(rounds):
        flush.zero_()
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        function()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return sorted(times)[rounds // 2]


def time_all(cases, kernels, rows, columns, grids):
    count = rows * columns
    a = torch.randn(rows, columns, device="cuda").to(torch.bfloat16)
    b = torch.empty_like(a)
    copy = 2 * a.nbytes / time_kernel(lambda: b.copy_(a))
    print(f"copy {copy / 1e9:.3f} TB/s")
    seen = set()
    for case in cases:
        if case.name in seen or not case.name.endswith("_bf16") or case.name not in grids:
            continue
        seen.add(case.name)
        case.rows, case.columns = rows, columns
        case.blocks, case.amax_blocks = grids[case.name], -(-count // 16384)
        outputs = [torch.empty(2 * count, dtype=torch.uint8, device="cuda") for _ in range(2 * len(case.outputs))]
        taken = time_kernel(lambda: run(kernels, case, a, outputs))
        moved = a.nbytes * (2 if case.amax != "-" else 1) + count * len(case.outputs)
        print(f"{case.name:30} {taken * 1e3:8.1f} us {moved / taken / 1e9:.3f} TB/s {moved / taken / copy:.3f} of copy")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("cubin", type=pathlib.Path)
    parser.add_argument("--time", help="ROWSxCOLUMNS, multiples of 256")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    kernels = Kernels(options.cubin)
    cases = [Case(line) for line in (options.folder / "cases.txt").read_text().splitlines()]
    if options.time:
        rows, columns = map(int, options.time.split("x"))
        grids = {}
        for case in cases:
            is_tile = not case.name.startswith("columns_") or "tile" in case.name or "weight" in case.name
            is_row = case.name.startswith("columns_row")
            grids[case.name] = rows if is_row else (rows // 128) * (columns // 128) if is_tile else (rows // 32) * (
                columns // 256)
        return time_all(cases, kernels, rows, columns, grids)
    failed = 0
    for case in cases:
        differences = count_differences(options.folder, case, kernels)
        if differences:
            failed += 1
            print(f"{case.name} {case.rows}x{case.columns} (case {case.number}): {differences} differences")
    print(f"{len(cases)} cases, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
