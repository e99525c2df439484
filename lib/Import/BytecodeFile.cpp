// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of MLIR bytecode that end too early: a walk over the heads of the sections. MLIR's reader would say
// where its own parsing stopped, which is no word to who has copied half a file.

#include "fp8-opt/Import/BytecodeFile.h"

#include "mlir/Bytecode/Encoding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>

using namespace mlir;
using llvm::StringRef;

static constexpr StringRef kMagic("ML\xefR", 4);

namespace {
/// A place in a file. Past the end, everything reads as 0.
class Place {
public:
  explicit Place(StringRef contents) : contents(contents) {}

  bool isPastEnd() const { return at > contents.size(); }
  bool isAtEnd() const { return at >= contents.size(); }
  /// Bytes up to here.
  uint64_t bytes() const { return at; }

  void skip(uint64_t bytes) { at = llvm::SaturatingAdd(at, bytes); }
  void align(uint64_t alignment) { at = alignment ? llvm::alignTo(at, alignment) : at; }
  void skipText() {
    size_t end = contents.find('\0', at);
    at = end == StringRef::npos ? contents.size() + 1 : end + 1;
  }
  uint8_t readByte() {
    uint64_t from = at++;
    return from < contents.size() ? uint8_t(contents[from]) : 0;
  }
  /// The zeros at the low end of the first byte count those that follow it.
  uint64_t readNumber() {
    uint8_t first = readByte();
    unsigned more = first ? unsigned(llvm::countr_zero(first)) : 8;
    uint8_t bytes[9] = {first};
    for (unsigned i = 1; i <= more; ++i)
      bytes[i] = readByte();
    if (more == 8)
      return llvm::support::endian::read64le(bytes + 1);
    return llvm::support::endian::read64le(bytes) >> (more + 1);
  }

private:
  StringRef contents;
  uint64_t at = 0;
};
} // namespace

std::string fp8opt::whyCutShort(StringRef contents) {
  auto say = [&](uint64_t least) {
    return "expected bytecode of at least " + std::to_string(least) + " bytes, got " +
           std::to_string(contents.size()) + "; the file is cut short";
  };
  if (!contents.empty() && contents.size() < kMagic.size() && kMagic.starts_with(contents))
    return say(kMagic.size());
  if (!contents.starts_with(kMagic))
    return "";
  Place place(contents);
  place.skip(kMagic.size());
  uint64_t version = place.readNumber();
  place.skipText(); // who wrote it
  if (!place.isPastEnd() && version > bytecode::kVersion)
    return ""; // of which the reader says more
  // The writer ends with these.
  uint8_t last = version >= bytecode::kNativePropertiesEncoding ? bytecode::Section::kProperties
                                                                : bytecode::Section::kString;
  constexpr uint8_t isAligned = 0x80;
  bool isWhole = false;
  while (!place.isAtEnd()) {
    uint8_t section = place.readByte();
    uint64_t bytes = place.readNumber();
    if (section & isAligned)
      place.align(place.readNumber());
    place.skip(bytes);
    isWhole |= (section & ~isAligned) == last;
  }
  if (place.isPastEnd())
    return say(place.bytes());
  return isWhole ? "" : say(place.bytes() + 1);
}
