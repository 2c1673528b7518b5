#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "sim/io/field_kinds.h"

namespace stockout {

// A stored struct has one list of fields, a std::tuple of Field. The list makes the table of a database, the
// rows that go into it and the keys of a JSON object, and reads them back: what is stored is said once.

template <typename Member>
inline constexpr bool kIsOptional = false;
template <typename Member>
inline constexpr bool kIsOptional<std::optional<Member>> = true;

/// A field: its name in the file, with its unit; the member, or the member of a member ...; how it is kept;
/// and what it is. A member that is std::optional, or within one, may be missing.
template <typename Kind, auto First, auto... Rest>
struct Field {
  std::string_view name;
  Kind kind;
  std::string_view doc;

 private:
  template <typename Class, typename Member>
  static Class class_of(Member Class::*);
  template <typename Class, typename Member>
  static Member member_of(Member Class::*);

 public:
  using Owner = decltype(class_of(First));

  [[nodiscard]] static constexpr bool may_be_missing() {
    if constexpr (requires { Kind::kMayBeNone; }) return true;
    return kIsOptional<decltype(member_of(First))> || (kIsOptional<decltype(member_of(Rest))> || ...);
  }
  /// Whether it is missing together with other fields of the same optional member.
  [[nodiscard]] static constexpr bool is_part() { return sizeof...(Rest) > 0 && may_be_missing(); }

  /// As it goes to a file.
  [[nodiscard]] StoredValue get(const Owner& owner) const { return get_at<First, Rest...>(owner); }

  /// From a file: why not, or empty.
  [[nodiscard]] std::string set(Owner& owner, const StoredValue& value) const {
    return set_at<First, Rest...>(owner, value);
  }

 private:
  template <auto Next, auto... After, typename Struct>
  [[nodiscard]] StoredValue get_at(const Struct& from) const {
    const auto& member = from.*Next;
    if constexpr (kIsOptional<std::remove_cvref_t<decltype(member)>>) {
      return member ? get_in<After...>(*member) : StoredValue{};
    } else {
      return get_in<After...>(member);
    }
  }
  template <auto... After, typename Member>
  [[nodiscard]] StoredValue get_in(const Member& member) const {
    if constexpr (sizeof...(After) == 0) {
      return kind.encode(member);
    } else {
      return get_at<After...>(member);
    }
  }
  template <auto Next, auto... After, typename Struct>
  [[nodiscard]] std::string set_at(Struct& to, const StoredValue& value) const {
    auto& member = to.*Next;
    if constexpr (kIsOptional<std::remove_cvref_t<decltype(member)>>) {
      if (std::holds_alternative<std::monostate>(value)) return {};
      if (!member) member.emplace();
      return set_in<After...>(*member, value);
    } else {
      return set_in<After...>(member, value);
    }
  }
  template <auto... After, typename Member>
  [[nodiscard]] std::string set_in(Member& member, const StoredValue& value) const {
    if constexpr (sizeof...(After) == 0) {
      return kind.decode(value, member);
    } else {
      return set_at<After...>(member, value);
    }
  }
};

/// field<&Commitment::machines>("machines", Whole{}, "that are committed to")
template <auto... Path, typename Kind>
[[nodiscard]] constexpr Field<Kind, Path...> field(std::string_view name, Kind kind,
                                                   std::string_view doc = {}) {
  return {name, kind, doc};
}

/// Calls `visit` with each field of a list, in order.
template <typename... Fields, typename Visit>
constexpr void for_each_field(const std::tuple<Fields...>& fields, Visit&& visit) {
  std::apply([&](const Fields&... each) { (visit(each), ...); }, fields);
}

}  // namespace stockout
