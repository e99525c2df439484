#include "fp8-opt/Run/Program.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>
using namespace fp8opt::run;
int main(int argc, char **argv) {
  auto t = std::chrono::steady_clock::now();
  auto since = [&] { auto n = std::chrono::steady_clock::now(); double s = std::chrono::duration<double>(n - t).count(); t = n; return s; };
  mlir::DialectRegistry registry; registerProgramDialects(registry);
  mlir::MLIRContext context(registry);
  std::string base = argv[1];
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(base + ".linalg.mlir", &context);
  llvm::errs() << "parse " << since() << "\n";
  auto program = Program::compile(*module, {});
  if (!program) { llvm::errs() << llvm::toString(program.takeError()) << "\n"; return 1; }
  llvm::errs() << "compile " << since() << "\n";
  auto json = llvm::json::parse((*llvm::MemoryBuffer::getFile(base + ".json"))->getBuffer());
  auto args = readTensorFile(base + ".args.safetensors");
  auto want = readTensorFile(base + ".expected.safetensors");
  std::vector<const Tensor *> in;
  for (auto &a : *json->getAsObject()->getArray("arguments")) in.push_back(findTensor(*args, *a.getAsObject()->getString("name")));
  since();
  for (int i = 0; i < 2; ++i) {
  auto out = (*program)->run("main", in);
  llvm::errs() << "run " << since() << "\n";
  if (!out) { llvm::errs() << llvm::toString(out.takeError()) << "\n"; return 1; }
  for (size_t i = 0; i < out->size(); ++i) {
    auto name = *(*json->getAsObject()->getArray("results"))[i].getAsString();
    const Tensor *w = findTensor(*want, name);
    double d = 0, n = 0;
    if (w) for (int64_t j = 0; j < w->numElements(); ++j) { double x = (*out)[i].at(j) - w->at(j); d += x * x; n += w->at(j) * w->at(j); }
    llvm::outs() << name << " " << (*out)[i].typeText() << " " << (*out)[i].at(0) << " rel " << (n ? std::sqrt(d / n) : -1) << "\n";
  }
  since();
  }
}
