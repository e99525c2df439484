// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed set of threads that split a range of independent iterations.

#ifndef FP8_OPT_LIB_RUN_THREADPOOL_H
#define FP8_OPT_LIB_RUN_THREADPOOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace fp8opt::run {

/// One loop at a time; the calling thread takes part. Which thread runs which iterations is not promised, so
/// a body must give the same result for any split.
class ThreadPool {
public:
  /// `threads` counts the caller; 0 takes one per processor.
  explicit ThreadPool(unsigned threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  unsigned size() const { return unsigned(workers.size()) + 1; }

  /// Calls `body(begin, end)` on pieces that cover [0, count) once; returns when all are done. Not reentrant.
  void parallelFor(int64_t count, const std::function<void(int64_t, int64_t)> &body);

private:
  void work();
  void takePieces(const std::function<void(int64_t, int64_t)> &loop);

  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  const std::function<void(int64_t, int64_t)> *body = nullptr;
  std::atomic<int64_t> next{0};
  int64_t count = 0, piece = 1;
  std::atomic<uint64_t> generation{0};
  std::atomic<unsigned> busy{0};
  bool stopping = false;
};

} // namespace fp8opt::run

#endif // FP8_OPT_LIB_RUN_THREADPOOL_H
