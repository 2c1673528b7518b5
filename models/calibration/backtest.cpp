#include "models/calibration/backtest.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "models/calibration/wait_forecast.h"
#include "sim/core/check.h"
#include "sim/core/hours.h"
#include "sim/random/draw.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

using Jobs = std::vector<HistoryJob>;

// A wait that never ended is scored as if it were so long.
constexpr SimDuration kLongestScored = std::chrono::hours{30 * 24};
constexpr std::array kScored{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
constexpr std::size_t kLawPoints = 20;       // that stand for a law in a mixture
constexpr std::size_t kFewestOfRow = 20;     // jobs
constexpr std::size_t kFewestOfOwnLaw = 50;  // of a class whose last period is its own

std::optional<double> quantile_h(WaitLaw law, double share) {
  const SimDuration wait = law_quantile(law, share);
  return wait == kForever ? std::nullopt : std::optional{to_hours(wait)};
}

WaitPercentiles percentiles_of(WaitLaw waits) {
  WaitPercentiles waits_h;
  if (waits.empty()) return waits_h;
  for (std::size_t i = 0; i < waits_h.size(); ++i)
    waits_h[i] = quantile_h(waits, static_cast<double>(i + 1) / 100);
  return waits_h;
}

FigureRow figures_of(WaitLaw waits, std::optional<double> mean_h) {
  FigureRow row;
  if (waits.empty()) return row;
  const auto started = static_cast<std::size_t>(std::ranges::lower_bound(waits, kForever) - waits.begin());
  const auto put = [&](BacktestFigure figure, std::optional<double> value) {
    row[static_cast<std::size_t>(figure)] = value;
  };
  put(BacktestFigure::p50_h, quantile_h(waits, 0.5));
  put(BacktestFigure::p90_h, quantile_h(waits, 0.9));
  put(BacktestFigure::p95_h, quantile_h(waits, 0.95));
  put(BacktestFigure::never_started,
      static_cast<double>(waits.size() - started) / static_cast<double>(waits.size()));
  if (mean_h) {
    put(BacktestFigure::mean_h, mean_h);
  } else if (started > 0) {
    double sum = 0;
    for (std::size_t i = 0; i < started; ++i) sum += to_hours(waits[i]);
    put(BacktestFigure::mean_h, sum / static_cast<double>(started));
  }
  return row;
}

double scored_h(SimDuration wait) { return to_hours(std::min(wait, kLongestScored)); }

// What a law and the wait that came true lose over some quantiles, hours (R. Koenker, G. Bassett, 1978).
double loss(WaitLaw law, SimDuration wait) {
  double sum = 0;
  for (const double level : kScored) {
    const double error = scored_h(wait) - scored_h(law_quantile(law, level));
    sum += error >= 0 ? level * error : (level - 1) * error;
  }
  return sum / static_cast<double>(kScored.size());
}

// Sorted waits of some jobs, by class where there are enough, else of all.
class LawsOfClasses {
 public:
  explicit LawsOfClasses(const Jobs& jobs) {
    std::map<std::uint16_t, std::vector<SimDuration>> by_class;
    all_ = waits_in_the_end(jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) by_class[jobs[i].job_class].push_back(all_[i]);
    std::ranges::sort(all_);
    for (auto& [job_class, waits] : by_class) {
      if (waits.size() < kFewestOfOwnLaw) continue;
      std::ranges::sort(waits);
      by_class_.emplace(job_class, std::move(waits));
    }
  }

  [[nodiscard]] WaitLaw law(std::uint16_t job_class) const {
    const auto found = by_class_.find(job_class);
    return found == by_class_.end() ? WaitLaw{all_} : WaitLaw{found->second};
  }

  // The least wait that is the p95 or more with a confidence of 95 %: an order statistic (J. Brevik, D.
  // Nurmi, R. Wolski, 2006), by the normal approximation of the binomial law.
  [[nodiscard]] SimDuration bound_of_p95(std::uint16_t job_class) const {
    const WaitLaw waits = law(job_class);
    const auto count = static_cast<double>(waits.size());
    const double place = std::ceil(0.95 * count + 1.645 * std::sqrt(count * 0.95 * 0.05));
    return place > count ? kForever : waits[static_cast<std::size_t>(place) - 1];
  }

 private:
  std::vector<SimDuration> all_;
  std::map<std::uint16_t, std::vector<SimDuration>> by_class_;
};

// In hours.
bool is_close(double predicted, double recorded, double share) {
  constexpr double kCloseHours = 0.1;
  return std::abs(predicted - recorded) <= std::max(kCloseHours, share * recorded);
}

// Of each job the wait that half of the worlds' weight does not exceed.
std::vector<SimDuration> middle_waits(const std::vector<BacktestRun>& runs,
                                      std::vector<SimDuration> BacktestRun::*side) {
  std::vector<SimDuration> middle;
  for (std::size_t job = 0; job < (runs.front().*side).size(); ++job) {
    WeightedValues<SimDuration> waits;
    for (const BacktestRun& run : runs) waits.emplace_back((run.*side)[job], run.weight);
    middle.push_back(weighted_quantile(std::move(waits), 0.5));
  }
  return middle;
}

class Backtester {
 public:
  Backtester(const HistoryJobs& before, const HistoryJobs& after, const std::vector<BacktestRun>& runs)
      : classes_{after.classes()},
        before_{before.recorded()},
        after_{after.recorded()},
        left_out_{after.left_out()},
        runs_{runs},
        forecast_{before_, middle_waits(runs, &BacktestRun::before)},
        last_{last_period()},
        last_laws_{last_} {
    const std::vector<SimDuration> middle = middle_waits(runs, &BacktestRun::after);
    for (std::size_t i = 0; i < after_.size(); ++i)
      laws_.push_back(forecast_.law(after_[i].job_class, middle[i]));
  }

  [[nodiscard]] Backtest result(const PeriodNames& names, const std::optional<ErrorTriangle>& triangle) {
    Backtest found;
    found.triangle = triangle;
    found.left_out = left_out_;
    add_rows(found, names.month);
    add_coverage(found);
    add_skill(found);
    add_days(found, names.day);
    grade(found);
    return found;
  }

 private:
  // As long before the split as the jobs after it span.
  [[nodiscard]] Jobs last_period() const {
    const auto [first, last] = std::ranges::minmax(after_, {}, &HistoryJob::submit);
    const SimTime from = first.submit - (last.submit - first.submit);
    Jobs jobs;
    std::ranges::copy_if(before_, std::back_inserter(jobs),
                         [&](const HistoryJob& job) { return job.submit >= from; });
    return jobs.empty() ? before_ : jobs;
  }

  void add_rows(Backtest& found, const std::function<std::string(SimTime)>& month) const {
    std::vector<std::size_t> all(after_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    found.rows.push_back(row("all jobs", all, std::nullopt));
    std::map<std::uint16_t, std::vector<std::size_t>> by_class;
    std::map<std::string, std::vector<std::size_t>> by_month;
    for (const std::size_t i : all) {
      by_class[after_[i].job_class].push_back(i);
      by_month[month(after_[i].submit)].push_back(i);
    }
    for (const auto& [job_class, jobs] : by_class) {
      if (by_class.size() > 1 && jobs.size() >= kFewestOfRow)
        found.rows.push_back(row(classes_[job_class], jobs, job_class));
    }
    for (const auto& [name, jobs] : by_month) {
      if (by_month.size() > 1 && jobs.size() >= kFewestOfRow)
        found.rows.push_back(row(name, jobs, std::nullopt));
    }
  }

  [[nodiscard]] BacktestRow row(const std::string& name, const std::vector<std::size_t>& jobs,
                                std::optional<std::uint16_t> job_class) const {
    BacktestRow row{.name = name, .jobs = jobs.size()};
    std::vector<SimDuration> recorded;
    for (const std::size_t i : jobs) recorded.push_back(after_[i].wait);
    std::ranges::sort(recorded);
    row.recorded = figures_of(recorded, std::nullopt);
    row.recorded_waits = percentiles_of(recorded);
    const std::vector<SimDuration> mixture = mixture_of(jobs);
    row.predicted = figures_of(mixture, mean_of(jobs));
    row.predicted_waits = percentiles_of(mixture);
    Jobs last;
    std::ranges::copy_if(last_, std::back_inserter(last),
                         [&](const HistoryJob& job) { return !job_class || job.job_class == *job_class; });
    std::vector<SimDuration> sorted = waits_in_the_end(last);
    std::ranges::sort(sorted);
    row.last_period = figures_of(sorted, std::nullopt);
    row.last_waits = percentiles_of(sorted);
    add_worlds(row, jobs);
    return row;
  }

  // Of the laws of these jobs, sorted.
  [[nodiscard]] std::vector<SimDuration> mixture_of(const std::vector<std::size_t>& jobs) const {
    std::vector<SimDuration> mixture;
    for (const std::size_t i : jobs) {
      for (std::size_t point = 0; point < kLawPoints; ++point)
        mixture.push_back(
            law_quantile(laws_[i], (static_cast<double>(point) + 0.5) / static_cast<double>(kLawPoints)));
    }
    std::ranges::sort(mixture);
    return mixture;
  }

  // Of the jobs that start.
  [[nodiscard]] std::optional<double> mean_of(const std::vector<std::size_t>& jobs) const {
    double sum = 0;
    double weight = 0;
    for (const std::size_t i : jobs) {
      const auto [hours, started] = means_of(laws_[i]);
      sum += hours;
      weight += started;
    }
    return weight > 0 ? std::optional{sum / weight} : std::nullopt;
  }

  // Hours waited by jobs that started, and how many did, a job of the law.
  [[nodiscard]] std::pair<double, double> means_of(WaitLaw law) const {
    const auto found = means_.find(law.data());
    if (found != means_.end()) return found->second;
    double sum = 0;
    double started = 0;
    for (const SimDuration wait : law) {
      if (wait == kForever) continue;
      sum += to_hours(wait);
      ++started;
    }
    const auto count = static_cast<double>(law.size());
    return means_.emplace(law.data(), std::pair{sum / count, started / count}).first->second;
  }

  void add_worlds(BacktestRow& row, const std::vector<std::size_t>& jobs) const {
    std::array<WeightedValues<double>, kBacktestFigures> known;
    for (const BacktestRun& run : runs_) {
      std::vector<SimDuration> waits;
      for (const std::size_t i : jobs) waits.push_back(run.after[i]);
      std::ranges::sort(waits);
      const FigureRow figures = figures_of(waits, std::nullopt);
      for (std::size_t i = 0; i < kBacktestFigures; ++i) {
        if (figures[i]) known[i].emplace_back(*figures[i], run.weight);
      }
    }
    for (std::size_t i = 0; i < kBacktestFigures; ++i) {
      if (known[i].empty()) continue;
      row.low[i] = weighted_quantile(known[i], 0.05);
      row.high[i] = weighted_quantile(known[i], 0.95);
    }
  }

  void add_coverage(Backtest& found) const {
    for (std::size_t i = 0; i < after_.size(); ++i) {
      Draw draw{0, 0, Purpose::prior, i, 1};
      const double place = place_in_law(laws_[i], after_[i].wait, uniform01(draw));
      for (std::size_t level = 0; level < kCoverageLevels.size(); ++level)
        found.coverage[level] += std::abs(place - 0.5) <= kCoverageLevels[level] / 2 ? 1 : 0;
    }
    for (double& share : found.coverage) share /= static_cast<double>(after_.size());
  }

  void add_skill(Backtest& found) const {
    double own = 0;
    double last = 0;
    const LawsOfClasses all_before{before_};
    for (std::size_t i = 0; i < after_.size(); ++i) {
      own += loss(laws_[i], after_[i].wait);
      last += loss(last_laws_.law(after_[i].job_class), after_[i].wait);
      found.bound_kept += after_[i].wait <= all_before.bound_of_p95(after_[i].job_class) ? 1 : 0;
    }
    found.bound_kept /= static_cast<double>(after_.size());
    found.skill = last > 0 ? 1 - own / last : 0;
  }

  void add_days(Backtest& found, const std::function<std::string(SimTime)>& name) const {
    constexpr double kCloseShare = 0.1;
    std::vector<std::pair<std::string, std::vector<std::size_t>>> days;
    for (std::size_t i = 0; i < after_.size(); ++i) {
      std::string day = name(after_[i].submit);
      if (days.empty() || days.back().first != day)
        days.emplace_back(std::move(day), std::vector<std::size_t>{});
      days.back().second.push_back(i);
    }
    for (auto& [day, jobs] : days) {
      double recorded = 0;
      std::size_t started = 0;
      for (const std::size_t i : jobs) {
        if (after_[i].wait == kForever) continue;
        recorded += to_hours(after_[i].wait);
        ++started;
      }
      const std::optional<double> predicted = mean_of(jobs);
      if (started == 0 || !predicted) continue;
      recorded /= static_cast<double>(started);
      found.days.push_back({.name = std::move(day),
                            .jobs = started,
                            .recorded_h = recorded,
                            .predicted_h = *predicted,
                            .is_close = is_close(*predicted, recorded, kCloseShare)});
    }
  }

  static std::string mean_text(const Backtest& found) {
    const auto error = found.mean_error();
    return error ? fmt::format("the mean wait is off by {:+.0f} %", 100 * *error)
                 : "the mean wait is off by more than 6 minutes";
  }

  static void grade(Backtest& found) {
    struct Limits {
      double mean_error;
      double coverage_low;
      double coverage_high;
      double skill;
      double left_out;
    };
    constexpr std::array kLimits{Limits{0.5, 0.8, 0.97, -0.1, 0.5},
                                 Limits{0.15, 0.87, 0.93, 0, 0.05}};  // fair, good
    for (std::size_t i = 0; i < kLimits.size(); ++i) {
      const Limits& limits = kLimits[i];
      if (!found.is_mean_within(limits.mean_error)) found.why.push_back(mean_text(found));
      if (found.coverage[2] < limits.coverage_low || found.coverage[2] > limits.coverage_high)
        found.why.push_back(
            fmt::format("{:.1f} % of the waits lie within their intervals of 90 %", 100 * found.coverage[2]));
      if (found.skill < limits.skill)
        found.why.push_back(fmt::format("the last period says more (skill {:.2f})", found.skill));
      if (found.left_out_share() > limits.left_out)
        found.why.push_back(fmt::format("{:.0f} % of the jobs never started, and are not predicted",
                                        100 * found.left_out_share()));
      if (!found.why.empty()) return;
      found.grade = static_cast<BacktestGrade>(i + 1);
    }
  }

  const std::vector<std::string>& classes_;
  const Jobs& before_;
  const Jobs& after_;
  std::uint64_t left_out_;
  const std::vector<BacktestRun>& runs_;
  WaitForecast forecast_;
  Jobs last_;
  LawsOfClasses last_laws_;
  std::vector<WaitLaw> laws_;  // by job after the split
  mutable std::map<const SimDuration*, std::pair<double, double>> means_;
};

constexpr auto kMean = static_cast<std::size_t>(BacktestFigure::mean_h);

}  // namespace

std::optional<double> Backtest::mean_error() const {
  const BacktestRow& all = rows.front();
  if (!all.recorded[kMean] || !all.predicted[kMean] || *all.recorded[kMean] <= 0) return std::nullopt;
  return *all.predicted[kMean] / *all.recorded[kMean] - 1;
}

bool Backtest::is_mean_within(double share) const {
  const BacktestRow& all = rows.front();
  if (const auto error = mean_error()) return std::abs(*error) <= share;
  return all.recorded[kMean] && all.predicted[kMean] && is_close(*all.predicted[kMean], 0, share);
}

std::size_t Backtest::days_close() const {
  return static_cast<std::size_t>(std::ranges::count_if(days, &BacktestDay::is_close));
}

double Backtest::left_out_share() const {
  const auto never = static_cast<double>(left_out);
  return never / (never + static_cast<double>(rows.front().jobs));
}

Backtest backtest(const HistoryJobs& before, const HistoryJobs& after, const std::vector<BacktestRun>& runs,
                  const PeriodNames& names, const std::optional<ErrorTriangle>& triangle) {
  STOCKOUT_CHECK(!runs.empty());
  for (const BacktestRun& run : runs) {
    STOCKOUT_CHECK(run.before.size() == before.recorded().size());
    STOCKOUT_CHECK(run.after.size() == after.recorded().size());
  }
  return Backtester{before, after, runs}.result(names, triangle);
}

}  // namespace stockout
