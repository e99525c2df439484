// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that speaks up when work takes long.

#include "Progress.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

Progress::Progress(std::string what) : what(std::move(what)), reporter([this] { report(); }) {}

Progress::~Progress() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
  }
  changed.notify_one();
  reporter.join();
}

double Progress::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Progress::report() {
  std::unique_lock<std::mutex> lock(mutex);
  auto wait = std::chrono::seconds(2);
  while (!changed.wait_for(lock, wait, [this] { return isDone; })) {
    llvm::errs() << "fp8-run: " << what << llvm::format(" (%.0f s)\n", seconds());
    wait = std::chrono::seconds(10);
  }
}
