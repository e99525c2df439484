// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a program through the compiler pass by pass, through bytecode after each, and keeps every version.

#include "Versions.h"

#include "fp8-opt/Pipelines/Compile.h"
#include "fp8-opt/Report/Report.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace fp8opt;
using namespace fp8opt::random;

static constexpr llvm::StringLiteral kUnquantized = "main_unquantized";

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

/// The text of the functions without what passes note down on ops.
static std::string printCode(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  copy->walk([](Operation *op) {
    SmallVector<NamedAttribute> kept;
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getNameDialect() == nullptr ||
          attribute.getNameDialect()->getNamespace() != qt::QTDialect::getDialectNamespace())
        kept.push_back(attribute);
    op->setDiscardableAttrs(kept);
  });
  std::string text;
  for (auto function : copy->getOps<func::FuncOp>())
    text += print(function) + "\n";
  return text;
}

namespace {
class Walk {
public:
  Walk(ModuleOp written, const RandomGraph &graph, Mutation mutation)
      : graph(graph), mutation(mutation), module(written.clone()) {}

  Versions run();

private:
  void keep(StringRef after, Origin origin, ModuleOp version);
  void keepUnquantized(StringRef after);
  bool apply(ModuleOp target, StringRef pipeline);
  /// Keeps what upstream passes make of the current version.
  void keepAfterUpstream(StringRef pipeline, StringRef after, Origin origin);
  bool throughBytecode(StringRef after);
  bool takeStep(qt::Step step);
  void count();
  /// Steps that move codes in place of numbers may not move more bytes for it.
  void compareTraffic();
  void dropLonely();

  const RandomGraph &graph;
  Mutation mutation;
  OwningOpRef<ModuleOp> module;
  Versions versions;
  std::string diagnostics;
  llvm::StringSet<> texts[3];
};
} // namespace

void Walk::keep(StringRef after, Origin origin, ModuleOp version) {
  OwningOpRef<ModuleOp> copy = version.clone();
  if (Operation *other = copy->lookupSymbol(kUnquantized))
    other->erase();
  if (texts[unsigned(origin)].insert(printCode(*copy)).second)
    versions.list.push_back({after.str(), origin, std::move(copy)});
}

/// The program that the module keeps to compare with.
void Walk::keepUnquantized(StringRef after) {
  OwningOpRef<ModuleOp> copy = module->clone();
  Operation *other = copy->lookupSymbol(kUnquantized);
  if (!other)
    return;
  copy->lookupSymbol("main")->erase();
  SymbolTable::setSymbolName(other, "main");
  keep(after, Origin::Unquantized, *copy);
}

bool Walk::apply(ModuleOp target, StringRef pipeline) {
  PassManager manager(target.getContext());
  return succeeded(parsePassPipeline(pipeline, manager)) && succeeded(manager.run(target));
}

void Walk::keepAfterUpstream(StringRef pipeline, StringRef after, Origin origin) {
  OwningOpRef<ModuleOp> copy = module->clone();
  std::string name = pipeline.str() + " after " + after.str();
  if (!apply(*copy, pipeline))
    versions.breach = name + " fails: " + diagnostics;
  else
    keep(name, origin, *copy);
}

bool Walk::throughBytecode(StringRef after) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecodeToFile(*module, stream))) {
    versions.breach = ("no bytecode form after " + after).str();
    return false;
  }
  auto read = parseSourceString<ModuleOp>(bytes, ParserConfig(module->getContext()));
  if (!read || print(*read) != print(*module)) {
    versions.breach = ("bytecode after " + after + " reads as something else: ").str() + diagnostics;
    return false;
  }
  module = std::move(read);
  return true;
}

/// The passes of a step one by one.
bool Walk::takeStep(qt::Step step) {
  CompileOptions options;
  options.recipe = graph.recipe;
  OpPassManager passes(ModuleOp::getOperationName());
  addStep(passes, step, options);
  std::string before = step == qt::Step::Import ? "" : printCode(*module);
  for (Pass &pass : passes.getPasses()) {
    std::string pipeline;
    llvm::raw_string_ostream stream(pipeline);
    pass.printAsTextualPipeline(stream);
    std::string name = pass.getArgument().str() + " of step " + qt::stringifyStep(step).str();
    if (!apply(*module, pipeline)) {
      versions.refusal = name + ": " + diagnostics;
      return false;
    }
    if (!throughBytecode(name))
      return false;
    if (step > qt::Step::Quantize)
      keep(name, Origin::Quantized, *module);
    else if (step == qt::Step::Import && graph.compareImport)
      keep(name, Origin::Written, *module);
  }
  if ((step == qt::Step::Roles || step == qt::Step::Schemes) && printCode(*module) != before)
    versions.breach = "step " + qt::stringifyStep(step).str() + " changes the program";
  return versions.breach.empty();
}

/// A version with nothing to compare it with need not run.
void Walk::dropLonely() {
  llvm::erase_if(versions.list,
                 [&](const Version &version) { return texts[unsigned(version.origin)].size() < 2; });
}

void Walk::count() {
  if (qt::ReportAttr report = qt::QTDialect::ReportAttrHelper(module->getContext()).getAttr(*module)) {
    ReportSummary summary = summarize(report);
    versions.products = summary.contractions;
    versions.quantizedProducts = summary.quantized;
  }
}

/// What amaxes take that are as large as the elements they are of, which only rows of one to three have.
static int64_t countTinyAmaxes(ModuleOp module) {
  int64_t bytes = 0;
  auto count = [&](Value tensor, Value amax) {
    auto type = cast<ShapedType>(tensor.getType());
    int64_t ofTensor = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    int64_t ofAmax = 2 * sizeof(float) * cast<ShapedType>(amax.getType()).getNumElements();
    if (ofAmax > ofTensor)
      bytes += ofAmax;
  };
  module.walk([&](qt::QuantizeOp op) {
    if (op.getAmax())
      count(op.getInput(), op.getAmax());
  });
  module.walk([&](qt::MultiQuantizeOp op) {
    for (Value amax : op.getAmaxes())
      count(op.getInput(), amax);
  });
  return bytes;
}

/// What codes narrower than a byte are rounded up by: parts of a concatenation are, each.
static int64_t countRoundedUp(ModuleOp module) {
  int64_t bytes = 0;
  module.walk([&](Operation *op) {
    if (!isa<qt::QuantizeOp, qt::MultiQuantizeOp>(op))
      return;
    for (Type result : op->getResultTypes()) {
      auto type = cast<qt::QTensorType>(result);
      int64_t bits = numerics::format(type.getScheme().getCode()).bits();
      bytes += ShapedType::getNumElements(type.getShape()) * bits % 8 != 0;
    }
  });
  return bytes;
}

/// Where all sizes are known and not 0: one that is not known counts as 1.
void Walk::compareTraffic() {
  bool isKnown = true;
  module->walk([&](func::FuncOp function) {
    for (Type type : function.getArgumentTypes())
      if (auto shaped = dyn_cast<ShapedType>(type))
        isKnown &= shaped.hasStaticShape() && shaped.getNumElements() > 0;
  });
  if (!isKnown)
    return;
  qt::TrafficAttr traffic = qt::QTDialect::TrafficAttrHelper(module->getContext()).getAttr(*module);
  int64_t unfused = countTinyAmaxes(*module) + countRoundedUp(*module), fused = 0;
  for (qt::TensorTrafficAttr tensor : traffic.getTensors()) {
    unfused += tensor.getBefore().getBytesRead() + tensor.getBefore().getBytesWritten();
    if (qt::PassesAttr after = tensor.getAfter())
      fused += after.getBytesRead() + after.getBytesWritten();
  }
  if (fused > unfused)
    versions.breach =
        "quantizing moves more bytes after step fuse than without it: " + std::to_string(fused) +
        " instead of " + std::to_string(unfused);
}

Versions Walk::run() {
  ScopedDiagnosticHandler handler(module->getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && diagnostics.empty())
      llvm::raw_string_ostream(diagnostics) << diagnostic.getLocation() << ": " << diagnostic;
    return success();
  });
  keep("nothing", Origin::Written, *module);
  for (StringRef pipeline : {"convert-elementwise-to-linalg", "inline"})
    keepAfterUpstream(pipeline, "nothing", Origin::Written);
  if (mutation == Mutation::Operands) {
    OwningOpRef<ModuleOp> copy = module->clone();
    versions.isMutated = mutate(*copy, mutation);
    keep("mutation", Origin::Written, *copy);
  }
  // Those that the reference runs; what comes after them is for devices.
  for (unsigned number = 0; number <= unsigned(lastStep(machineOf(CompileOptions().target))); ++number) {
    auto step = qt::Step(number);
    StringRef name = qt::stringifyStep(step);
    if (!takeStep(step))
      return std::move(versions);
    std::string after = ("step " + name).str();
    if (step == qt::Step::Import)
      keepUnquantized(after);
    if (step == qt::Step::Schemes)
      count();
    if (step < qt::Step::Quantize)
      continue;
    keep(after, Origin::Quantized, *module);
    keepUnquantized(after);
    if (step == qt::Step::Fuse)
      compareTraffic();
  }
  if (versions.quantizedProducts)
    keepAfterUpstream("canonicalize,cse", "all steps", Origin::Quantized);
  else
    keep("all steps, nothing quantized", Origin::Unquantized, *module);
  if (mutation != Mutation::None && mutation != Mutation::Operands) {
    versions.isMutated = mutate(*module, mutation);
    keep("mutation", Origin::Quantized, *module);
  }
  dropLonely();
  return std::move(versions);
}

Versions fp8opt::random::makeVersions(ModuleOp written, const RandomGraph &graph, Mutation mutation) {
  return Walk(written, graph, mutation).run();
}
