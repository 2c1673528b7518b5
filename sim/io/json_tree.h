#pragma once

// For sim/io only: it needs nlohmann's header.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/io/json_value.h"

namespace stockout {

/// Builds trees from what nlohmann's parser reports. `Position` knows how far the parser has come: line(back)
/// is the line of the last character read but `back`, fail(problem) and fail_at(line, problem) throw.
template <typename Position>
class JsonTreeBuilder {
 public:
  using number_integer_t = std::int64_t;
  using number_unsigned_t = std::uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  JsonTreeBuilder(Position& position, int most_depth) : position_{position}, most_depth_{most_depth} {}
  JsonValue take() { return std::exchange(root_, {}); }

  /// Whether no list and no object is open.
  [[nodiscard]] bool is_closed() const { return open_.empty(); }

  bool null() { return scalar<JsonValue::Null>({}, 0); }
  bool boolean(bool value) { return scalar<bool>(value, 0); }
  bool number_integer(std::int64_t value) { return scalar<std::int64_t>(value, 1); }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      position_.fail(fmt::format("{} does not fit: whole numbers go up to 9223372036854775807", value));
    }
    return scalar<std::int64_t>(static_cast<std::int64_t>(value), 1);
  }
  bool number_float(double value, const std::string&) { return scalar<double>(value, 1); }
  /// A copy: the parser's own text keeps its memory for the next one.
  bool string(const std::string& value) { return scalar<std::string>(value, 0); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) {
    constexpr std::size_t kUsual = 8;  // members; growing to them one by one costs as much as parsing them
    open<JsonValue::Members>().reserve(kUsual);
    return true;
  }
  bool start_array(std::size_t) {
    open<JsonValue::List>();
    return true;
  }
  bool key(const std::string& name) {
    JsonValue::Member& member = std::get<JsonValue::Members>(open_.back()->content).emplace_back();
    member.key = name;
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
    return false;
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

  template <typename Kind>
  bool scalar(const Kind& content, std::ptrdiff_t read_ahead) {
    JsonValue& value = place();
    value.content.template emplace<Kind>(content);
    value.line = position_.line(read_ahead);
    return true;
  }

  template <typename Kind>
  Kind& open() {
    if (open_.size() >= static_cast<std::size_t>(most_depth_)) {
      position_.fail(fmt::format("nested deeper than {} levels", most_depth_));
    }
    JsonValue& value = place();
    value.line = position_.line();
    open_.push_back(&value);
    return value.content.template emplace<Kind>();
  }

  // Sorting asks for memory, and most objects are small.
  static bool are_few_and_differ(const JsonValue::Members& members) {
    constexpr std::size_t kFew = 16;
    if (members.size() > kFew) return false;
    for (auto member = members.begin(); member != members.end(); ++member) {
      if (std::find_if(members.begin(), member, [&](const auto& one) { return one.key == member->key; }) !=
          member)
        return false;
    }
    return true;
  }

  void refuse_twice(const JsonValue::Members& members) {
    if (are_few_and_differ(members)) return;
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

}  // namespace stockout
