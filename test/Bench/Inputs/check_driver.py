# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Loading and launching on the driver without a device of test/Launch, whose kernel "take" has a pointer and two integers.

import ctypes
import sys

from fp8_opt.bench.driver import Device, Driver
from fp8_opt.bench.refusal import Refusal


class StubState(ctypes.Structure):
    """As test/Launch/StubDriver.h has it."""
    _fields_ = [("held", ctypes.c_int), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("cluster", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("stream", ctypes.c_void_p), ("has_cluster", ctypes.c_int),
                ("arguments", ctypes.c_uint64 * 3)]


class Tensor:
    def data_ptr(self):
        return 0x123456789abc


def expect_refusal(text, call, *arguments):
    try:
        call(*arguments)
    except Refusal as refusal:
        assert text in str(refusal), refusal
    else:
        raise AssertionError(f"expected a refusal: {text}")


def kernel(**changes):
    return {"name": "take", "threads": 384, "shared_bytes": 90000, "arguments": ["bf16*", "i32", "i32"], "schedule": ""} | changes


driver = Driver(sys.argv[1])
device = Device(driver)
take = device.load(b"// PTX", [kernel()])["take"]
take.bind(Tensor(), 7, -8)(0x55)
driver.library.stubState.restype = ctypes.POINTER(StubState)
state = driver.library.stubState().contents
assert list(state.grid) == [device.processors, 1, 1] and list(state.block) == [384, 1, 1], list(state.grid)
assert state.shared == 90000 and state.stream == 0x55 and not state.has_cluster
assert list(state.arguments) == [0x123456789abc, 7, 2**32 - 8], list(state.arguments)
take.bind(0xabc, 1, 2)()
assert state.arguments[0] == 0xabc and state.stream is None
take.bind(0xabc, 1, 2, blocks=5)()
assert list(state.grid) == [5, 1, 1], list(state.grid)

expect_refusal("expected 3 arguments of 'take', got 2", take.bind, Tensor(), 7)
expect_refusal("expected i32 for an argument of 'take', got a tensor", take.bind, Tensor(), Tensor(), 7)
expect_refusal("expected to find kernel 'give', got CUDA_ERROR_NOT_FOUND", device.load, b"// PTX", [kernel(name="give")])
expect_refusal("expected to give 'take' 232448 bytes of shared memory, got CUDA_ERROR_INVALID_VALUE", device.load, b"// PTX",
               [kernel(shared_bytes=232448)])
expect_refusal("expected to load the kernels, got CUDA_ERROR_INVALID_IMAGE", device.load, b"\x7fELF", [kernel()])
expect_refusal("expected a GPU of number 1, got 1 GPUs", Device, driver, 1)
