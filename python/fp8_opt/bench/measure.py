# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Times of kernels and of their peers, in turn and in random order, in one process.

import functools
import random
import statistics
import time

from . import check, peers
from .operands import Operands
from .refusal import Refusal
from .shapes import PLAIN

# Milliseconds that each function runs for in a round, and launches before they are timed.
ROUND_MS, WARM_UPS, LEAST_LAUNCHES = 22, 2, 4
FLUSH_BYTES = 256 << 20
# What a peer may be away in the root mean square, in units of our bound; it adds as it likes.
PEER_MEAN = 3


class Timer:
    """Medians of single launches, with the L2 cache full of something else before each."""

    def __init__(self, gpu):
        self.gpu, self.torch = gpu, gpu.torch
        self.flush = self.torch.empty(FLUSH_BYTES, dtype=self.torch.int8, device=gpu.device)

    def estimate(self, call):
        call()
        self.gpu.synchronize()
        start = time.perf_counter()
        call(), call()
        self.gpu.synchronize()
        return (time.perf_counter() - start) * 1e3 / 2

    def round(self, call, count):
        """Milliseconds of each launch; clock and power while they run."""
        event = self.torch.cuda.Event
        for _ in range(WARM_UPS):
            call()
        pairs = [(event(enable_timing=True), event(enable_timing=True)) for _ in range(count)]
        for start, end in pairs:
            self.flush.zero_()
            start.record()
            call()
            end.record()
        sample = self.gpu.clocks.sample()
        self.gpu.synchronize()
        return [start.elapsed_time(end) for start, end in pairs[1:]], sample

    def measure(self, calls, rounds, round_ms=ROUND_MS):
        """The median of each in milliseconds, and clocks and power while it ran."""
        counts = {name: max(LEAST_LAUNCHES, int(round_ms / self.estimate(call))) for name, call in calls.items()}
        times, samples = {name: [] for name in calls}, {name: [] for name in calls}
        for _ in range(rounds):
            for name in random.sample(list(calls), len(calls)):
                taken, sample = self.round(calls[name], counts[name])
                times[name] += taken
                samples[name] += [sample] if sample else []
        return {name: statistics.median(taken) for name, taken in times.items()}, samples


def prepare_mode(gpu, operands, mode, kernel, record, find):
    """Our function, the same again as a control, and those of the peers that `find` has, by name; after all of them were compared."""
    torch, (m, n, _) = gpu.torch, operands.shape
    rows = check.some_rows(torch, m, gpu.device)
    record.update(check.check(kernel, mode, operands, gpu.stream(), gpu.synchronize, rows), kind="time")
    into = torch.empty(m, n, dtype=torch.bfloat16, device=gpu.device)
    launch, stream = kernel.bind(*operands.arguments(mode, into)), gpu.stream()
    calls = {(mode, "ours"): lambda: launch(stream), (mode, "control"): lambda: launch(stream)}
    record["peers"] = {}
    for who, peer in find(operands, mode).items():
        refusal, described = peer.refusal, {"version": peer.version}
        if peer.call:
            _, distances = check.compare(operands, mode, peer.call(), rows)
            described["mean"] = distances["mean"]
            if distances["mean"] <= PEER_MEAN:
                calls[mode, who] = peer.call
            else:
                refusal = f"computes something else: {distances['mean']:.3g} bounds away in the root mean square"
        record["peers"][who] = {**described, "refuses": refusal}
    return calls


def average(samples, index):
    return round(statistics.fmean(sample[index] for sample in samples)) if samples else None


def measure_shape(gpu, timer, shape, kernels, rounds, write):
    """`kernels`: for each mode. A kernel that computes something else is not timed."""
    operands, records, calls = Operands(shape, 1, gpu.device), {}, {}
    for mode, kernel in kernels.items():
        record = records[mode] = {}
        prepared = prepare_mode(gpu, operands, mode, kernel, record, peers.find_peers)
        if not record["problems"]:
            calls.update(prepared)
    medians, samples = timer.measure(calls, rounds) if calls else ({}, {})
    for mode, record in records.items():
        record["milliseconds"] = {who: median for (of, who), median in medians.items() if of == mode}
        record["mhz"], record["watts"] = (average(samples.get((mode, "ours")), index) for index in (0, 1))
        write(record)


def measure_forms(gpu, timer, shape, forms, rounds, write):
    """`forms`: mode, kernel, types and the kernel of the row-major result. Each of the two is compared first, and timed in turn with
    the other and with itself."""
    rows, stream = check.some_rows(gpu.torch, shape[0], gpu.device), gpu.stream()
    for mode, kernel, types, beside in forms:
        calls, results, problems = {}, [], []
        for who, each, of in (("ours", kernel, types), ("row_major", beside, PLAIN)):
            operands = Operands(shape, 1, gpu.device, of)
            result = check.Result(operands, [(0, shape[0])])
            results.append(check.check(each, mode, operands, stream, gpu.synchronize, rows))
            problems += results[-1]["problems"]
            launch = each.bind(*operands.arguments(mode, result.stored))
            calls[who] = functools.partial(launch, stream)
        calls["control"] = calls["ours"]
        medians, samples = timer.measure(calls, rounds) if not problems else ({}, {})
        write({**results[0], "kind": "form", "problems": problems, "beside": beside.name, "milliseconds": medians,
               "mhz": average(samples.get("ours"), 0), "watts": average(samples.get("ours"), 1)})


def launch_between_marks(gpu, shape, mode, kernel, launches):
    """Ours and cuBLASLt's, after both were compared; a profiler sees nothing else."""
    record = {}
    calls = prepare_mode(gpu, Operands(shape, 1, gpu.device), mode, kernel, record, peers.find_first)
    if record["problems"]:
        raise Refusal(f"expected a right result of '{kernel.name}' at {'x'.join(map(str, shape))}, got {record['problems'][0]}")
    for _ in range(launches):
        for who in ("ours", "peer"):
            if (mode, who) in calls:
                gpu.synchronize()
                with gpu.torch.cuda.profiler.profile():
                    calls[mode, who]()
                    gpu.synchronize()
