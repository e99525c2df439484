// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory.

#ifndef FP8_OPT_LAUNCH_BUFFER_H
#define FP8_OPT_LAUNCH_BUFFER_H

#include "fp8-opt/Launch/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace fp8opt::launch {

class Context;

/// Memory of a device; freed with this. Copies and fills are done when they return. They come after the work
/// of the default stream, and after that of other streams only where these have been synchronized.
class Buffer {
public:
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();

  /// Null for an empty one.
  uint64_t address() const { return place; }
  size_t size() const { return bytes; }

  /// Host to device, `count` bytes from `offset` on.
  Status write(const void *source, size_t count, size_t offset = 0);
  /// Device to host.
  Status read(void *target, size_t count, size_t offset = 0) const;
  /// Sets every byte.
  Status fill(uint8_t byte);

private:
  friend class Device;
  Buffer(std::shared_ptr<const Context> context, uint64_t place, size_t bytes)
      : context(std::move(context)), place(place), bytes(bytes) {}
  void release();

  std::shared_ptr<const Context> context;
  uint64_t place;
  size_t bytes;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LAUNCH_BUFFER_H
