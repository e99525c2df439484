// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that LLVM's fatal errors put to sleep.

#include "FatalError.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/thread.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace {
/// Shared by the thread that works and the one that waits, of which either may be the last.
struct Attempt {
  std::function<void()> work;
  std::mutex mutex;
  std::condition_variable changed;
  bool isOver = false;
  std::optional<std::string> message;

  void finish(std::optional<std::string> fatal) {
    std::lock_guard<std::mutex> lock(mutex);
    message = std::move(fatal);
    isOver = true;
    changed.notify_one();
  }
};
} // namespace

/// The attempt that this thread works at.
static thread_local Attempt *current = nullptr;

static void onFatalError(void * /*data*/, const char *reason, bool isBug) {
  if (!current) {
    // Another thread's: as if there were no handler.
    llvm::remove_fatal_error_handler();
    if (isBug)
      llvm::reportFatalInternalError(reason);
    llvm::reportFatalUsageError(reason);
  }
  current->finish(std::string(reason));
  while (true)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

namespace {
/// LLVM has one handler in a process: it is there while at least one attempt is.
class Handler {
public:
  Handler() {
    std::lock_guard<std::mutex> lock(mutex);
    if (users++ == 0)
      llvm::install_fatal_error_handler(onFatalError);
  }
  ~Handler() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--users == 0)
      llvm::remove_fatal_error_handler();
  }
  Handler(const Handler &) = delete;
  Handler &operator=(const Handler &) = delete;

private:
  static inline std::mutex mutex;
  static inline int users = 0;
};
} // namespace

std::optional<std::string> fp8opt::nvvm::catchFatalError(std::function<void()> work) {
  // As much as LLVM's tools have: instruction selection recurses along the graph of a block.
  constexpr unsigned stackBytes = 8u << 20;
  Handler handler;
  auto attempt = std::make_shared<Attempt>();
  attempt->work = std::move(work);
  llvm::thread worker(std::optional<unsigned>(stackBytes), [attempt] {
    current = attempt.get();
    attempt->work();
    attempt->finish(std::nullopt);
  });
  std::unique_lock<std::mutex> lock(attempt->mutex);
  attempt->changed.wait(lock, [&] { return attempt->isOver; });
  lock.unlock();
  if (attempt->message)
    worker.detach();
  else
    worker.join();
  return attempt->message;
}
