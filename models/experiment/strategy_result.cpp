#include "models/experiment/strategy_result.h"

#include <algorithm>
#include <utility>

#include "sim/core/check.h"

namespace stockout {
namespace {

void add_rows(std::vector<RunningSummaries>& sums, const std::vector<Values>& rows, const Surplus* surplus) {
  sums.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) sums[i].add(rows[i], surplus);
}

std::vector<Summaries> results_of(const std::vector<RunningSummaries>& sums) {
  std::vector<Summaries> results;
  results.reserve(sums.size());
  for (const RunningSummaries& sum : sums) results.push_back(sum.result());
  return results;
}

std::optional<double> if_present(const Value& value) {
  return value.is_absent() ? std::nullopt : std::optional{value.value};
}

}  // namespace

void StrategyReduction::add(const Measures& run, const Surplus* surplus) {
  STOCKOUT_CHECK(result_.replications == 0 || run.groups.size() == groups_.size());
  ++result_.replications;
  result_.drew = result_.drew || run.drew;
  total_.add(run.total, surplus);
  add_rows(groups_, run.groups, surplus);
  add_rows(gpus_, run.gpus, surplus);
  add_rows(pipelines_, run.pipelines, surplus);
  add_rows(steps_, run.steps, surplus);
  add_lines(run.lines);
  add_held(run.held);
  add_shortages(run.shortages);
  add_other(run.other);
  add_classes(run.classes);
  add_goals(run.goals);
  for (const auto& [eviction, times] : run.evictions)
    result_.evictions[eviction] += static_cast<double>(times);
  result_.costs.push_back(run.total[Measure::cost].value);
  result_.goal_met.push_back(if_present(run.total[Measure::goal_met_share]));
  result_.work_done.push_back(if_present(run.total[Measure::work_done_share]));
  result_.fingerprints.push_back(run.fingerprint);
}

void StrategyReduction::add_lines(const std::vector<LineUse>& lines) {
  result_.lines.resize(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    result_.lines[i].machine_hours += lines[i].machine_hours;
    result_.lines[i].list_usd += lines[i].list_usd;
    result_.lines[i].contracted_usd += lines[i].contracted_usd;
    result_.lines[i].covered_usd += lines[i].covered_usd;
  }
}

void StrategyReduction::add_held(const std::vector<HeldCame>& held) {
  result_.held.resize(held.size());
  for (std::size_t i = 0; i < held.size(); ++i) {
    HeldSummary& sum = result_.held[i];
    sum.pool = held[i].pool;
    if (held[i].late.known != Value::Known::exact) continue;
    ++sum.came;
    if (held[i].late.value > 0) ++sum.late;
    sum.late_mean_h += held[i].late.value;
  }
}

void StrategyReduction::add_shortages(const std::vector<PoolShortage>& shortages) {
  std::vector<ShortageSummary>& sums = result_.shortages;
  for (const PoolShortage& shortage : shortages) {
    auto sum = std::ranges::lower_bound(sums, shortage.pool, {}, &ShortageSummary::pool);
    if (sum == sums.end() || sum->pool != shortage.pool) sum = sums.insert(sum, {.pool = shortage.pool});
    ++sum->replications;
    sum->gpu_hours += shortage.gpu_hours;
  }
}

void StrategyReduction::add_other(const std::vector<double>& costs) {
  result_.other.resize(costs.size());
  for (std::size_t i = 0; i < costs.size(); ++i) result_.other[i] += costs[i];
}

void StrategyReduction::add_classes(const std::vector<ClassStarts>& classes) {
  classes_.resize(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    classes_[i].jobs += classes[i].jobs;
    classes_[i].started += classes[i].started;
  }
}

void StrategyReduction::add_goals(const std::vector<GoalMet>& goals) {
  result_.goals.resize(goals.size());
  for (std::size_t i = 0; i < goals.size(); ++i) result_.goals[i].push_back(if_present(goals[i].value));
}

StrategyResult StrategyReduction::finish(const std::vector<JobClass>& classes) {
  STOCKOUT_CHECK(result_.replications > 0);
  for (std::size_t i = 0; i < std::min(classes.size(), classes_.size()); ++i) {
    if (classes_[i].jobs > 0 && classes_[i].started == 0) result_.never_ran.push_back(classes[i].name);
  }
  result_.total = total_.result();
  result_.groups = results_of(groups_);
  result_.gpus = results_of(gpus_);
  result_.pipelines = results_of(pipelines_);
  result_.steps = results_of(steps_);
  const auto n = static_cast<double>(result_.replications);
  for (LineUse& line : result_.lines) {
    line.machine_hours /= n;
    line.list_usd /= n;
    line.contracted_usd /= n;
    line.covered_usd /= n;
  }
  for (ShortageSummary& shortage : result_.shortages) shortage.gpu_hours /= n;
  for (double& cost : result_.other) cost /= n;
  for (auto& [eviction, times] : result_.evictions) times /= n;
  for (HeldSummary& held : result_.held) {
    if (held.late > 0) held.late_mean_h /= static_cast<double>(held.late);
  }
  return std::move(result_);
}

StrategyResult summarize_runs(const std::string& name, const std::vector<Measures>& runs) {
  StrategyReduction reduction{name};
  for (const Measures& run : runs) reduction.add(run);
  return reduction.finish();
}

}  // namespace stockout
