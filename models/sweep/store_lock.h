#pragma once

#include <optional>
#include <string>

#include "sim/io/unfinished_file.h"

namespace stockout {

/// One process at a time writes a store: the file STORE.lock beside it, locked by the operating system until
/// this object or the process ends, however it ends.
class StoreLock {
 public:
  /// Throws InputError that names the other process if the store is being written, or if there can be no lock
  /// file.
  explicit StoreLock(const std::string& store);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  std::string path_;
  int file_ = -1;
  std::optional<UnfinishedFile> unfinished_;  // once it is ours
};

}  // namespace stockout
