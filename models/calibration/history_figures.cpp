#include "models/calibration/history_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/core/hours.h"

namespace stockout {
namespace {

using FigureKind = HistoryFigure::Kind;

constexpr std::size_t kFewest = 20;  // jobs of a group that says anything
constexpr std::int64_t kPeriods = 8;
constexpr double kMinuteMs = 60'000;
constexpr double kMinutesPerHour = 60;

// For worlds so far off that every recorded quantile is on one side.
constexpr std::array<SimDuration, 6> kFixedLimits{SimDuration::zero(),    std::chrono::minutes{10},
                                                  std::chrono::hours{1},  std::chrono::hours{6},
                                                  std::chrono::hours{24}, std::chrono::hours{72}};
constexpr std::array kQuantiles{0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

std::vector<SimDuration> waits_of(const std::vector<HistoryJob>& jobs, const HistoryGroup& group) {
  std::vector<SimDuration> waits;
  for (const HistoryJob& job : jobs) {
    if (group.has(job)) waits.push_back(job.wait);
  }
  std::ranges::sort(waits);
  return waits;
}

// Many waits are alike, a start-up above all, and clusters write down whole seconds: a limit stands a little
// above them, so that it parts what differs by more.
SimDuration above(SimDuration wait) {
  const SimDuration step = std::max<SimDuration>(std::chrono::seconds{30}, wait / 20);
  return (wait / step + 1) * step;
}

// A little above quantiles of the recorded waits that are known, once each.
std::vector<SimDuration> limits_of(const std::vector<SimDuration>& sorted, bool with_fixed) {
  std::vector<SimDuration> limits;
  if (with_fixed) limits.assign(kFixedLimits.begin(), kFixedLimits.end());
  for (const double quantile : kQuantiles) {
    if (!with_fixed && quantile != 0.5) continue;
    const SimDuration wait = sorted[static_cast<std::size_t>(quantile * static_cast<double>(sorted.size()))];
    if (wait != kForever) limits.push_back(above(wait));
  }
  std::ranges::sort(limits);
  limits.erase(std::unique(limits.begin(), limits.end()), limits.end());
  return limits;
}

// What is counted of one group.
struct Counted {
  std::size_t jobs = 0;
  std::size_t started = 0;
  std::size_t refused = 0;
  std::size_t interrupted = 0;
  double hours = 0;
  double logs = 0;
  std::vector<SimDuration> waits;  // of those that started

  void add(const HistoryJob& job) {
    ++jobs;
    refused += job.refused ? 1U : 0U;
    interrupted += job.interrupted ? 1U : 0U;
    if (job.wait == kForever) return;
    ++started;
    hours += to_hours(job.wait);
    logs += std::log1p(static_cast<double>(job.wait.count()) / kMinuteMs);
    waits.push_back(job.wait);
  }

  // Jobs that never started are the last.
  [[nodiscard]] SimDuration quantile(double share) const {
    const auto place = static_cast<std::size_t>(share * static_cast<double>(jobs));
    return place < waits.size() ? std::min(waits[place], kLongestFigure) : kLongestFigure;
  }

  [[nodiscard]] double value(const HistoryFigure& figure) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    const auto of_jobs = static_cast<double>(jobs);
    const auto of_started = static_cast<double>(started);
    const auto share = [&](std::size_t count) {
      return jobs == 0 ? kNone : static_cast<double>(count) / of_jobs;
    };
    switch (figure.kind) {
      case FigureKind::within:
        return share(static_cast<std::size_t>(std::ranges::upper_bound(waits, figure.limit) - waits.begin()));
      case FigureKind::quantile_h:
        return jobs == 0 ? kNone : to_hours(quantile(figure.share));
      case FigureKind::mean_h:
        return started == 0 ? kNone : hours / of_started;
      case FigureKind::mean_log:
        return started == 0 ? kNone : logs / of_started;
      case FigureKind::never_started:
        return share(jobs - started);
      case FigureKind::refused:
        return share(refused);
      case FigureKind::interrupted:
        return share(interrupted);
    }
    return kNone;
  }
};

}  // namespace

bool HistoryGroup::has(const HistoryJob& job) const {
  const auto in = [&](std::int64_t value) { return value >= low && value < high; };
  switch (kind) {
    case Kind::all:
      return true;
    case Kind::job_class:
      return job.job_class == low;
    case Kind::size:
      return in(job.gpus);
    case Kind::hours:
      return in(job.hour);
    case Kind::period:
      return in(job.submit.time_since_epoch().count());
  }
  return false;
}

HistoryFigures::HistoryFigures(const HistoryJobs& history) {
  add_groups(history);
  for (std::size_t group = 0; group < groups_.size(); ++group) add_figures(history, group);
}

void HistoryFigures::add_groups(const HistoryJobs& history) {
  groups_.push_back({.kind = HistoryGroup::Kind::all, .name = "all jobs"});
  add_classes(history);
  if (history.tells_sizes())
    add_ranges(history, HistoryGroup::Kind::size, {1, 2, 4, 8, 16, 32, 64, 128, 1 << 30});
  if (history.tells_hours()) add_ranges(history, HistoryGroup::Kind::hours, {0, 6, 12, 18, 24});
  if (!history.are_same()) return;
  const auto [first, last] = std::ranges::minmax(history.recorded(), {}, &HistoryJob::submit);
  const std::int64_t from = first.submit.time_since_epoch().count();
  const std::int64_t until = last.submit.time_since_epoch().count() + 1;
  std::vector<std::int64_t> bounds;
  for (std::int64_t i = 0; i <= kPeriods; ++i) bounds.push_back(from + (until - from) * i / kPeriods);
  add_ranges(history, HistoryGroup::Kind::period, bounds);
}

void HistoryFigures::add_classes(const HistoryJobs& history) {
  std::vector<HistoryGroup> classes;
  for (std::size_t i = 0; i < history.classes().size(); ++i) {
    const HistoryGroup group{.kind = HistoryGroup::Kind::job_class,
                             .name = history.classes()[i],
                             .low = static_cast<std::int64_t>(i)};
    if (waits_of(history.recorded(), group).size() >= kFewest) classes.push_back(group);
  }
  if (classes.size() > 1) groups_.insert(groups_.end(), classes.begin(), classes.end());
}

void HistoryFigures::add_ranges(const HistoryJobs& history, HistoryGroup::Kind kind,
                                const std::vector<std::int64_t>& bounds) {
  std::vector<HistoryGroup> found;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    const HistoryGroup group{.kind = kind, .name = {}, .low = bounds[i], .high = bounds[i + 1]};
    if (waits_of(history.recorded(), group).size() >= kFewest) found.push_back(group);
  }
  if (found.size() > 1) groups_.insert(groups_.end(), found.begin(), found.end());
}

void HistoryFigures::add_figures(const HistoryJobs& history, std::size_t group) {
  const HistoryGroup& of = groups_[group];
  const bool is_main = of.kind == HistoryGroup::Kind::all || of.kind == HistoryGroup::Kind::job_class;
  const std::vector<SimDuration> waits = waits_of(history.recorded(), of);
  for (const SimDuration limit : limits_of(waits, is_main))
    figures_.push_back({.kind = FigureKind::within, .group = group, .limit = limit, .share = 0});
  const auto add = [&](FigureKind kind) {
    figures_.push_back({.kind = kind, .group = group, .limit = {}, .share = 0});
  };
  for (const double share : {0.1, 0.5, 0.9})
    figures_.push_back({.kind = FigureKind::quantile_h, .group = group, .limit = {}, .share = share});
  add(FigureKind::mean_log);
  add(FigureKind::mean_h);
  add(FigureKind::never_started);
  if (!is_main) return;
  if (!history.are_same()) add(FigureKind::refused);
  if (history.tells_attempts()) add(FigureKind::interrupted);
}

std::vector<double> HistoryFigures::of(const std::vector<HistoryJob>& jobs) const {
  std::vector<Counted> counted(groups_.size());
  for (const HistoryJob& job : jobs) {
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (groups_[group].has(job)) counted[group].add(job);
    }
  }
  for (Counted& one : counted) std::ranges::sort(one.waits);
  std::vector<double> values;
  values.reserve(figures_.size());
  for (const HistoryFigure& figure : figures_) values.push_back(counted[figure.group].value(figure));
  return values;
}

std::vector<double> HistoryFigures::scaled(const std::vector<double>& figures) const {
  std::vector<double> values;
  values.reserve(figures.size());
  for (std::size_t i = 0; i < figures.size(); ++i) {
    switch (figures_[i].kind) {
      case FigureKind::mean_log:
        values.push_back(figures[i]);
        break;
      case FigureKind::mean_h:
      case FigureKind::quantile_h:
        values.push_back(std::log1p(figures[i] * kMinutesPerHour));
        break;
      default:
        values.push_back(std::asin(std::sqrt(std::clamp(figures[i], 0.0, 1.0))));
    }
  }
  return values;
}

}  // namespace stockout
