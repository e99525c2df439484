# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# fp8-bench: the kernels on a GPU, checked and timed against those that PyTorch calls.
