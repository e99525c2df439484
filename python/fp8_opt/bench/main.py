# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The command line of fp8-bench.
"""Checks and times the kernels on a GPU, against cuBLASLt as PyTorch calls it.

  fp8-bench prepare FOLDER              assembles the kernels; needs fp8-opt, fp8-translate and ptxas, and no GPU
  fp8-bench run FOLDER --list=check     compares them with exact products; needs Python, PyTorch and NVIDIA's driver
  fp8-bench run FOLDER --list=oracle    compares what that calls exact with sums of integers
  fp8-bench run FOLDER --list=repeat    launches each of them a hundred times; --list=small: some at sizes for a sanitizer
  fp8-bench run FOLDER --list=gemm      times them; --list=few those of few rows
  fp8-bench run FOLDER --list=forms     times results in panels and with numbers for columns, beside row-major ones in the same tiles
  fp8-bench run FOLDER --list=gemm --counters
                                        counts their clocks and bytes; needs Nsight Compute too
  fp8-bench table RESULTS.jsonl...      one table of what several runs wrote
"""
import argparse
import json
import pathlib
import sys

from . import exact, shapes
from .refusal import Refusal, import_torch


# What is compared and not timed, and on which shapes; `check` and `oracle` have lists of their own.
CHECKS = {"check": (), "oracle": (), "repeat": (shapes.REPEATED,), "small": shapes.SMALL}
# What is timed beside kernels of ours instead of peers.
FORMS = "forms"


class GPU:
    """PyTorch's and the driver's view of one GPU."""

    def __init__(self, driver_path):
        from .clocks import Clocks
        from .driver import Device, Driver
        driver = Driver(driver_path)
        self.opened = Device(driver)
        self.torch, self.device = import_torch(), "cuda"
        if not self.torch.cuda.is_available():
            raise Refusal("expected PyTorch to see the GPU, got a build or a driver with which it does not")
        # What is exact must not be rounded.
        self.torch.backends.cuda.matmul.allow_tf32 = False
        self.properties = self.torch.cuda.get_device_properties(0)
        self.clocks = Clocks(str(self.properties.uuid))

    def stream(self):
        return self.torch.cuda.current_stream().cuda_stream

    def synchronize(self):
        self.torch.cuda.synchronize()

    def describe(self):
        return {"kind": "environment", "gpu": self.properties.name, "processors": self.opened.processors,
                "torch": self.torch.__version__, "cuda": self.torch.version.cuda}


def read_json(folder, name):
    try:
        return json.loads((folder / name).read_text())
    except OSError:
        raise Refusal(f"expected kernels in '{folder}' (fp8-bench prepare makes them), got no {name}") from None


def entry(listed, name, shape):
    """Mode, kernel, shape, and what is particular to the kernel: a grouping or None, and types."""
    return listed["modes"][name], name, shape, listed["groupings"].get(name), shapes.Types(*listed["types"].get(name, shapes.PLAIN))


def check_entries(listed):
    """Each kernel on all pairs of sizes, the first of blocks on all triples."""
    thorough = next((name for name, mode in listed["modes"].items() if mode == "block"), None)

    def shapes_of(name):
        if name in listed["groupings"]:
            return shapes.checks_of_groups(listed["modes"][name])
        return shapes.checks(name == thorough)

    return [entry(listed, name, shape) for name, mode in listed["modes"].items() for shape in shapes_of(name)
            if shapes.fits(mode, shape)]


def first_kernels(listed):
    """The first one of each mode alone and in each grouping, and all of other types."""
    of = {name: (mode, listed["groupings"].get(name)) for name, mode in listed["modes"].items() if name not in listed["types"]}
    return [*{each: name for name, each in reversed(of.items())}.values(), *listed["types"]]


def entries_on(listed, names, sizes):
    """These kernels on some shapes."""
    return [entry(listed, name, shape) for name in names for shape in sizes if shapes.fits(listed["modes"][name], shape)]


def entries_of(listed, name):
    if name == "check":
        return check_entries(listed)
    if name == "oracle":
        return exact.entries()
    if name == "repeat":
        return entries_on(listed, listed["modes"], CHECKS[name])
    if name == "small":
        return entries_on(listed, first_kernels(listed), CHECKS[name])
    return list(shapes.GEMM if name == FORMS else shapes.TIMED[name])


def of_kernel(entries, options):
    """Those of one kernel, where one is asked for."""
    if not options.kernel:
        return entries
    chosen = [each for each in entries if options.kernel == each[1]]
    if not chosen:
        raise Refusal(f"expected a kernel of the list '{options.list}', got '{options.kernel}'")
    return chosen


def take_part(entries, options):
    try:
        return shapes.part(entries, options.part)
    except ValueError:
        raise Refusal(f"expected --part=I/N with I from 1 to N, got '{options.part}'") from None


class Writer:
    """Of records: kept, and a line of JSON each at once, so that nothing is lost where a run ends early."""

    def __init__(self, path):
        self.records, self.file = [], open(path, "a") if path else None

    def __call__(self, record):
        self.records.append(record)
        if self.file:
            self.file.write(json.dumps(record) + "\n")
            self.file.flush()
        for problem in record.get("problems", ()):
            print(f"{record['kernel']} {'x'.join(map(str, record['shape']))}: {problem}", flush=True)


def open_kernels(options):
    """The GPU, and the kernels of the folder by name."""
    gpu, report = GPU(options.driver), read_json(options.folder, "kernels.json")
    return gpu, gpu.opened.load((options.folder / "kernels.cubin").read_bytes(), report["kernels"])


def read_list(options):
    """What the folder has, and the part of the list that is asked for."""
    listed = read_json(options.folder, "chosen.json")
    return listed, take_part(of_kernel(entries_of(listed, options.list), options), options)


def forms_of(listed, kernels, modes):
    """Mode, kernel, types, and the kernel that has the same tile and leaves a row-major result, of these modes."""
    return [(listed["modes"][name], kernels[name], shapes.Types(*listed["types"][name]), kernels[beside])
            for name, beside in listed["forms"].items() if listed["modes"][name] in (modes or shapes.MODES)]


def products_of(listed, mode, sizes):
    """Shape and kernel of what a mode has of a list that is timed."""
    from .prepare import Kind, key
    return [(shape, listed["chosen"][key(Kind(mode), shape)]) for shape in sizes if shapes.fits(mode, shape)]


def run(options):
    from .table import tables
    listed, entries = read_list(options)
    write = Writer(options.json)
    if options.counters:
        count(options, listed, entries, write)
    else:
        check_or_time(options, listed, entries, write)
    print(tables(write.records))
    return report_problems(write.records)


def check_or_time(options, listed, entries, write):
    from . import check, measure
    gpu, kernels = open_kernels(options)
    write(gpu.describe())
    if options.list == "oracle":
        for number, (mode, shape, types) in enumerate(entries):
            write(exact.check(mode, shape, types, number, gpu.device))
    elif options.list in CHECKS:
        repeats = shapes.REPEATS if options.list == "repeat" else check.REPEATS
        check.run_checks(entries, kernels, gpu, write, repeats)
    elif options.list == FORMS:
        timer = measure.Timer(gpu)
        for shape in entries:
            measure.measure_forms(gpu, timer, shape, forms_of(listed, kernels, options.mode), options.rounds, write)
            print("timed", "x".join(map(str, shape)), file=sys.stderr, flush=True)
    else:
        timer = measure.Timer(gpu)
        for shape in entries:
            chosen = {mode: kernels[name] for mode in options.mode or shapes.MODES
                      for _, name in products_of(listed, mode, [shape])}
            measure.measure_shape(gpu, timer, shape, chosen, options.rounds, write)
            print("timed", "x".join(map(str, shape)), file=sys.stderr, flush=True)
    print(", ".join(str(value) for name, value in gpu.describe().items() if name != "kind"), end="\n\n")


def count(options, listed, entries, write):
    """Each mode in a process of its own, which ncu starts."""
    from . import counters
    if options.list not in shapes.TIMED:
        raise Refusal(f"expected --counters with a list that is timed ({', '.join(shapes.TIMED)}), got '{options.list}'")
    ncu = counters.find_ncu(options.ncu)
    for mode in options.mode or shapes.MODES:
        products = products_of(listed, mode, entries)
        if not products:
            continue
        command = [sys.executable, sys.argv[0], "launch", options.folder, f"--list={options.list}", f"--part={options.part}",
                   f"--mode={mode}", f"--driver={options.driver}"]
        for record in counters.count(mode, products, counters.profile(ncu, command)):
            write(record)
        print("counted", mode, file=sys.stderr, flush=True)


def launch(options):
    from . import counters, measure
    listed, entries = read_list(options)
    gpu, kernels = open_kernels(options)
    for mode in options.mode or shapes.MODES:
        for shape, name in products_of(listed, mode, entries):
            measure.launch_between_marks(gpu, shape, mode, kernels[name], counters.LAUNCHES)
    return 0


def report_problems(records):
    products = [record for record in records if "problems" in record]
    wrong = sum(bool(record["problems"]) for record in products)
    if products:
        print(f"{len(products)} products, {wrong} wrong")
    return 1 if wrong else 0


def print_table(options):
    from .table import tables
    records = []
    for path in options.results:
        try:
            records += [json.loads(line) for line in path.read_text().splitlines()]
        except (OSError, json.JSONDecodeError) as error:
            raise Refusal(f"expected lines of JSON in '{path}', got: {error}") from None
    print(tables(records))
    return report_problems(records)


def add_products(parser, lists, meaning):
    """Options that say which products of which folder."""
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=pathlib.Path(sys.argv[0]).parent,
                        help="what `prepare` made (default: where this program lies)")
    parser.add_argument("--list", choices=lists, required=True, help=meaning)
    parser.add_argument("--part", default="1/1", metavar="I/N", help="the I-th of N parts of the list")
    parser.add_argument("--kernel", metavar="NAME", help="of what is checked, this kernel alone")
    parser.add_argument("--mode", choices=shapes.MODES, action="append", help="of what is timed, this mode alone; may be repeated")
    parser.add_argument("--driver", default="libcuda.so.1", metavar="PATH", help="NVIDIA's driver (default: libcuda.so.1)")


def parse(arguments, version):
    parser = argparse.ArgumentParser(prog="fp8-bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"fp8-bench of fp8-opt {version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="prepare|run|launch|table")

    prepare = commands.add_parser("prepare", help="assemble the kernels into a folder")
    prepare.add_argument("folder", type=pathlib.Path)
    prepare.add_argument("--target", default="sm_90a", metavar="NAME|FILE", help="a target of the library (fp8-opt --list-targets), or a target file (default: sm_90a)")
    for tool in ("fp8-opt", "fp8-translate"):
        prepare.add_argument(f"--{tool}", default=tool, metavar="PATH", help=f"the program (default: {tool} on PATH)")
    prepare.add_argument("--ptxas", metavar="PATH", help="the assembler (default: the one that fp8-translate finds)")

    runs = commands.add_parser("run", help="check or time the kernels of a folder")
    add_products(runs, (*CHECKS, *shapes.TIMED, FORMS), "check: many small shapes against products in f64; oracle: those "
                 "against sums of integers; repeat: the same bits in 100 "
                 "launches; small: shapes for a sanitizer; gemm: times of products with many rows; few: with few; forms: of what else "
                 "a product leaves")
    runs.add_argument("--rounds", type=int, default=5, help="of timing, each in another order (default: 5)")
    runs.add_argument("--counters", action="store_true", help="count clocks and bytes of memory instead of timing")
    runs.add_argument("--ncu", metavar="PATH", help="Nsight Compute (default: on PATH or beside nvcc)")
    runs.add_argument("--json", metavar="FILE", help="append a line of JSON for each product")

    launches = commands.add_parser("launch", help="launch products between the marks of a profiler")
    add_products(launches, shapes.TIMED, "as of run")

    table = commands.add_parser("table", help="print the tables of what `run --json` wrote")
    table.add_argument("results", type=pathlib.Path, nargs="+")
    return parser.parse_args(arguments)


def main(arguments=None, version="unknown"):
    options = parse(arguments, version)
    try:
        if options.command == "prepare":
            from .prepare import prepare
            prepare(options.folder, options)
            return 0
        return {"run": run, "launch": launch, "table": print_table}[options.command](options)
    except Refusal as refusal:
        print(f"fp8-bench: {refusal}", file=sys.stderr)
        return 1
