// Quantities as Kubernetes writes them.

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "tools/kueue/cluster_import.h"

namespace stockout::kueue {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 16> kSuffixes{{{"n", 1e-9},
                                                                         {"u", 1e-6},
                                                                         {"m", 1e-3},
                                                                         {"", 1},
                                                                         {"k", 1e3},
                                                                         {"M", 1e6},
                                                                         {"G", 1e9},
                                                                         {"T", 1e12},
                                                                         {"P", 1e15},
                                                                         {"E", 1e18},
                                                                         {"Ki", 0x1p10},
                                                                         {"Mi", 0x1p20},
                                                                         {"Gi", 0x1p30},
                                                                         {"Ti", 0x1p40},
                                                                         {"Pi", 0x1p50},
                                                                         {"Ei", 0x1p60}}};

std::optional<double> factor_of(std::string_view suffix) {
  for (const auto& [name, factor] : kSuffixes) {
    if (name == suffix) return factor;
  }
  return std::nullopt;
}

// A decimal point moves nothing that 53 bits do not hold; whole numbers keep all their digits.
std::optional<Amount> whole_amount(std::string_view text, bool in_thousandths) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!in_thousandths) return Amount{value};
  return value >= kMost / 1000 ? Amount::unlimited() : Amount{value * 1000};
}

}  // namespace

std::optional<Amount> parse_quantity(std::string_view text, bool in_thousandths) {
  if (const auto whole = whole_amount(text, in_thousandths)) return whole;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
  const auto factor = factor_of({end, static_cast<std::size_t>(text.data() + text.size() - end)});
  if (!factor) return std::nullopt;
  const double scaled = std::ceil(value * *factor * (in_thousandths ? 1000 : 1) * (1 - 1e-15));
  if (scaled >= static_cast<double>(std::numeric_limits<std::int64_t>::max())) return Amount::unlimited();
  return Amount{static_cast<std::int64_t>(scaled)};
}

}  // namespace stockout::kueue
