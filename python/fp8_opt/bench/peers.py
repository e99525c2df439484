# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What else multiplies on the same GPU: cuBLASLt, as PyTorch calls it, and DeepGEMM, where its package is installed.

import functools
import importlib.metadata
import typing

from .shapes import TRANSPOSED, scaling

# What times and results are called in records, and the library.
LIBRARIES = {"peer": "cuBLASLt", "deepgemm": "DeepGEMM"}
# DeepGEMM scales as `block` does.
DEEPGEMM_MODES = ("block",)
# Its scales of rows begin at multiples of 16 bytes in each column.
DEEPGEMM_ALIGNMENT = 4
# How it refuses what it is given.
MISBUILT = "Assertion error"


class Peer(typing.NamedTuple):
    """A function that computes the same product, or why there is none; and the library's version, where that is its own."""
    call: typing.Optional[typing.Callable]
    refusal: typing.Optional[str] = None
    version: typing.Optional[str] = None


def cublaslt(operands, mode):
    """In its own layout of the scales."""
    torch = operands.torch
    if mode in TRANSPOSED:
        x, y = operands.numbers(mode)
        return lambda: torch.matmul(x, y.t())
    a, b = operands.a, operands.b.t()
    scales = {"tensor": lambda: (operands.alpha.reshape(()), torch.ones((), device=operands.device)),
              "row": lambda: (operands.a_by_row, operands.b_by_row.t().contiguous()),
              # Scales of A and of B's rows lie along the rows, those of squares along the contraction.
              "block": lambda: (operands.a_by_block.t().contiguous().t(), operands.b_by_square.t()),
              "wgrad": lambda: (operands.a_by_block.t().contiguous().t(), operands.b_by_block.t().contiguous())}[scaling(mode)]()
    # The faster of its two ways to add, where it has two; the other one where sums are promoted.
    options = {"use_fast_accum": True} if mode in ("tensor", "row") else {}
    return lambda: torch._scaled_mm(a, b, *scales, out_dtype=torch.bfloat16, **options)


def deepgemm(operands, library):
    """Its scales of rows lie column by column, as it would else lay them in a launch of its own."""
    torch, (m, n, _) = operands.torch, operands.shape
    scales, pitch = operands.a_by_block, -(-m // DEEPGEMM_ALIGNMENT) * DEEPGEMM_ALIGNMENT
    laid = torch.full((scales.shape[1], pitch), float("nan"), device=operands.device).t()[:m]
    laid.copy_(scales)
    a, b = (operands.a, laid), (operands.b, operands.b_by_square)
    into = torch.empty(m, n, dtype=torch.bfloat16, device=operands.device)

    def call():
        library.fp8_gemm_nt(a, b, into)
        return into
    return call


def first_line(error):
    return (str(error).strip() or type(error).__name__).split("\n")[0][:200]


def find_cublaslt(operands, mode):
    """It does not have all scales on all GPUs, and not all shapes."""
    call = cublaslt(operands, mode)
    try:
        call()
        operands.torch.cuda.synchronize()
    except (RuntimeError, ValueError, NotImplementedError) as error:
        return Peer(None, first_line(error))
    return Peer(call)


@functools.lru_cache(maxsize=None)
def version_of(module):
    """With the name of the package that it came in, of which there are several."""
    version = getattr(module, "__version__", "of unknown version")
    # New in Python 3.10.
    packages = getattr(importlib.metadata, "packages_distributions", dict)().get(module.__name__, [])
    return f"({packages[0]} {version})" if packages else version


def find_deepgemm(operands):
    """The package compiles at the first call of a shape, so that anything can go wrong with it."""
    try:
        import deep_gemm
    except ModuleNotFoundError as error:
        return Peer(None, f"expected the package deep_gemm (pip install sgl-deep-gemm), got no module '{error.name}'")
    except Exception as error:
        return Peer(None, f"expected to import deep_gemm, got: {first_line(error)}")
    version = version_of(deep_gemm)
    if not hasattr(deep_gemm, "fp8_gemm_nt"):
        return Peer(None, "expected DeepGEMM 2 or later, which has fp8_gemm_nt, got an older one", version)
    try:
        call = deepgemm(operands, deep_gemm)
        call()
        operands.torch.cuda.synchronize()
    except Exception as error:
        told = first_line(error)
        # Operands are as it asks. What finds them otherwise reads tensors as another PyTorch lays them out.
        if MISBUILT in told:
            told += f"; expected a build for PyTorch {operands.torch.__version__}"
        return Peer(None, told, version)
    return Peer(call, None, version)


def find_first(operands, mode):
    return {"peer": find_cublaslt(operands, mode)}


def find_peers(operands, mode):
    """What computes the same product, by name in records."""
    peers = find_first(operands, mode)
    if mode in DEEPGEMM_MODES:
        peers["deepgemm"] = find_deepgemm(operands)
    return peers
