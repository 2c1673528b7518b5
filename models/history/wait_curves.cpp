#include "models/history/wait_curves.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/measures/goal_rule.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

using namespace std::chrono_literals;

constexpr std::array<SimDuration, 17> kReadable{0s,       5min,     15min,    30min,     1h,       2h,
                                                4h,       8h,       12h,      24h,       48h,      7 * 24h,
                                                14 * 24h, 28 * 24h, 91 * 24h, 182 * 24h, 364 * 24h};

constexpr std::array<std::int64_t, 12> kDecade{10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82};

double share(std::uint64_t count, std::uint64_t of) {
  return static_cast<double>(count) / static_cast<double>(of);
}

std::vector<Estimate> results_of(const std::vector<RunningEstimate>& sums, std::size_t count) {
  std::vector<Estimate> results;
  for (std::size_t i = 0; i < count; ++i) results.push_back(sums[i].result());
  return results;
}

}  // namespace

std::vector<SimDuration> waits_to_look_at(const World& world, const std::optional<WaitGoal>& goal) {
  const SimDuration drain = world.end == RunEnd::drain ? world.drain_limit : SimDuration::zero();
  const SimDuration longest = world.window_end - kStart + drain;
  std::vector<SimDuration> waits{kReadable.begin(), kReadable.end()};
  for (SimDuration tenth = 6s; tenth * kDecade.front() < longest; tenth *= 10) {
    for (const std::int64_t step : kDecade) waits.push_back(tenth * step);
  }
  std::erase_if(waits, [longest](SimDuration wait) { return wait >= longest; });
  waits.push_back(longest);
  if (goal) waits.push_back(goal->at_most);
  std::ranges::sort(waits);
  waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
  return waits;
}

WaitCurveBook::WaitCurveBook(const World& world, const std::optional<WaitGoal>& goal)
    : world_{world}, goal_{goal}, waits_{waits_to_look_at(world, goal)}, sums_(world.strategies.size()) {}

WaitCurveBook::Counts WaitCurveBook::count(std::uint64_t replication, const RunRecord& record) const {
  Counts counts{waits_.size()};
  counts.drew = record.drew;
  const bool open_completes = open_may_complete(world_);
  const auto add = [&](const JobOutcome& outcome) {
    ++counts.jobs;
    const SimDuration wait = wait_of(outcome);
    if (wait == kForever) return;
    const auto within = static_cast<std::size_t>(std::ranges::lower_bound(waits_, wait) - waits_.begin());
    STOCKOUT_CHECK(within < waits_.size());
    ++counts.started[within];
    if (counts_as_completed(outcome.state, open_completes)) ++counts.completed[within];
  };
  if (!goal_ || !goal_->job_class) {
    for (std::uint64_t job = 0; job < record.jobs.size(); ++job) add(record.jobs.at(job));
    return counts;
  }
  for_each_recorded_job(world_, replication, [&](std::uint64_t number, const Job& job) {
    if (is_about(goal_, job.job_class)) add(record.jobs.at(number));
  });
  return counts;
}

void WaitCurveBook::add(std::size_t strategy, std::uint64_t replication, const RunRecord& record) {
  Counts counts = count(replication, record);
  const std::lock_guard lock{mutex_};
  Sums& sums = sums_[strategy];
  STOCKOUT_CHECK(replication >= sums.next);
  sums.early.emplace(replication, std::move(counts));
  for (auto next = sums.early.find(sums.next); next != sums.early.end(); next = sums.early.find(sums.next)) {
    sum_up(sums, next->second);
    sums.early.erase(next);
    ++sums.next;
  }
}

// A replication without such jobs has no share of them.
void WaitCurveBook::sum_up(Sums& sums, const Counts& counts) const {
  sums.drew = sums.drew || counts.drew;
  if (counts.jobs == 0) return;
  sums.started.resize(waits_.size());
  sums.completed.resize(waits_.size());
  sums.jobs.add(static_cast<double>(counts.jobs));
  std::uint64_t started = 0;
  std::uint64_t completed = 0;
  for (std::size_t i = 0; i < waits_.size(); ++i) {
    started += counts.started[i];
    completed += counts.completed[i];
    if (counts.started[i] > 0) sums.longest = std::max(sums.longest, i);
    sums.started[i].add(share(started, counts.jobs));
    sums.completed[i].add(share(completed, counts.jobs));
  }
  sums.never_started.add(share(counts.jobs - started, counts.jobs));
}

WaitCurve WaitCurveBook::curve_of(std::size_t strategy, const Sums& sums, std::size_t waits) const {
  return {.strategy = strategy,
          .drew = sums.drew,
          .replications = sums.jobs.count(),
          .jobs = sums.jobs.mean(),
          .started = results_of(sums.started, waits),
          .completed = results_of(sums.completed, waits),
          .never_started = sums.never_started.result()};
}

WaitCurves WaitCurveBook::curves() const {
  const std::lock_guard lock{mutex_};
  WaitCurves result;
  std::size_t last = 0;
  for (const Sums& sums : sums_) {
    STOCKOUT_CHECK(sums.early.empty());
    last = std::max(last, sums.longest);
  }
  if (goal_) {
    const auto at =
        static_cast<std::size_t>(std::ranges::lower_bound(waits_, goal_->at_most) - waits_.begin());
    result.goal = at;
    last = std::max(last, at);
  }
  result.waits.assign(waits_.begin(), waits_.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (std::size_t strategy = 0; strategy < sums_.size(); ++strategy) {
    if (sums_[strategy].jobs.count() > 0)
      result.curves.push_back(curve_of(strategy, sums_[strategy], last + 1));
  }
  return result;
}

}  // namespace stockout
