// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of MLIR bytecode: their checksum, and those that end too early, by a walk over the heads of the
// sections. MLIR's reader would say where its own parsing stopped, which is no word to who has copied half a
// file; on changed bytes it may crash, take all memory or read other numbers.

#include "fp8-opt/Import/BytecodeFile.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Bytecode/Encoding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <cstdint>

using namespace mlir;
using llvm::StringRef;

static constexpr StringRef kMagic("ML\xefR", 4);
/// How the name of the producer begins; the digits of the checksum follow.
static constexpr llvm::StringLiteral kSealed("fp8-opt BLAKE3 ");
/// Of the checksum, of 8 bytes.
static constexpr size_t kDigits = 16;

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

static std::string spellChecksum(llvm::BLAKE3 &hash) { return llvm::toHex(hash.final<kDigits / 2>(), true); }

namespace {
/// Hands on what it is given, and takes the checksum of what follows the first bytes.
class SummingStream : public llvm::raw_ostream {
public:
  SummingStream(llvm::raw_ostream &os, uint64_t skipped) : os(os), skipped(skipped) {
    SetBufferSize(size_t(1) << 16);
  }
  ~SummingStream() override { flush(); }
  std::string checksum() {
    flush();
    return spellChecksum(hash);
  }

private:
  void write_impl(const char *bytes, size_t size) override {
    os.write(bytes, size);
    StringRef written(bytes, size);
    hash.update(written.drop_front(std::min<uint64_t>(skipped - std::min(skipped, at), size)));
    at += size;
  }
  uint64_t current_pos() const override { return at; }

  llvm::raw_ostream &os;
  llvm::BLAKE3 hash;
  uint64_t skipped, at = 0;
};
} // namespace

llvm::LogicalResult fp8opt::writeBytecode(ModuleOp module, llvm::raw_fd_ostream &os) {
  uint64_t start = os.tell();
  if (!os.supportsSeeking())
    return writeBytecodeToFile(module, os, BytecodeWriterConfig("fp8-opt"));
  // The magic and a version of one byte are in front of the producer, and a zero behind it.
  uint64_t digits = kMagic.size() + 1 + kSealed.size();
  std::string producer = kSealed.str() + std::string(kDigits, '0');
  SummingStream summing(os, digits + kDigits + 1);
  BytecodeWriterConfig config(producer); // which it refers to
  config.setDesiredBytecodeVersion(bytecode::kVersion);
  if (failed(writeBytecodeToFile(module, summing, config)))
    return failure();
  std::string checksum = summing.checksum();
  os.pwrite(checksum.data(), checksum.size(), start + digits);
  return success();
}

/// Of a whole file.
static std::string whyChanged(StringRef contents, StringRef producer) {
  StringRef digits = producer;
  if (!digits.consume_front(kSealed) || digits.size() != kDigits)
    return "";
  llvm::BLAKE3 hash;
  hash.update(contents.drop_front(producer.end() + 1 - contents.begin()));
  std::string checksum = spellChecksum(hash);
  if (checksum == digits)
    return "";
  return "expected bytecode with checksum " + digits.str() + ", got " + checksum + "; the file is damaged";
}

std::string fp8opt::whyDamaged(StringRef contents) {
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
  uint64_t start = place.bytes();
  place.skipText(); // who wrote it
  uint64_t end = place.bytes();
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
  if (!isWhole)
    return say(place.bytes() + 1);
  return whyChanged(contents, contents.slice(start, end - 1));
}
