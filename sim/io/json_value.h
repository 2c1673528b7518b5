#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace stockout {

/// A JSON value that remembers the line it came from. Members keep their order; no key comes twice.
class JsonValue {
 public:
  struct Null {};
  struct Member;
  using List = std::vector<JsonValue>;
  using Members = std::vector<Member>;
  using Content = std::variant<Null, bool, std::int64_t, double, std::string, List, Members>;

  JsonValue() = default;
  explicit JsonValue(Content value, int at_line = 0);

  template <typename T>
  [[nodiscard]] const T* get() const {
    return std::get_if<T>(&content);
  }
  template <typename T>
  [[nodiscard]] T* get() {
    return std::get_if<T>(&content);
  }

  /// The member of that name, or nullptr if there is none or this is no object.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
  [[nodiscard]] JsonValue* find(std::string_view key);

  Content content;
  int line = 0;    // 1-based; 0 where not known
  int origin = 0;  // 0: the file; n: the n-th override from the command line
};

struct JsonValue::Member {
  std::string key;
  JsonValue value;
};

// Not in the class, where Member is not yet complete.
inline JsonValue::JsonValue(Content value, int at_line) : content{std::move(value)}, line{at_line} {}

/// The value as compact JSON, cut to about `most` characters: for messages.
[[nodiscard]] std::string to_text(const JsonValue& value, std::size_t most = 60);

}  // namespace stockout
