#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/io/input_file.h"

namespace stockout {

/// The content of a plain or gzip file, in order and in constant memory. Gzip is recognised by the first two
/// bytes of the file, not by its name; several gzip members in a row are one content, as gunzip has it.
class ByteSource {
 public:
  /// Throws InputError if the file cannot be opened (see InputFile).
  explicit ByteSource(std::string path);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Fills the front of `into` (not empty) and returns how many bytes; 0 at the end only. Throws InputError
  /// if the gzip data is corrupt, ends too early, or unpacks to hundreds of times its size, naming the byte
  /// of the file.
  [[nodiscard]] std::size_t read(std::span<char> into);

  /// Bytes of a plain file not read yet; 0 for gzip, whose length is known at its end only.
  [[nodiscard]] std::uint64_t plain_bytes_left() const;

  [[nodiscard]] const std::string& path() const { return file_.path(); }

 private:
  class Gunzip;

  [[nodiscard]] std::size_t take_head(std::span<char> into);

  InputFile file_;
  std::unique_ptr<Gunzip> gunzip_;  // null for a plain file
  char head_[2]{};                  // what was read to tell gzip from plain
  std::size_t head_size_ = 0;
};

}  // namespace stockout
