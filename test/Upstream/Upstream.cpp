// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a graph as the reference does, and again without each upstream pass that the lowering has, and
// compares the bits.

#include "LeaveOut.h"

#include "fp8-opt/Conversion/Passes.h"
#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/Dialect/QT/Transforms/Passes.h"
#include "fp8-opt/InitAll.h"
#include "fp8-opt/Pipelines/Compile.h"
#include "fp8-opt/Run/Engine.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::run;
using namespace fp8opt::upstream;

static llvm::cl::OptionCategory category("fp8-upstream",
                                         "fp8-upstream GRAPH checks the passes from upstream:");
static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::cat(category),
                                        llvm::cl::desc("<graph>"), llvm::cl::Required);
static llvm::cl::opt<std::string> argumentsPath("args", llvm::cl::cat(category),
                                                llvm::cl::desc("Values of the arguments, by name"));
static llvm::cl::opt<std::string> init("init", llvm::cl::cat(category),
                                       llvm::cl::desc("Generate the arguments that --args does not give"));
static llvm::cl::opt<std::string> signature("signature", llvm::cl::cat(category),
                                            llvm::cl::desc("Names of arguments and results"));
static llvm::cl::opt<std::string> recipe(
    "recipe", llvm::cl::cat(category),
    llvm::cl::desc("Check the quantized graph and its unquantized self instead of the graph as written"));
static llvm::cl::opt<bool>
    fuses("fuse", llvm::cl::cat(category),
          llvm::cl::desc("Lower with stock elementwise fusion too, which loses sums: a check of this tool"));

namespace {
/// The results of every entry.
using Outcome = std::vector<Tensor>;

class Checker {
public:
  Checker(ModuleOp module, std::vector<std::string> entries, std::vector<Tensor> values)
      : module(module), entries(std::move(entries)), values(std::move(values)) {}

  llvm::Error check();
  bool isAnyDifferent() const { return numDifferent > 0; }

private:
  llvm::Expected<Outcome> run(StringRef leftOut, std::vector<UpstreamPass> &passes);
  std::string compare(llvm::Expected<Outcome> got, const Outcome &expected);

  ModuleOp module;
  std::vector<std::string> entries;
  std::vector<Tensor> values;
  unsigned numDifferent = 0;
};
} // namespace

llvm::Expected<Outcome> Checker::run(StringRef leftOut, std::vector<UpstreamPass> &passes) {
  ProgramOptions options;
  options.entries = entries;
  options.prepare = [&](PassManager &manager) {
    watch(manager, leftOut, passes);
    if (fuses)
      manager.addPass(createLinalgElementwiseOpFusionPass());
    manager.addPass(createConvertQTToReferencePass());
  };
  options.optimize = false;
  OwningOpRef<ModuleOp> copy = module.clone();
  auto program = Program::compile(*copy, options);
  if (!program)
    return program.takeError();
  std::vector<const Tensor *> pointers;
  for (const Tensor &value : values)
    pointers.push_back(&value);
  Outcome outcome;
  for (const std::string &entry : entries) {
    auto results = (*program)->run(entry, pointers);
    if (!results)
      return results.takeError();
    llvm::move(*results, std::back_inserter(outcome));
  }
  return outcome;
}

/// What became of the bits.
std::string Checker::compare(llvm::Expected<Outcome> got, const Outcome &expected) {
  if (!got)
    return "needed: " + llvm::toString(got.takeError());
  unsigned differing = 0;
  for (auto [one, other] : llvm::zip_equal(*got, expected))
    differing += one.type != other.type || one.shape != other.shape || one.bytes != other.bytes;
  numDifferent += differing > 0;
  return differing ? llvm::formatv("{0} of {1} results DIFFER", differing, expected.size()).str()
                   : "same bits";
}

llvm::Error Checker::check() {
  std::vector<UpstreamPass> passes;
  auto expected = run("", passes);
  if (!expected)
    return expected.takeError();
  for (const UpstreamPass &pass : passes) {
    std::vector<UpstreamPass> others;
    llvm::outs() << pass.name << ": "
                 << (pass.isChanging ? compare(run(pass.name, others), *expected) : "nothing to do") << '\n';
    llvm::outs().flush();
  }
  return llvm::Error::success();
}

/// The program and the values that it is run on.
static llvm::Expected<Checker> prepare(ModuleOp module) {
  RunRequest request;
  request.argumentsPath = argumentsPath;
  request.init = init;
  request.remark = [](const std::string &) {};
  std::vector<std::string> entries = {request.function};
  if (recipe.empty()) {
    request.signaturePath = signature;
  } else {
    CompileOptions options;
    options.recipe = recipe;
    options.signature = signature;
    if (failed(compile(module, options, [](PassManager &) { return success(); })))
      return llvm::createStringError("expected a graph that compiles under recipe " + recipe);
    entries.push_back(qt::unquantizedName(request.function));
  }
  request.path = input;
  auto graph = openGraph(module, request);
  if (!graph)
    return graph.takeError();
  return Checker(module, std::move(entries), std::move(graph->values));
}

static int fail(const Twine &message) {
  llvm::errs() << "fp8-upstream: " << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  llvm::InitLLVM setup(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv,
                                    "fp8-upstream: no upstream pass of the lowering changes a bit\n");
  registerAllPasses();
  DialectRegistry registry;
  registerAllDialects(registry);
  registerProgramDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<qt::QTDialect>();
  auto module = parseSourceFile<ModuleOp>(input, ParserConfig(&context));
  if (!module)
    return fail("expected a module at '" + input + "'");
  auto checker = prepare(*module);
  if (!checker)
    return fail(llvm::toString(checker.takeError()));
  if (llvm::Error error = checker->check())
    return fail(llvm::toString(std::move(error)));
  return checker->isAnyDifferent() ? 1 : 0;
}
