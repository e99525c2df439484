// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exit to IREE: a graph in plain upstream dialects, and IREE's compiler on it.

#include "fp8-opt/Target/IREE/Exit.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Process/WholeFile.h"
#include "fp8-opt/Target/IREE/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace fp8opt;

void iree::addExit(OpPassManager &manager, const ExitOptions &options) {
  manager.addPass(createIREEWarnOfAssertionsPass());
  manager.addPass(createIREEDescribeQuantizersPass({options.function, options.exposeQuantizers}));
  manager.addPass(createConvertQTToReferencePass({/*orderedProducts=*/false}));
  const bool isForProcessor = options.objects.empty();
  if (isForProcessor)
    manager.addPass(createConvertMathToReferencePass({/*keepOthers=*/true}));
  manager.addPass(createIREEDropEmptyLoopsPass());
  manager.addPass(createIREELiftNegationsPass());
  manager.addPass(createIREEMaskCumulativeSumsPass());
  manager.addPass(createIREESplitResultsPass());
  if (!isForProcessor)
    manager.addPass(createIREEWidenLatePass());
  manager.addPass(createIREEKeepRoundingsPass());
  if (!isForProcessor)
    manager.addPass(createIREEKeepTermsPass());
  manager.addPass(createIREEInlineResourcesPass());
  manager.addPass(createIREEKeepArgumentsPass({options.function}));
  if (!isForProcessor)
    manager.addPass(createIREEConvertLaunchesPass({options.objects}));
  const StringRef device = isForProcessor ? "local-task" : "cuda";
  manager.addPass(createIREEFinishEntriesPass({options.function, device.str()}));
}

namespace {
struct ExitPipelineOptions : PassPipelineOptions<ExitPipelineOptions> {
  Option<std::string> function{*this, "function", llvm::cl::desc("The function"), llvm::cl::init("main")};
  Option<bool> expose{*this, "expose", llvm::cl::desc("Return sources, codes and scales of quantizers"),
                      llvm::cl::init(false)};
  Option<std::string> objects{
      *this, "objects",
      llvm::cl::desc("How the names of the kernels' files end; empty: a graph without kernels")};
};
} // namespace

void fp8opt::registerIREEPipelines() {
  PassPipelineRegistration<ExitPipelineOptions>(
      "convert-to-iree", "Writes a graph as plain upstream dialects, as IREE takes it",
      [](OpPassManager &manager, const ExitPipelineOptions &options) {
        iree::addExit(manager, {options.function, options.expose, options.objects});
      });
}

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
static std::vector<std::string> deviceOptions(StringRef objects) {
  if (objects.empty())
    return {"--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=llvm-cpu",
            "--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"};
  return {"--iree-hal-target-device=cuda", "--iree-cuda-target=sm_89", "--iree-opt-const-eval=false",
          ("--iree-hal-executable-object-search-path=" + objects).str()};
}

/// An op that is neither of a linked dialect nor, by its name, of one of IREE's, whose compiler crashes at
/// it.
static Operation *findUnknown(ModuleOp module) {
  Operation *unknown = nullptr;
  module.walk([&](Operation *op) {
    StringRef dialect = op->getName().getDialectNamespace();
    if (op->isRegistered() || dialect.starts_with("iree") ||
        llvm::is_contained({"flow", "hal", "stream", "util"}, dialect))
      return WalkResult::advance();
    unknown = op;
    return WalkResult::interrupt();
  });
  return unknown;
}

llvm::Error iree::compileModule(ModuleOp module, StringRef compiler, StringRef objects, StringRef vmfbPath) {
  if (Operation *unknown = findUnknown(module)) {
    std::string place;
    llvm::raw_string_ostream(place) << unknown->getLoc();
    return llvm::createStringError("expected ops of IREE's dialects and MLIR's, got '" +
                                   unknown->getName().getStringRef() + "' at " + place);
  }
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  std::string text = folder->file("exit.mlir");
  if (llvm::Error error = writeWhole(text, [&](raw_ostream &os) { module.print(os); }))
    return error;
  std::vector<std::string> arguments = {text, "-o", vmfbPath.str()};
  llvm::append_range(arguments, deviceOptions(objects));
  auto done = runCommand(compiler, arguments);
  if (!done)
    return done.takeError();
  if (done->status != 0)
    return llvm::createStringError("expected iree-compile to take the graph, got: " +
                                   firstErrors(done->errors));
  return llvm::Error::success();
}
