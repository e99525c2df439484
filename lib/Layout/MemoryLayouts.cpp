// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of operands, results and scales in memory.

#include "Builders.h"

using namespace mlir;
using namespace fp8opt;

std::optional<Layout> fp8opt::rowMajor(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits > 128)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  // A row starts at a byte.
  const int64_t elementsInByte = m.elementsIn(1);
  return m.build({m.row, m.column}, {m.rows, roundUp(m.columns, elementsInByte)}, {m.stored(0), m.stored(1)});
}

/// An element's place in its panel's row. The bits of its chunk's number are added to those of the row's,
/// modulo 2: an exclusive or that affine expressions can say. `inRow` may count from the row's start or from
/// the matrix's.
static AffineExpr exchanged(AffineExpr row, AffineExpr inRow, int64_t chunk) {
  AffineExpr place = inRow % chunk;
  for (unsigned step = 1; step < exchangeRows; step *= 2)
    place = place + ((inRow.floorDiv(chunk * step) + row.floorDiv(step)) % 2) * (chunk * step);
  return place;
}

std::optional<Layout> fp8opt::panels(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits < 4 || bits > chunkBytes * 8)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  const int64_t panel = m.elementsIn(panelBytes), chunk = m.elementsIn(chunkBytes);
  return m
      .build({m.column.floorDiv(panel), m.row, exchanged(m.row, m.column, chunk)},
             {m.columns.ceilDiv(panel), roundUp(m.rows, rowPadding), m.constant(panel)},
             // Exchanging twice is exchanging not at all.
             {m.stored(1), m.stored(0) * panel + exchanged(m.stored(1), m.stored(2), chunk)})
      .zeroPaddedAlong(1);
}

static bool isScaleWidth(unsigned bits) { return bits >= 8 && bits <= chunkBytes * 8; }

std::optional<Layout> fp8opt::tensorScales(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isScaleWidth(bits))
    return std::nullopt;
  // Read one at a time, so batches of it are not padded either.
  const AffineMap none = AffineMap::get(context);
  return Layout(name, bits, none, none, none);
}

std::optional<Layout> fp8opt::rowScales(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isScaleWidth(bits))
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  return m.build({m.row}, {roundUp(m.rows, m.elementsIn(chunkBytes))}, {m.stored(0), m.constant(0)});
}

std::optional<Layout> fp8opt::block128x128Scales(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isScaleWidth(bits))
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  return m.build({m.row, m.column}, {m.rows, roundUp(m.columns, m.elementsIn(chunkBytes))},
                 {m.stored(0), m.stored(1)});
}

std::optional<Layout> fp8opt::block1x128Scales(MLIRContext *context, StringRef name, unsigned bits) {
  if (!isScaleWidth(bits))
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  return m.build({m.column, m.row}, {m.columns, roundUp(m.rows, m.elementsIn(chunkBytes))},
                 {m.stored(1), m.stored(0)});
}

/// The same order, of another thing: rows are row blocks.
std::optional<Layout> fp8opt::block128x128TransposedScales(MLIRContext *context, StringRef name,
                                                           unsigned bits) {
  return block1x128Scales(context, name, bits);
}

std::optional<Layout> fp8opt::tiles128x4Scales(MLIRContext *context, StringRef name, unsigned bits) {
  if (bits != 8)
    return std::nullopt;
  MatrixLayout m(context, name, bits);
  return m
      .build(
          {m.row.floorDiv(128), m.column.floorDiv(4), m.row % 32, (m.row % 128).floorDiv(32), m.column % 4},
          {m.rows.ceilDiv(128), m.columns.ceilDiv(4), m.constant(32), m.constant(4), m.constant(4)},
          {m.stored(0) * 128 + m.stored(3) * 32 + m.stored(2), m.stored(1) * 4 + m.stored(4)})
      .zeroPaddedAlong(1);
}
