#include "models/baseline/tolerance.h"

#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

namespace stockout {
namespace {

constexpr double kMostPercent = 1'000;

std::optional<double> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  text.remove_suffix(1);
  if (text.ends_with(' ')) text.remove_suffix(1);
  double percent = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
  const bool is_number = error == std::errc{} && stop == end && std::isfinite(percent);
  if (!is_number || std::signbit(percent) || percent > kMostPercent) return std::nullopt;
  return percent;
}

}  // namespace

std::optional<Tolerance> parse_tolerance(std::string_view text) {
  if (text == "exact") return Tolerance{};
  if (text == "interval") return Tolerance{.kind = Tolerance::Kind::interval};
  const auto percent = parse_percent(text);
  if (!percent) return std::nullopt;
  return Tolerance{.kind = Tolerance::Kind::relative, .percent = *percent};
}

double allowed_by(const Tolerance& tolerance, const Summary& then, const Summary& now) {
  switch (tolerance.kind) {
    case Tolerance::Kind::exact:
      return 0;
    case Tolerance::Kind::relative:
      return tolerance.percent / 100 * std::abs(then.mean);
    case Tolerance::Kind::interval:
      return std::hypot(then.half_width.value_or(0), now.half_width.value_or(0));
  }
  return 0;
}

std::string to_text(const Tolerance& tolerance) {
  switch (tolerance.kind) {
    case Tolerance::Kind::exact:
      return "exact";
    case Tolerance::Kind::relative:
      return fmt::format("{}%", tolerance.percent);
    case Tolerance::Kind::interval:
      return "interval";
  }
  return {};
}

}  // namespace stockout
