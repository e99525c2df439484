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

ParserGuard::ParserGuard(StringRef tool, StringRef path, StringRef contents)
    : message((tool + ": '" + path + "': expected ").str()),
      isBytecode(mlir::isBytecode(llvm::MemoryBufferRef(contents, /*Identifier=*/""))) {
  llvm::CrashRecoveryContext::Enable();
  // The message of the guard is the one; to return from here is to abort, which is recovered from.
  llvm::install_fatal_error_handler([](void *, const char *, bool) {});
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { std::abort(); });
}

void ParserGuard::stop() {
  isStopped = true;
  llvm::CrashRecoveryContext::Disable();
  llvm::remove_fatal_error_handler();
  llvm::remove_bad_alloc_error_handler();
}

/// Allocates nothing and frees nothing.
void ParserGuard::end(StringRef what, const std::string *first, StringRef why) const {
  llvm::raw_fd_ostream &os = llvm::errs();
  os << message << what;
  if (first && !first->empty())
    os << ": " << *first;
  os << "; " << why << '\n';
  llvm::sys::RunInterruptHandlers(); // removes an output that has been begun
  std::_Exit(1);
}

void ParserGuard::run(llvm::function_ref<bool()> parse, const std::string *first) {
  llvm::CrashRecoveryContext recovery;
  bool hasRead = false;
  bool isAlive = recovery.RunSafely([&] { hasRead = parse(); });
  if (!isAlive && isBytecode)
    end("bytecode as it was written, got bytes on which MLIR's reader crashed", first, "the file is damaged");
  if (!isAlive)
    end("a text that MLIR's parser reads or refuses, got one on which it crashed", first,
        "a defect of MLIR " LLVM_VERSION_STRING ", gone when the text is right");
  if (!hasRead && !isStopped && isBytecode)
    end("bytecode that MLIR's reader takes, got some that it refused", first,
        "the file has dialects of another version, or is damaged");
  stop();
}
