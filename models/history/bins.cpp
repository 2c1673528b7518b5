#include "models/history/bins.h"

#include <algorithm>
#include <array>

#include "sim/core/check.h"

namespace stockout {
namespace {

using namespace std::chrono_literals;

constexpr std::array<SimDuration, 15> kLengths{1s, 5s, 15s, 30s, 1min, 5min,    15min,   30min,
                                               1h, 3h, 6h,  12h, 24h,  7 * 24h, 14 * 24h};

SimDuration next_length(SimDuration length) {
  const auto* next = std::ranges::upper_bound(kLengths, length);
  return next == kLengths.end() ? 2 * length : *next;
}

}  // namespace

Bins::Bins(std::size_t most, SimTime until) : most_{most}, length_{kLengths.front()} {
  STOCKOUT_CHECK(most >= 1);
  reach(std::max(kStart, until - SimDuration{1}));
}

std::size_t Bins::reach(SimTime at) {
  const SimDuration before = length_;
  while (!reaches(at)) length_ = next_length(length_);
  return static_cast<std::size_t>(length_ / before);
}

}  // namespace stockout
