// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of fragments in registers: who holds what, and who names the address of what. Where PTX speaks of a
// lane's group, g = lane / 4, and its place in the group, p = lane mod 4, the same letters stand here.

#include "Builders.h"

using namespace mlir;
using namespace fp8opt;

std::optional<Layout> fp8opt::wgmmaAccumulator(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != 32)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  AffineExpr thread = m.stored(0), instruction = m.stored(1), held = m.stored(2);
  AffineExpr warp = (m.row % 64).floorDiv(16), g = m.row % 8, p = (m.column % 8).floorDiv(2);
  return m.build(
      {warp * 32 + g * 4 + p, m.row.floorDiv(64),
       m.column.floorDiv(8) * 4 + (m.row.floorDiv(8) % 2) * 2 + m.column % 2},
      {m.constant(128), m.rows.ceilDiv(64), m.columns.ceilDiv(8) * 4},
      {instruction * 64 + thread.floorDiv(32) * 16 + (held.floorDiv(2) % 2) * 8 + (thread % 32).floorDiv(4),
       held.floorDiv(4) * 8 + (thread % 4) * 2 + held % 2});
}

std::optional<Layout> fp8opt::mmaC(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != 32)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  AffineExpr lane = m.stored(0), held = m.stored(3);
  AffineExpr g = m.row % 8, p = (m.column % 8).floorDiv(2);
  return m.build(
      {g * 4 + p, m.row.floorDiv(16), m.column.floorDiv(8), (m.row.floorDiv(8) % 2) * 2 + m.column % 2},
      {m.constant(32), m.rows.ceilDiv(16), m.columns.ceilDiv(8), m.constant(4)},
      {m.stored(1) * 16 + held.floorDiv(2) * 8 + lane.floorDiv(4),
       m.stored(2) * 8 + (lane % 4) * 2 + held % 2});
}

static bool isMmaWidth(unsigned bits) { return bits == 4 || bits == 8 || bits == 16; }

std::optional<Layout> fp8opt::mmaA(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isMmaWidth(bits))
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  // Of a register, of the 16 bytes that a group holds in one, of an instruction.
  const int64_t inWord = m.elementsIn(4), inGroup = m.elementsIn(16), depth = m.elementsIn(32);
  AffineExpr lane = m.stored(0), held = m.stored(3);
  AffineExpr g = m.row % 8, p = (m.column % inGroup).floorDiv(inWord);
  return m.build(
      {g * 4 + p, m.row.floorDiv(16), m.column.floorDiv(depth),
       (m.column.floorDiv(inGroup) % 2) * 2 + m.row.floorDiv(8) % 2, m.column % inWord},
      {m.constant(32), m.rows.ceilDiv(16), m.columns.ceilDiv(depth), m.constant(4), m.constant(inWord)},
      {m.stored(1) * 16 + (held % 2) * 8 + lane.floorDiv(4),
       m.stored(2) * depth + held.floorDiv(2) * inGroup + (lane % 4) * inWord + m.stored(4)});
}

std::optional<Layout> fp8opt::mmaB(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isMmaWidth(bits))
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  const int64_t inWord = m.elementsIn(4), inGroup = m.elementsIn(16), depth = m.elementsIn(32);
  AffineExpr lane = m.stored(0), held = m.stored(3);
  AffineExpr g = m.row % 8, p = (m.column % inGroup).floorDiv(inWord);
  return m.build(
      {g * 4 + p, m.row.floorDiv(8), m.column.floorDiv(depth), m.column.floorDiv(inGroup) % 2,
       m.column % inWord},
      {m.constant(32), m.rows.ceilDiv(8), m.columns.ceilDiv(depth), m.constant(2), m.constant(inWord)},
      {m.stored(1) * 8 + lane.floorDiv(4),
       m.stored(2) * depth + held * inGroup + (lane % 4) * inWord + m.stored(4)});
}

std::optional<Layout> fp8opt::mmaScales(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != 8)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  AffineExpr lane = m.stored(0);
  return m.build(
      {(m.row % 8) * 4 + (m.row % 32).floorDiv(8), m.row.floorDiv(32), m.column.floorDiv(4), m.column % 4},
      {m.constant(32), m.rows.ceilDiv(32), m.columns.ceilDiv(4), m.constant(4)},
      {m.stored(1) * 32 + (lane % 4) * 8 + lane.floorDiv(4), m.stored(2) * 4 + m.stored(3)});
}

AffineMap fp8opt::mmaScaleSelector(MLIRContext *context, ScaledOperand operand,
                                   unsigned blocksPerInstruction) {
  const int64_t rowsPerInstruction = operand == ScaledOperand::A ? 16 : 8;
  AffineExpr row, block;
  bindDims(context, row, block);
  return AffineMap::get(2, 0,
                        {(row % 32).floorDiv(rowsPerInstruction),
                         (block % 4).floorDiv(blocksPerInstruction) * blocksPerInstruction},
                        context);
}

/// Eight lanes name the rows of one of the four 8x16-byte matrices: those of the first eight rows, of the
/// next, then of the next chunk.
std::optional<Layout> fp8opt::ldmatrixA(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != chunkBytes * 8)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  AffineExpr lane = m.stored(0);
  return m.build({m.row % 16 + (m.column % 2) * 16, m.row.floorDiv(16), m.column.floorDiv(2)},
                 {m.constant(32), m.rows.ceilDiv(16), m.columns.ceilDiv(2)},
                 {m.stored(1) * 16 + lane % 16, m.stored(2) * 2 + lane.floorDiv(16)});
}

/// Accumulators are held in the order in which A is.
std::optional<Layout> fp8opt::stmatrix(MLIRContext *context, StringRef name, unsigned bits) {
  return ldmatrixA(context, name, bits);
}

/// Both chunks of the first eight rows come first, so that the registers of one instruction's B are
/// neighbours: in A's order the assembler has to move them.
std::optional<Layout> fp8opt::ldmatrixB(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != chunkBytes * 8)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  AffineExpr lane = m.stored(0);
  return m.build(
      {(m.row % 16).floorDiv(8) * 16 + (m.column % 2) * 8 + m.row % 8, m.row.floorDiv(16),
       m.column.floorDiv(2)},
      {m.constant(32), m.rows.ceilDiv(16), m.columns.ceilDiv(2)},
      {m.stored(1) * 16 + lane.floorDiv(16) * 8 + lane % 8, m.stored(2) * 2 + lane.floorDiv(8) % 2});
}
