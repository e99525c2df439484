// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says on standard error what takes long.

#ifndef FP8_OPT_TOOLS_FP8_RUN_PROGRESS_H
#define FP8_OPT_TOOLS_FP8_RUN_PROGRESS_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

/// While it lives, a line after two seconds and after every further ten.
class Progress {
public:
  explicit Progress(std::string what);
  ~Progress();
  double seconds() const;

private:
  void report();

  std::string what;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable changed;
  bool isDone = false;
  std::thread reporter;
};

#endif // FP8_OPT_TOOLS_FP8_RUN_PROGRESS_H
