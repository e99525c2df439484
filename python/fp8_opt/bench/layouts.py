# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tensors as kernels read them: codes in panels, scales in runs, as docs/Rationale/Layout.md names the layouts.
"""layouts.json holds, for each layout, the affine maps of the C++ library as it prints them; a test keeps both equal.
`shape` is the stored shape, `inverse` says for a stored element which logical element it is, `zero_padded` along which
dimension elements behind the end must be zeros. All other padding is filled with what must not reach a result.
"""
import json
import pkgutil
import re

from .refusal import import_torch

LAYOUTS = json.loads(pkgutil.get_data(__package__, "layouts.json"))


def evaluate(text, dims, symbols):
    """The results of an affine map, as MLIR prints it, at a point; also of tensors that broadcast."""
    results = text.split("->")[1].strip()
    results = re.sub(r"(\w+) ceildiv (\d+)", r"-(-\1 // \2)", results)
    results = results.replace(" floordiv ", " // ").replace(" mod ", " % ")
    names = {f"d{i}": dim for i, dim in enumerate(dims)} | {f"s{i}": symbol for i, symbol in enumerate(symbols)}
    return eval(results[:-1] + ",)", {"__builtins__": {}}, names)  # no map but those of layouts.json


def stored_shape(layout, sizes):
    return evaluate(LAYOUTS[layout]["shape"], (), sizes)


def logical_indices(layout, sizes, stored):
    return evaluate(LAYOUTS[layout]["inverse"], stored, sizes)


def unpack(stored, layout, sizes):
    """The matrix in a stored array, with as much around it as is stored of padding."""
    torch = import_torch()
    indices = [torch.arange(extent, device=stored.device).view([-1 if i == axis else 1 for i in range(stored.dim())])
               for axis, extent in enumerate(stored.shape)]
    row, column = logical_indices(layout, sizes, indices)
    row, column = torch.broadcast_tensors(row, column)
    width = int(column.max()) + 1
    matrix = torch.empty(stored.numel(), dtype=stored.dtype, device=stored.device)
    matrix[(row * width + column).reshape(-1)] = stored.reshape(-1)
    return matrix.view(-1, width)


def pack(tensor, layout, poison):
    """The stored array of a matrix, in a new tensor."""
    torch = import_torch()
    sizes, shape = tuple(tensor.shape), stored_shape(layout, tensor.shape)
    stored = [torch.arange(extent, device=tensor.device).view([-1 if i == axis else 1 for i in range(len(shape))])
              for axis, extent in enumerate(shape)]
    row, column = logical_indices(layout, sizes, stored)
    inside = (row < sizes[0]) & (column < sizes[1])
    place = row.clamp(max=sizes[0] - 1) * sizes[1] + torch.as_tensor(column).clamp(max=sizes[1] - 1)
    packed = torch.where(inside, tensor.reshape(-1)[place], poison)
    if "zero_padded" in LAYOUTS[layout]:
        axis = LAYOUTS[layout]["zero_padded"]
        index = (row, column)
        behind = (index[axis] >= sizes[axis]) & (index[1 - axis] < sizes[1 - axis])
        packed = torch.where(behind, 0, packed)
    return packed.to(tensor.dtype).contiguous()
