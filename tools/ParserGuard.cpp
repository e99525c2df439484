// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's readers crash on some wrong input. A guard makes an error of that.

#include "ParserGuard.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using llvm::StringRef;

static bool isBytecode(StringRef contents) {
  return mlir::isBytecode(llvm::MemoryBufferRef(contents, /*Identifier=*/""));
}

StringRef hintDamage(StringRef contents) {
  return isBytecode(contents) ? StringRef("; the file may be damaged") : StringRef();
}

ParserGuard::ParserGuard(StringRef tool, StringRef path, StringRef contents) {
  message = (tool + ": '" + path + "': expected ").str();
  if (isBytecode(contents)) {
    message += "bytecode as it was written, got bytes on which MLIR's reader crashed";
    ending = "; the file is damaged\n";
  } else {
    message += "a text that MLIR's parser reads or refuses, got one on which it crashed";
    ending = "; a defect of MLIR " LLVM_VERSION_STRING ", gone when the text is right\n";
  }
  llvm::CrashRecoveryContext::Enable();
  // The message of the guard is the one; to return from here is to abort, which is recovered from.
  llvm::install_fatal_error_handler([](void *, const char *, bool) {});
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { std::abort(); });
}

void ParserGuard::stop() {
  llvm::CrashRecoveryContext::Disable();
  llvm::remove_fatal_error_handler();
  llvm::remove_bad_alloc_error_handler();
}

void ParserGuard::run(llvm::function_ref<void()> parse, const std::string *first) {
  llvm::CrashRecoveryContext recovery;
  if (recovery.RunSafely(parse))
    return stop();
  // From here on nothing is allocated and nothing freed.
  llvm::raw_fd_ostream &os = llvm::errs();
  os << message;
  if (first && !first->empty())
    os << " after: " << *first;
  os << ending;
  llvm::sys::RunInterruptHandlers(); // removes an output that has been begun
  std::_Exit(1);
}
