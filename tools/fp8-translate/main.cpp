// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels to PTX or a cubin, from what they compute (qtile) or from instructions (llvm and nvvm).

#include "../ReadModule.h"
#include "../Version.h"

#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Process/WholeFile.h"
#include "fp8-opt/Target/NVVM/Assemble.h"
#include "fp8-opt/Target/NVVM/LowerKernels.h"
#include "fp8-opt/Target/NVVM/TargetLibrary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace fp8opt;

static llvm::cl::OptionCategory category("fp8-translate",
                                         "fp8-translate FORM --target=TARGET KERNELS -o OUT:");
static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::cat(category),
                                        llvm::cl::value_desc("kernels"),
                                        llvm::cl::desc("<MLIR text or bytecode>"), llvm::cl::init("-"));
static llvm::cl::opt<std::string> output("o", llvm::cl::cat(category), llvm::cl::value_desc("file"),
                                         llvm::cl::desc("Where the result goes (default: standard output)"),
                                         llvm::cl::init("-"));
namespace {
enum class Form { PTX, Cubin };
} // namespace
static llvm::cl::opt<Form>
    form(llvm::cl::cat(category), llvm::cl::desc("What is written"),
         llvm::cl::values(clEnumValN(Form::PTX, "nvvm-to-ptx", "PTX, the virtual assembly of NVIDIA's GPUs"),
                          clEnumValN(Form::Cubin, "nvvm-to-cubin", "what ptxas makes of it for one chip")));
static std::string nameTargets() {
  auto names = [](auto &&named) { return named.name; };
  return llvm::join(llvm::map_range(nvvm::chips(), names), ", ") + "; for kernels in qtile " +
         llvm::join(llvm::map_range(nvvm::shippedTargets(), names), ", ") +
         ", a target of the module, or path of a target file";
}
static const std::string targetHelp = nameTargets();
static llvm::cl::opt<std::string> target("target", llvm::cl::cat(category),
                                         llvm::cl::value_desc("name or file"), llvm::cl::desc(targetHelp));
static llvm::cl::opt<std::string> ptxas("ptxas", llvm::cl::cat(category), llvm::cl::value_desc("path"),
                                        llvm::cl::desc("The assembler (default: below --cuda, or on PATH)"));
static llvm::cl::opt<std::string> cuda("cuda", llvm::cl::cat(category), llvm::cl::value_desc("folder"),
                                       llvm::cl::desc("The CUDA toolkit (default /usr/local/cuda)"),
                                       llvm::cl::init("/usr/local/cuda"));
static llvm::cl::opt<std::string>
    report("report", llvm::cl::cat(category), llvm::cl::value_desc("file.json"),
           llvm::cl::desc("Write what ptxas says of each kernel, and how it is launched"));
static llvm::cl::opt<bool> strict("strict", llvm::cl::cat(category),
                                  llvm::cl::desc("Fail if a kernel spills or ptxas has a remark"));

static int fail(const Twine &message) {
  llvm::errs() << "fp8-translate: " << message << '\n';
  return 1;
}

static int write(StringRef path, StringRef content) {
  if (path == "-") {
    llvm::outs() << content;
    return 0;
  }
  llvm::Error error = writeWhole(path, [&](llvm::raw_ostream &os) { os << content; });
  return error ? fail(toString(std::move(error))) : 0;
}

static int writeResults(const nvvm::Assembled &assembled, ArrayRef<nvvm::KernelLaunch> launches,
                        const nvvm::Chip &chip) {
  std::vector<std::string> slowness = nvvm::findSlowness(assembled);
  for (const std::string &line : slowness)
    llvm::errs() << "ptxas: " << line << '\n';
  if (!report.empty())
    if (write(report, llvm::formatv("{0:2}\n", nvvm::toJSON(assembled, launches, chip)).str()))
      return 1;
  if (strict && !slowness.empty())
    return fail("expected kernels without spills and remarks, got " + Twine(slowness.size()));
  return write(output, form == Form::Cubin ? assembled.cubin : assembled.ptx);
}

/// What would fail after the work, or without a word, is told before it.
static int checkOptions() {
  if (form.getNumOccurrences() == 0)
    return fail("expected what to write, --nvvm-to-ptx or --nvvm-to-cubin, got neither");
  if (target.empty())
    return fail("expected --target to name a chip (" + targetHelp + "), got none");
  for (StringRef path : {StringRef(output), StringRef(report)})
    if (llvm::Error error = checkPlace(path))
      return fail(toString(std::move(error)));
  return 0;
}

/// The chip that is meant: of a target of the module, of the library or of a file, which may have another
/// name.
static FailureOr<std::string> findChip(ModuleOp module) {
  if (!isFile(target) && !nvvm::isShipped(target) && !module.lookupSymbol<qtile::TargetOp>(target))
    return target.getValue();
  FailureOr<qtile::TargetOp> loaded = nvvm::loadTarget(module.getLoc(), module, target);
  if (failed(loaded))
    return failure();
  std::string chip = loaded->getChip().str();
  // Beside instructions it says nothing more.
  if (module.getOps<qtile::KernelOp>().empty())
    loaded->erase();
  return chip;
}

int main(int argc, char **argv) {
  llvm::InitLLVM start(argc, argv);
  setVersion("fp8-translate");
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "fp8-translate: kernels to NVIDIA's GPUs\n");
  if (checkOptions())
    return 1;
  // A report is ptxas's, whatever is written.
  std::string assembler;
  if (form == Form::Cubin || !report.empty() || strict) {
    assembler = findProgram(ptxas, "ptxas", cuda + "/bin/ptxas");
    if (assembler.empty())
      return fail(ptxas.empty()
                      ? "expected ptxas on PATH or in '" + cuda + "/bin', got none; --ptxas=PATH names it"
                      : "expected a program at '" + ptxas + "', got none");
  }

  DialectRegistry registry;
  nvvm::registerDialects(registry);
  MLIRContext context(registry);
  auto contents = openModule(input, "kernels");
  if (!contents)
    return fail(toString(contents.takeError()));
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseModule("fp8-translate", input, std::move(*contents), sources, context);
  if (!module)
    return fail("expected a module of kernels, in qtile or in llvm and nvvm, at '" + input + "'");
  FailureOr<std::string> chipName = findChip(*module);
  if (failed(chipName))
    return 1;
  const nvvm::Chip *chip = nvvm::findChip(module->getLoc(), *chipName);
  if (!chip)
    return 1;
  FailureOr<std::vector<nvvm::KernelLaunch>> launches = nvvm::lowerKernels(*module, *chip);
  if (failed(launches))
    return 1;
  FailureOr<std::string> ptx = nvvm::translateToPTX(*module, *chip);
  if (failed(ptx))
    return 1;
  FailureOr<nvvm::Assembled> assembled = nvvm::assemble(*module, *std::move(ptx), *chip, assembler);
  return failed(assembled) ? 1 : writeResults(*assembled, *launches, *chip);
}
