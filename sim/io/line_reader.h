#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "sim/io/byte_source.h"

namespace stockout {

/// The lines of a plain or gzip text file, one after another, in constant memory. Ends "\n" and "\r\n" are
/// taken off, and a UTF-8 byte order mark; the last line needs no end. Every line handed out is valid UTF-8
/// without control characters other than tab, so it is safe to show.
class LineReader {
 public:
  /// A longer line is an InputError: it is not the kind of file it is taken for.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20;

  /// Throws InputError if the file cannot be opened.
  explicit LineReader(std::string path);

  /// Sets `line` to the next line, valid until the next call; false at the end. Throws InputError for a line
  /// that is too long, holds control characters or is not UTF-8, and for broken gzip data.
  [[nodiscard]] bool next(std::string_view& line) {
    const void* end = std::memchr(next_, '\n', static_cast<std::size_t>(filled_ - next_));
    if (end == nullptr) return next_after_refill(line);
    line = take(static_cast<const char*>(end), 1);
    return true;
  }

  /// About how many lines are still to come, by the length of those in the buffer; 0 where that cannot be
  /// told, as for gzip. Only good for making room.
  [[nodiscard]] std::uint64_t estimate_lines_left() const;

  /// Number of the line last handed out, from 1.
  [[nodiscard]] std::uint64_t line_number() const { return line_number_; }
  [[nodiscard]] const std::string& path() const { return source_.path(); }

  /// Throws InputError that names the line last handed out.
  [[noreturn]] void fail(std::string_view problem) const;
  /// Throws InputError that names line `number`.
  [[noreturn]] void fail_at(std::uint64_t number, std::string_view problem) const;

 private:
  std::string_view take(const char* end, std::size_t skip) {
    std::string_view line{next_, static_cast<std::size_t>(end - next_)};
    next_ = end + skip;
    ++line_number_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (unusual_) check(line);
    return line;
  }

  [[nodiscard]] bool next_after_refill(std::string_view& line);
  [[nodiscard]] bool refill();
  void skip_byte_order_mark();
  void check(std::string_view line) const;
  [[noreturn]] void fail_too_long() const;

  ByteSource source_;
  std::unique_ptr<char[]> buffer_;  // not initialised: most of it is for long lines and never touched
  const char* next_;                // the text not yet handed out is [next_, filled_)
  const char* filled_;
  bool unusual_ = false;  // there may be a byte in it that is not printable ASCII or a line end
  std::uint64_t line_number_ = 0;
};

/// The text in double quotes for an error message, cut at 40 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace stockout
