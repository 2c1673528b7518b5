#include "sim/io/json_reader.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/io/input_file.h"
#include "sim/io/json_tree.h"
#include "sim/io/last_commas.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

// Lets the parser read while we see how far it has come.
class WatchedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedText(const char* at, const char** seen) : at_{at}, seen_{seen} {}
  reference operator*() const { return *at_; }
  WatchedText& operator++() {
    *seen_ = ++at_;
    return *this;
  }
  WatchedText operator++(int) {
    WatchedText before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const WatchedText& a, const WatchedText& b) { return a.at_ == b.at_; }

 private:
  const char* at_;
  const char** seen_;
};

// The end of what the parser has read, and the line that is.
class Position {
 public:
  Position(std::string_view text, const std::string& file) : text_{text}, file_{file}, seen_{text.data()} {}

  const char** seen() { return &seen_; }

  // The line of the last character read but `back`. The parser reads one character beyond a number.
  int line(std::ptrdiff_t back = 0) {
    const char* to = std::max(seen_ - back, counted_);
    line_ += static_cast<int>(std::count(counted_, to, '\n'));
    counted_ = to;
    return line_;
  }

  [[noreturn]] void fail(std::string_view problem) { fail_at(line(), problem); }
  [[noreturn]] void fail_at(int where, std::string_view problem) {
    throw InputError{SourceRef{.file = file_, .pointer = {}, .line = where}, problem};
  }

 private:
  std::string_view text_;
  const std::string& file_;
  const char* seen_;
  const char* counted_ = text_.data();
  int line_ = 1;
};

}  // namespace

JsonValue parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
  const std::string without_commas = limits.written_by_hand ? without_last_commas(text) : std::string{};
  if (limits.written_by_hand) text = without_commas;
  Position position{text, file};
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) position.fail("is empty");
  if (const std::size_t bad = first_not_utf8(text); bad < text.size()) {
    *position.seen() = text.data() + bad;
    position.fail(fmt::format("not UTF-8 text: byte 0x{:02x}", static_cast<unsigned char>(text[bad])));
  }
  JsonTreeBuilder<Position> builder{position, limits.depth};
  const WatchedText begin{text.data(), position.seen()};
  const WatchedText end{text.data() + text.size(), position.seen()};
  nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, true,
                            limits.written_by_hand);
  return builder.take();
}

JsonValue read_json_file(const std::string& path, const JsonLimits& limits) {
  return parse_json(read_text_file(path, limits.bytes), path, limits);
}

}  // namespace stockout
