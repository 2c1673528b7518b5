#include "models/supply/forecast_targets.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sim/core/duration_text.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

std::string count_name(std::int32_t wanted, std::int32_t cap) {
  return wanted == cap ? fmt::format("all {}", cap) : fmt::format("{} or more", wanted);
}

std::size_t hour_after(const TickSeries& series, std::size_t i, std::size_t ticks) {
  if (!series.absolute) return 0;
  return hour_of_day(SimDuration{series.at_ms[i]} + series.tick * static_cast<std::int64_t>(ticks));
}

// Whether all values from i to i + ticks are one tick apart, for every i.
std::vector<std::uint8_t> is_clear(const TickSeries& series, std::size_t ticks) {
  std::vector<std::uint8_t> clear(series.size(), 0);
  std::size_t run = 0;  // values without a hole from the one after i on
  for (std::size_t i = series.size(); i-- > 0;) {
    run = i + 1 < series.size() && series.follows[i + 1] != 0 ? run + 1 : 0;
    clear[i] = run >= ticks ? 1 : 0;
  }
  return clear;
}

// How many machines are there so many ticks later; cut to whether `wanted` are there, if that is asked.
class CountLater : public ForecastTarget {
 public:
  CountLater(SimDuration tick, std::size_t ticks, std::int32_t cap, std::int32_t wanted, bool is_event)
      : later_{tick * static_cast<std::int64_t>(ticks)},
        ticks_{ticks},
        cap_{cap},
        wanted_{wanted},
        is_event_{is_event} {}

  [[nodiscard]] std::string name() const override {
    const std::string what = is_event_ ? count_name(wanted_, cap_) : "machines";
    return fmt::format("{} in {}", what, format_duration(later_));
  }
  [[nodiscard]] std::string rule() const override { return is_event_ ? "Brier" : "CRPS [machines]"; }
  [[nodiscard]] std::size_t size() const override { return is_event_ ? 1 : static_cast<std::size_t>(cap_); }
  [[nodiscard]] double unit() const override { return 1; }
  [[nodiscard]] std::int32_t wanted() const override { return wanted_; }

  [[nodiscard]] std::vector<std::int32_t> outcomes(const TickSeries& series) const override {
    std::vector<std::int32_t> outcomes(series.size(), -1);
    const auto clear = is_clear(series, ticks_);
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (clear[i] != 0) outcomes[i] = told(series.values[i + ticks_]);
    }
    return outcomes;
  }

  [[nodiscard]] std::vector<std::int32_t> as_now(const TickSeries& series,
                                                 std::int32_t /*last_spell*/) const override {
    std::vector<std::int32_t> now(series.size());
    std::ranges::transform(series.values, now.begin(), [&](std::int32_t value) { return told(value); });
    return now;
  }

  [[nodiscard]] bool is_event() const override { return is_event_; }
  [[nodiscard]] SimDuration lead() const override { return later_; }

  [[nodiscard]] std::vector<double> forecast(const ForecastMoment& from) const override {
    std::vector<double> shares{from.shares.begin(), from.shares.end()};
    for (std::size_t m = 0; m < ticks_; ++m)
      shares = from.chain.step(shares, hour_after(from.series, from.i, m));
    const std::vector<double> levels = from.chain.shown(shares);
    std::vector<double> below(size(), 0.0);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const auto least = static_cast<std::size_t>(told(from.fit.profile.machines[level]));
      for (std::size_t m = least; m < below.size(); ++m) below[m] += levels[level];
    }
    return below;
  }

 private:
  [[nodiscard]] std::int32_t told(std::int32_t machines) const {
    if (!is_event_) return machines;
    return machines >= wanted_ ? 1 : 0;
  }

  SimDuration later_;
  std::size_t ticks_;
  std::int32_t cap_;
  std::int32_t wanted_;
  bool is_event_;
};

// Ticks until `wanted` machines are there, or in a spell until they are not.
class TicksUntil : public ForecastTarget {
 public:
  TicksUntil(SimDuration tick, std::int32_t cap, std::int32_t wanted)
      : tick_{tick}, cap_{cap}, wanted_{wanted} {}

  [[nodiscard]] std::string rule() const override { return "CRPS [h]"; }
  [[nodiscard]] std::size_t size() const override { return static_cast<std::size_t>(kLongestWait / tick_); }
  [[nodiscard]] double unit() const override { return static_cast<double>(tick_.count()) / kMsPerHour; }
  [[nodiscard]] std::int32_t wanted() const override { return wanted_; }
  [[nodiscard]] bool is_event() const override { return false; }
  [[nodiscard]] SimDuration lead() const override { return kLongestWait; }

 protected:
  // The share of paths that have been at `wanted` or more (or below it) by each tick, counted from `first`
  // on.
  [[nodiscard]] std::vector<double> share_by(const ForecastMoment& from, bool until_there) const {
    const std::vector<double> ends = ends_at(from, until_there);
    std::vector<double> shares{from.shares.begin(), from.shares.end()};
    std::vector<double> done(size(), 0.0);
    if ((from.series.values[from.i] >= wanted_) == until_there) {
      std::ranges::fill(done, 1.0);
      return done;
    }
    double sum = 0;
    for (std::size_t m = 1; m < done.size(); ++m) {
      shares = from.chain.step(shares, hour_after(from.series, from.i, m - 1));
      for (std::size_t state = 0; state < shares.size(); ++state) {
        sum += shares[state] * ends[state];
        shares[state] *= 1 - ends[state];
      }
      done[m] = sum;
    }
    return done;
  }

  SimDuration tick_;
  std::int32_t cap_;
  std::int32_t wanted_;

 private:
  // By state: the probability that it shows what is waited for.
  [[nodiscard]] std::vector<double> ends_at(const ForecastMoment& from, bool until_there) const {
    std::vector<double> ends(from.chain.states(), 0.0);
    for (std::size_t state = 0; state < ends.size(); ++state) {
      for (std::size_t level = 0; level < from.fit.tops.size(); ++level) {
        if ((from.fit.profile.machines[level] >= wanted_) == until_there)
          ends[state] += from.chain.shows(state, level);
      }
    }
    return ends;
  }
};

class Wait : public TicksUntil {
 public:
  using TicksUntil::TicksUntil;

  [[nodiscard]] std::string name() const override {
    return fmt::format("wait for {}", count_name(wanted_, cap_));
  }

  [[nodiscard]] std::vector<std::int32_t> outcomes(const TickSeries& series) const override {
    return waits_of(series, wanted_);
  }

  [[nodiscard]] std::vector<std::int32_t> as_now(const TickSeries& series,
                                                 std::int32_t /*last_spell*/) const override {
    std::vector<std::int32_t> now(series.size());
    const auto never = static_cast<std::int32_t>(size());
    std::ranges::transform(series.values, now.begin(),
                           [&](std::int32_t value) { return value >= wanted_ ? 0 : never; });
    return now;
  }

  [[nodiscard]] std::vector<double> forecast(const ForecastMoment& from) const override {
    return share_by(from, true);
  }
};

class Stay : public TicksUntil {
 public:
  using TicksUntil::TicksUntil;

  [[nodiscard]] std::string name() const override {
    return fmt::format("spell of {}", count_name(wanted_, cap_));
  }

  [[nodiscard]] std::vector<std::int32_t> outcomes(const TickSeries& series) const override {
    std::vector<std::int32_t> outcomes(series.size(), -1);
    const auto most = static_cast<std::int32_t>(size());
    std::int32_t left = 0;    // values of the spell from this one on
    bool ends_known = false;  // a value below `wanted` follows it without a hole
    for (std::size_t i = series.size(); i-- > 0;) {
      if (i + 1 == series.size() || series.follows[i + 1] == 0) {
        left = 0;
        ends_known = false;
      }
      if (series.values[i] < wanted_) {
        left = 0;
        ends_known = true;
        continue;
      }
      ++left;
      const bool begins = i > 0 && series.follows[i] != 0 && series.values[i - 1] < wanted_;
      if (begins && (ends_known || left >= most)) outcomes[i] = std::min(left, most);
    }
    return outcomes;
  }

  [[nodiscard]] std::vector<std::int32_t> as_now(const TickSeries& series,
                                                 std::int32_t last_spell) const override {
    std::vector<std::int32_t> before(series.size());
    const std::vector<std::int32_t> spells = outcomes(series);
    for (std::size_t i = 0; i < series.size(); ++i) {
      before[i] = last_spell;
      if (spells[i] >= 0) last_spell = spells[i];
    }
    return before;
  }

  [[nodiscard]] std::vector<double> forecast(const ForecastMoment& from) const override {
    return share_by(from, false);
  }
};

std::set<std::size_t> rising_ticks(const std::vector<SimDuration>& lengths, SimDuration tick) {
  std::set<std::size_t> all;
  for (const SimDuration length : lengths)
    all.insert(static_cast<std::size_t>(std::max<std::int64_t>(1, (length + tick / 2) / tick)));
  return all;
}

}  // namespace

std::vector<std::unique_ptr<ForecastTarget>> forecast_targets(SimDuration tick, std::int32_t cap,
                                                              const ForecastHorizons& horizons) {
  std::vector<std::unique_ptr<ForecastTarget>> targets;
  std::vector<std::int32_t> counts{1};
  if (cap > 1) counts.push_back(cap);
  for (const std::int32_t wanted : counts) {
    for (const std::size_t ticks : rising_ticks(horizons.events, tick))
      targets.push_back(std::make_unique<CountLater>(tick, ticks, cap, wanted, true));
  }
  if (cap > 1) {
    for (const std::size_t ticks : rising_ticks(horizons.counts, tick))
      targets.push_back(std::make_unique<CountLater>(tick, ticks, cap, 1, false));
  }
  for (const std::int32_t wanted : counts) targets.push_back(std::make_unique<Wait>(tick, cap, wanted));
  for (const std::int32_t wanted : counts) targets.push_back(std::make_unique<Stay>(tick, cap, wanted));
  return targets;
}

}  // namespace stockout
