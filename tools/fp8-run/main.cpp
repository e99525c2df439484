// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on the exact reference or on an engine, and compares.

#include "../NamedValues.h"
#include "../ParserGuard.h"
#include "../ReadModule.h"
#include "../Version.h"
#include "Progress.h"

#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/InitAll.h"
#include "fp8-opt/Process/WholeFile.h"
#include "fp8-opt/Report/ProgramText.h"
#include "fp8-opt/Run/Engine.h"
#include "fp8-opt/Run/Spelling.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

static llvm::cl::OptionCategory category("fp8-run",
                                         "fp8-run GRAPH runs a compiled or plain graph on this machine:");
static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::cat(category),
                                        llvm::cl::value_desc("graph"),
                                        llvm::cl::desc("<MLIR text or bytecode, or .vmfb>"),
                                        llvm::cl::Required);
static llvm::cl::opt<std::string> argumentsPath("args", llvm::cl::cat(category),
                                                llvm::cl::value_desc("file.safetensors"),
                                                llvm::cl::desc("Values of the arguments, by name"));
static llvm::cl::opt<std::string> init("init", llvm::cl::cat(category), llvm::cl::value_desc("normal:SEED"),
                                       llvm::cl::desc("Generate the arguments that --args does not give"));
static llvm::cl::opt<std::string> output("out", llvm::cl::cat(category),
                                         llvm::cl::value_desc("file.safetensors"),
                                         llvm::cl::desc("Write the results"));
static llvm::cl::opt<std::string> reference("compare", llvm::cl::cat(category),
                                            llvm::cl::value_desc("unquantized or file.safetensors"),
                                            llvm::cl::desc("Compare the results, by name"));
static llvm::cl::opt<std::string> json("json", llvm::cl::cat(category), llvm::cl::value_desc("file.json"),
                                       llvm::cl::desc("Write the comparison; - for standard output"));
static llvm::cl::opt<std::string>
    signature("signature", llvm::cl::cat(category), llvm::cl::value_desc("file.json"),
              llvm::cl::desc("Names of arguments and results of a plain graph"));
static llvm::cl::opt<std::string> function("function", llvm::cl::cat(category), llvm::cl::init("main"),
                                           llvm::cl::desc("Function to run (default main)"));

namespace {
enum class Engine { Reference, IREE };
} // namespace
static llvm::cl::opt<Engine, false, NamedValues<Engine>>
    engine("engine", llvm::cl::cat(category), llvm::cl::desc("What runs the graph"),
           llvm::cl::values(
               clEnumValN(Engine::Reference, "reference", "exact numbers, compiled just in time (default)"),
               clEnumValN(Engine::IREE, "iree", "IREE's CPU back end, with the Python packages of IREE")));
static llvm::cl::opt<std::string> ireeCompile("iree-compile", llvm::cl::cat(category),
                                              llvm::cl::value_desc("path"),
                                              llvm::cl::desc("IREE's compiler (default: on PATH)"));
static llvm::cl::opt<std::string>
    python("python", llvm::cl::cat(category), llvm::cl::value_desc("path"),
           llvm::cl::desc("Python with IREE's runtime (default: beside iree-compile, or on PATH)"));
static llvm::cl::opt<unsigned> steps("steps", llvm::cl::cat(category), llvm::cl::value_desc("number"),
                                     llvm::cl::desc("Run once, then so many times, and time those"));
static llvm::cl::opt<bool>
    checkQuantizers("check-quantizers", llvm::cl::cat(category),
                    llvm::cl::desc("Compute codes and scales again from what the engine's quantizers read"));
static llvm::cl::opt<unsigned> poison("poison", llvm::cl::cat(category), llvm::cl::value_desc("byte"),
                                      llvm::cl::desc("Fill every buffer with a byte first: results stay"));
static constexpr llvm::StringLiteral kUnquantized = "unquantized";

static void tellUser(const std::string &text) { llvm::errs() << "fp8-run: " << text << '\n'; }

/// What IREE is given has ops of its dialects, which read as unregistered ones.
static llvm::Error checkDialects(ModuleOp module) {
  Operation *unknown = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    unknown = op->isRegistered() ? nullptr : op;
    return unknown ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (!unknown)
    return llvm::Error::success();
  return llvm::createStringError(
      locationText(unknown->getLoc()) + ": expected a graph in linalg on tensors, got '" +
      unknown->getName().getStringRef() +
      "', whose dialect fp8-run does not know; what is for IREE runs as the .vmfb that fp8-opt "
      "-o NAME.vmfb writes");
}

static llvm::Expected<OwningOpRef<ModuleOp>> parseGraph(MLIRContext &context) {
  auto contents = openModule(input, "a graph");
  if (!contents)
    return contents.takeError();
  std::string first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && first.empty())
      first = locationText(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
  context.allowUnregisteredDialects();
  auto sources = std::make_shared<llvm::SourceMgr>();
  OwningOpRef<ModuleOp> module =
      parseModule("fp8-run", input, std::move(*contents), sources, context, &first);
  context.allowUnregisteredDialects(false);
  if (!module)
    return llvm::createStringError("expected a module of linalg on tensors, text or bytecode, at '" + input +
                                   "', got: " + first + hintDialect(first));
  if (llvm::Error error = checkDialects(*module))
    return error;
  return module;
}

/// A module between steps is run, but has nothing yet to compare.
static llvm::Error checkStep(ModuleOp module) {
  qt::StepAttr reached = qt::QTDialect::StepAttrHelper(module.getContext()).getAttr(module);
  if (!reached || reached.getValue() >= qt::Step::Quantize)
    return llvm::Error::success();
  std::string step = qt::stringifyStep(reached.getValue()).str();
  std::string state = "has reached step '" + step +
                      "', and nothing is quantized before step 'quantize'; fp8-opt --from=" + step +
                      " goes on from there";
  if (reference == kUnquantized)
    return llvm::createStringError("expected a quantized graph to compare, got '" + input + "', which " +
                                   state);
  tellUser("'" + input + "' " + state);
  return llvm::Error::success();
}

static RunRequest makeRequest() {
  RunRequest request;
  request.path = input;
  request.function = function;
  request.signaturePath = signature;
  request.argumentsPath = argumentsPath;
  request.init = init;
  request.comparesUnquantized = reference == kUnquantized;
  request.steps = steps;
  if (poison.getNumOccurrences() > 0)
    request.poison = uint8_t(poison);
  request.remark = tellUser;
  request.begin = [](const std::string &what) { return std::make_shared<Progress>(what); };
  return request;
}

/// Whether the file is a .vmfb: an archive, which no MLIR file is.
static bool isCompiled() {
  auto file = llvm::MemoryBuffer::getFileSlice(input, 4, 0);
  return file && (*file)->getBuffer() == "PK\x03\x04";
}

static llvm::Error checkComparison(ModuleOp module) {
  std::string other = qt::unquantizedName(function);
  if (reference != kUnquantized || module.lookupSymbol<func::FuncOp>(other))
    return llvm::Error::success();
  return llvm::createStringError("expected a function '" + other + "' to compare with, got none; '" + input +
                                 "' was not compiled by fp8-opt, or is a plain graph");
}

/// Everything up to the results.
static llvm::Expected<Results> runGraph(MLIRContext &context) {
  IREEOptions iree;
  iree.compiler = ireeCompile;
  iree.python = python;
  iree.checkQuantizers = checkQuantizers;
  if (isCompiled()) {
    if (engine.getNumOccurrences() > 0 && engine != Engine::IREE)
      return llvm::createStringError("expected --engine=iree for '" + input + "', which IREE compiled");
    return runCompiledByIREE(context, makeRequest(), iree);
  }
  if (StringRef(input).ends_with(".vmfb") && llvm::sys::fs::exists(input))
    return llvm::createStringError("expected a .vmfb, an archive that IREE's compiler writes, at '" + input +
                                   "', got another file");
  auto module = parseGraph(context);
  if (!module)
    return module.takeError();
  if (llvm::Error error = checkStep(**module))
    return error;
  if (llvm::Error error = checkComparison(**module))
    return error;
  if (engine == Engine::IREE)
    return runOnIREE(**module, makeRequest(), iree);
  if (checkQuantizers)
    return llvm::createStringError(
        "expected --engine=iree with --check-quantizers: the reference is what it checks against");
  return runOnReference(**module, makeRequest());
}

/// What would fail after the work is told before it; and one file cannot hold both.
static llvm::Error checkOutputs() {
  for (StringRef path : {StringRef(output), StringRef(json)})
    if (llvm::Error error = checkPlace(path))
      return error;
  if (output.empty() || json.empty())
    return llvm::Error::success();
  if (output != json && !llvm::sys::fs::equivalent(output, json))
    return llvm::Error::success();
  return llvm::createStringError("expected different files for --out and --json, got '" + output +
                                 "' for both");
}

static llvm::Error checkPoison() {
  if (poison.getNumOccurrences() == 0)
    return llvm::Error::success();
  if (poison > 255)
    return llvm::createStringError("expected --poison to be a byte, 0 to 255, got " + Twine(poison));
  if (engine == Engine::IREE || isCompiled())
    return llvm::createStringError("expected no --poison with --engine=iree, whose buffers are its own");
  return llvm::Error::success();
}

/// The tensors of the file to compare with; none where there is no such file to be.
static llvm::Expected<std::vector<NamedTensor>> readReference() {
  if (reference.empty() || reference == kUnquantized)
    return std::vector<NamedTensor>();
  if (!llvm::sys::fs::exists(reference))
    return llvm::createStringError("expected --compare=" + kUnquantized +
                                   " or --compare=FILE.safetensors, got '" + reference +
                                   "', which is no file" + hintSpelling(reference, kUnquantized));
  return readTensorFile(reference);
}

static llvm::Error checkInit() {
  if (init.empty())
    return llvm::Error::success();
  return parseSeed(init).takeError();
}

static llvm::Error runTool(MLIRContext &context) {
  if (llvm::Error error = checkOutputs())
    return error;
  if (llvm::Error error = checkPoison())
    return error;
  if (llvm::Error error = checkInit())
    return error;
  auto file = readReference();
  if (!file)
    return file.takeError();
  auto results = runGraph(context);
  if (!results)
    return results.takeError();
  results->referenceName = reference;
  if (reference != kUnquantized)
    results->reference = std::move(*file);
  if (llvm::Error error = checkReference(*results))
    return error;
  bool jsonIsOutput = json == "-";
  printResults(jsonIsOutput ? llvm::errs() : llvm::outs(), *results);
  if (!output.empty())
    if (llvm::Error error = writeTensorFile(output, results->values))
      return error;
  auto writeJson = [&](llvm::raw_ostream &os) { os << llvm::formatv("{0:2}\n", resultsToJson(*results)); };
  if (jsonIsOutput)
    writeJson(llvm::outs());
  else if (!json.empty())
    if (llvm::Error error = writeWhole(json, writeJson))
      return error;
  // What was found is written first.
  return checkCodes(*results);
}

int main(int argc, char **argv) {
  llvm::InitLLVM setup(argc, argv);
  setVersion("fp8-run");
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "fp8-run: runs graphs, on the CPU as the exact reference or on an engine\n");
  DialectRegistry registry;
  fp8opt::registerAllDialects(registry);
  registerProgramDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<qt::QTDialect>();
  llvm::Error error = runTool(context);
  llvm::outs().flush();
  if (std::error_code code = llvm::outs().error(); code && !error)
    error =
        llvm::createStringError("expected to write the results to standard output, got: " + code.message());
  // The stream ends the process if nobody has looked.
  llvm::outs().clear_error();
  if (!error)
    return 0;
  llvm::errs() << "fp8-run: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}
