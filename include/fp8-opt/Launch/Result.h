// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an attempt on a device gives: a value, or what was expected and what came.

#ifndef FP8_OPT_LAUNCH_RESULT_H
#define FP8_OPT_LAUNCH_RESULT_H

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace fp8opt::launch {

/// In words: what was attempted, and CUDA's name for what came instead.
struct Error {
  std::string message;
};

/// Nothing or an error. Converts to true on success.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Error error) : problem(std::move(error)) {}

  explicit operator bool() const { return !problem; }
  /// Only of a failure.
  const Error &error() const { return *problem; }

private:
  std::optional<Error> problem;
};

/// A value or an error. Converts to true where there is a value.
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : content(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : content(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return content.index() == 0; }
  /// Only of a success.
  T &operator*() { return *std::get_if<0>(&content); }
  T *operator->() { return std::get_if<0>(&content); }
  /// Only of a failure.
  const Error &error() const { return *std::get_if<1>(&content); }

private:
  std::variant<T, Error> content;
};

} // namespace fp8opt::launch

#endif // FP8_OPT_LAUNCH_RESULT_H
