// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IREE's runtime, which is a Python package.

#include "IREERuntime.h"
#include "Median.h"

#include "fp8-opt/Process/WholeFile.h"
#include "fp8-opt/Target/IREE/Compiler.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8opt;
using namespace fp8opt::run;

static constexpr llvm::StringLiteral kScript =
#include "RunIREE.inc"
    ;

llvm::Expected<IREERuntime> IREERuntime::create(llvm::StringRef python, llvm::StringRef compiler) {
  std::string path = findProgram(python, "python3", compiler);
  if (path.empty())
    return llvm::createStringError("expected a Python with the package iree-base-runtime " + iree::kVersion +
                                   " (" + iree::kInstall + "), got " +
                                   (python.empty() ? "no python3 on PATH; name one with --python=PATH"
                                                   : "no program at '" + python + "'"));
  auto folder = TemporaryFolder::create();
  if (!folder)
    return folder.takeError();
  if (llvm::Error error =
          writeWhole(folder->file("run_iree.py"), [](llvm::raw_ostream &os) { os << kScript; }))
    return error;
  return IREERuntime(std::move(path), std::move(*folder));
}

llvm::Expected<std::string> IREERuntime::runScript(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {folder.file("run_iree.py"), iree::kVersion.str()});
  auto done = runCommand(python, arguments);
  if (!done)
    return llvm::createStringError("expected IREE to run the program, got: " + toString(done.takeError()));
  if (done->status == 0)
    return std::move(done->output);
  llvm::StringRef errors = llvm::StringRef(done->errors).rtrim();
  llvm::StringRef last = errors.rsplit('\n').second;
  return llvm::createStringError((last.empty() ? errors : last) + " (from '" + python + "')");
}

llvm::Expected<llvm::StringMap<llvm::StringMap<std::string>>> IREERuntime::reflection(llvm::StringRef vmfb) {
  auto text = runScript({"reflection", vmfb.str()});
  if (!text)
    return text.takeError();
  auto parsed = llvm::json::parse(*text);
  if (!parsed)
    return parsed.takeError();
  llvm::StringMap<llvm::StringMap<std::string>> functions;
  if (const llvm::json::Object *object = parsed->getAsObject())
    for (auto &[name, strings] : *object)
      if (const llvm::json::Object *list = strings.getAsObject())
        for (auto &[key, value] : *list)
          functions[llvm::StringRef(name)][llvm::StringRef(key)] = value.getAsString().value_or("").str();
  return functions;
}

static double medianOf(const llvm::json::Array *list) {
  std::vector<double> values;
  if (list)
    for (const llvm::json::Value &value : *list)
      values.push_back(value.getAsNumber().value_or(0));
  return values.empty() ? 0 : median(std::move(values));
}

static std::vector<NamedTensor> numbered(std::vector<Tensor> tensors) {
  std::vector<NamedTensor> named;
  for (Tensor &tensor : tensors)
    named.push_back({std::to_string(named.size()), std::move(tensor)});
  return named;
}

llvm::Error IREERuntime::setArguments(std::vector<Tensor> arguments) {
  return writeTensorFile(folder.file("arguments"), numbered(std::move(arguments)));
}

llvm::Expected<IREECall> IREERuntime::call(llvm::StringRef vmfb, llvm::StringRef function, unsigned steps) {
  std::string results = folder.file("results");
  auto text = runScript(
      {"run", vmfb.str(), folder.file("arguments"), function.str(), results, std::to_string(steps)});
  if (!text)
    return text.takeError();
  auto measured = llvm::json::parse(*text);
  if (!measured)
    return measured.takeError();
  IREECall call;
  if (const llvm::json::Object *object = measured->getAsObject()) {
    call.seconds = {medianOf(object->getArray("seconds")), medianOf(object->getArray("busy"))};
    call.peakBytes = object->getInteger("peak_bytes").value_or(0);
  }
  auto tensors = readTensorFile(results);
  if (!tensors)
    return tensors.takeError();
  call.results.resize(tensors->size());
  for (NamedTensor &named : *tensors) {
    size_t position;
    if (llvm::StringRef(named.name).getAsInteger(10, position) || position >= call.results.size())
      return llvm::createStringError("expected numbered results from IREE's runtime, got '" + named.name +
                                     "'");
    call.results[position] = std::move(named.tensor);
  }
  return call;
}
