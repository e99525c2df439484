# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs functions of a .vmfb on IREE's runtime: tensors in a file in, tensors in a file out.
"""usage: run_iree.py VERSION reflection MODULE.vmfb
          run_iree.py VERSION run MODULE.vmfb ARGUMENTS.safetensors FUNCTION RESULTS.safetensors STEPS

VERSION is the one that the runtime wheel must have, without its last number. `reflection` prints one JSON object: the
reflection attributes of each exported function. `run` calls FUNCTION with the tensors of ARGUMENTS, in the order of their
names 0, 1, ..., writes the results under such names, and prints one JSON object: seconds of each step, by the clock and of all processors
together, and the peak of resident memory in bytes. With STEPS of 0 the function runs once; else once to warm up, and STEPS times timed.

Tensors are raw bytes with a shape throughout: numpy knows neither bf16 nor FP8, and no number changes here. fp8-run carries
this file inside and starts it.
"""
import contextlib
import importlib.metadata
import json
import mmap
import os
import resource
import struct
import sys
import time
import zipfile

# What a driver of IREE's needs.
NEEDED = {"cuda": "an NVIDIA GPU, which the program was compiled for, and NVIDIA's driver (libcuda.so on the library path)"}
# Name in a safetensors file, name in the runtime.
ELEMENTS = {"BF16": "BFLOAT_16", "F16": "FLOAT_16", "F32": "FLOAT_32", "F64": "FLOAT_64", "I64": "SINT_64",
            "I32": "SINT_32", "I16": "SINT_16", "I8": "SINT_8", "U8": "UINT_8", "BOOL": "BOOL_8",
            "F8_E4M3": "FLOAT_8_E4M3_FN", "F8_E5M2": "FLOAT_8_E5M2", "F8_E8M0": "FLOAT_8_E8M0_FNU"}


def read(path):
    """Element name, shape and bytes of each tensor, in the order of their names. Nothing is copied."""
    with open(path, "rb") as file:
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    size, = struct.unpack("<Q", data[:8])
    header = json.loads(bytes(data[8:8 + size]))
    header.pop("__metadata__", None)
    for name in sorted(header, key=int):
        begin, end = header[name]["data_offsets"]
        yield header[name]["dtype"], header[name]["shape"], data[8 + size + begin:8 + size + end]


def write(path, tensors):
    header, offset = {}, 0
    for number, (dtype, shape, data) in enumerate(tensors):
        header[str(number)] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors:
            file.write(data)


@contextlib.contextmanager
def told_in_a_line(arguments=()):
    """IREE says in the first line what is wrong, and where in its own code in the others."""
    try:
        yield
    except (RuntimeError, ValueError) as error:
        has_empty = any(0 in argument.shape for argument in arguments)
        hint = " (an argument has no elements, at which IREE's driver for CUDA fails)" if has_empty else ""
        sys.exit(f"expected IREE to run the program, got: {str(error).splitlines()[0]}{hint}")


class Module:
    def __init__(self, path):
        if not zipfile.is_zipfile(path):  # a .vmfb is one, and its end says so
            sys.exit(f"expected a whole .vmfb at '{path}', got {os.path.getsize(path)} bytes of one; the file is cut short")
        import iree.runtime as runtime  # after its version is known to be right
        self.runtime = runtime
        self.instance = runtime.VmInstance()
        self.module = runtime.VmModule.mmap(self.instance, path)
        self.elements = {name: getattr(runtime.HalElementType, of) for name, of in ELEMENTS.items()}
        self.names = {int(element): name for name, element in self.elements.items()}
        # What IREE gives integers of MLIR, which have no sign.
        for name in ("I64", "I32", "I16", "I8"):
            self.names[int(getattr(runtime.HalElementType, name.replace("I", "INT_")))] = name

    def start(self, function):
        """On the device that the function was compiled for."""
        name = json.loads(self.module.lookup_function(function).reflection["fp8.device"])
        try:
            self.device = self.runtime.get_device(name)
        except RuntimeError as error:
            needed = NEEDED.get(name, f"a device of IREE's driver '{name}'")
            sys.exit(f"expected {needed}, got none; IREE says: {str(error).splitlines()[0]}")
        hal = self.runtime.create_hal_module(self.instance, self.device)
        with told_in_a_line():
            self.context = self.runtime.VmContext(self.instance, modules=[hal, self.module])

    def exports(self):
        for name in self.module.function_names:
            yield name, self.module.lookup_function(name).reflection

    def argument(self, dtype, shape, data):
        runtime = self.runtime
        buffer = self.device.allocator.allocate_buffer_copy(
            memory_type=runtime.MemoryType.DEVICE_LOCAL, allowed_usage=runtime.BufferUsage.DEFAULT,
            device=self.device, buffer=data)
        return runtime.HalBufferView(buffer, shape, self.elements[dtype])

    def call(self, function, arguments):
        inputs, outputs = self.runtime.VmVariantList(len(arguments)), self.runtime.VmVariantList(1)
        for argument in arguments:
            inputs.push_ref(argument)
        start, start_busy = time.perf_counter(), time.process_time()
        with told_in_a_line(arguments):
            self.context.invoke(self.module.lookup_function(function), inputs, outputs)
        seconds = time.perf_counter() - start, time.process_time() - start_busy
        return [outputs.get_as_object(i, self.runtime.HalBufferView) for i in range(len(outputs))], seconds

    def copy_to_host(self, source, data):
        """Fills an array of bytes from what lies on a device."""
        runtime = self.runtime
        host = self.device.allocator.import_host_allocation(
            data, memory_type=int(runtime.MemoryType.HOST_LOCAL | runtime.MemoryType.DEVICE_VISIBLE),
            allowed_usage=int(runtime.BufferUsage.TRANSFER_TARGET | runtime.BufferUsage.MAPPING_PERSISTENT))
        done = self.device.create_semaphore(0)
        self.device.queue_copy(source, host, wait_semaphores=runtime.HalFence.create_at(done, 0),
                               signal_semaphores=runtime.HalFence.create_at(done, 1))
        runtime.HalFence.create_at(done, 1).wait()
        return data

    def result(self, view):
        import numpy  # what the runtime brings
        byte = numpy.dtype("u1")
        if view.get_buffer().memory_type() & int(self.runtime.MemoryType.HOST_VISIBLE):
            data = view.map().asarray([view.byte_length], byte)
        else:
            data = self.copy_to_host(view.get_buffer(), numpy.empty([view.byte_length], byte))
        return self.names[int(view.element_type)], list(view.shape), memoryview(data)


def run(path, arguments, function, results, steps):
    module = Module(path)
    module.start(function)
    values = [module.argument(*tensor) for tensor in read(arguments)]
    views, first = module.call(function, values)
    seconds = []
    for _ in range(steps):
        del views
        views, taken = module.call(function, values)
        seconds.append(taken)
    write(results, [module.result(view) for view in views])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    seconds, busy = zip(*(seconds or [first]))
    print(json.dumps({"seconds": seconds, "busy": busy, "peak_bytes": peak}))


def check_version(wanted):
    try:
        found = importlib.metadata.version("iree-base-runtime")
    except importlib.metadata.PackageNotFoundError:
        found = "none"
    if not found.startswith(wanted + "."):
        sys.exit(f"expected the Python package iree-base-runtime {wanted} "
                 f"(pip install iree-base-runtime=={wanted}.0), got {found}")


def main():
    version, command, *rest = sys.argv[1:]
    check_version(version)
    if command == "reflection":
        print(json.dumps(dict(Module(rest[0]).exports())))
    else:
        path, arguments, function, results, steps = rest
        run(path, arguments, function, results, int(steps))


if __name__ == "__main__":
    main()
