// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that wait for a loop, share its pieces and report back.

#include "ThreadPool.h"

#include <algorithm>

using namespace fp8opt::run;

// A graph is a straight line of short loops: a worker that looked away pays a wake-up for each. So it looks
// for new work this many times before it sleeps (a few tens of microseconds).
static constexpr int kSpins = 4000;

static void pauseBriefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

ThreadPool::ThreadPool(unsigned threads) {
  if (threads == 0)
    threads = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned i = 1; i < threads; ++i)
    workers.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
    ++generation;
  }
  wake.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}

void ThreadPool::takePieces(const std::function<void(int64_t, int64_t)> &loop) {
  for (;;) {
    int64_t begin = next.fetch_add(piece);
    if (begin >= count)
      return;
    loop(begin, std::min(begin + piece, count));
  }
}

void ThreadPool::work() {
  uint64_t seen = 0;
  for (;;) {
    const std::function<void(int64_t, int64_t)> *loop;
    for (int i = 0; i < kSpins && generation.load(std::memory_order_acquire) == seen; ++i)
      pauseBriefly();
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return generation.load() != seen; });
      seen = generation.load();
      if (stopping)
        return;
      // The loop may be over already: nobody waits for a worker that has not entered.
      if (!body)
        continue;
      loop = body;
      ++busy;
    }
    takePieces(*loop);
    if (busy.fetch_sub(1) == 1) {
      std::lock_guard<std::mutex> lock(mutex);
      done.notify_one();
    }
  }
}

void ThreadPool::parallelFor(int64_t iterations, const std::function<void(int64_t, int64_t)> &loop) {
  if (iterations <= 0)
    return;
  if (workers.empty() || iterations == 1)
    return loop(0, iterations);
  {
    std::lock_guard<std::mutex> lock(mutex);
    body = &loop;
    count = iterations;
    // Four pieces a thread: a thread that the system holds up does not hold up the loop.
    piece = std::max<int64_t>(1, iterations / (int64_t(size()) * 4));
    next = 0;
    ++generation;
  }
  wake.notify_all();
  takePieces(loop);
  std::unique_lock<std::mutex> lock(mutex);
  body = nullptr;
  lock.unlock();
  for (int i = 0; i < kSpins && busy.load(std::memory_order_acquire) != 0; ++i)
    pauseBriefly();
  lock.lock();
  done.wait(lock, [&] { return busy.load() == 0; });
}
