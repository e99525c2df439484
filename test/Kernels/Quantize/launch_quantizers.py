# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs quantizers and dequantizers on a GPU and compares what they leave with what fp8-quantizers says, byte by byte; or, with
# --time, how much memory they move in a second, beside a copy and beside themselves; or, with --repeat, whether N launches leave the same
# bytes; or, with --marked, launches them N times at the size of --time between the marks of a profiler.
# Needs PyTorch, for memory and events, NVIDIA's driver, and fp8-bench, which launches and times: the program in the folder `bench` beside the one
# that this lies in, as prepare_checks.py makes them, or the sources that this is one of.
#
#   python3 launch_quantizers.py TOOL PLANNED CUBIN [--only NAME] [--most ELEMENTS] [--time ROWSxCOLUMNS]
#     [--json FILE] [--repeat N] [--marked N]
#
# TOOL is fp8-quantizers, which can be compiled beside the GPU from its own folder and lib/Numerics alone; PLANNED is its
# module of kernels after qtile-plan-rings, CUBIN what became of that. `fp8-bench table` prints the tables of --json again.

import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, FOLDER = pathlib.Path(sys.argv[0]).name, pathlib.Path(__file__).resolve().parent
PACKAGES = [FOLDER.parent / "bench" / "fp8-bench", *(parent / "python" for parent in list(FOLDER.parents)[2:3])]
sys.path[:0] = [str(path) for path in PACKAGES if path.exists()][:1]
try:
    from fp8_opt.bench import main as bench, measure
    from fp8_opt.bench.refusal import Refusal, import_torch
    from fp8_opt.bench.table import tables
except ImportError:
    sys.exit(f"{PROGRAM}: expected fp8-bench at {' or '.join(map(str, PACKAGES))}, got none")
try:
    torch = import_torch()
except Refusal as refusal:
    sys.exit(f"{PROGRAM}: {refusal}")

POISON = 0xA5
GUARD = 256
NUMBERS = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}
BITS = {4: torch.int32, 2: torch.int16}
# Milliseconds of a round of each quantizer that is timed, and rounds.
ROUND_MS, ROUNDS = 8, 5


class Kernels:
    """Those of some launches, by name."""

    def __init__(self, gpu, cubin, launches):
        self.gpu = gpu
        described = {each["name"]: each for launch in launches for each in launch.kernels()}
        try:
            image = cubin.read_bytes()
        except OSError as error:
            raise Refusal(f"expected kernels in '{cubin}', got: {error.strerror}") from None
        self.kernels = gpu.opened.load(image, list(described.values()))

    def bind(self, name, blocks, *values):
        """What launches a kernel with tensors and integers."""
        launch, stream = self.kernels[name].bind(*values, blocks=blocks), self.gpu.stream()
        return lambda: launch(stream)


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

    def kernels(self):
        """As the report of fp8-translate has them: the quantizer, and what finds its amaxes."""
        has_amax, integers = self.amax != "-", ["i32"] * (3 if self.batch else 2)

        def describe(name, shared, pointers):
            return {"name": name, "threads": self.threads, "shared_bytes": shared, "schedule": "", "arguments": ["*"] * pointers + integers}

        yield describe(self.name, self.shared, self.inputs + has_amax + len(self.outputs))
        if has_amax:
            yield describe(self.amax, self.amax_shared, self.inputs + 1)

    def sizes(self):
        return ([self.batch] if self.batch else []) + [self.rows, self.columns]

    def is_dequantizer(self):
        return self.inputs == 2 and len(self.outputs) == 1


def read_launches(tool, planned, size, only=""):
    """Of a matrix of ROWSxCOLUMNS, the kernels with this in their names."""
    try:
        text = subprocess.run([tool, "launches", planned, *size.split("x")], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        reason = (getattr(error, "stderr", None) or str(error)).strip()
        raise Refusal(f"expected '{tool}' to tell the launches of '{planned}' at {size}, got: {reason}") from None
    return [launch for launch in map(Launch, map(str.split, text.splitlines())) if only in launch.name]


def bind(kernels, case, inputs, outputs):
    """What runs a case on tensors of any type: numbers, or codes and scales, and so on."""
    if case.amax == "-":
        return kernels.bind(case.name, case.blocks, *inputs, *outputs, *case.sizes())
    amaxes = torch.zeros(max(1, case.batch) * case.amaxes, dtype=torch.float32, device="cuda")
    find = kernels.bind(case.amax, case.amax_blocks, *inputs, amaxes, *case.sizes())
    quantize = kernels.bind(case.name, case.blocks, *inputs, amaxes, *outputs, *case.sizes())

    def run():
        amaxes.zero_()
        find()
        quantize()
    return run


def count_differences(folder, number, case, kernels):
    inputs = [read(folder / f"{number}.in{i}") for i in range(case.inputs)]
    wanted = [read(folder / f"{number}.out{i}") for i in range(len(case.outputs))]
    got = [torch.full((w.numel() + GUARD,), POISON, dtype=torch.uint8, device="cuda") for w in wanted]
    bind(kernels, case, inputs, got)()
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


def time_all(launches, kernels, path):
    gpu, write = kernels.gpu, bench.Writer(path)
    timer = measure.Timer(gpu)
    write(gpu.describe())
    for launch in measured(launches):
        buffers = Buffers(launch)
        # The peer: a copy that reads and writes as many bytes in all. The control: the same again.
        source = torch.empty(buffers.bytes // 2, dtype=torch.uint8, device="cuda")
        into = torch.empty_like(source)
        run = bind(kernels, launch, buffers.inputs, buffers.outputs)
        medians, samples = timer.measure({"ours": run, "control": run, "copy": lambda: into.copy_(source)}, ROUNDS, ROUND_MS)
        write({"kind": "quantizer", "kernel": launch.name, "shape": [launch.rows, launch.columns], "bytes": buffers.bytes,
               "milliseconds": medians, "mhz": measure.average(samples["ours"], 0), "watts": measure.average(samples["ours"], 1)})
    print(tables(write.records))
    return 0


def launch_between_marks(launches, kernels, count):
    for launch in measured(launches):
        buffers = Buffers(launch)
        run = bind(kernels, launch, buffers.inputs, buffers.outputs)
        run()
        torch.cuda.synchronize()
        for _ in range(count):
            with torch.cuda.profiler.profile():
                run()
                torch.cuda.synchronize()
    return 0


def repeat_all(launches, kernels, count):
    launches, failed = measured(launches), 0
    for launch in launches:
        buffers, first = Buffers(launch), None
        run = bind(kernels, launch, buffers.inputs, buffers.outputs)
        for number in range(count):
            run()
            if first is None:
                first = [output.clone() for output in buffers.outputs]
            elif not all(bool((a == b).all()) for a, b in zip(first, buffers.outputs)):
                print(f"{launch.name} {launch.rows}x{launch.columns}: other bytes in launch {number}", flush=True)
                failed += 1
                break
    print(f"{len(launches)} quantizers and dequantizers of bf16, {count} launches each, {failed} differ")
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
    cases, failed, of_batches = collections.Counter(), 0, set()
    for folder in make_cases(tool, planned, names, most):
        for line in (folder / "cases.txt").read_text().splitlines():
            number, *words = line.split()
            case = Launch(words)
            differences = count_differences(folder, number, case, kernels)
            cases[case.name] += 1
            of_batches |= {case.name} if case.batch else set()
            if differences:
                failed += 1
                print(f"{case.name} {case.rows}x{case.columns} (case {number}): {differences} differences", flush=True)
    print(f"{sum(cases.values())} cases of {len(cases)} kernels, {len(of_batches)} of them of batches, {failed} differ")
    return 1 if failed or not cases else 0


def find_gpu():
    return bench.GPU("libcuda.so.1")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("planned")
    parser.add_argument("cubin", type=pathlib.Path)
    parser.add_argument("--only", default="", help="kernels with this in their names")
    parser.add_argument("--most", type=int, default=1100000, help="elements of a matrix that is compared")
    parser.add_argument("--time", help="ROWSxCOLUMNS")
    parser.add_argument("--json", metavar="FILE", help="append a line of JSON for each quantizer that is timed")
    parser.add_argument("--repeat", type=int, help="launches of each kernel of bf16, of 1000x1032")
    parser.add_argument("--marked", type=int, help="launches of each kernel of bf16, of the size of --time, which a profiler sees")
    options = parser.parse_args()
    gpu, launches = find_gpu(), read_launches(options.tool, options.planned, options.time or "1000x1032", options.only)
    kernels = Kernels(gpu, options.cubin, launches)
    if options.marked:
        return launch_between_marks(launches, kernels, options.marked)
    if options.time:
        return time_all(launches, kernels, options.json)
    if options.repeat:
        return repeat_all(launches, kernels, options.repeat)
    return compare_all(options.tool, options.planned, [launch.name for launch in launches], kernels, options.most)


def finish(program):
    """Runs a program of this folder; what it expected and did not get is one line."""
    try:
        sys.exit(program())
    except Refusal as refusal:
        sys.exit(f"{PROGRAM}: {refusal}")


if __name__ == "__main__":
    finish(main)
