// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs give the same bits on every processor, for any number of threads, and call after call.

#include "fp8-opt/Run/Program.h"
#include "fp8-opt/Run/Init.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace fp8opt::run;

// A layer in small: a product of odd sizes, bf16 arithmetic, elementary functions, sums of rows and of
// columns.
static constexpr llvm::StringLiteral kGraph = R"mlir(
#mk = affine_map<(m, n, k) -> (m, k)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn3 = affine_map<(m, n, k) -> (m, n)>
#mn = affine_map<(m, n) -> (m, n)>
#m = affine_map<(m, n) -> (m)>
#n = affine_map<(m, n) -> (n)>
func.func @main(%x: tensor<301x77xbf16>, %w: tensor<133x77xbf16>)
    -> (tensor<301x133xf32>, tensor<301x133xbf16>, tensor<301xf32>, tensor<133xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<301x133xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<301x133xf32>) -> tensor<301x133xf32>
  %y = linalg.generic {indexing_maps = [#mk, #nk, #mn3], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<301x77xbf16>, tensor<133x77xbf16>) outs(%z : tensor<301x133xf32>) {
  ^bb0(%a: bf16, %b: bf16, %o: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %p = arith.mulf %aw, %bw : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<301x133xf32>
  %eb = tensor.empty() : tensor<301x133xbf16>
  %g = linalg.generic {indexing_maps = [#mn, #mn], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<301x133xf32>) outs(%eb : tensor<301x133xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = math.tanh %a : f32
    %x2 = math.exp %t : f32
    %b = arith.truncf %x2 : f32 to bf16
    %c = arith.mulf %b, %b : bf16
    %d = arith.divf %c, %b : bf16
    %q = math.sin %d : bf16
    linalg.yield %q : bf16
  } -> tensor<301x133xbf16>
  %em = tensor.empty() : tensor<301xf32>
  %zm = linalg.fill ins(%zero : f32) outs(%em : tensor<301xf32>) -> tensor<301xf32>
  %rows = linalg.generic {indexing_maps = [#mn, #m], iterator_types = ["parallel", "reduction"]}
      ins(%g : tensor<301x133xbf16>) outs(%zm : tensor<301xf32>) {
  ^bb0(%a: bf16, %o: f32):
    %w2 = arith.extf %a : bf16 to f32
    %m2 = arith.mulf %w2, %w2 : f32
    %s = arith.addf %o, %m2 : f32
    linalg.yield %s : f32
  } -> tensor<301xf32>
  %en = tensor.empty() : tensor<133xf32>
  %zn = linalg.fill ins(%zero : f32) outs(%en : tensor<133xf32>) -> tensor<133xf32>
  %cols = linalg.generic {indexing_maps = [#mn, #n], iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<301x133xf32>) outs(%zn : tensor<133xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m2 = arith.mulf %a, %a : f32
    %s = arith.addf %o, %m2 : f32
    linalg.yield %s : f32
  } -> tensor<133xf32>
  return %y, %g, %rows, %cols : tensor<301x133xf32>, tensor<301x133xbf16>, tensor<301xf32>, tensor<133xf32>
}
)mlir";

namespace {
class ProgramTest : public testing::Test {
protected:
  ProgramTest() {
    mlir::DialectRegistry registry;
    registerProgramDialects(registry);
    context.appendDialectRegistry(registry);
    x = initNormal(ElementType::BF16, {301, 77}, ArgumentKind::Other, 1, 0);
    w = initNormal(ElementType::BF16, {133, 77}, ArgumentKind::Parameter, 1, 1);
  }

  std::unique_ptr<Program> compile(Processor processor, unsigned threads, bool optimize = true) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(kGraph, &context);
    ProgramOptions options;
    options.processor = processor;
    options.threads = threads;
    options.optimize = optimize;
    auto program = Program::compile(*module, options);
    EXPECT_TRUE(bool(program)) << (program ? "" : llvm::toString(program.takeError()));
    return program ? std::move(*program) : nullptr;
  }

  std::vector<Tensor> run(Program &program) {
    auto results = program.run("main", {&x, &w});
    EXPECT_TRUE(bool(results)) << (results ? "" : llvm::toString(results.takeError()));
    return results ? std::move(*results) : std::vector<Tensor>();
  }

  void expectSame(const std::vector<Tensor> &a, const std::vector<Tensor> &b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); ++i)
      EXPECT_EQ(a[i].bytes, b[i].bytes) << "result " << i;
  }

  mlir::MLIRContext context;
  Tensor x, w;
};
} // namespace

TEST_F(ProgramTest, BitsDoNotDependOnProcessorOrThreads) {
  std::unique_ptr<Program> host = compile(Processor::Host, 1);
  ASSERT_TRUE(host);
  std::vector<Tensor> expected = run(*host);
  for (Processor processor : {Processor::Host, Processor::Baseline})
    for (unsigned threads : {1, 2, 5}) {
      std::unique_ptr<Program> other = compile(processor, threads);
      ASSERT_TRUE(other);
      expectSame(run(*other), expected);
    }
}

TEST_F(ProgramTest, BitsDoNotDependOnOptimization) {
  std::unique_ptr<Program> fast = compile(Processor::Host, 1), plain = compile(Processor::Host, 1, false);
  ASSERT_TRUE(fast && plain);
  expectSame(run(*plain), run(*fast));
}

TEST_F(ProgramTest, RunsAgainAndLeavesArgumentsAlone) {
  std::vector<uint8_t> before = x.bytes;
  std::unique_ptr<Program> program = compile(Processor::Host, 2);
  ASSERT_TRUE(program);
  std::vector<Tensor> first = run(*program);
  expectSame(run(*program), first);
  EXPECT_EQ(x.bytes, before);
}

TEST_F(ProgramTest, RefusesWrongArguments) {
  std::unique_ptr<Program> program = compile(Processor::Host, 1);
  ASSERT_TRUE(program);
  auto tooFew = program->run("main", {&x});
  ASSERT_FALSE(bool(tooFew));
  EXPECT_EQ(llvm::toString(tooFew.takeError()), "expected 2 arguments, got 1");
  auto swapped = program->run("main", {&w, &x});
  ASSERT_FALSE(bool(swapped));
  EXPECT_EQ(llvm::toString(swapped.takeError()), "expected argument 0 of type 301x77xBF16, got 133x77xBF16");
  auto unknown = program->run("other", {});
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()), "expected a compiled function, got 'other'");
}
