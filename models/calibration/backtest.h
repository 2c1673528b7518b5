#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/calibration/bill_backtest.h"
#include "models/calibration/calibration.h"
#include "models/calibration/history_jobs.h"

namespace stockout {

/// A figure of waits: the mean of the jobs that started, or a quantile of all.
enum class BacktestFigure : std::uint8_t { mean_h, p50_h, p90_h, p95_h, never_started };
inline constexpr std::size_t kBacktestFigures = 5;

/// By BacktestFigure; nothing where no job tells. A quantile that lies beyond the jobs that started is
/// nothing too.
using FigureRow = std::array<std::optional<double>, kBacktestFigures>;

/// The waits, in hours, that 1, 2, ... 99 % of the jobs do not exceed; nothing from where jobs never start.
using WaitPercentiles = std::array<std::optional<double>, 99>;

/// Some jobs after the split: as recorded, and as each way predicted.
struct BacktestRow {
  std::string name;  // "all jobs", a class, "2026-05"
  std::size_t jobs = 0;
  FigureRow recorded{};
  FigureRow predicted{};    // by the worlds, corrected by how they fared before the split
  FigureRow low{};          // of the worlds as they are: 5 % of their weight below ...
  FigureRow high{};         // ... and above
  FigureRow last_period{};  // as in the period before the split that is as long
  WaitPercentiles recorded_waits{};
  WaitPercentiles predicted_waits{};
  WaitPercentiles last_waits{};  // of the last period
};

/// The jobs that were submitted on a day after the split, and started: mean waits in hours.
struct BacktestDay {
  std::string name;  // "2026-05-01"
  std::size_t jobs = 0;
  double recorded_h = 0;
  double predicted_h = 0;
  bool is_close = false;  // within 10 % or 6 minutes of what was predicted
};

/// Names of the month and the day in which a time lies, as people read them.
struct PeriodNames {
  std::function<std::string(SimTime)> month;
  std::function<std::string(SimTime)> day;
};

/// How far off the parts of a forecast are, in mean waits: recorded, simulated with the jobs that came, and
/// simulated with jobs out of the weeks before; those of the world in the middle.
struct ErrorTriangle {
  double recorded_h = 0;
  double own_jobs_h = 0;
  double modelled_jobs_h = 0;

  [[nodiscard]] double of_rules() const { return own_jobs_h / recorded_h - 1; }
  [[nodiscard]] double of_jobs() const { return modelled_jobs_h / own_jobs_h - 1; }
  [[nodiscard]] double of_both() const { return modelled_jobs_h / recorded_h - 1; }
};

/// How good a forecast was, in words that a test defines.
enum class BacktestGrade : std::uint8_t { poor, fair, good };
inline constexpr std::array<std::string_view, 3> kBacktestGrades{"poor", "fair", "good"};

inline constexpr std::array<double, 4> kCoverageLevels{0.5, 0.8, 0.9, 0.95};

struct Backtest {
  std::vector<BacktestRow> rows;                          // all jobs, classes, months
  std::array<double, kCoverageLevels.size()> coverage{};  // the share of waits within their own interval
  double skill = 0;               // 1 less the error of the laws of waits over that of the last period's laws
  double bound_kept = 0;          // the share of waits below the bound that history alone gives for the p95
  std::vector<BacktestDay> days;  // after the split, with jobs that started
  std::uint64_t left_out = 0;     // jobs after the split that never started, and are not predicted
  std::optional<ErrorTriangle> triangle;  // none: the jobs of the period before cannot be made anew
  std::optional<BillBacktest> bill;       // none: no bill was recorded
  BacktestGrade grade = BacktestGrade::poor;
  std::vector<std::string> why;  // the grade is not a better one

  /// Of the mean wait of all jobs, over the recorded one; nothing if that is 0, or nobody knows it.
  [[nodiscard]] std::optional<double> mean_error() const;
  /// Whether the mean wait is predicted within this share of it; where no job waited, within 6 minutes.
  [[nodiscard]] bool is_mean_within(double share) const;
  [[nodiscard]] std::size_t days_close() const;
  /// Of the jobs after the split, those that are not predicted.
  [[nodiscard]] double left_out_share() const;
};

/// How long the jobs of a history wait in a world, in the order of the recorded ones. A job that still waits
/// where what is known ends has waited so long.
struct BacktestRun {
  std::vector<SimDuration> before;  // the split
  std::vector<SimDuration> after;
  double weight = 1;
  std::vector<double> bill = {};  // USD, of the spans of a bill that are asked for
};

/// Waits of the jobs on both sides of a split, and those predicted after it. At least one run.
[[nodiscard]] Backtest backtest(const HistoryJobs& before, const HistoryJobs& after,
                                const std::vector<BacktestRun>& runs, const PeriodNames& names,
                                const std::optional<ErrorTriangle>& triangle);

}  // namespace stockout
