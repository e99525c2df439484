// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches arguments with the tensors of a file by name, and generates the rest.

#include "fp8-opt/Run/Arguments.h"
#include "fp8-opt/Run/Spelling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace fp8opt::run;

/// Names of the file that are no arguments: most often the misspelt ones.
static std::vector<std::string> unusedNames(const std::vector<Argument> &arguments,
                                            const ArgumentSource &source) {
  llvm::StringSet<> known;
  for (const Argument &argument : arguments)
    known.insert(argument.name);
  std::vector<std::string> unused;
  for (const NamedTensor &given : source.given)
    if (!known.contains(given.name))
      unused.push_back("'" + given.name + "'");
  return unused;
}

std::string fp8opt::run::listNames(std::vector<std::string> names) {
  constexpr size_t most = 5;
  if (names.size() > most) {
    size_t more = names.size() - most;
    names.resize(most);
    names.push_back(std::to_string(more) + " more");
  }
  return llvm::join(names, ", ");
}

static llvm::Error missing(const Argument &argument, const std::vector<Argument> &arguments,
                           const ArgumentSource &source) {
  std::string text =
      "expected a value for argument '" + argument.name + "' of type " + argument.type.text() + ", got none";
  if (source.path.empty())
    return llvm::createStringError(text + "; give --args=FILE.safetensors or --init=normal:SEED");
  std::vector<std::string> unused = unusedNames(arguments, source);
  text += " in '" + source.path + "'";
  if (!unused.empty())
    text += ", which has " + listNames(unused) + " that the program does not take";
  return llvm::createStringError(text + "; add it, or give --init=normal:SEED for what the file lacks");
}

llvm::Expected<std::vector<Tensor>>
fp8opt::run::collectArguments(const std::vector<Argument> &arguments, const ArgumentSource &source,
                              llvm::function_ref<void(const std::string &)> remark) {
  std::vector<Tensor> values;
  std::vector<std::string> zeros;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (const Tensor *given = findTensor(source.given, argument.name)) {
      if (!argument.type.accepts(*given))
        return llvm::createStringError("expected argument '" + argument.name + "' of type " +
                                       argument.type.text() + ", got " + given->typeText() + " in '" +
                                       source.path + "'");
      values.push_back(*given);
      continue;
    }
    if (!source.seed)
      return missing(argument, arguments, source);
    for (int64_t size : argument.type.shape)
      if (size < 0)
        return llvm::createStringError("expected static sizes of argument '" + argument.name +
                                       "' to generate it, got " + argument.type.text() +
                                       "; give its value with --args=FILE.safetensors");
    if (llvm::Error error =
            checkMemory("argument '" + argument.name + "'", argument.type.element, argument.type.shape))
      return error;
    values.push_back(initNormal(argument.type.element, argument.type.shape, argument.kind, *source.seed, i));
    if (!isFloat(argument.type.element))
      zeros.push_back("'" + argument.name + "'");
  }
  if (!zeros.empty())
    remark("integer arguments are 0: " + listNames(zeros));
  std::vector<std::string> unused = unusedNames(arguments, source);
  if (!unused.empty())
    remark("not arguments of the program, left out: " + listNames(unused));
  return values;
}

llvm::Expected<uint64_t> fp8opt::run::parseSeed(llvm::StringRef text) {
  llvm::StringRef number = text;
  uint64_t seed;
  if (!number.consume_front("normal:") || number.getAsInteger(10, seed))
    return llvm::createStringError("expected --init=normal:SEED with a natural number as seed, got '" + text +
                                   "'" + hintSpelling(text.split(':').first, "normal"));
  return seed;
}
