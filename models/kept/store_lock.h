#pragma once

#include <cstdint>
#include <string>

namespace stockout {

/// One process at a time writes a store, and none while another merges it: a lock of the operating system on
/// the store's own file, so that links and other spellings of its name share it. It holds until this object
/// or the process ends, however it ends, and keeps nobody from reading. Outlives what has the store open.
class StoreLock {
 public:
  enum class Use : std::uint8_t { write, merge };

  /// For writing, a store that is not there is begun: an empty file, removed with this object if it is still
  /// empty. Throws InputError if another process writes the store, or if it cannot be opened or locked.
  StoreLock(std::string store, Use use);
  ~StoreLock();
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

  /// Whether the file is still under its name: what is written to one that was removed, moved or replaced is
  /// lost.
  [[nodiscard]] bool is_still_there() const;

 private:
  void open();
  void lock();
  void close() const;
  [[noreturn]] void fail(std::string_view problem) const;

  std::string store_;
  std::string file_;  // with symbolic links followed
  Use use_;
  bool is_new_ = false;
  int descriptor_ = -1;
};

}  // namespace stockout
