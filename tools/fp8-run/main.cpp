// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph on the CPU as the exact reference, and compares.

#include "Progress.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Import/Signature.h"
#include "fp8-opt/InitAll.h"
#include "fp8-opt/Report/WholeFile.h"
#include "fp8-opt/Run/Arguments.h"
#include "fp8-opt/Run/InstrumentQuantizers.h"
#include "fp8-opt/Run/Results.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;

static llvm::cl::OptionCategory category("fp8-run",
                                         "fp8-run GRAPH runs a compiled or plain graph on this machine:");
static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::cat(category),
                                        llvm::cl::value_desc("graph"),
                                        llvm::cl::desc("<MLIR text or bytecode>"), llvm::cl::Required);
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

static constexpr llvm::StringLiteral kUnquantized = "unquantized";

static llvm::Error makeError(const Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

static void tellUser(const std::string &text) { llvm::errs() << "fp8-run: " << text << '\n'; }

static llvm::Expected<OwningOpRef<ModuleOp>> parseGraph(MLIRContext &context) {
  std::string problem;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(input, &problem);
  if (!buffer)
    return makeError("expected a graph at '" + input + "': " + problem);
  std::string first;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && first.empty())
      llvm::raw_string_ostream(first) << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  auto sources = std::make_shared<llvm::SourceMgr>();
  sources->AddNewSourceBuffer(std::move(buffer), SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return makeError("expected a module of linalg on tensors, text or bytecode, at '" + input +
                     "', got: " + first);
  return module;
}

/// That of --signature, which must fit the function, else the one the module carries, else numbers.
static llvm::Expected<qt::SignatureAttr> findSignature(ModuleOp module, func::FuncOp entry) {
  qt::QTDialect::SignatureAttrHelper helper(module.getContext());
  std::string first;
  ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
    if (first.empty())
      first = diagnostic.str();
    return success();
  });
  if (!signature.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(signature);
    if (!buffer)
      return makeError("expected a signature at '" + signature + "': " + buffer.getError().message());
    if (failed(readSignature(module, entry, **buffer)))
      return makeError(first);
  } else if (!helper.isAttrPresent(module)) {
    numberSignature(module, entry);
  }
  qt::SignatureAttr found = helper.getAttr(module);
  if (found.getArguments().size() != entry.getNumArguments() ||
      found.getResults().size() != entry.getNumResults())
    return makeError("expected names for " + Twine(entry.getNumArguments()) + " arguments and " +
                     Twine(entry.getNumResults()) + " results of '" + function + "', got " +
                     Twine(found.getArguments().size()) + " and " + Twine(found.getResults().size()));
  return found;
}

/// The arguments that the compiler found to be weights, from the report that a compiled module carries.
static llvm::SmallDenseSet<int64_t> findWeights(ModuleOp module) {
  llvm::SmallDenseSet<int64_t> weights;
  if (qt::ReportAttr report = qt::QTDialect::ReportAttrHelper(module.getContext()).getAttr(module))
    for (qt::EntryAttr entry : report.getEntries())
      if (entry.getLinear() && entry.getLinear().getArgument() >= 0)
        weights.insert(entry.getLinear().getArgument());
  return weights;
}

static llvm::Expected<std::vector<Argument>> describeArguments(func::FuncOp entry, qt::SignatureAttr names) {
  std::vector<Argument> arguments;
  std::vector<std::string> guessed;
  llvm::SmallDenseSet<int64_t> weights = findWeights(entry->getParentOfType<ModuleOp>());
  for (auto [index, named, type] : llvm::enumerate(names.getArguments(), entry.getArgumentTypes())) {
    auto value = valueType(type);
    if (!value)
      return makeError("argument '" + named.getName().str() + "': " + llvm::toString(value.takeError()));
    bool isWeight = named.getKind() == qt::ValueKind::Unknown && weights.contains(index);
    bool isParameter = named.getKind() == qt::ValueKind::Parameter || isWeight;
    if (isWeight)
      guessed.push_back("'" + named.getName().str() + "'");
    arguments.push_back({named.getName().str(), isParameter ? ArgumentKind::Parameter : ArgumentKind::Other,
                         std::move(*value)});
  }
  if (!init.empty() && !guessed.empty())
    tellUser(
        "parameters for --init, because the report of the graph has them as weights and no signature says "
        "what "
        "they are: " +
        listNames(std::move(guessed)));
  return arguments;
}

static llvm::Expected<std::vector<Tensor>> readArguments(const std::vector<Argument> &arguments) {
  ArgumentSource source;
  source.path = argumentsPath;
  if (!argumentsPath.empty()) {
    auto given = readTensorFile(argumentsPath);
    if (!given)
      return given.takeError();
    source.given = std::move(*given);
  }
  if (!init.empty()) {
    auto seed = parseSeed(init);
    if (!seed)
      return seed.takeError();
    source.seed = *seed;
  }
  return collectArguments(arguments, source, tellUser);
}

static std::vector<NamedTensor> nameResults(qt::SignatureAttr names, std::vector<Tensor> tensors) {
  std::vector<NamedTensor> named;
  for (auto [name, tensor] : llvm::zip_equal(names.getResults(), tensors))
    named.push_back({name.getName().str(), std::move(tensor)});
  return named;
}

static llvm::Expected<std::unique_ptr<Program>> compileProgram(ModuleOp module, const ProgramOptions &options,
                                                               Results &results) {
  Progress compiling("compiling " + input);
  auto program = Program::compile(module, options);
  results.compileSeconds = compiling.seconds();
  return program;
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
    return makeError("expected a quantized graph to compare, got '" + input + "', which " + state);
  tellUser("'" + input + "' " + state);
  return llvm::Error::success();
}

/// Everything up to the results; the module is used up.
static llvm::Expected<Results> runGraph(ModuleOp module) {
  auto entry = module.lookupSymbol<func::FuncOp>(function);
  if (!entry)
    return makeError("expected a function '" + function + "' in '" + input +
                     "', got none; name one with --function");
  if (entry.isExternal())
    return makeError("expected a function '" + function + "' with a body, got a declaration");
  if (llvm::Error error = checkStep(module))
    return error;
  auto names = findSignature(module, entry);
  if (!names)
    return names.takeError();
  auto arguments = describeArguments(entry, *names);
  if (!arguments)
    return arguments.takeError();
  auto values = readArguments(*arguments);
  if (!values)
    return values.takeError();

  bool comparesFunctions = reference == kUnquantized;
  std::string other = function + "_" + kUnquantized.str();
  if (comparesFunctions && !module.lookupSymbol<func::FuncOp>(other))
    return makeError("expected a function '" + other + "' to compare with, got none; '" + input +
                     "' was not compiled by fp8-opt, or is a plain graph");
  ProgramOptions options;
  options.entries = {function};
  if (comparesFunctions)
    options.entries.push_back(other);
  options.prepare = [](OpPassManager &manager) { manager.addPass(createConvertQTToReferencePass()); };

  Results results;
  results.referenceName = reference;
  results.quantizers = instrumentQuantizers(entry);
  auto program = compileProgram(module, options, results);
  if (!program)
    return program.takeError();
  std::vector<const Tensor *> pointers;
  for (const Tensor &value : *values)
    pointers.push_back(&value);
  Progress running("running " + input);
  if (comparesFunctions) {
    auto unquantized = (*program)->run(other, pointers);
    if (!unquantized)
      return unquantized.takeError();
    results.reference = nameResults(*names, std::move(*unquantized));
  }
  auto tensors = (*program)->run(function, pointers);
  if (!tensors)
    return tensors.takeError();
  results.runSeconds = running.seconds();
  results.values = nameResults(*names, std::move(*tensors));
  results.counts = (*program)->quantizers();
  return results;
}

/// One file cannot hold both.
static llvm::Error checkOutputs() {
  if (output.empty() || json.empty())
    return llvm::Error::success();
  if (output != json && !llvm::sys::fs::equivalent(output, json))
    return llvm::Error::success();
  return makeError("expected different files for --out and --json, got '" + output + "' for both");
}

static llvm::Error runTool(MLIRContext &context) {
  if (llvm::Error error = checkOutputs())
    return error;
  auto module = parseGraph(context);
  if (!module)
    return module.takeError();
  auto results = runGraph(module->get());
  if (!results)
    return results.takeError();
  if (!reference.empty() && reference != kUnquantized) {
    auto file = readTensorFile(reference);
    if (!file)
      return file.takeError();
    results->reference = std::move(*file);
  }
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
    return writeWhole(json, writeJson);
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM setup(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "fp8-run: runs graphs on the CPU as the exact reference\n");
  DialectRegistry registry;
  fp8opt::registerAllDialects(registry);
  registerProgramDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<qt::QTDialect>();
  llvm::Error error = runTool(context);
  llvm::outs().flush();
  if (std::error_code code = llvm::outs().error(); code && !error)
    error = makeError("expected to write the results to standard output, got: " + code.message());
  // The stream ends the process if nobody has looked.
  llvm::outs().clear_error();
  if (!error)
    return 0;
  llvm::errs() << "fp8-run: " << llvm::toString(std::move(error)) << '\n';
  return 1;
}
