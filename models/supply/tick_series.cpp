#include "models/supply/tick_series.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/supply/markov_profile.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

std::int32_t cap_of(const AvailabilitySeries& series, std::int32_t cap) {
  const auto fail = [&](std::string_view problem) { throw InputError{{.file = series.file}, problem}; };
  const std::int32_t most = *std::ranges::max_element(series.values);
  if (cap != 0 && series.cap != 0 && cap != series.cap)
    fail(fmt::format("the cap is said to be {}, but the file asked for {} each time", cap, series.cap));
  const std::int32_t known = cap != 0 ? cap : series.cap != 0 ? series.cap : most;
  if (known < most) fail(fmt::format("has a value {} beyond the cap {}", most, known));
  if (known < 1) fail("never has a machine: say with the cap how many were asked for each time");
  return known;
}

}  // namespace

std::size_t TickSeries::hour(std::size_t i) const {
  return absolute ? hour_of_day(SimDuration{at_ms[i]}) : 0;
}

std::size_t TickSeries::missing_before(std::size_t i) const {
  if (i == 0 || follows[i] != 0) return 0;
  constexpr SimDuration kMost = std::chrono::hours{7 * 24};
  const SimDuration gap = std::min(SimDuration{at_ms[i] - at_ms[i - 1]}, kMost);
  return static_cast<std::size_t>(std::max<std::int64_t>(0, (gap + tick / 2) / tick - 1));
}

TickSeries TickSeries::part(std::size_t from, std::size_t to) const {
  const auto cut = [&](const auto& column) {
    return std::remove_cvref_t<decltype(column)>{column.begin() + static_cast<std::ptrdiff_t>(from),
                                                 column.begin() + static_cast<std::ptrdiff_t>(to)};
  };
  TickSeries result{.values = cut(values),
                    .follows = cut(follows),
                    .at_ms = cut(at_ms),
                    .tick = tick,
                    .absolute = absolute,
                    .cap = cap};
  result.follows.front() = 0;
  return result;
}

std::size_t TickSeries::within(SimDuration length) const {
  const auto end = std::ranges::lower_bound(at_ms, at_ms.front() + length.count());
  return static_cast<std::size_t>(end - at_ms.begin());
}

TickSeries to_ticks(const AvailabilitySeries& series, std::int32_t cap) {
  if (series.tick < kLeastTick || series.tick > kMostTick) {
    throw InputError{
        {.file = series.file},
        fmt::format("has a sample every {}; a chain has ticks of {} to {}", format_duration(series.tick),
                    format_duration(kLeastTick), format_duration(kMostTick))};
  }
  TickSeries ticks{.values = series.values,
                   .follows = std::vector<std::uint8_t>(series.size(), 0),
                   .at_ms = series.at_ms,
                   .tick = series.tick,
                   .absolute = series.absolute,
                   .cap = cap_of(series, cap)};
  for (std::size_t i = 1; i < series.size(); ++i) {
    const SimDuration gap{series.at_ms[i] - series.at_ms[i - 1]};
    ticks.follows[i] = 2 * gap <= 3 * series.tick && 2 * gap >= series.tick ? 1 : 0;
  }
  return ticks;
}

std::vector<std::int32_t> waits_of(const TickSeries& series, std::int32_t wanted) {
  const auto most = static_cast<std::int32_t>(kLongestWait / series.tick);
  std::vector<std::int32_t> waits(series.size());
  std::int32_t known = -1;  // ticks to the next value that has them, from the value after this one
  std::int32_t clear = 0;   // values without a hole from the one after this one on
  for (std::size_t i = series.size(); i-- > 0;) {
    if (i + 1 == series.size() || series.follows[i + 1] == 0) {
      known = -1;
      clear = 0;
    }
    if (series.values[i] >= wanted) {
      known = 0;
    } else if (known >= 0) {
      ++known;
    }
    ++clear;
    waits[i] = known >= 0 ? std::min(known, most) : clear > most ? most : -1;
  }
  return waits;
}

Spells spells_of(const TickSeries& series, std::int32_t wanted) {
  Spells spells;
  std::uint64_t there = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const bool is_there = series.values[i] >= wanted;
    there += is_there ? 1 : 0;
    if (i > 0 && series.follows[i] != 0 && !is_there && series.values[i - 1] >= wanted) ++spells.ended;
  }
  const double tick_h = static_cast<double>(series.tick.count()) / kMsPerHour;
  spells.share = static_cast<double>(there) / static_cast<double>(series.size());
  if (spells.ended > 0)
    spells.mean_spell_h = tick_h * static_cast<double>(there) / static_cast<double>(spells.ended);
  double sum = 0;
  for (const std::int32_t wait : waits_of(series, wanted)) {
    if (wait < 0) continue;
    ++spells.waits;
    sum += wait;
  }
  if (spells.waits > 0) spells.mean_wait_h = tick_h * sum / static_cast<double>(spells.waits);
  return spells;
}

}  // namespace stockout
