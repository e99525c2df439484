// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one-command compiler: options and what they do.

#include "Compiler.h"
#include "../NamedValues.h"
#include "../ParserGuard.h"
#include "../ReadModule.h"
#include "Driver.h"
#include "IREEOutput.h"
#include "Records.h"

#include "fp8-opt/Import/BytecodeFile.h"
#include "fp8-opt/Pipelines/Compile.h"
#include "fp8-opt/Process/Command.h"
#include "fp8-opt/Process/WholeFile.h"
#include "fp8-opt/Recipes/RecipeLibrary.h"
#include "fp8-opt/Report/Plan.h"
#include "fp8-opt/Report/ProgramText.h"
#include "fp8-opt/Report/Report.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace fp8opt;

llvm::cl::OptionCategory &compilerCategory() {
  static llvm::cl::OptionCategory category("Compiler",
                                           "fp8-opt MODEL.mlir --recipe=NAME -o OUT compiles a graph:");
  return category;
}

static llvm::cl::OptionCategory &category = compilerCategory();
static llvm::cl::opt<std::string> recipe("recipe", llvm::cl::cat(category),
                                         llvm::cl::value_desc("name or file"),
                                         llvm::cl::desc("Recipe of the library, or path of a recipe file"));
static const std::string targetHelp = "What the result runs on (default cpu): " + targetNames() +
                                      ", a target of the graph's module, or path of a target file";
static llvm::cl::opt<std::string> target("target", llvm::cl::cat(category), llvm::cl::init("cpu"),
                                         llvm::cl::value_desc("name or file"), llvm::cl::desc(targetHelp));
static llvm::cl::opt<std::string> signature("signature", llvm::cl::cat(category),
                                            llvm::cl::value_desc("file.json"),
                                            llvm::cl::desc("Names of arguments and results"));
static llvm::cl::opt<std::string> function("function", llvm::cl::cat(category), llvm::cl::init("main"),
                                           llvm::cl::desc("Function to compile (default main)"));
static llvm::cl::opt<bool> strict(
    "strict", llvm::cl::cat(category),
    llvm::cl::desc("Fail if a product is kept by anything but the recipe, or may be in an unknown op"));
static llvm::cl::opt<std::string> report("report", llvm::cl::cat(category), llvm::cl::value_desc("file.json"),
                                         llvm::cl::desc("Write what became of every contraction"));
static llvm::cl::opt<bool> showPlan(
    "print-plan", llvm::cl::cat(category),
    llvm::cl::desc("Print when each tensor is quantized, what is kept of it, and what else was considered"));
static llvm::cl::opt<std::string> from("from", llvm::cl::cat(category), llvm::cl::value_desc("step"),
                                       llvm::cl::desc("Go on from a module that has reached this step"));
static llvm::cl::opt<std::string>
    until("until", llvm::cl::cat(category), llvm::cl::value_desc("step"),
          llvm::cl::desc("Stop after this step (import, roles, schemes, ...); -o writes text to .mlir "
                         "files and standard output, bytecode to others"));
static llvm::cl::opt<bool>
    remarks("remarks", llvm::cl::cat(category),
            llvm::cl::desc("Say of every amax and quantizer that is not fused what keeps it"));
namespace {
enum class Engine { Reference, IREE };
} // namespace
static llvm::cl::opt<Engine, false, NamedValues<Engine>>
    engine("engine", llvm::cl::cat(category), llvm::cl::desc("What will run the result"),
           llvm::cl::values(
               clEnumValN(Engine::Reference, "reference", "fp8-run's exact reference (default)"),
               clEnumValN(Engine::IREE, "iree",
                          "IREE: -o writes a .vmfb, and IREE's input to .mlir files and standard output")));
static llvm::cl::opt<std::string> ireeCompile("iree-compile", llvm::cl::cat(category),
                                              llvm::cl::value_desc("path"),
                                              llvm::cl::desc("IREE's compiler (default: on PATH)"));
static llvm::cl::opt<std::string> ptxas("ptxas", llvm::cl::cat(category), llvm::cl::value_desc("path"),
                                        llvm::cl::desc("NVIDIA's assembler of kernels (default: on PATH)"));

bool wantsCompiler() {
  const llvm::cl::Option *options[] = {&recipe, &target,      &signature, &function, &strict,
                                       &report, &showPlan,    &from,      &until,    &remarks,
                                       &engine, &ireeCompile, &ptxas};
  return llvm::any_of(options,
                      [](const llvm::cl::Option *option) { return option->getNumOccurrences() > 0; });
}

static int fail(const Twine &message) {
  llvm::errs() << "fp8-opt: " << message << '\n';
  return 1;
}

/// Reads the name of a step into `step`; an empty name is none.
static bool parseStep(StringRef option, StringRef text, std::optional<qt::Step> &step) {
  if (text.empty())
    return true;
  step = qt::symbolizeStep(text);
  if (!step)
    fail("expected --" + option + " to name a step that this version has (" + stepNames() + "), got '" +
         text + "'");
  return step.has_value();
}

/// Writes a file whole or not at all; "-" is standard output.
static int write(StringRef path, function_ref<void(llvm::raw_ostream &)> content) {
  if (path == "-") {
    content(llvm::outs());
    return 0;
  }
  llvm::Error error = writeWhole(path, content);
  return error ? fail(toString(std::move(error))) : 0;
}

static bool isText(StringRef path) { return path == "-" || path.ends_with(".mlir"); }

/// Text on standard output and in .mlir files, bytecode elsewhere. Nothing is held in memory: weights are
/// big.
static int writeModule(ModuleOp module, StringRef path) {
  if (isText(path))
    return write(path, [&](llvm::raw_ostream &os) { module.print(os); });
  llvm::Error error = writeWholeOrRefuse(path, [&](llvm::raw_fd_ostream &os) -> llvm::Error {
    if (failed(writeBytecode(module, os)))
      return llvm::createStringError("expected the module to have a bytecode form, got none");
    return llvm::Error::success();
  });
  return error ? fail(toString(std::move(error))) : 0;
}

/// What the options of the opt driver and of MLIR say of how the passes of `manager` run.
static LogicalResult configure(PassManager &manager, TimingScope &scope) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // Prints the passes where --dump-pass-pipeline asks for it.
  if (failed(config.setupPassPipeline(manager)))
    return failure();
  // Each step verifies what it has changed (qt-verify-stage); every pass does where that is asked for.
  if (const llvm::cl::Option *each = llvm::cl::getRegisteredOptions().lookup("verify-each"))
    if (each->getNumOccurrences() > 0)
      manager.enableVerifier(config.shouldVerifyPasses());
  manager.enableTiming(scope);
  return applyPassManagerCLOptions(manager);
}

/// What IREE makes of the module, or, as text, what it is given.
static int writeForIREE(IREEOutput &output, ModuleOp module, StringRef path, TimingScope &scope) {
  if (failed(output.lower(module, [&](PassManager &manager) { return configure(manager, scope); })))
    return 1;
  if (isText(path))
    return writeModule(module, path);
  auto made = output.compile(module);
  if (!made)
    return fail(toString(made.takeError()));
  return write(path, [&](llvm::raw_ostream &os) { os << (*made)->getBuffer(); });
}

/// An option of the opt driver that is given and means nothing here; empty if there is none.
static StringRef findMeaningless(const MlirOptMainConfig &config) {
  const std::pair<bool, StringRef> options[] = {
      {!config.inputSplitMarker().empty(), "--split-input-file"},
      {config.shouldVerifyDiagnostics(), "--verify-diagnostics"},
      {config.shouldEmitBytecode(), "--emit-bytecode"},
      {config.bytecodeVersionToEmit().has_value(), "--emit-bytecode-version"},
      {config.shouldElideResourceDataFromBytecode(), "--elide-resource-data-from-bytecode"},
      {config.shouldShowDialects(), "--show-dialects"},
      {config.shouldListPasses(), "--list-passes"},
      {config.shouldRunReproducer(), "--run-reproducer"},
      {!config.getReproducerFilename().empty(), "--mlir-generate-reproducer"},
      {config.shouldUseExplicitModule(), "--no-implicit-module"},
      {!config.shouldVerifyOnParsing(), "--mlir-very-unsafe-disable-verifier-on-parsing"},
      {config.shouldVerifyRoundtrip(), "--verify-roundtrip"},
      {config.shouldEmitRemarks(), "--remarks-filter"},
      {!config.getIrdlFile().empty(), "--irdl-file"}};
  const auto *given = llvm::find_if(options, [](auto &option) { return option.first; });
  return given == std::end(options) ? StringRef() : given->second;
}

/// The options of the opt driver that mean something here are read, the others refused: nothing is passed
/// over.
static bool readDriverOptions(MLIRContext &context) {
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  if (StringRef option = findMeaningless(config); !option.empty())
    return fail("expected no " + option + " beside the compiler's options, where it means nothing"), false;
  return true;
}

/// What would fail after the work is told before it. A report and a module in one file, or one stream, would
/// be neither.
static bool checkPaths(StringRef inputPath, StringRef outputPath) {
  for (StringRef path : {outputPath, StringRef(report)})
    if (llvm::Error error = checkPlace(path))
      return fail(toString(std::move(error))), false;
  if (report.empty() || (report != outputPath && (report == "-" || report != inputPath)))
    return true;
  return fail("expected --report to name a file of its own, got '" + report + "', which the " +
              (report == outputPath ? "module is written to" : "graph is read from")),
         false;
}

/// What IREE is given is a quantized graph. A step that the target does not have is refused when the module
/// is read, which may know the right target.
static bool checkEngine(std::optional<qt::Step> first, std::optional<qt::Step> last, StringRef outputPath) {
  const Machine machine = machineOf(target);
  if (first && *first > lastStep(machine))
    return true;
  bool isForProcessor = machine == Machine::Processor;
  if (engine == Engine::Reference && isForProcessor && outputPath.ends_with(".vmfb"))
    return fail("expected --engine=iree beside an output named .vmfb, which IREE runs, got the reference"),
           false;
  if (engine == Engine::Reference && !isForProcessor && engine.getNumOccurrences())
    return fail("expected --engine=iree or none for target '" + target +
                "', got the reference, which runs on processors"),
           false;
  bool isForIREE = engine == Engine::IREE || (!isForProcessor && !last);
  if (!isForProcessor && isForIREE && !isText(outputPath) && !outputPath.ends_with(".vmfb"))
    return fail("expected an output named .vmfb, which IREE runs, or .mlir, what IREE is given, got '" +
                outputPath + "'"),
           false;
  if (!isForIREE && outputPath.ends_with(".vmfb"))
    return fail("expected no output named .vmfb beside --until=" + until + ", which leaves a module, got '" +
                outputPath + "'"),
           false;
  if (engine != Engine::IREE || !last || *last >= qt::Step::Quantize)
    return true;
  return fail("expected --until to be quantize or later with --engine=iree, got '" + until +
              "': nothing is quantized before"),
         false;
}

/// Report and plan, as text and as JSON, as far as they are asked for. `kernelForm`: see IREEOutput.
static LogicalResult tellWhatBecame(ModuleOp module, StringRef target, StringRef kernelForm,
                                    llvm::json::Array remarks) {
  Records records = findRecords(module, function);
  if (!records.made && (!report.empty() || strict))
    return failure(fail("expected --until to be schemes or later for a report or --strict"));
  if (!records.plan && showPlan)
    return failure(fail("expected --until to be axes or later for a plan"));
  if (showPlan)
    printPlan(llvm::errs(), records.plan);
  if (!records.made)
    return success();
  print(records, module);
  if (!report.empty() && write(report, [&](llvm::raw_ostream &os) {
        os << llvm::formatv(
            "{0:2}\n", llvm::json::Value(toJson(records, module, target, kernelForm, std::move(remarks))));
      }))
    return failure();
  if (!strict)
    return success();
  LogicalResult known = checkStrict(records.unknown);
  return success(succeeded(checkStrict(records.made)) && succeeded(known));
}

/// Compiles and writes; diagnostics go through the context.
static int compileModule(ModuleOp module, const CompileOptions &options, StringRef outputPath,
                         TimingScope &scope) {
  // Kernels are launched by IREE. Where --until says what is wanted, a module is one like others.
  const Machine machine = machineOf(options.target);
  bool isWhole = !options.until && machine == Machine::Device;
  bool isForIREE = engine == Engine::IREE || (isWhole && !isText(outputPath));
  std::optional<IREEOutput> forIREE;
  auto prepare = [&](PassManager &manager) -> LogicalResult {
    if (isForIREE) {
      auto output = IREEOutput::create({function, machine, ireeCompile, ptxas, isText(outputPath)});
      if (!output)
        return failure(fail(toString(output.takeError())));
      forIREE.emplace(std::move(*output));
    }
    return configure(manager, scope);
  };
  llvm::json::Array remarks;
  {
    ScopedDiagnosticHandler keepRemarks(module.getContext(), [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
        remarks.push_back(llvm::json::Object{{"location", jsonText(locationText(diagnostic.getLocation()))},
                                             {"text", jsonText(diagnostic.str())}});
      return failure(); // they are printed as well
    });
    if (failed(compile(module, options, prepare)))
      return 1;
  }
  if (failed(
          tellWhatBecame(module, options.target, forIREE ? forIREE->kernelForm() : "", std::move(remarks))))
    return 1;
  TimingScope writing = scope.nest("Output");
  return forIREE ? writeForIREE(*forIREE, module, outputPath, writing) : writeModule(module, outputPath);
}

int runCompiler(StringRef inputPath, StringRef outputPath, DialectRegistry &registry) {
  MLIRContext context(registry);
  CompileOptions options;
  options.recipe = recipe;
  options.signature = signature;
  options.function = function;
  options.remarks = remarks;
  if (namesPasses())
    return fail("expected either passes or options of the compiler (--recipe, --until, ...), got both");
  if (!parseStep("from", from, options.from) || !parseStep("until", until, options.until))
    return 1;

  // Of a target that only the graph has, what may be asked for is known when it is read.
  bool isKnown = isTarget(target) || isFile(target);
  if ((isKnown && !checkEngine(options.from, options.until, outputPath)) || !readDriverOptions(context) ||
      !checkPaths(inputPath, outputPath))
    return 1;

  if (!recipe.empty())
    if (auto text = openNameOrFile("recipe", recipe, shippedRecipes()); !text)
      return fail("for --recipe: " + toString(text.takeError()));

  auto input = openModule(inputPath, "a graph");
  if (!input)
    return fail(toString(input.takeError()));
  auto sources = std::make_shared<llvm::SourceMgr>();
  SourceMgrDiagnosticHandler handler(*sources, &context);
  context.printOpOnDiagnostic(false);
  DefaultTimingManager timing;
  applyDefaultTimingManagerCLOptions(timing);
  TimingScope scope = timing.getRootScope();
  TimingScope parsing = scope.nest("Parser");
  std::string firstError;
  ScopedDiagnosticHandler keepFirst(&context, [&](Diagnostic &diagnostic) {
    if (firstError.empty() && diagnostic.getSeverity() == DiagnosticSeverity::Error)
      firstError = diagnostic.str();
    return failure(); // it is printed as well
  });
  OwningOpRef<ModuleOp> module = parseModule("fp8-opt", inputPath, std::move(*input), sources, context);
  parsing.stop();
  if (!module)
    return fail("expected a module in linalg on tensors, text or bytecode, at '" + inputPath + "'" +
                hintDialect(firstError));
  if (llvm::Error error = checkTarget(*module, target))
    return fail("for --target: " + toString(std::move(error)));
  FailureOr<std::string> named = findTarget(*module, target);
  if (failed(named))
    return 1;
  options.target = *named;
  if (!isKnown && !checkEngine(options.from, options.until, outputPath))
    return 1;
  int result = compileModule(*module, options, outputPath, scope);
  // The process ends next: freeing a graph of a million ops one by one would be a pass over cold memory.
  (void)module.release();
  return result;
}
