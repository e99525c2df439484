// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads PTX.

#include "PtxMachine.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <sstream>

using namespace fp8opt::test;

std::string fp8opt::test::doing;

void fp8opt::test::refuse(const std::string &what) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s%s%s\n", doing.c_str(), doing.empty() ? "" : ": ", what.c_str());
  std::exit(1);
}

namespace {
/// Of one kernel.
class Parser {
public:
  explicit Parser(PtxKernel &kernel, std::string name) : kernel(kernel), name(std::move(name)) {}

  void line(std::string text) {
    if (size_t comment = text.find("//"); comment != std::string::npos)
      text.resize(comment);
    size_t start = text.find_first_not_of(" \t");
    if (start == std::string::npos)
      return;
    text = text.substr(start, text.find_last_not_of(" \t;") + 1 - start);
    if (text == "{")
      ++scope;
    if (text.empty() || text == "{" || text == "}")
      return;
    if (text[0] == '.') {
      if (text.rfind(".reqntid", 0) == 0)
        kernel.threads = std::stoul(text.substr(9));
      return;
    }
    if (text.back() == ':') {
      labels[labelOf(text.substr(0, text.size() - 1))] = kernel.code.size();
      return;
    }
    instruction(text);
  }

  void finish() {
    for (const auto &[index, label] : branches) {
      if (!labels.count(label))
        refuse("no label " + label);
      kernel.code[index].target = labels[label];
    }
    kernel.registers = registers.size();
  }

private:
  /// Labels between braces are known there alone; LLVM's own begin with a dollar.
  std::string labelOf(const std::string &text) const {
    return text[0] == '$' ? text : text + "#" + std::to_string(scope);
  }

  int registerOf(const std::string &text) {
    return registers.emplace(text, int(registers.size())).first->second;
  }

  void instruction(const std::string &text) {
    PtxInstruction made;
    std::istringstream words(text);
    words >> made.opcode;
    if (made.opcode[0] == '@') {
      made.isGuardNegated = made.opcode[1] == '!';
      made.guard = registerOf(made.opcode.substr(made.isGuardNegated ? 2 : 1));
      words >> made.opcode;
    }
    std::string rest;
    std::getline(words, rest);
    if (made.opcode.rfind("bra", 0) == 0)
      branches.emplace_back(kernel.code.size(), labelOf(rest.substr(rest.find_first_not_of(" \t"))));
    else
      operands(made, rest);
    kernel.code.push_back(std::move(made));
  }

  void operands(PtxInstruction &made, const std::string &text) {
    std::string word;
    bool isBraced = false;
    auto end = [&] {
      if (!word.empty())
        made.operands.push_back(operand(made, word));
      word.clear();
    };
    for (char c : text) {
      if (std::isspace(static_cast<unsigned char>(c)) || c == '[' || c == ']')
        continue;
      if (c == '{')
        isBraced = true;
      else if (c == ',' || c == '|' || c == '}')
        end();
      else
        word += c;
      if (c == '}' && isBraced && made.braced == 0)
        made.braced = made.operands.size();
    }
    end();
  }

  PtxOperand operand(PtxInstruction &made, std::string word) {
    if (word[0] == '%') {
      if (size_t plus = word.find('+'); plus != std::string::npos) {
        made.offset = std::stoll(word.substr(plus + 1));
        word.resize(plus);
      }
      if (word.find(".x") != std::string::npos)
        return {PtxOperand::Special, word == "%tid.x" ? 0 : word == "%ctaid.x" ? 1 : 2};
      return {PtxOperand::Register, registerOf(word)};
    }
    // A predicate of inline PTX.
    if (word == "P1")
      return {PtxOperand::Register, registerOf(word)};
    if (word == "_")
      return {};
    if (word.rfind("0f", 0) == 0)
      return {PtxOperand::Immediate, int64_t(std::stoull(word.substr(2), nullptr, 16))};
    if (std::isdigit(static_cast<unsigned char>(word[0])) || word[0] == '-')
      return {PtxOperand::Immediate, std::stoll(word, nullptr, 0)};
    if (std::string prefix = name + "_param_"; word.rfind(prefix, 0) == 0)
      return {PtxOperand::Parameter, std::stoll(word.substr(prefix.size()))};
    if (word == "fp8opt_shared")
      return {PtxOperand::Immediate, 0};
    refuse("no operand " + word);
  }

  PtxKernel &kernel;
  std::string name;
  std::map<std::string, int> registers;
  std::map<std::string, size_t> labels;
  unsigned scope = 0;
  std::vector<std::pair<size_t, std::string>> branches;
};
} // namespace

/// A line, with those behind it that an instruction of matrices is written on.
static std::string whole(std::istringstream &lines, std::string line) {
  std::string more;
  while (line.find("mma.sync") != std::string::npos && line.find(';') == std::string::npos &&
         std::getline(lines, more))
    line += more;
  return line;
}

std::map<std::string, PtxKernel> fp8opt::test::parsePtx(const std::string &text) {
  std::map<std::string, PtxKernel> kernels;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    size_t entry = line.find(".entry ");
    if (entry == std::string::npos)
      continue;
    std::string name = line.substr(entry + 7, line.find('(') - entry - 7);
    PtxKernel &kernel = kernels[name];
    Parser parser(kernel, name);
    while (std::getline(lines, line) && line != "}")
      if (line.find(".param .") == std::string::npos && line != ")")
        parser.line(whole(lines, line));
    parser.finish();
  }
  return kernels;
}
