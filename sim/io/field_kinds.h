#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "sim/core/time.h"

namespace stockout {

/// A value as files have it; std::monostate: none.
using StoredValue = std::variant<std::monostate, std::int64_t, double, std::string>;

// The kinds of values that a field of a stored struct may have. Each says what SQL calls it (kSqlType), how a
// member becomes such a value (encode), and how a value from a file that is not trusted becomes a member
// (decode: the sentence that says what is wrong, without the field's name; empty if it is right).

/// A whole number from `least` to `most`: of integers, identifiers, quantities (their count) and times
/// (milliseconds; of points in time, since kStart).
struct Whole {
  static constexpr std::string_view kSqlType = "INTEGER";
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  template <typename Member>
  [[nodiscard]] StoredValue encode(const Member& member) const {
    if constexpr (std::is_same_v<Member, SimTime>) {
      return std::int64_t{(member - kStart).count()};
    } else if constexpr (std::is_integral_v<Member> || std::is_enum_v<Member>) {
      return static_cast<std::int64_t>(member);
    } else {
      return std::int64_t{member.count()};
    }
  }
  template <typename Member>
  [[nodiscard]] std::string decode(const StoredValue& value, Member& member) const {
    if (std::string problem = why_not(value); !problem.empty()) return problem;
    const std::int64_t number = std::get<std::int64_t>(value);
    if constexpr (std::is_same_v<Member, SimTime>) {
      member = kStart + SimDuration{number};
    } else {
      member = static_cast<Member>(number);
    }
    return {};
  }

 private:
  [[nodiscard]] std::string why_not(const StoredValue& value) const;
};

/// Yes or no: 1 or 0 in SQL.
struct Flag {
  static constexpr std::string_view kSqlType = "INTEGER";

  [[nodiscard]] static StoredValue encode(bool member) { return std::int64_t{member ? 1 : 0}; }
  [[nodiscard]] static std::string decode(const StoredValue& value, bool& member);
};

/// A finite number from `least` to `most`.
struct Number {
  static constexpr std::string_view kSqlType = "REAL";
  double least = -std::numeric_limits<double>::max();
  double most = std::numeric_limits<double>::max();

  [[nodiscard]] static StoredValue encode(double member) { return member; }
  [[nodiscard]] std::string decode(const StoredValue& value, double& member) const;
};

/// Any text.
struct AnyText {
  static constexpr std::string_view kSqlType = "TEXT";

  [[nodiscard]] static StoredValue encode(std::string_view member) { return std::string{member}; }
  [[nodiscard]] static std::string decode(const StoredValue& value, std::string& member);
};

/// UTF-8 without control characters but tabs, which catalogues may have.
struct Line : AnyText {
  [[nodiscard]] static std::string decode(const StoredValue& value, std::string& member);
};

/// A text, of kind Line or AnyText, that may be none: an empty member.
template <typename Text>
struct OrNone {
  static constexpr std::string_view kSqlType = Text::kSqlType;
  static constexpr bool kMayBeNone = true;

  [[nodiscard]] static StoredValue encode(const std::string& member) {
    return member.empty() ? StoredValue{} : StoredValue{member};
  }
  [[nodiscard]] static std::string decode(const StoredValue& value, std::string& member) {
    member.clear();
    return std::holds_alternative<std::monostate>(value) ? std::string{} : Text::decode(value, member);
  }
};

/// 64 bits as text: in decimal (`base` 10), or as 16 hexadecimal digits (16). Other programs round large
/// numbers.
struct Digits {
  static constexpr std::string_view kSqlType = "TEXT";
  int base = 10;

  [[nodiscard]] StoredValue encode(std::uint64_t member) const;
  [[nodiscard]] std::string decode(const StoredValue& value, std::uint64_t& member) const;
};

/// An enumerator, by the name in its place.
struct OneOf {
  static constexpr std::string_view kSqlType = "TEXT";
  std::span<const std::string_view> names;

  template <typename Enum>
  [[nodiscard]] StoredValue encode(Enum member) const {
    return std::string{names[static_cast<std::size_t>(member)]};
  }
  template <typename Enum>
  [[nodiscard]] std::string decode(const StoredValue& value, Enum& member) const {
    std::size_t place = 0;
    std::string problem = find(value, place);
    if (problem.empty()) member = static_cast<Enum>(place);
    return problem;
  }

 private:
  [[nodiscard]] std::string find(const StoredValue& value, std::size_t& place) const;
};

}  // namespace stockout
