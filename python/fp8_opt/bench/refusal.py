# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What fp8-bench answers instead of a trace where something it needs is not there.


class Refusal(Exception):
    """Expected what, got what."""


def import_torch():
    try:
        import torch
    except ImportError:
        raise Refusal("expected PyTorch with CUDA (pip install torch), got no module 'torch'") from None
    return torch
