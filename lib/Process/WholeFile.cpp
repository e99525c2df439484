// Part of fp8-opt, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a file beside its place and moves it there.

#include "fp8-opt/Process/WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

/// Writes to an open file; closes it.
static Error writeOpen(int file, function_ref<Error(raw_fd_ostream &)> write) {
  raw_fd_ostream os(file, /*shouldClose=*/true);
  Error refused = write(os);
  os.close();
  std::error_code code = os.error();
  // The stream ends the process if nobody has looked.
  os.clear_error();
  return refused ? std::move(refused) : errorCodeToError(code);
}

static Error writeInPlace(StringRef path, function_ref<Error(raw_fd_ostream &)> write) {
  int file;
  if (std::error_code code = sys::fs::openFileForWrite(path, file, sys::fs::CD_OpenExisting))
    return errorCodeToError(code);
  return writeOpen(file, write);
}

static Error writeBeside(StringRef path, function_ref<Error(raw_fd_ostream &)> write) {
  SmallString<128> place(path), temporary;
  if (sys::fs::exists(path))
    if (std::error_code code = sys::fs::real_path(path, place))
      return errorCodeToError(code);
  int file;
  if (std::error_code code = sys::fs::createUniqueFile(place + ".%%%%%%%%", file, temporary, sys::fs::OF_None,
                                                       sys::fs::all_read | sys::fs::all_write))
    return errorCodeToError(code);
  Error error = writeOpen(file, write);
  if (!error)
    error = errorCodeToError(sys::fs::rename(temporary, place));
  if (error)
    (void)sys::fs::remove(temporary); // what matters is the first error
  return error;
}

Error fp8opt::checkPlace(StringRef path) {
  auto fail = [](const Twine &message) { return createStringError(inconvertibleErrorCode(), message); };
  if (sys::fs::is_directory(path))
    return fail("expected the name of a file to write, got the folder '" + path + "'");
  StringRef folder = sys::path::parent_path(path);
  if (folder.empty() || sys::fs::is_directory(folder))
    return Error::success();
  return fail("expected a folder '" + folder + "' to write '" + path + "' into, got " +
              (sys::fs::exists(folder) ? "a file of that name" : "none"));
}

Error fp8opt::writeWholeOrRefuse(StringRef path, function_ref<Error(raw_fd_ostream &)> write) {
  bool isInPlace = sys::fs::exists(path) && !sys::fs::is_regular_file(path);
  Error error = isInPlace ? writeInPlace(path, write) : writeBeside(path, write);
  if (!error)
    return error;
  return createStringError(inconvertibleErrorCode(),
                           "expected to write '" + path + "', got: " + toString(std::move(error)));
}

Error fp8opt::writeWhole(StringRef path, function_ref<void(raw_ostream &)> write) {
  return writeWholeOrRefuse(path, [&](raw_fd_ostream &os) {
    write(os);
    return Error::success();
  });
}
