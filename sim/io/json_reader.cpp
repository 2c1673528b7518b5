#include "sim/io/json_reader.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.h"
#include "sim/io/input_file.h"
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

// Builds the tree from what nlohmann's parser reports.
class TreeBuilder {
 public:
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  TreeBuilder(Position& position, int most_depth) : position_{position}, most_depth_{most_depth} {}
  JsonValue take() { return std::move(root_); }

  bool null() { return scalar(JsonValue::Null{}, 0); }
  bool boolean(bool value) { return scalar(value, 0); }
  bool number_integer(std::int64_t value) { return scalar(value, 1); }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      position_.fail(fmt::format("{} does not fit: whole numbers go up to 9223372036854775807", value));
    }
    return scalar(static_cast<std::int64_t>(value), 1);
  }
  bool number_float(double value, const std::string&) { return scalar(value, 1); }
  bool string(std::string& value) { return scalar(std::move(value), 0); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(JsonValue::Members{}); }
  bool start_array(std::size_t) { return open(JsonValue::List{}); }
  bool key(std::string& name) {
    JsonValue::Member& member = std::get<JsonValue::Members>(open_.back()->content).emplace_back();
    member.key = std::move(name);
    member.value.line = position_.line();
    return true;
  }
  bool end_array() {
    open_.pop_back();
    return true;
  }
  bool end_object() {
    refuse_twice(std::get<JsonValue::Members>(open_.back()->content));
    return end_array();
  }

  template <typename Error>
  bool parse_error(std::size_t, const std::string& token, const Error& error) {
    if (error.id == kOutOfRange)
      position_.fail(fmt::format("{} does not fit into a number", token.substr(0, 40)));
    // "[json.exception...] parse error at line 2, column 5: syntax error while parsing value - unexpected
    // ..."
    std::string_view text = error.what();
    for (const std::string_view lead : {"column ", ": ", " - "}) {
      if (const std::size_t at = text.find(lead); at != std::string_view::npos)
        text.remove_prefix(at + lead.size());
    }
    position_.fail(fmt::format("this is not valid JSON: {}", text));
  }

 private:
  static constexpr int kOutOfRange = 406;  // of nlohmann's exceptions: a number that overflows

  // Where the next value goes: into the last key, at the end of the list, or to the top.
  JsonValue& place() {
    if (open_.empty()) return root_;
    JsonValue& parent = *open_.back();
    if (auto* members = parent.get<JsonValue::Members>()) return members->back().value;
    return std::get<JsonValue::List>(parent.content).emplace_back();
  }

  bool scalar(JsonValue::Content content, std::ptrdiff_t read_ahead) {
    JsonValue& value = place();
    value.content = std::move(content);
    value.line = position_.line(read_ahead);
    return true;
  }

  bool open(JsonValue::Content content) {
    if (open_.size() >= static_cast<std::size_t>(most_depth_)) {
      position_.fail(fmt::format("nested deeper than {} levels", most_depth_));
    }
    JsonValue& value = place();
    value.content = std::move(content);
    value.line = position_.line();
    open_.push_back(&value);
    return true;
  }

  void refuse_twice(const JsonValue::Members& members) {
    std::vector<const JsonValue::Member*> sorted;
    for (const auto& member : members) sorted.push_back(&member);
    std::ranges::stable_sort(sorted, {}, &JsonValue::Member::key);
    const auto twice = std::ranges::adjacent_find(sorted, {}, &JsonValue::Member::key);
    if (twice == sorted.end()) return;
    const JsonValue::Member& first = **twice;
    const JsonValue::Member& second = **std::next(twice);
    position_.fail_at(second.value.line, fmt::format("the key \"{}\" is already on line {}",
                                                     second.key.substr(0, 60), first.value.line));
  }

  Position& position_;
  int most_depth_;
  JsonValue root_;
  std::vector<JsonValue*> open_;  // stays valid: a parent grows only after its last child is closed
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
  TreeBuilder builder{position, limits.depth};
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
