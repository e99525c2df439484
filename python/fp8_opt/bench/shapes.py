# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The products that the lists are about. A shape is (M, N, K): D[M, N] = A[M, K] times B[N, K] transposed.

import typing

# How operands are scaled. `tensor`: one number; `block`: A by 1x128, B by 128x128; `wgrad`: both by 1x128; `row`: by rows
# of both. `promoted`: each 128 of the contraction are summed alone, as those of blocks are, and their sums added in f32. Of numbers in bf16, without scales: which of A and B lie transposed, their contraction first, as in a layer's
# product, that of its gradient to the input and that to the weight.
TRANSPOSED = {"bf16": (False, False), "bf16_dgrad": (False, True), "bf16_wgrad": (True, True)}
PROMOTED = {"tensor_promoted": "tensor", "row_promoted": "row"}
PACKED = ("tensor", "block", "wgrad", "row", *PROMOTED)
MODES = (*PACKED, *TRANSPOSED)

# Products of large models with many rows: DeepSeek-V3's projections, Llama's, and one square.
GEMM = ((8192, 8192, 8192), (4096, 2112, 7168), (4096, 24576, 1536), (4096, 32768, 512), (4096, 7168, 16384),
        (4096, 4096, 7168), (4096, 7168, 2048), (8192, 6144, 4096), (8192, 4096, 4096), (8192, 28672, 4096),
        (8192, 4096, 14336))

# Products of inference, with few rows: weights are read from memory once, which is what takes the time.
FEW = tuple((rows, n, k) for n, k in ((7168, 16384), (4096, 7168), (28672, 4096)) for rows in (1, 8, 16, 32, 64, 128))

# Sizes of the products of a launch: M of a group of rows at most, K of a group of the contraction at most.
GROUPED = ((256, 256, 512), (320, 640, 512), (1000, 1032, 272), (129, 130, 257), (7, 16, 128), (64, 1000, 1000), (1, 1, 1),
           (511, 385, 1025), (1025, 2049, 384), (128, 4096, 2048), (2048, 1024, 128))
# And those of batches in bf16, which lie where others leave them: also small and long ones, and attention's.
STACKED = (*GROUPED, (64, 24, 8), (8, 8, 8), (16, 8, 64), (200, 72, 1032), (4096, 128, 64), (136, 2048, 2048))
GROUPINGS = ("batch", "rows", "counted_rows", "contraction")
# The product of such a launch that its kernel is chosen for, and groups of it.
GROUPED_LIKELY, GROUPS_LIKELY = (4096, 4096, 7168), 8


class Types(typing.NamedTuple):
    """Elements of A, of B and of the result; whether the product is added to what the result holds; the numbers for columns
    that are added to it, None where there are none; whether A, of numbers, and the result lie in panels."""
    a: str
    b: str
    result: str
    accumulates: bool = False
    bias: typing.Optional[str] = None
    from_panels: bool = False
    into_panels: bool = False


# Elements that are codes, the others are numbers.
CODES = ("f8E4M3FN", "f8E5M2")

# What is timed, and what is checked beside it of operands in panels.
PLAIN = Types("f8E4M3FN", "f8E4M3FN", "bf16")
TYPES = (Types("f8E4M3FN", "f8E5M2", "bf16"), Types("f8E5M2", "f8E4M3FN", "bf16"), Types("f8E5M2", "f8E5M2", "bf16"),
         Types("f8E4M3FN", "f8E4M3FN", "f32"), Types("f8E5M2", "f8E4M3FN", "f32"), Types("f8E4M3FN", "f8E4M3FN", "f32", True))
# What a product can leave behind beside numbers in bf16, row major; and what a product of numbers reads of that, and in f16.
LEFT = (PLAIN._replace(result="f16"), PLAIN._replace(bias="bf16"), PLAIN._replace(result="f32", bias="f32"),
        PLAIN._replace(into_panels=True), PLAIN._replace(result="f8E4M3FN", into_panels=True),
        PLAIN._replace(result="f8E5M2", bias="f16", into_panels=True))
NUMBERS = Types("bf16", "bf16", "bf16")
HALVES = Types("f16", "f16", "f16")
READ = {"bf16": (NUMBERS._replace(bias="bf16"), NUMBERS._replace(from_panels=True, into_panels=True), HALVES, HALVES._replace(result="f32")),
        "bf16_dgrad": (NUMBERS._replace(from_panels=True), HALVES), "bf16_wgrad": (HALVES,)}

# What is timed beside the row-major result in bf16: numbers for columns, results in panels, in codes, and A in panels.
FORMS = {**{mode: (LEFT[1], LEFT[3], LEFT[4]) for mode in PACKED}, "bf16": READ["bf16"][:2], "bf16_dgrad": READ["bf16_dgrad"][:1]}

# What each kernel repeats, and how often; and the largest sizes that a sanitizer takes.
REPEATED, REPEATS = (1000, 1032, 1040), 99
SMALL = ((1, 1, 1), (7, 16, 129), (129, 120, 64), (192, 128, 192))

# What is timed, by the name of its list.
TIMED = {"gemm": GEMM, "few": FEW}

# One, odd, below, at and above the sizes of chunks, of rows that are padded, of tiles, and of blocks of scales; and large ones.
SIZES = (1, 7, 16, 64, 120, 128, 129, 192, 1000, 4096)

# Several tiles in each direction, the last one ragged or whole, and more tiles than a GPU has multiprocessors.
RAGGED = ((256, 256, 512), (256, 512, 384), (320, 640, 512), (1000, 1032, 272), (255, 257, 130), (511, 385, 1025),
          (257, 129, 4097), (2048, 4096, 1024), (4095, 4097, 640), (4097, 4095, 257), (640, 2112, 7168), (8191, 130, 255),
          (130, 8191, 513), (3000, 3000, 96), (1025, 2049, 31), (4096, 2112, 384), (2049, 8, 2048), (8, 2049, 2048),
          (65, 65, 16384), (1, 1, 32768))


def scaling(mode):
    """The mode in which operands are scaled alike."""
    return PROMOTED.get(mode, mode)


def elements(mode, types):
    """Of A and of B. Of numbers PLAIN stands for bf16."""
    return NUMBERS[:2] if mode in TRANSPOSED and types.a in CODES else types[:2]


def fits(mode, shape):
    """Whether rows of operands that are not packed start at multiples of 16 bytes."""
    if mode not in TRANSPOSED:
        return True
    m, n, k = shape
    return all((rows if transposed else k) % 8 == 0 for rows, transposed in zip((m, n), TRANSPOSED[mode]))


def pairs():
    """Each pair of sizes in each two of M, N and K: a Latin square."""
    return [(m, n, SIZES[(i + j) % len(SIZES)]) for i, m in enumerate(SIZES) for j, n in enumerate(SIZES)]


def triples():
    return [(m, n, k) for m in SIZES for n in SIZES for k in SIZES]


def checks(is_thorough):
    """What a kernel is checked on."""
    return list(RAGGED) + (triples() if is_thorough else pairs())


def checks_of_groups(mode):
    """What a kernel of several products in a launch is checked on."""
    return list(STACKED if mode in TRANSPOSED else GROUPED) + pairs()


def part(entries, text):
    """Part "2/3" of a list: each third entry, from the second on."""
    number, count = (int(word) for word in text.split("/"))
    if not 1 <= number <= count:
        raise ValueError
    return entries[number - 1::count]
