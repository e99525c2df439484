// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of named values that say, where a name is wrong, which there are.

#ifndef FP8_OPT_TOOLS_NAMEDVALUES_H
#define FP8_OPT_TOOLS_NAMEDVALUES_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

/// A parser for llvm::cl::opt with llvm::cl::values.
template <typename T> class NamedValues : public llvm::cl::parser<T> {
public:
  using llvm::cl::parser<T>::parser;

  // The name is LLVM's.
  bool parse(llvm::cl::Option &option, llvm::StringRef argument, llvm::StringRef text, T &value) {
    llvm::SmallVector<llvm::StringRef> names;
    for (unsigned i = 0; i < this->getNumOptions(); ++i)
      names.push_back(this->getOption(i));
    if (!llvm::is_contained(names, text))
      return option.error("expected " + llvm::join(names, " or ") + ", got '" + text + "'");
    return llvm::cl::parser<T>::parse(option, argument, text, value);
  }
};

#endif // FP8_OPT_TOOLS_NAMEDVALUES_H
