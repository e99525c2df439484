// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a lowered program calls while it runs: memory, threads, contractions, failures, statistics.

#ifndef FP8_OPT_LIB_RUN_RUNTIME_H
#define FP8_OPT_LIB_RUN_RUNTIME_H

#include "ThreadPool.h"
#include "fp8-opt/Run/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <csetjmp>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fp8opt::run {

/// One running program. A lowered program holds its address and passes it to every function below.
class Runtime {
public:
  explicit Runtime(const ProgramOptions &options)
      : pool(options.threads), processor(options.processor), optimize(options.optimize),
        poison(options.poison) {}
  ~Runtime() { releaseAll(); }

  /// Calls `program`; false if it failed, in which case the two below say how. What was allocated stays until
  /// `releaseAll`, because results live in it.
  bool call(void (*program)(void **, void **), void **arguments, void **results);
  /// Number of the assertion that failed, or -1.
  int64_t failedAssertion = -1;
  /// What it compared, where it compares integers.
  int64_t left = 0, right = 0;
  /// Why the program failed where no assertion did.
  std::string failure;

  void releaseAll();

  /// 64-byte aligned. Does not return if there is no memory.
  void *allocate(uint64_t bytes);
  void release(void *buffer);
  /// Ends the program. Only from the thread that called it: no loop that may fail is shared among threads.
  [[noreturn]] void fail(int64_t assertion, int64_t left, int64_t right);

  ThreadPool pool;
  const Processor processor;
  const bool optimize;
  const std::optional<uint8_t> poison;
  /// Of the machine, in bytes.
  const uint64_t memory = memoryOfMachine();
  /// By number of the quantizer.
  std::vector<numerics::QuantizationError> quantizers;

private:
  std::jmp_buf guard;
  llvm::DenseMap<void *, uint64_t> sizes;
  /// Buffers to use again, by size: fresh pages cost more than most loops that fill them.
  llvm::DenseMap<uint64_t, llvm::SmallVector<void *>> unused;
};

/// Names and addresses of the functions that programs call, libc's and libm's included.
std::vector<std::pair<llvm::StringRef, void *>> runtimeSymbols();

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_RUNTIME_H
