// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order and time on a device.

#ifndef FP8_OPT_LAUNCH_STREAM_H
#define FP8_OPT_LAUNCH_STREAM_H

#include "fp8-opt/Launch/Result.h"

#include <memory>

namespace fp8opt::launch {

class Context;

/// A queue of work in order. Where none is given, work goes to the device's default stream.
class Stream {
public:
  Stream(Stream &&other) noexcept;
  Stream &operator=(Stream &&other) noexcept;
  ~Stream();

  /// Waits until all work in it is done. Where a kernel failed, the error comes here.
  Status synchronize() const;

private:
  friend class Device;
  friend class Event;
  friend class Kernel;
  Stream(std::shared_ptr<const Context> context, void *handle)
      : context(std::move(context)), handle(handle) {}
  void release();

  std::shared_ptr<const Context> context;
  void *handle;
};

/// A point in a stream, with the time at which the device passes it.
class Event {
public:
  Event(Event &&other) noexcept;
  Event &operator=(Event &&other) noexcept;
  ~Event();

  /// Puts it behind the work that the stream has now.
  Status record(const Stream *stream = nullptr);
  /// Waits until it has been passed.
  Status synchronize() const;
  /// Milliseconds from `start` to this; both must have been passed. The resolution is about 0.5 microseconds.
  Result<float> millisecondsSince(const Event &start) const;

private:
  friend class Device;
  Event(std::shared_ptr<const Context> context, void *handle) : context(std::move(context)), handle(handle) {}
  void release();

  std::shared_ptr<const Context> context;
  void *handle;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LAUNCH_STREAM_H
