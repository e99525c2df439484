// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills, within bounds.

#include "fp8-opt/Launch/Buffer.h"

#include "Context.h"

#include <utility>

using namespace fp8opt::launch;

Buffer::Buffer(Buffer &&other) noexcept
    : context(std::move(other.context)), place(std::exchange(other.place, 0)),
      bytes(std::exchange(other.bytes, 0)) {}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  if (this != &other) {
    release();
    context = std::move(other.context);
    place = std::exchange(other.place, 0);
    bytes = std::exchange(other.bytes, 0);
  }
  return *this;
}

Buffer::~Buffer() { release(); }

void Buffer::release() {
  if (place != 0)
    (void)context->driver().cuMemFree(place);
}

/// The driver does not know where an allocation of ours ends.
static Status checkRange(size_t count, size_t offset, size_t bytes, const char *attempt) {
  if (offset <= bytes && count <= bytes - offset)
    return {};
  return Error{"expected to " + std::string(attempt) + " within " + std::to_string(bytes) + " bytes, got " +
               std::to_string(count) + " bytes at " + std::to_string(offset)};
}

/// The driver may return while the device still works at what it was given, and streams do not wait for that.
static int finish(const Driver &driver, int result) {
  return result == 0 ? driver.cuStreamSynchronize(nullptr) : result;
}

Status Buffer::write(const void *source, size_t count, size_t offset) {
  if (Status status = checkRange(count, offset, bytes, "write"); !status || count == 0)
    return status;
  const Driver &driver = context->driver();
  return driver.check(finish(driver, driver.cuMemcpyHtoD(place + offset, source, count)),
                      "copy " + std::to_string(count) + " bytes to the device");
}

Status Buffer::read(void *target, size_t count, size_t offset) const {
  if (Status status = checkRange(count, offset, bytes, "read"); !status || count == 0)
    return status;
  const Driver &driver = context->driver();
  return driver.check(driver.cuMemcpyDtoH(target, place + offset, count),
                      "copy " + std::to_string(count) + " bytes from the device");
}

Status Buffer::fill(uint8_t byte) {
  if (bytes == 0)
    return {};
  const Driver &driver = context->driver();
  return driver.check(finish(driver, driver.cuMemsetD8(place, byte, bytes)),
                      "fill " + std::to_string(bytes) + " bytes of the device");
}
