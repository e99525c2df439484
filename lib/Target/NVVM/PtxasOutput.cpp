// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader of ptxas's lines. As CUDA 12.9 and 13.0 write them:
//
//   ptxas info    : (C7519) warpgroup.arrive is injected in around line 101 by compiler ... in function 'k'
//   ptxas info    : Compiling entry function 'k' for 'sm_90a'
//   ptxas info    : Function properties for k
//       8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
//   ptxas info    : Used 255 registers, used 1 barriers, 8 bytes cumulative stack size, 64 bytes smem
//   ptxas kernels.ptx, line 22; error   : Not a name of any known instruction: 'nonsense'

#include "PtxasOutput.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace fp8opt::nvvm;

namespace {
class Reader {
public:
  PtxasOutput output;

  void readLine(StringRef line) {
    StringRef head = line.take_until([](char c) { return c == ':'; }), body = line.drop_front(head.size());
    body.consume_front(":");
    if (!head.starts_with("ptxas"))
      return readProperties(line);
    if (head.contains("error") || head.contains("fatal"))
      return readError(head, body.trim());
    readRemark(head, body.trim());
    readInformation(body.trim());
  }

private:
  /// Of what the next lines tell: by index, as the list grows.
  std::optional<size_t> properties, kernel;

  size_t indexOf(StringRef name) {
    for (auto [index, function] : enumerate(output.functions))
      if (function.name == name)
        return index;
    output.functions.emplace_back().name = name.str();
    return output.functions.size() - 1;
  }

  static int64_t numberIn(StringRef line, StringRef pattern) {
    SmallVector<StringRef> found;
    int64_t number = 0;
    if (Regex(pattern).match(line, &found))
      found[1].getAsInteger(10, number);
    return number;
  }

  static std::string functionIn(StringRef line) {
    SmallVector<StringRef> found;
    return Regex("in (the )?function '?([A-Za-z0-9_$]+)").match(line, &found) ? found[2].str() : "";
  }

  void readProperties(StringRef line) {
    if (!properties || !line.contains("bytes stack frame"))
      return;
    FunctionReport &function = output.functions[*properties];
    function.stackBytes = numberIn(line, "([0-9]+) bytes stack frame");
    function.spillStoreBytes = numberIn(line, "([0-9]+) bytes spill stores");
    function.spillLoadBytes = numberIn(line, "([0-9]+) bytes spill loads");
  }

  void readError(StringRef head, StringRef body) {
    // The last line only sums up.
    if (body.starts_with("Ptx assembly aborted"))
      return;
    output.errors.push_back({unsigned(numberIn(head, "line ([0-9]+);")), functionIn(body), body.str()});
  }

  void readRemark(StringRef head, StringRef body) {
    SmallVector<StringRef> code;
    bool hasCode = Regex("^\\((C[0-9]+)\\) *(.*)$").match(body, &code);
    if (!hasCode && !head.contains("warning"))
      return;
    output.remarks.push_back(
        {hasCode ? code[1].str() : "", functionIn(body), hasCode ? code[2].str() : body.str()});
  }

  void readInformation(StringRef body) {
    SmallVector<StringRef> found;
    if (Regex("^Compiling entry function '([^']*)'").match(body, &found)) {
      kernel = indexOf(found[1]);
      output.functions[*kernel].isKernel = true;
    } else if (body.consume_front("Function properties for ")) {
      body.consume_front("'");
      body.consume_back("'");
      properties = indexOf(body);
    } else if (kernel && body.starts_with("Used ")) {
      FunctionReport &function = output.functions[*kernel];
      function.registers = numberIn(body, "Used ([0-9]+) registers");
      function.barriers = numberIn(body, "used ([0-9]+) barriers");
      function.staticSharedBytes = numberIn(body, "([0-9]+) bytes smem");
    }
  }
};
} // namespace

PtxasOutput fp8opt::nvvm::parsePtxasOutput(StringRef text) {
  Reader reader;
  for (StringRef line : split(text, '\n'))
    reader.readLine(line.rtrim());
  // ptxas goes through functions in an order of its own.
  llvm::sort(reader.output.functions,
             [](const FunctionReport &a, const FunctionReport &b) { return a.name < b.name; });
  return std::move(reader.output);
}
