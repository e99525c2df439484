# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes and prints small safetensors files, independently of the tools under test.
#
#   tensors.py write FILE NAME=DTYPE:SHAPE:VALUES ...     x=F32:2x2:1,2,3,4   s=I64::7   h=BF16:1:0x3f80
#   tensors.py print FILE
#
# Values of 8- and 16-bit floats are bit patterns.
import json
import math
import struct
import sys

CODES = {"F32": "f", "F64": "d", "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "B",
         "BF16": "H", "F16": "H", "F8_E4M3": "B", "F8_E5M2": "B", "F8_E8M0": "B"}


def read(path):
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:8 + length]).items():
        if name == "__metadata__":
            continue
        begin, end = entry["data_offsets"]
        raw = data[8 + length + begin:8 + length + end]
        code = CODES[entry["dtype"]]
        count = len(raw) // struct.calcsize(code)
        tensors[name] = (entry["dtype"], entry["shape"], struct.unpack(f"<{count}{code}", raw))
    return tensors


def new_weights(names):
    """Those of the results' names that are new weights: of a step that returns the optimizer's state beside them, as 2/..., and
    not of one that returns gradients alone, which has 1/... too."""
    return [name for name in names if name.startswith("1/") and "2" + name[1:] in names]


def write(path, tensors):
    header, data = {}, b""
    for name, (dtype, shape, values) in tensors.items():
        raw = struct.pack(f"<{len(values)}{CODES[dtype]}", *values)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    open(path, "wb").write(struct.pack("<Q", len(text)) + text + data)


def numbers(tensor):
    """The values; bf16 decoded."""
    dtype, _, values = tensor
    if dtype == "BF16":
        return [struct.unpack("<f", struct.pack("<I", value << 16))[0] for value in values]
    return values


def norm(values):
    return math.sqrt(math.fsum(value * value for value in values))


def turn_last_bits(path, new, every):
    """Copies a file, with the last bit that bf16 keeps turned over in one of `every` elements of each float tensor."""
    tensors = read(path)
    for name, (dtype, shape, values) in tensors.items():
        if dtype not in ("BF16", "F32"):
            continue
        code, bit = ("H", 1) if dtype == "BF16" else ("I", 1 << 16)
        bits = list(struct.unpack(f"<{len(values)}{code}", struct.pack(f"<{len(values)}{CODES[dtype]}", *values)))
        for i in range(every // 2, len(bits), every):
            bits[i] ^= bit
        values = struct.unpack(f"<{len(values)}{CODES[dtype]}", struct.pack(f"<{len(values)}{code}", *bits))
        tensors[name] = dtype, shape, values
    write(new, tensors)


def parse(text):
    name, rest = text.split("=", 1)
    dtype, shape, values = rest.split(":")
    number = float if dtype in ("F32", "F64") else lambda digits: int(digits, 0)
    sizes = [int(size) for size in shape.split("x")] if shape else []
    return name, (dtype, sizes, [number(value) for value in values.split(",") if value])


def show(dtype, value):
    if dtype in ("BF16", "F16"):
        return f"0x{value:04x}"
    return f"0x{value:02x}" if dtype.startswith("F8") else repr(value)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2], dict(parse(text) for text in sys.argv[3:]))
    else:
        for name, (dtype, shape, values) in read(sys.argv[2]).items():
            print(name, dtype, "x".join(map(str, shape)), " ".join(show(dtype, value) for value in values))
