// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module to results: lowering, machine code, arguments in, results out.

#include "fp8-opt/Run/Program.h"
#include "Jit.h"

#include "fp8-opt/Report/ProgramText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

#include <cstring>

using namespace mlir;
using namespace fp8opt::run;

struct Program::Parts {
  explicit Parts(const ProgramOptions &options) : runtime(options) {}

  struct Function {
    std::vector<ValueType> arguments, results;
    Jit::Function code;
  };

  Runtime runtime;
  LoweringState state;
  std::unique_ptr<Jit> jit;
  llvm::StringMap<Function> functions;
};

Program::Program(std::unique_ptr<Parts> parts) : parts(std::move(parts)) {}
Program::~Program() = default;

/// The first error of `work` with its place, or success. Nothing reaches the context's own handler.
static llvm::Error collectErrors(MLIRContext *context, llvm::function_ref<LogicalResult()> work) {
  std::string first;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && first.empty())
      first = fp8opt::locationText(diagnostic.getLocation()) + ": " + diagnostic.str();
    return success();
  });
  if (succeeded(work()))
    return llvm::Error::success();
  return llvm::createStringError(
      first.empty() ? "expected a graph that lowers to loops, got one that does not" : first);
}

static llvm::Expected<std::vector<ValueType>> valueTypes(TypeRange types, llvm::StringRef what) {
  std::vector<ValueType> result;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto value = valueType(type);
    if (!value)
      return llvm::createStringError(what + " " + llvm::Twine(index) + ": " +
                                     llvm::toString(value.takeError()));
    result.push_back(std::move(*value));
  }
  return result;
}

llvm::Expected<std::unique_ptr<Program>> Program::compile(ModuleOp module, const ProgramOptions &options) {
  auto parts = std::make_unique<Parts>(options);
  for (const std::string &name : options.entries) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function || function.isExternal())
      return llvm::createStringError("expected a function '" + name + "' with a body, got " +
                                     (function ? "a declaration" : "none of that name"));
    parts->state.entries.push_back({name, function.getFunctionType()});
    Parts::Function &entry = parts->functions[name];
    auto arguments = valueTypes(function.getArgumentTypes(), "argument");
    if (!arguments)
      return arguments.takeError();
    auto results = valueTypes(function.getResultTypes(), "result");
    if (!results)
      return results.takeError();
    entry.arguments = std::move(*arguments);
    entry.results = std::move(*results);
  }
  if (llvm::Error error = collectErrors(module.getContext(), [&] {
        return lowerProgram(module, parts->state, [&](PassManager &pm) {
          if (options.prepare)
            options.prepare(pm);
        });
      }))
    return error;
  auto jit = Jit::create(module, parts->state, parts->runtime);
  if (!jit)
    return jit.takeError();
  parts->jit = std::move(*jit);
  for (const std::string &name : options.entries) {
    auto code = parts->jit->lookup(packedName(name));
    if (!code)
      return code.takeError();
    parts->functions[name].code = *code;
  }
  return std::unique_ptr<Program>(new Program(std::move(parts)));
}

/// Two pointers, the offset, sizes and strides, as words; a scalar's words are its value.
static std::vector<int64_t> describe(const ValueType &type, const Tensor &tensor) {
  std::vector<int64_t> words(1);
  if (type.isScalar) {
    std::memcpy(words.data(), tensor.bytes.data(), tensor.bytes.size());
    return words;
  }
  auto address = int64_t(reinterpret_cast<uintptr_t>(tensor.bytes.data()));
  words = {address, address, 0};
  words.insert(words.end(), tensor.shape.begin(), tensor.shape.end());
  int64_t stride = 1;
  std::vector<int64_t> strides(tensor.shape.size());
  for (size_t axis = tensor.shape.size(); axis-- > 0; stride *= tensor.shape[axis])
    strides[axis] = stride;
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

static llvm::Expected<Tensor> copyResult(const ValueType &type, const std::vector<int64_t> &words) {
  size_t rank = type.shape.size();
  if (type.isScalar) {
    Tensor result = makeTensor(type.element, {});
    std::memcpy(result.bytes.data(), words.data(), result.bytes.size());
    return result;
  }
  std::vector<int64_t> shape(words.begin() + 3, words.begin() + 3 + int64_t(rank));
  if (llvm::Error error = checkMemory("a result", type.element, shape))
    return error;
  Tensor result = makeTensor(type.element, std::move(shape));
  auto *data = reinterpret_cast<const uint8_t *>(words[1]) + words[2] * bytesPerElement(type.element);
  if (!result.bytes.empty())
    std::memcpy(result.bytes.data(), data, result.bytes.size());
  return result;
}

llvm::Expected<std::vector<Tensor>> Program::run(llvm::StringRef entry,
                                                 const std::vector<const Tensor *> &arguments) {
  auto known = parts->functions.find(entry);
  if (known == parts->functions.end())
    return llvm::createStringError("expected a compiled function, got '" + entry + "'");
  const Parts::Function &function = known->second;
  if (arguments.size() != function.arguments.size())
    return llvm::createStringError("expected " + llvm::Twine(function.arguments.size()) + " arguments, got " +
                                   llvm::Twine(arguments.size()));
  std::vector<std::vector<int64_t>> words;
  std::vector<void *> in, out;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!function.arguments[i].accepts(*arguments[i]))
      return llvm::createStringError("expected argument " + llvm::Twine(i) + " of type " +
                                     function.arguments[i].text() + ", got " + arguments[i]->typeText());
    words.push_back(describe(function.arguments[i], *arguments[i]));
  }
  size_t numArguments = words.size();
  for (const ValueType &type : function.results)
    words.emplace_back(3 + 2 * type.shape.size());
  for (size_t i = 0; i < words.size(); ++i)
    (i < numArguments ? in : out).push_back(words[i].data());

  Runtime &runtime = parts->runtime;
  runtime.quantizers.clear();
  bool succeeded = runtime.call(function.code, in.data(), out.data());
  std::vector<Tensor> results;
  llvm::Error problem = llvm::Error::success();
  for (size_t i = 0; succeeded && !problem && i < function.results.size(); ++i) {
    auto result = copyResult(function.results[i], words[numArguments + i]);
    if (result)
      results.push_back(std::move(*result));
    else
      problem = result.takeError();
  }
  runtime.releaseAll();
  if (problem)
    return problem;
  if (succeeded)
    return results;
  if (runtime.failedAssertion < 0)
    return llvm::createStringError(runtime.failure);
  const Assertion &assertion = parts->state.assertions[size_t(runtime.failedAssertion)];
  std::string text = locationText(assertion.where) + ": ";
  if (!assertion.isCheck)
    text += "assertion of the graph failed: ";
  text += assertion.message;
  if (assertion.hasNumbers)
    text += " (" + std::to_string(runtime.left) + " against " + std::to_string(runtime.right) + ')';
  return llvm::createStringError(text);
}

const std::vector<fp8opt::numerics::QuantizationError> &Program::quantizers() const {
  return parts->runtime.quantizers;
}
