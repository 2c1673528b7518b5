#include "models/billing/money.h"

#include <chrono>

#include <fmt/format.h>

namespace stockout {

namespace {

// Nano-dollar-milliseconds per hour in one dollar.
constexpr std::int64_t kPerUsd = std::int64_t{1'000'000'000} * SimDuration{std::chrono::hours{1}}.count();

}  // namespace

double Money::to_usd() const {
  // Whole dollars and the rest apart: each is exact in double where it matters, the sum rounded once.
  const Wide dollars = count_ / kPerUsd;
  const Wide rest = count_ % kPerUsd;
  return static_cast<double>(dollars) + static_cast<double>(rest) / static_cast<double>(kPerUsd);
}

Money Money::below_nano_dollar() const {
  const Wide rest = count_ % kNanoDollar.count_;
  return Money{rest < 0 ? rest + kNanoDollar.count_ : rest};
}

std::string Money::to_text(int decimals) const {
  STOCKOUT_CHECK(decimals >= 0 && decimals <= 9);
  std::int64_t parts = 1;  // of a dollar in the last digit shown
  for (int i = 0; i < decimals; ++i) parts *= 10;
  const Wide unit = kPerUsd / parts;  // whole: 3.6e15 is a multiple of 1e9
  const Wide size = count_ < 0 ? -count_ : count_;
  const Wide rounded = size / unit + (size % unit * 2 >= unit ? 1 : 0);
  const auto sign = count_ < 0 && rounded != 0 ? "-" : "";
  const auto whole = rounded / parts;
  if (decimals == 0) return fmt::format("{}{}", sign, whole);
  return fmt::format("{}{}.{:0{}}", sign, whole, static_cast<std::int64_t>(rounded % parts), decimals);
}

}  // namespace stockout
