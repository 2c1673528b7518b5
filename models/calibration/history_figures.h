#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/history_jobs.h"
#include "sim/core/time.h"

namespace stockout {

/// Some of the jobs: all, those of a class, of a size, of some hours of the day, of a part of the window.
struct HistoryGroup {
  enum class Kind : std::uint8_t { all, job_class, size, hours, period };
  Kind kind = Kind::all;
  std::string name;       // of all and of a class, for people: "all jobs", "training"
  std::int64_t low = 0;   // class: its place; else what is grouped by is at least this ...
  std::int64_t high = 0;  // ... and below this

  [[nodiscard]] bool has(const HistoryJob& job) const;
};

/// A number that a history and a simulation of it both have.
struct HistoryFigure {
  enum class Kind : std::uint8_t {
    within,         // the share of jobs that started within `limit`
    quantile_h,     // the wait that a share of all jobs does not exceed, hours; at most kLongestFigure
    mean_h,         // the mean wait of jobs that started, hours
    mean_log,       // the mean of the logarithm of a minute and that wait
    never_started,  // the share of jobs
    refused,        // the share of jobs
    interrupted,    // the share of jobs
  };
  Kind kind = Kind::within;
  std::size_t group = 0;
  SimDuration limit{};
  double share = 0;  // of a quantile
};

/// A wait without end is as long as this in a quantile.
inline constexpr SimDuration kLongestFigure = std::chrono::hours{30 * 24};

/// Which numbers of a history are held against those of simulations, and how they are worked out. The limits
/// of waits stand a little above quantiles of the recorded ones; some are fixed, for worlds that are far off.
/// A job that never started counts on both sides: it is later than any limit.
class HistoryFigures {
 public:
  /// From what the history tells, and how many jobs each group of it has.
  explicit HistoryFigures(const HistoryJobs& history);

  [[nodiscard]] const std::vector<HistoryGroup>& groups() const { return groups_; }
  [[nodiscard]] const std::vector<HistoryFigure>& figures() const { return figures_; }

  /// By figures(); not a number where the group has no job, or none that started.
  [[nodiscard]] std::vector<double> of(const std::vector<HistoryJob>& jobs) const;

  /// The same on a scale on which noise depends little on the value: the arc sine of the root of shares, the
  /// logarithm of hours.
  [[nodiscard]] std::vector<double> scaled(const std::vector<double>& figures) const;

 private:
  void add_groups(const HistoryJobs& history);
  void add_classes(const HistoryJobs& history);
  void add_ranges(const HistoryJobs& history, HistoryGroup::Kind kind,
                  const std::vector<std::int64_t>& bounds);
  void add_figures(const HistoryJobs& history, std::size_t group);

  std::vector<HistoryGroup> groups_;
  std::vector<HistoryFigure> figures_;  // of one group side by side, limits going up
};

}  // namespace stockout
