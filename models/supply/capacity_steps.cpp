#include "models/supply/capacity_steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/supply/capacity_scale.h"
#include "sim/core/duration_text.h"
#include "sim/core/error.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

class StepWriter {
 public:
  StepWriter(const AvailabilitySeries& series, const CapacityRules& rules, const CapacitySpan& span)
      : series_{series},
        rules_{rules},
        span_{span},
        scale_{series.file, series.cap, *std::ranges::max_element(series.values), rules} {
    if (rules.shift > kLongestRun || rules.shift < -kLongestRun) {
      throw InputError{{.file = series.file},
                       fmt::format("the shift must be at most {} either way, but is {}",
                                   format_duration(kLongestRun), format_duration(rules.shift))};
    }
  }

  CapacitySource write() {
    const std::size_t last = series_.size() - 1;
    if (at(last) + series_.tick <= span_.begin || at(0) > span_.end) fail_apart();
    write_front();
    for (std::size_t i = 0; i <= last; ++i) {
      emit(at(i), scale_.level(series_.values[i]));
      if (i < last && at(i + 1) - at(i) > tolerated()) hole(at(i) + series_.tick, at(i + 1));
    }
    if (at(last) + tolerated() < span_.end || rules_.holes == Holes::unavailable) {
      hole(at(last) + series_.tick, kNever);
    }
    return std::move(source_);
  }

 private:
  [[nodiscard]] SimTime at(std::size_t sample) const {
    const std::int64_t zero_ms = series_.absolute ? span_.start_date.time_since_epoch().count() : 0;
    return kStart + SimDuration{series_.at_ms[sample] - zero_ms} + rules_.shift;
  }

  // Samples this far apart leave no hole.
  [[nodiscard]] SimDuration tolerated() const { return series_.tick + series_.tick / 2; }

  // The sample before the first, one tick earlier, is missing. Within half a tick it is not missed.
  void write_front() {
    if (at(0) <= span_.begin) return;
    emit(span_.begin, scale_.level(series_.values[0]));
    if (at(0) - span_.begin > series_.tick / 2) hole(span_.begin, at(0));
  }

  void hole(SimTime from, SimTime to) {
    if (rules_.holes == Holes::error && from < span_.end && to > span_.begin) fail_hole(from, to);
    if (rules_.holes == Holes::unavailable) emit(from, CapacityLevel{});
  }

  void emit(SimTime time, CapacityLevel level) {
    if (time - span_.begin > kLongestRun) return;
    if (time <= span_.begin) {
      source_.steps.clear();
      source_.censored.clear();
      time = span_.begin;
    } else if (!source_.steps.empty() && source_.steps.back().gpus == level.gpus &&
               (source_.censored.back() != 0) == level.censored) {
      return;
    }
    source_.steps.push_back({.at = time, .gpus = level.gpus});
    source_.censored.push_back(level.censored ? 1 : 0);
  }

  // A simulated time as the user knows it: a date, or the time since the series' own beginning.
  [[nodiscard]] std::string shown(SimTime time) const {
    const SimDuration since_start = time - kStart;
    if (!series_.absolute) return format_duration(since_start);
    return format_unix_ms(span_.start_date.time_since_epoch().count() + since_start.count());
  }

  [[noreturn]] void fail_apart() const {
    throw InputError{
        {.file = series_.file},
        fmt::format("covers {} to {}{}, but the run needs {} to {}: give a shift, or another start date",
                    shown(at(0)), shown(at(series_.size() - 1) + series_.tick),
                    rules_.shift == SimDuration::zero() ? "" : " once shifted", shown(span_.begin),
                    shown(span_.end))};
  }

  [[noreturn]] void fail_hole(SimTime from, SimTime to) const {
    throw InputError{{.file = series_.file},
                     fmt::format("says nothing from {} {}: say whether holes are to hold the last value or "
                                 "count as unavailable",
                                 shown(from), to == kNever ? "on" : "to " + shown(to))};
  }

  const AvailabilitySeries& series_;
  const CapacityRules& rules_;
  const CapacitySpan& span_;
  CapacityScale scale_;
  CapacitySource source_;
};

}  // namespace

CapacitySource to_capacity(const AvailabilitySeries& series, const CapacityRules& rules,
                           const CapacitySpan& span) {
  return StepWriter{series, rules, span}.write();
}

}  // namespace stockout
