#include "sim/io/field_kinds.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/io/utf8.h"

namespace stockout {
namespace {

constexpr const char* kNoText = "must be a text";
constexpr std::size_t kMostShown = 60;

std::string shown(const std::string& text) { return text.substr(0, kMostShown); }

}  // namespace

std::string Whole::why_not(const StoredValue& value) const {
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return "must be a whole number";
  if (*number >= least && *number <= most) return {};
  return fmt::format("must be {} to {}, but is {}", least, most, *number);
}

std::string Flag::decode(const StoredValue& value, bool& member) {
  std::int64_t number = 0;
  std::string problem = Whole{.least = 0, .most = 1}.decode(value, number);
  member = number == 1;
  return problem;
}

std::string Number::decode(const StoredValue& value, double& member) const {
  const auto* number = std::get_if<double>(&value);
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (number == nullptr && whole == nullptr) return "must be a number";
  member = number != nullptr ? *number : static_cast<double>(*whole);
  if (!std::isfinite(member)) return "must be a number";
  if (member >= least && member <= most) return {};
  return fmt::format("must be {} to {}, but is {}", least, most, member);
}

std::string AnyText::decode(const StoredValue& value, std::string& member) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return kNoText;
  member = *text;
  return {};
}

std::string Line::decode(const StoredValue& value, std::string& member) {
  std::string problem = AnyText::decode(value, member);
  if (!problem.empty()) return problem;
  std::string seen = member;
  std::ranges::replace(seen, '\t', ' ');
  const bool is_line = first_not_utf8(seen) == seen.size() && first_control(seen) == seen.size();
  return is_line ? "" : "must be text without control characters";
}

StoredValue Digits::encode(std::uint64_t member) const {
  return base == 16 ? fmt::format("{:016x}", member) : fmt::format("{}", member);
}

std::string Digits::decode(const StoredValue& value, std::uint64_t& member) const {
  const auto* digits = std::get_if<std::string>(&value);
  if (digits == nullptr) return kNoText;
  const char* end = digits->data() + digits->size();
  const auto [stop, error] = std::from_chars(digits->data(), end, member, base);
  const bool is_short = base == 16 && digits->size() != 16;
  if (error == std::errc{} && stop == end && !is_short) return {};
  return fmt::format("must be {}, but is \"{}\"",
                     base == 16 ? "a fingerprint of 16 hexadecimal digits" : "a whole number in quotes",
                     shown(*digits));
}

std::string OneOf::find(const StoredValue& value, std::size_t& place) const {
  const auto* name = std::get_if<std::string>(&value);
  if (name == nullptr) return kNoText;
  const auto found = std::ranges::find(names, *name);
  place = static_cast<std::size_t>(found - names.begin());
  if (found != names.end()) return {};
  return fmt::format("must be one of {}, but is \"{}\"", fmt::join(names, ", "), shown(*name));
}

}  // namespace stockout
