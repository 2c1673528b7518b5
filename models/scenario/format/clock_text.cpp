#include "models/scenario/format/clock_text.h"

#include <charconv>
#include <utility>

namespace stockout {
namespace {

std::optional<int> two_digits(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
  }
  return (text[0] - '0') * 10 + (text[1] - '0');
}

}  // namespace

std::optional<int> parse_months(std::string_view text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 1 || count > 100'000) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  if (unit.ends_with('s')) unit.remove_suffix(1);
  for (const auto& [name, months] :
       {std::pair<std::string_view, int>{"month", 1}, {"quarter", 3}, {"year", 12}}) {
    if (unit == name) return count * months;
  }
  return std::nullopt;
}

std::optional<SimDuration> parse_clock(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = two_digits(text.substr(0, 2));
  const auto minute = two_digits(text.substr(3, 2));
  if (!hour || !minute || *minute > 59 || *hour * 60 + *minute > 24 * 60) return std::nullopt;
  return std::chrono::hours{*hour} + std::chrono::minutes{*minute};
}

std::optional<ClockSpan> parse_clock_span(std::string_view text) {
  if (text.size() != 11 || text[5] != '-') return std::nullopt;
  const auto from = parse_clock(text.substr(0, 5));
  const auto to = parse_clock(text.substr(6));
  if (!from || !to || *from >= *to) return std::nullopt;
  return ClockSpan{.from = *from, .to = *to};
}

std::string meant_clock(std::string_view text) {
  if (text.starts_with("at ")) text.remove_prefix(3);
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  const bool lacks_zero = text.find(':') == 1;
  std::string clock(lacks_zero ? 1 : 0, '0');
  clock.append(text);
  return parse_clock(clock) ? clock : std::string{};
}

std::string meant_clock_span(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {};
  std::string span = meant_clock(text.substr(0, dash)) + '-' + meant_clock(text.substr(dash + 1));
  return parse_clock_span(span) ? span : std::string{};
}

}  // namespace stockout
