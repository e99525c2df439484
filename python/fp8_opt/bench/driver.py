# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels through NVIDIA's driver: a module, its functions, launches. Needs the driver and nothing else.

import ctypes

from .refusal import Refusal

DRIVER = "libcuda.so.1"
# As cuda.h numbers them.
PROCESSORS, MAX_DYNAMIC_SHARED = 16, 8


class Configuration(ctypes.Structure):
    """CUlaunchConfig."""
    _fields_ = [(name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared")]
    _fields_ += [("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("attribute_count", ctypes.c_uint)]


class Driver:
    def __init__(self, path=DRIVER):
        try:
            self.library = ctypes.CDLL(path)
        except OSError:
            raise Refusal(f"expected NVIDIA's driver ({path}), got none; kernels run where there is a GPU") from None
        self.call("start the driver", "cuInit", 0)

    def call(self, purpose, function, *arguments):
        result = getattr(self.library, function)(*arguments)
        if result:
            raise Refusal(f"expected to {purpose}, got {self.name_error(result)}")

    def name_error(self, result):
        name = ctypes.c_char_p()
        if self.library.cuGetErrorName(result, ctypes.byref(name)) or not name.value:
            return f"error {result}"
        return name.value.decode()


class Device:
    """A GPU with the context that PyTorch uses too."""

    def __init__(self, driver, ordinal=0):
        count, handle, context = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
        driver.call("count GPUs", "cuDeviceGetCount", ctypes.byref(count))
        if count.value <= ordinal:
            raise Refusal(f"expected a GPU of number {ordinal}, got {count.value} GPUs")
        driver.call("find the GPU", "cuDeviceGet", ctypes.byref(handle), ordinal)
        driver.call("open the GPU", "cuDevicePrimaryCtxRetain", ctypes.byref(context), handle)
        driver.call("use the GPU", "cuCtxSetCurrent", context)
        processors = ctypes.c_int()
        driver.call("count multiprocessors", "cuDeviceGetAttribute", ctypes.byref(processors), PROCESSORS, handle)
        self.driver, self.processors = driver, processors.value

    def load(self, image, kernels):
        """The kernels of a cubin by name, as the report of fp8-translate lists them under `kernels`."""
        module = ctypes.c_void_p()
        self.driver.call("load the kernels", "cuModuleLoadDataEx", ctypes.byref(module), image, 0, None, None)
        return {kernel["name"]: Kernel(self, module, kernel) for kernel in kernels}


class Kernel:
    def __init__(self, device, module, description):
        self.device, self.name = device, description["name"]
        self.threads, self.shared = description["threads"], description["shared_bytes"]
        self.arguments, self.schedule = description["arguments"], description["schedule"]
        self.function = ctypes.c_void_p()
        device.driver.call(f"find kernel '{self.name}'", "cuModuleGetFunction", ctypes.byref(self.function), module,
                           self.name.encode())
        device.driver.call(f"give '{self.name}' {self.shared} bytes of shared memory", "cuFuncSetAttribute", self.function,
                           MAX_DYNAMIC_SHARED, self.shared)

    def bind(self, *values, blocks=None):
        """A function that launches with these values, tensors or addresses and integers, on a stream: so many thread blocks, one for
        each multiprocessor where none are given."""
        if len(values) != len(self.arguments):
            raise Refusal(f"expected {len(self.arguments)} arguments of '{self.name}', got {len(values)}")
        words = [self.word(kind, value) for kind, value in zip(self.arguments, values)]
        places = (ctypes.c_void_p * len(words))(*[ctypes.addressof(word) for word in words])
        configuration = Configuration(blocks or self.device.processors, 1, 1, self.threads, 1, 1, self.shared)

        def launch(stream=None, holds=(words, values)):
            configuration.stream = stream
            self.device.driver.call(f"launch '{self.name}'", "cuLaunchKernelEx", ctypes.byref(configuration), self.function,
                                    places, None)
        return launch

    def word(self, kind, value):
        is_tensor = hasattr(value, "data_ptr")
        if kind.endswith("*"):
            return ctypes.c_uint64(value.data_ptr() if is_tensor else value)
        if is_tensor:
            raise Refusal(f"expected {kind} for an argument of '{self.name}', got a tensor")
        return ctypes.c_int32(value)
