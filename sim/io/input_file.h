#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sim/core/error.h"

namespace stockout {

/// A file that cannot be opened, so that whoever named it may say where.
class UnopenedFile : public InputError {
 public:
  using InputError::InputError;
};

/// A file opened for reading from its beginning to its end. Regular files only: a folder, a pipe or a device
/// is refused with its own message, as are a missing file (with the nearest name in its folder) and one that
/// may not be read. All errors are InputError.
class InputFile {
 public:
  /// Throws UnopenedFile.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Reads into the front of `into` and returns how many bytes; 0 at the end only, or if `into` is empty.
  [[nodiscard]] std::size_t read(std::span<char> into);

  /// Bytes not read yet, by the size that the file had when it was opened.
  [[nodiscard]] std::uint64_t bytes_left() const { return bytes_left_; }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  int descriptor_;
  std::uint64_t bytes_left_ = 0;
};

/// How far the file is read that InputFile opened last, for who tells a user of it.
struct ReadSoFar {
  std::uint64_t bytes = 0;
  std::uint64_t of = 0;  // its size when it was opened; 0: none was opened
};

/// From any thread.
[[nodiscard]] ReadSoFar read_so_far();

/// All the bytes of a file. Throws InputError where InputFile does, and for a file of more than `most` bytes.
[[nodiscard]] std::string read_text_file(const std::string& path, std::size_t most);

}  // namespace stockout
