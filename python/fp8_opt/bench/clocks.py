# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the GPU's clock and power are, asked of NVIDIA's management library.

import ctypes

SM_CLOCK = 1


class Clocks:
    """Of one GPU; without the library, nothing is known."""

    def __init__(self, uuid):
        self.handle = ctypes.c_void_p()
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            self.library = None
            return
        name = uuid if uuid.startswith("GPU-") else f"GPU-{uuid}"
        if self.library.nvmlInit_v2() or self.library.nvmlDeviceGetHandleByUUID(name.encode(), ctypes.byref(self.handle)):
            self.library = None

    def sample(self):
        """MHz and watts at this moment, or nothing."""
        clock, milliwatts = ctypes.c_uint(), ctypes.c_uint()
        if (self.library is None or self.library.nvmlDeviceGetClockInfo(self.handle, SM_CLOCK, ctypes.byref(clock))
                or self.library.nvmlDeviceGetPowerUsage(self.handle, ctypes.byref(milliwatts))):
            return None
        return clock.value, milliwatts.value / 1000
