# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs quantizers on a GPU and compares what they leave with what fp8-quantizers says, byte by byte; or, with --time, how
# much memory they move in a second, beside a copy. Needs torch, for memory and events, and the CUDA driver.
#
#   python3 launch_quantizers.py TOOL PLANNED CUBIN [--only NAME] [--time ROWSxCOLUMNS]
#
# TOOL is fp8-quantizers, which can be compiled beside the GPU from its own folder and lib/Numerics alone; PLANNED is its
# module of kernels after qtile-plan-rings, CUBIN what became of that.

import argparse
import ctypes
import pathlib
import subprocess
import sys
import tempfile

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


class Launch:
    """A line of fp8-quantizers; see describeLaunch."""

    def __init__(self, words):
        self.name = words[0]
        self.blocks, self.threads, self.shared, self.batch, self.rows, self.columns = map(int, words[1:7])
        self.amax, self.amax_blocks, self.amax_shared = words[7], int(words[8]), int(words[9])
        self.scale_bytes = int(words[10])
        self.outputs = words[11:]


def run(kernels, case, source, outputs):
    """Outputs are tensors of bytes: codes, scales, and so on."""
    sizes = ([case.batch] if case.batch else []) + [case.rows, case.columns]
    pointers = [source.data_ptr()]
    if case.amax != "-":
        cell = torch.zeros(max(4, case.batch), dtype=torch.float32, device="cuda")
        pointers.append(cell.data_ptr())
        kernels.launch(case.amax, case.amax_blocks, case.threads, case.amax_shared, pointers, sizes)
    pointers += [output.data_ptr() for output in outputs]
    kernels.launch(case.name, case.blocks, case.threads, case.shared, pointers, sizes)


def count_differences(folder, number, case, kernels):
    source = read(folder / f"{number}.in")
    expected = [(output, what) for output in case.outputs for what in ("codes", "scales")]
    wanted = [read(folder / f"{number}.{output}.{what}") for output, what in expected]
    got = [torch.full((w.numel() + GUARD,), POISON, dtype=torch.uint8, device="cuda") for w in wanted]
    run(kernels, case, source, got)
    torch.cuda.synchronize()
    differences = 0
    for (output, what), want, have in zip(expected, wanted, got):
        written = read(folder / f"{number}.{output}.{'written' if what == 'codes' else 'scales_written'}")
        differences += int((have[want.numel():] != POISON).sum())
        have = have[:want.numel()]
        if what == "scales" and case.scale_bytes == 4:
            written = written.view(-1, 4)[:, 0]
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


def time_all(launches, kernels):
    rows, columns = launches[0].rows, launches[0].columns
    count = rows * columns
    source = torch.randn(rows, columns, device="cuda").to(torch.bfloat16)
    into = torch.empty_like(source)
    copy = 2 * source.nbytes / time_kernel(lambda: into.copy_(source))
    print(f"copy {copy / 1e9:.3f} TB/s")
    for launch in launches:
        if not launch.name.endswith("_bf16") or launch.batch:
            continue
        outputs = [torch.empty(2 * count, dtype=torch.uint8, device="cuda") for _ in range(2 * len(launch.outputs))]
        taken = time_kernel(lambda: run(kernels, launch, source, outputs))
        moved = source.nbytes * (2 if launch.amax != "-" else 1) + count * len(launch.outputs)
        print(f"{launch.name:30} {taken * 1e3:8.1f} us {moved / taken / 1e9:.3f} TB/s {moved / taken / copy:.3f} of copy")


def compare_all(tool, planned, names, kernels):
    cases = failed = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            subprocess.run([tool, "cases", planned, folder, name], check=True, capture_output=True)
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
    parser.add_argument("--time", help="ROWSxCOLUMNS")
    options = parser.parse_args()
    torch.zeros(1, device="cuda")
    kernels = Kernels(options.cubin)
    rows, columns = (options.time or "128x128").split("x")
    text = subprocess.run([options.tool, "launches", options.planned, rows, columns], check=True, capture_output=True,
                          text=True).stdout
    launches = [launch for launch in map(Launch, map(str.split, text.splitlines())) if options.only in launch.name]
    if options.time:
        return time_all(launches, kernels)
    return compare_all(options.tool, options.planned, [launch.name for launch in launches], kernels)


if __name__ == "__main__":
    sys.exit(main())
