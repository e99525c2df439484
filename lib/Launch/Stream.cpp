// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events of the driver.

#include "fp8-opt/Launch/Stream.h"

#include "Context.h"

#include <utility>

using namespace fp8opt::launch;

Stream::Stream(Stream &&other) noexcept
    : context(std::move(other.context)), handle(std::exchange(other.handle, nullptr)) {}

Stream &Stream::operator=(Stream &&other) noexcept {
  if (this != &other) {
    release();
    context = std::move(other.context);
    handle = std::exchange(other.handle, nullptr);
  }
  return *this;
}

Stream::~Stream() { release(); }

void Stream::release() {
  if (handle)
    (void)context->driver().cuStreamDestroy(handle);
}

Status Stream::synchronize() const {
  const Driver &driver = context->driver();
  return driver.check(driver.cuStreamSynchronize(handle), "finish the work of a stream");
}

Event::Event(Event &&other) noexcept
    : context(std::move(other.context)), handle(std::exchange(other.handle, nullptr)) {}

Event &Event::operator=(Event &&other) noexcept {
  if (this != &other) {
    release();
    context = std::move(other.context);
    handle = std::exchange(other.handle, nullptr);
  }
  return *this;
}

Event::~Event() { release(); }

void Event::release() {
  if (handle)
    (void)context->driver().cuEventDestroy(handle);
}

Status Event::record(const Stream *stream) {
  const Driver &driver = context->driver();
  return driver.check(driver.cuEventRecord(handle, stream ? stream->handle : nullptr), "record an event");
}

Status Event::synchronize() const {
  const Driver &driver = context->driver();
  return driver.check(driver.cuEventSynchronize(handle), "wait for an event");
}

Result<float> Event::millisecondsSince(const Event &start) const {
  float milliseconds = 0;
  const Driver &driver = context->driver();
  int result = driver.cuEventElapsedTime(&milliseconds, start.handle, handle);
  if (Status status = driver.check(result, "measure the time between two events"); !status)
    return status.error();
  return milliseconds;
}
