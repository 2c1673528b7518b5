#include "models/supply/fit_check.h"

#include <algorithm>
#include <numeric>

#include "models/supply/capacity_path.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

// What is looked at, of one series: shares of the levels, then share, spell and wait for each `wanted`.
struct Numbers {
  std::vector<double> shares;
  std::vector<Spells> spells;
};

Numbers numbers_of(const FittedChain& fit, const TickSeries& series,
                   const std::vector<std::int32_t>& wanted) {
  Numbers numbers{.shares = std::vector<double>(fit.tops.size(), 0.0), .spells = {}};
  for (const std::int32_t value : series.values)
    numbers.shares[fit.level_of(value)] += 1 / static_cast<double>(series.size());
  for (const std::int32_t count : wanted) numbers.spells.push_back(spells_of(series, count));
  return numbers;
}

CheckedNumber checked(double seen, bool is_seen, std::vector<double> drawn) {
  CheckedNumber number{.seen = seen, .is_seen = is_seen};
  if (drawn.empty()) return number;
  std::ranges::sort(drawn);
  const auto outside = static_cast<std::size_t>(0.025 * static_cast<double>(drawn.size()));
  number.mean = std::accumulate(drawn.begin(), drawn.end(), 0.0) / static_cast<double>(drawn.size());
  number.low = drawn[outside];
  number.high = drawn[drawn.size() - 1 - outside];
  return number;
}

// Over all drawn series for which `is_there`.
template <typename Value, typename IsThere>
CheckedNumber compare(const Numbers& seen, const std::vector<Numbers>& drawn, Value value, IsThere is_there) {
  std::vector<double> values;
  for (const Numbers& one : drawn) {
    if (is_there(one)) values.push_back(value(one));
  }
  return checked(value(seen), is_there(seen), std::move(values));
}

// Of all drawn spells together: a series in which few end has a long mean, and would weigh as much as one in
// which many do.
double mean_spell_h(const std::vector<Numbers>& drawn, std::size_t i, double length_h) {
  double there_h = 0;
  double ended = 0;
  for (const Numbers& one : drawn) {
    there_h += one.spells[i].share * length_h;
    ended += static_cast<double>(one.spells[i].ended);
  }
  return ended > 0 ? there_h / ended : 0;
}

}  // namespace

TickSeries draw_series(const MarkovProfile& profile, std::int64_t first_ms, std::size_t count,
                       std::uint64_t seed, std::uint64_t number) {
  const std::chrono::sys_time<std::chrono::milliseconds> start{SimDuration{first_ms}};
  const SimTime end = kStart + profile.tick * static_cast<std::int64_t>(count);
  const CapacitySource source =
      to_capacity(profile, profile.source, {}, {.start_date = start, .begin = kStart, .end = end},
                  {.zone = "check", .group = {}});
  TickSeries series{.values = {},
                    .follows = std::vector<std::uint8_t>(count, 1),
                    .at_ms = {},
                    .tick = profile.tick,
                    .absolute = true,
                    .cap = profile.cap};
  series.follows.front() = 0;
  CapacityPath path{source, {.seed = seed, .replication = number}, kStart, end};
  for (std::size_t k = 0; k < count; ++k) {
    const SimTime at = kStart + profile.tick * static_cast<std::int64_t>(k);
    if (path.next_at() <= at) path.advance();
    series.values.push_back(static_cast<std::int32_t>(path.gpus().count()));
    series.at_ms.push_back(first_ms + (at - kStart).count());
  }
  return series;
}

FitCheck check_fit(const FittedChain& fit, const TickSeries& series) {
  constexpr std::uint64_t kSeed = 1;
  std::vector<std::int32_t> wanted{1};
  if (series.cap > 1) wanted.push_back(series.cap);
  const Numbers seen = numbers_of(fit, series, wanted);
  std::vector<Numbers> drawn;
  for (std::uint64_t number = 0; number < kCheckSeries; ++number) {
    const auto one =
        draw_series(fit.profile, series.absolute ? series.at_ms.front() : 0, series.size(), kSeed, number);
    drawn.push_back(numbers_of(fit, one, wanted));
  }
  FitCheck check;
  const auto always = [](const Numbers&) { return true; };
  for (std::size_t i = 0; i < fit.tops.size(); ++i) {
    check.level_shares.push_back(compare(
        seen, drawn, [i](const Numbers& of) { return of.shares[i]; }, always));
  }
  const double length_h =
      static_cast<double>(series.size()) * static_cast<double>(series.tick.count()) / kMsPerHour;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    SpellCheck spell{.wanted = wanted[i], .ended = seen.spells[i].ended};
    spell.share = compare(
        seen, drawn, [i](const Numbers& of) { return of.spells[i].share; }, always);
    spell.spell_h = compare(
        seen, drawn, [i](const Numbers& of) { return of.spells[i].mean_spell_h; },
        [i](const Numbers& of) { return of.spells[i].ended > 0; });
    spell.spell_h.mean = mean_spell_h(drawn, i, length_h);
    spell.wait_h = compare(
        seen, drawn, [i](const Numbers& of) { return of.spells[i].mean_wait_h; },
        [i](const Numbers& of) { return of.spells[i].waits > 0; });
    check.spells.push_back(spell);
  }
  return check;
}

}  // namespace stockout
