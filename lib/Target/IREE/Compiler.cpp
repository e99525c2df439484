// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's compiler on a module that has gone through the exit.

#include "fp8-opt/Target/IREE/Compiler.h"

#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Process/WholeFile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AsmState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fp8opt;

/// The function of IREE or MLIR that a compiler crashed in, by its stack dump; empty where there is none.
static StringRef crashedIn(ArrayRef<StringRef> lines) {
  for (StringRef line : lines)
    if (line.ltrim().starts_with("#") && line.contains(" mlir::"))
      return line.drop_front(line.find(" mlir::") + 1).take_until([](char c) { return c == '('; });
  return "";
}

/// What a compiler's errors say most, for a message: lines that say "error:", else of which assertion or
/// where it crashed, else its last line.
static std::string firstErrors(StringRef text) {
  SmallVector<StringRef> lines, errors;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (line.contains("error:") && errors.size() < 3)
      errors.push_back(line.take_front(500));
  if (!errors.empty() || lines.empty())
    return llvm::join(errors, "\n");
  for (StringRef mark : {"Assertion", "LLVM ERROR", "UNREACHABLE", "what():"})
    if (auto line = llvm::find_if(lines, [&](StringRef line) { return line.contains(mark); });
        line != lines.end())
      return line->take_front(500).str();
  if (!text.contains("report issues"))
    return lines.back().take_front(500).str();
  StringRef place = crashedIn(lines);
  return place.empty() ? "a crash without a word" : "a crash in " + place.take_front(500).str();
}

llvm::Expected<std::string> iree::findCompiler(const CompilerOptions &options) {
  auto fail = [](const Twine &got) {
    return llvm::createStringError("expected iree-compile " + kVersion + " of the Python package " +
                                   "iree-base-compiler (" + kInstall + "), got " + got);
  };
  std::string path = findProgram(options.compiler, "iree-compile");
  if (path.empty())
    return fail(options.compiler.empty() ? "none on PATH; name it with --iree-compile=PATH"
                                         : "no program at '" + options.compiler + "'");
  auto answer = runCommand(path, {"--version"});
  if (!answer)
    return answer.takeError();
  StringRef version = StringRef(answer->output).split("IREE compiler version ").second;
  version = version.take_while([](char c) { return !isspace(c); });
  if (answer->status != 0 || version.empty())
    return fail("a program without a version at '" + path + "'");
  if (!version.starts_with((kVersion + ".").str()))
    return fail("version " + version + " at '" + path + "'");
  return path;
}

/// Where the program runs. Functions by the formulas of Numerics are computed in f64. IREE 3.13 has no sm_90
/// in its table; the driver assembles the kernels that are not ours for the chip that it finds. What it would
/// compute of constants while it compiles may need a kernel of ours.
static std::vector<std::string> deviceOptions(Machine machine, StringRef objectFolder) {
  if (machine == Machine::Processor)
    return {"--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
            "--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"};
  return {"--iree-hal-target-device=cuda", "--iree-cuda-target=sm_89", "--iree-opt-const-eval=false",
          ("--iree-hal-executable-object-search-path=" + objectFolder).str()};
}

/// An op at which IREE's compiler crashes: one that is neither of a linked dialect nor, by its name, of one
/// of IREE's, or scf.forall on tensors.
static Operation *findUnknown(ModuleOp module) {
  Operation *unknown = nullptr;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (!isa<scf::ForallOp>(op) && (op->isRegistered() || dialect.starts_with("iree") ||
                                    llvm::is_contained({"flow", "hal", "stream", "util"}, dialect)))
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  return unknown;
}

/// The text that IREE is given, for a place in which its errors name.
static void printModule(ModuleOp module, raw_ostream &os, AsmState::LocationMap *lines = nullptr) {
  AsmState state(module, OpPrintingFlags(), lines);
  module.print(os, state);
}

/// The op that a line of the text begins with, or is a part of.
static Operation *opAtLine(ModuleOp module, unsigned line) {
  AsmState::LocationMap lines;
  llvm::raw_null_ostream nowhere;
  printModule(module, nowhere, &lines);
  Operation *last = nullptr;
  unsigned lastLine = 0;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto found = lines.find(op);
    if (found != lines.end() && found->second.first <= line && found->second.first > lastLine)
      last = op, lastLine = found->second.first;
  });
  return last;
}

/// Errors with places in the user's program instead of "FILE:LINE:COLUMN" of a file that is gone.
static std::string withPlacesOf(ModuleOp module, StringRef errors, StringRef file) {
  std::string text;
  llvm::raw_string_ostream os(text);
  while (true) {
    auto [before, after] = errors.split((file + ":").str());
    os << before;
    unsigned line = 0, column = 0;
    if (after.consumeInteger(10, line) || !after.consume_front(":") || after.consumeInteger(10, column))
      return text + after.str();
    Operation *op = opAtLine(module, line);
    while (op && isa<UnknownLoc>(op->getLoc()))
      op = op->getParentOp();
    if (op)
      os << op->getLoc();
    else
      os << "line " << line << " of the text for IREE";
    errors = after;
  }
}

llvm::Error iree::compileModule(ModuleOp module, StringRef compiler, Machine machine, StringRef objectFolder,
                                StringRef vmfbPath) {
  if (Operation *unknown = findUnknown(module)) {
    std::string place;
    llvm::raw_string_ostream(place) << unknown->getLoc();
    return llvm::createStringError("expected ops that IREE's compiler takes, got '" +
                                   unknown->getName().getStringRef() + "' at " + place);
  }
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  std::string text = folder->file("exit.mlir");
  if (llvm::Error error = writeWhole(text, [&](raw_ostream &os) { printModule(module, os); }))
    return error;
  std::vector<std::string> arguments = {text, "-o", vmfbPath.str()};
  llvm::append_range(arguments, deviceOptions(machine, objectFolder));
  auto done = runCommand(compiler, arguments);
  if (!done)
    return done.takeError();
  if (done->status != 0)
    return llvm::createStringError("expected iree-compile to take the graph, got: " +
                                   withPlacesOf(module, firstErrors(done->errors), text));
  return llvm::Error::success();
}
