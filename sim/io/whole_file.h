#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/io/unfinished_file.h"

namespace stockout {

/// An output file that appears whole or not at all. What is written goes to a file beside it, which takes its
/// name in commit(), once it is on the disk. Without commit() nothing is left behind and an older file stays
/// as it was, also where Ctrl-C ends the program. A symbolic link stays one: the file that it points to is
/// made or replaced, as a shell's `>` does. Something that is there and is no ordinary file (/dev/null, a
/// pipe, /dev/stdout) is written to directly.
class WholeFile {
 public:
  /// Throws InputError if nothing can be written there: a directory, no such folder, no permission.
  explicit WholeFile(const std::string& path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  /// Appends. Throws InputError when the disk is full, or the file would be larger than it may be.
  void write(std::string_view text);

  /// For a library that writes a file itself, in place of write(): the file that takes the name. Empty if
  /// what is there is written to directly.
  [[nodiscard]] const std::string& temporary() const { return temporary_; }

  /// Makes it so. Throws InputError like write(). Called at most once; nothing is written afterwards.
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(std::string_view what) const;

  std::string name_;                          // as the user gave it
  std::string target_;                        // with symbolic links resolved
  std::string temporary_;                     // empty: written to directly, or committed
  std::optional<UnfinishedFile> unfinished_;  // while there is a temporary file
  std::string buffer_;
  int file_ = -1;
};

}  // namespace stockout
