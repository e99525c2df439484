# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# DeepGEMM as a peer where its package is missing, old, or fails, which neither PyTorch nor a GPU is needed for.

import sys
import types

from fp8_opt.bench import peers


def deep_gemm(**functions):
    module = types.ModuleType("deep_gemm")
    vars(module).update(functions)
    sys.modules["deep_gemm"] = module


def refusal():
    return peers.find_deepgemm(None).refusal


class Broken:
    """A finder of a package that is there and cannot be imported."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "deep_gemm":
            raise OSError("undefined symbol: c10\nand more")


sys.meta_path.insert(0, Broken)
sys.modules.pop("deep_gemm", None)
assert refusal() == "expected to import deep_gemm, got: undefined symbol: c10", refusal()
sys.meta_path.remove(Broken)

deep_gemm(__version__="1.0.0")
found = peers.find_deepgemm(None)
assert "got an older one" in found.refusal and found.version == "1.0.0", found

# Here no operands are there to multiply.
deep_gemm(fp8_gemm_nt=None)
found = peers.find_deepgemm(None)
assert found.call is None and "NoneType" in found.refusal and found.version == "of unknown version", found

# A build for another PyTorch reads the dimensions of a tensor where they are not.
def misbuilt(operands, library):
    raise RuntimeError("Assertion error (layout.hpp:16): dim == 2 or dim == 3")


make, peers.deepgemm = peers.deepgemm, misbuilt
found = peers.find_deepgemm(types.SimpleNamespace(torch=types.SimpleNamespace(__version__="2.11.0")))
assert found.refusal.endswith("dim == 2 or dim == 3; expected a build for PyTorch 2.11.0"), found
peers.deepgemm = make

sys.modules["deep_gemm"] = None
assert "pip install sgl-deep-gemm" in refusal(), refusal()
