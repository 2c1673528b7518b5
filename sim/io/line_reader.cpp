#include "sim/io/line_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

constexpr std::size_t kBlock = std::size_t{256} << 10;
constexpr std::size_t kBuffer = LineReader::kLongestLine + kBlock;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A carriage return counts: it may only stand at the end of a line.
bool is_unusual(unsigned char c) {
  return static_cast<bool>(
      static_cast<int>(c >= 0x7f) |
      (static_cast<int>(c < 0x20) & static_cast<int>(c != '\t') & static_cast<int>(c != '\n')));
}

// Whether a line of the block needs a closer look. In short runs of bytes, so that the compiler can use
// vectors.
bool any_unusual(const char* from, const char* to) {
  constexpr std::ptrdiff_t kRun = 64;
  std::uint8_t found = 0;
  for (; to - from >= kRun; from += kRun) {
    std::array<std::uint8_t, kRun> run;
    for (std::size_t i = 0; i < kRun; ++i) {
      run[i] = is_unusual(static_cast<unsigned char>(from[i])) ? std::uint8_t{1} : std::uint8_t{0};
    }
    for (const std::uint8_t byte : run) found = static_cast<std::uint8_t>(found | byte);
  }
  return found != 0 ||
         std::any_of(from, to, [](char c) { return is_unusual(static_cast<unsigned char>(c)); });
}

}  // namespace

LineReader::LineReader(std::string path)
    : source_{std::move(path)},
      buffer_{std::make_unique_for_overwrite<char[]>(kBuffer)},
      next_{buffer_.get()},
      filled_{next_} {
  while (static_cast<std::size_t>(filled_ - next_) < kByteOrderMark.size() && refill()) continue;
  if (std::string_view{next_, static_cast<std::size_t>(filled_ - next_)}.starts_with(kByteOrderMark)) {
    next_ += kByteOrderMark.size();
  }
}

std::uint64_t LineReader::estimate_lines_left() const {
  const auto buffered = static_cast<std::uint64_t>(filled_ - next_);
  if (buffered == 0) return 0;
  const auto lines = static_cast<std::uint64_t>(std::count(next_, filled_, '\n'));
  return lines + lines * (source_.plain_bytes_left() / buffered);
}

bool LineReader::refill() {
  const auto left = static_cast<std::size_t>(filled_ - next_);
  std::memmove(buffer_.get(), next_, left);
  next_ = buffer_.get();
  const std::size_t got = source_.read(std::span{buffer_.get(), kBuffer}.subspan(left, kBlock));
  filled_ = next_ + left + got;
  unusual_ = (unusual_ && left > 0) || any_unusual(filled_ - got, filled_);
  return got > 0;
}

bool LineReader::next_after_refill(std::string_view& line) {
  auto searched = static_cast<std::size_t>(filled_ - next_);
  while (true) {
    if (searched > kLongestLine) {
      ++line_number_;
      fail_too_long();
    }
    if (!refill()) break;
    const char* const from = next_ + searched;
    const void* end = std::memchr(from, '\n', static_cast<std::size_t>(filled_ - from));
    if (end != nullptr) {
      line = take(static_cast<const char*>(end), 1);
      if (line.size() > kLongestLine) fail_too_long();
      return true;
    }
    searched = static_cast<std::size_t>(filled_ - next_);
  }
  if (next_ == filled_) return false;
  line = take(filled_, 0);
  return true;
}

void LineReader::check(std::string_view line) const {
  if (line_number_ == 1 && (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF"))) {
    fail("is UTF-16 text; save it as UTF-8");
  }
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte >= 0x80 || !is_unusual(byte)) continue;
    fail(fmt::format("is not text: byte 0x{:02x} at position {} of the line", byte, i + 1));
  }
  const std::size_t broken = first_not_utf8(line);
  if (broken < line.size()) {
    fail(fmt::format("is not UTF-8: byte 0x{:02x} at position {} of the line",
                     static_cast<unsigned char>(line[broken]), broken + 1));
  }
}

void LineReader::fail_too_long() const {
  fail(fmt::format("a line of more than {} bytes: is this a text file?", kLongestLine));
}

void LineReader::fail(std::string_view problem) const { fail_at(line_number_, problem); }

void LineReader::fail_at(std::uint64_t number, std::string_view problem) const {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  throw InputError{{.file = path(), .line = static_cast<int>(std::min(number, kMost))}, problem};
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMost = 40;
  if (text.size() <= kMost) return fmt::format("\"{}\"", text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80)
    --end;  // never inside a character
  return fmt::format("\"{}...\"", text.substr(0, end));
}

}  // namespace stockout
