// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks generated graphs: every pass keeps the bits of the reference.

#include "Check.h"

#include "fp8-opt/Dialect/QT/IR/QT.h"
#include "fp8-opt/InitAll.h"
#include "fp8-opt/Run/Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::random;

static llvm::cl::OptionCategory category("fp8-differential",
                                         "fp8-differential FILE checks the graphs of generate.py:");
static llvm::cl::opt<std::string> input(llvm::cl::Positional, llvm::cl::cat(category), llvm::cl::init("-"),
                                        llvm::cl::desc("<graphs>"));
static llvm::cl::opt<std::string>
    mutation("mutate", llvm::cl::cat(category), llvm::cl::init("none"),
             llvm::cl::desc("Change a place of each program wrongly: share, transpose, swap or operands"));
static llvm::cl::opt<bool> reducing("reduce", llvm::cl::cat(category),
                                    llvm::cl::desc("Print a smaller program for the first that fails"));
static llvm::cl::opt<bool> verbose("verbose", llvm::cl::cat(category),
                                   llvm::cl::desc("Print a line for each graph"));

namespace {
struct Sum {
  unsigned graphs = 0, versions = 0, products = 0, quantized = 0, refused = 0, mutated = 0, failed = 0;
};
} // namespace

static void reportFailure(ModuleOp module, const RandomGraph &graph, const Verdict &verdict, Mutation wrong,
                          bool isFirst) {
  llvm::outs() << "seed " << graph.seed << ", recipe " << graph.recipe << ": " << verdict.failure
               << "\n  again: generate.py --first=" << graph.seed << " --count=1 | fp8-differential --reduce";
  if (wrong != Mutation::None)
    llvm::outs() << " --mutate=" << mutation;
  llvm::outs() << '\n';
  if (reducing && isFirst) {
    OwningOpRef<ModuleOp> smaller = reduce(module, graph, wrong);
    llvm::outs() << "fails too, with " << check(*smaller, graph, wrong).failure << ":\n" << *smaller << '\n';
  }
}

static void checkGraph(const RandomGraph &graph, Mutation wrong, Sum &sum) {
  DialectRegistry registry;
  registerAllDialects(registry);
  run::registerProgramDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadDialect<qt::QTDialect>();
  auto module = parseSourceString<ModuleOp>(graph.text, ParserConfig(&context));
  ++sum.graphs;
  if (!module) {
    llvm::outs() << "seed " << graph.seed << ": expected a module\n";
    ++sum.failed;
    return;
  }
  Verdict verdict = check(*module, graph, wrong);
  sum.versions += verdict.versions;
  sum.products += verdict.products;
  sum.quantized += verdict.quantizedProducts;
  sum.mutated += verdict.isMutated;
  if (!verdict.refusal.empty()) {
    ++sum.refused;
    llvm::outs() << "seed " << graph.seed << ", recipe " << graph.recipe << ": refused by " << verdict.refusal
                 << '\n';
  }
  if (!verdict.failure.empty())
    reportFailure(*module, graph, verdict, wrong, sum.failed++ == 0);
  else if (verbose)
    llvm::outs() << "seed " << graph.seed << ", recipe " << graph.recipe << ": " << verdict.quantizedProducts
                 << " of " << verdict.products << " contractions quantized, " << verdict.versions
                 << " versions\n";
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  llvm::InitLLVM setup(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "fp8-differential: every pass keeps the reference's bits\n");
  registerAllPasses();
  registerUpstreamPasses();
  std::optional<Mutation> wrong = mutationNamed(mutation);
  if (!wrong) {
    llvm::errs()
        << "fp8-differential: expected --mutate to be none, share, transpose, swap or operands, got '"
        << mutation << "'\n";
    return 1;
  }
  auto graphs = readGraphs(input);
  if (!graphs) {
    llvm::errs() << "fp8-differential: " << llvm::toString(graphs.takeError()) << '\n';
    return 1;
  }
  Sum sum;
  for (const RandomGraph &graph : *graphs)
    checkGraph(graph, *wrong, sum);
  llvm::outs() << sum.graphs << " graphs, " << sum.refused << " refused, " << sum.versions << " versions, "
               << sum.quantized << " of " << sum.products << " contractions quantized, ";
  if (*wrong != Mutation::None)
    llvm::outs() << sum.mutated << " mutated, ";
  llvm::outs() << sum.failed << " failed\n";
  return sum.failed ? 1 : 0;
}
