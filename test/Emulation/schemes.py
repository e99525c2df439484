# Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Codes and scales of one operand in NumPy, and the recipes made of them. Shares no code with the compiler.
import dataclasses

import ml_dtypes
import numpy as np

ALL = 1 << 30
INT8_STEP = 1 / 64
TYPES = {
    "E4M3": ml_dtypes.float8_e4m3fn, "E5M2": ml_dtypes.float8_e5m2, "E2M3": ml_dtypes.float6_e2m3fn,
    "E2M1": ml_dtypes.float4_e2m1fn, "E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "E4M3IEEE": ml_dtypes.float8_e4m3,
}


@dataclasses.dataclass(frozen=True)
class Scheme:
    """`rule` is a name of SCALES or `searched`; `block` is rows by columns under one scale, at most the whole operand."""
    codes: str
    rule: str
    block: tuple = (ALL, ALL)
    fault: str = ""


def largest(codes):
    return 127 * INT8_STEP if codes == "int8" else float(ml_dtypes.finfo(TYPES[codes]).max)


def to_codes(values, codes, toward_zero=False):
    """The nearest value that the codes have; the largest for what is beyond it."""
    values = np.clip(values, -largest(codes), largest(codes))
    if codes == "int8":
        return np.rint(values / INT8_STEP) * np.float32(INT8_STEP)
    rounded = values.astype(TYPES[codes])
    if toward_zero:
        is_away = np.abs(rounded.astype(np.float32)) > np.abs(values)
        rounded = (rounded.view(np.uint8) - is_away).astype(np.uint8).view(TYPES[codes])
    return rounded.astype(np.float32)


def power_above(amax, limit):
    return np.exp2(np.ceil(np.log2(amax / limit)))


def power_below(amax, limit):
    return np.exp2(np.floor(np.log2(amax)) - np.floor(np.log2(limit)))


def in_two_levels(amax, limit):
    """Of E4M3, in units of one for the tensor."""
    unit = amax.max() / (largest("E4M3") * limit)
    return np.maximum(to_codes(amax / limit / unit, "E4M3"), np.float32(2.0**-9)) * unit


SCALES = {"power above": power_above, "power below": power_below, "exact": np.divide, "two levels": in_two_levels}


def searched(blocks, exact, codes):
    """Under that of 16 scales, from `exact` to its double, which makes the least squared error in each block."""
    best, least = None, None
    for factor in np.exp2(np.arange(0, 1, 1 / 16, dtype=np.float32)):
        tried = to_codes(blocks / (exact * factor), codes) * (exact * factor)
        error = np.square(tried - blocks).sum((1, 3), keepdims=True)
        best = tried if best is None else np.where(error < least, tried, best)
        least = error if least is None else np.minimum(error, least)
    return best


def quantized(operand, scheme):
    """The values that codes and scales of `scheme` stand for; a product sums over the last axis of the operand."""
    if scheme is None:
        return operand
    matrix = operand.reshape(-1, operand.shape[-1])
    rows, columns = np.minimum(scheme.block, matrix.shape)
    blocks = matrix.reshape(matrix.shape[0] // rows, rows, matrix.shape[1] // columns, columns)
    amax = np.abs(blocks).max((1, 3), keepdims=True)
    amax = np.where(amax == 0, 1, amax).astype(np.float32)
    limit = np.float32(largest(scheme.codes))
    if scheme.rule == "searched":
        return searched(blocks, amax / limit, scheme.codes).reshape(operand.shape)
    scale = SCALES[scheme.rule](amax, limit)
    if scheme.fault == "half":
        scale = scale / 2
    elif scheme.fault == "neighbour":
        scale = np.roll(scale, 1, axis=2)
    codes = to_codes(blocks / scale, scheme.codes, scheme.fault == "toward zero")
    return (codes * scale).astype(np.float32).reshape(operand.shape)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """`dual`: wgrad quantizes what fprop made of an activation, and not the activation."""
    activation: Scheme = None
    weight: Scheme = None
    gradient: Scheme = None
    dual: bool = False
    gemms: tuple = ("fprop", "dgrad", "wgrad")


def uniform(*scheme, **fields):
    return Recipe(*[Scheme(*scheme, **fields)] * 3)


def per_tensor(forward, gradient, rule="exact"):
    return Recipe(*[Scheme(forward, rule)] * 2, Scheme(gradient, rule))


MX = uniform("E4M3", "power above", (1, 32))
ROW, TILE = (1, 128), (128, 128)
RECIPES = {
    "fp8_current": per_tensor("E4M3", "E5M2"),
    "fp8_current_pow2": per_tensor("E4M3", "E5M2", "power above"),
    "fp8_rowwise": uniform("E4M3", "power above", (1, ALL)),
    "fp8_block128": dataclasses.replace(uniform("E4M3", "power above", ROW), weight=Scheme("E4M3", "power above", TILE)),
    "deepseek_v3": Recipe(Scheme("E4M3", "power above", ROW), Scheme("E4M3", "exact", TILE), Scheme("E4M3", "exact", ROW),
                          dual=True),
    "mxfp8": MX,
    "mxfp8_e5m2_grad": dataclasses.replace(MX, gradient=Scheme("E5M2", "power above", (1, 32))),
    "mxfp8_ocp": uniform("E4M3", "power below", (1, 32)),
    "mxfp6": uniform("E2M3", "power above", (1, 32)),
    "mxfp4": uniform("E2M1", "power above", (1, 32)),
    "mxint8": uniform("int8", "power below", (1, 32)),
    "nvfp4": dataclasses.replace(uniform("E2M1", "two levels", (1, 16)), weight=Scheme("E2M1", "two levels", (16, 16))),
    "fnuz": per_tensor("E4M3FNUZ", "E5M2FNUZ"),
    "gaudi": per_tensor("E4M3IEEE", "E5M2"),
}
# What no recipe does.
VARIANTS = {
    "mxfp8, fprop alone": dataclasses.replace(MX, gemms=("fprop",)),
    "mxfp8, dgrad and wgrad alone": dataclasses.replace(MX, gemms=("dgrad", "wgrad")),
    "mxfp8, activations alone": Recipe(activation=MX.activation),
    "mxfp8, weights alone": Recipe(weight=MX.weight),
    "mxfp8, gradients alone": Recipe(gradient=MX.gradient),
    "E4M3, f32 scale per 32 from the amax": uniform("E4M3", "exact", (1, 32)),
    "E4M3, f32 scale per 32 searched": uniform("E4M3", "searched", (1, 32)),
    "E4M3, f32 scale per 16 searched": uniform("E4M3", "searched", (1, 16)),
    "E2M1, f32 scale per 16 searched": uniform("E2M1", "searched", (1, 16)),
}
# What a faulty compiler might do.
FAULTS = {
    "mxfp8, rounded toward zero": uniform("E4M3", "power above", (1, 32), fault="toward zero"),
    "mxfp8, scales of half the size": uniform("E4M3", "power above", (1, 32), fault="half"),
    "mxfp8, the neighbour's scale": uniform("E4M3", "power above", (1, 32), fault="neighbour"),
    "mxfp8, weights in E5M2": dataclasses.replace(MX, weight=Scheme("E5M2", "power above", (1, 32))),
    "mxint8, gradients in E4M3": dataclasses.replace(uniform("int8", "power below", (1, 32)), gradient=MX.gradient),
    "mxfp4, scales of half the size": uniform("E2M1", "power above", (1, 32), fault="half"),
}
