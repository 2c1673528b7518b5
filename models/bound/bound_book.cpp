#include "models/bound/bound_book.h"

#include <algorithm>
#include <numeric>

#include "models/execution/work.h"

namespace stockout {
namespace {

/// Work in the order in which its jobs come.
class WorkList {
 public:
  void add(const Job& job, SimTime due) {
    const JobKind kind{.shape = job.shape, .job_class = job.job_class};
    const auto [place, is_new] = places_.try_emplace(kind, static_cast<std::uint32_t>(work_.kinds.size()));
    if (is_new) work_.kinds.push_back(kind);
    work_.jobs.push_back({.submit = job.submit, .due = due, .work = job.work, .kind = place->second});
  }

  [[nodiscard]] const WorkToDo& work() const { return work_; }
  [[nodiscard]] WorkToDo without_deadlines() const {
    WorkToDo work = work_;
    for (JobToDo& job : work.jobs) job.due = kNever;
    return work;
  }
  [[nodiscard]] bool has_deadlines() const {
    return std::ranges::any_of(work_.jobs, [](const JobToDo& job) { return job.due != kNever; });
  }
  [[nodiscard]] SimTime last_submit() const { return work_.jobs.empty() ? kStart : work_.jobs.back().submit; }

 private:
  WorkToDo work_;
  std::map<JobKind, std::uint32_t> places_;
};

ByDeadlines<LowerBound> both(const BoundMarket& market, const WorkList& list, SimTime horizon) {
  ByDeadlines<LowerBound> bounds;
  bounds.without = lower_bound(market, list.without_deadlines(), horizon);
  bounds.with = list.has_deadlines() ? lower_bound(market, list.work(), horizon) : bounds.without;
  // Deadlines allow less: what is known without them holds with them, however the cells fell.
  if (bounds.without.possible && bounds.with.possible)
    bounds.with.usd = std::max(bounds.with.usd, bounds.without.usd);
  if (!bounds.without.possible) bounds.with.possible = false;
  return bounds;
}

MarketScope scope_of_all(const World& world, SimTime last_submit) {
  MarketScope scope{.strategies = std::vector<std::size_t>(world.strategies.size()),
                    .last_submit = last_submit};
  std::iota(scope.strategies.begin(), scope.strategies.end(), std::size_t{0});
  return scope;
}

SimDuration longest(const ByDeadlines<LowerBound>& bounds) {
  return std::max(bounds.without.cell, bounds.with.cell);
}

ByDeadlines<double> usd_of(const ByDeadlines<LowerBound>& bounds) {
  return {.without = bounds.without.usd, .with = bounds.with.usd};
}

}  // namespace

RunBounds bounds_of_run(const World& world, const BillTerms* terms, std::size_t strategy,
                        std::uint64_t replication, const RunRecord& record, double cost) {
  WorkList list;
  for_each_recorded_job(world, replication, [&](std::uint64_t number, const Job& job) {
    const JobOutcome outcome = record.jobs.at(number);
    if (outcome.state != FinalState::completed) return;
    const SimTime due = later(job.submit, job.deadline);
    list.add(job, outcome.finished <= due ? due : kNever);
  });
  const SimTime horizon = horizon_of(world);
  const BoundMarket any{world, terms, replication, scope_of_all(world, list.last_submit()),
                        list.work().kinds};
  const MarketScope own_scope{.strategies = {strategy}, .run = &record, .last_submit = list.last_submit()};
  const BoundMarket own{world, terms, replication, own_scope, list.work().kinds};
  const ByDeadlines<LowerBound> of_any = both(any, list, horizon);
  const ByDeadlines<LowerBound> of_own = both(own, list, horizon);
  // The run has done it: that it cannot be done would be our mistake.
  STOCKOUT_CHECK(of_any.with.possible && of_own.with.possible);
  return {.jobs = list.work().jobs.size(),
          .cost = cost,
          .any = usd_of(of_any),
          .own = usd_of(of_own),
          .has_deadlines = list.has_deadlines(),
          .cell = std::max(longest(of_any), longest(of_own))};
}

AllJobsBounds bounds_of_all_jobs(const World& world, const BillTerms* terms, std::uint64_t replication) {
  WorkList found;
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    found.add(job, later(job.submit, job.deadline));
  });
  const MarketScope scope = scope_of_all(world, found.last_submit());
  const BoundMarket all{world, terms, replication, scope, found.work().kinds};

  AllJobsBounds result{.jobs = found.work().jobs.size()};
  WorkList list;
  std::uint64_t number = 0;
  for_each_recorded_job(world, replication, [&](std::uint64_t, const Job& job) {
    const JobToDo& to_do = found.work().jobs[number++];
    const KindOffers& kind = all.kinds()[to_do.kind];
    const bool never = kind.ways.empty();
    const bool late =
        !never && to_do.due != kNever &&
        static_cast<double>(job.work.count()) / kind.speed > static_cast<double>(job.deadline.count());
    if (never || late) ++result.impossible;
    if (!never) list.add(job, late ? kNever : to_do.due);
  });
  const BoundMarket market{world, terms, replication, scope, list.work().kinds};
  const ByDeadlines<LowerBound> bounds = both(market, list, horizon_of(world));
  if (bounds.without.possible) result.any.without = bounds.without.usd;
  if (bounds.with.possible) result.any.with = bounds.with.usd;
  result.has_deadlines = list.has_deadlines();
  result.cell = longest(bounds);
  return result;
}

void BoundBook::add(std::size_t strategy, std::size_t replication, const RunRecord& record, double cost) {
  add_all_jobs(replication);
  const RunBounds bounds = bounds_of_run(world_, terms_, strategy, replication, record, cost);
  const std::lock_guard lock{mutex_};
  runs_[{strategy, replication}] = bounds;
}

// Once for each replication, by whoever comes first.
void BoundBook::add_all_jobs(std::size_t replication) {
  {
    const std::lock_guard lock{mutex_};
    if (!all_jobs_.try_emplace(replication).second) return;
  }
  const AllJobsBounds bounds = bounds_of_all_jobs(world_, terms_, replication);
  const std::lock_guard lock{mutex_};
  all_jobs_[replication] = bounds;
}

BoundSummary BoundBook::summary() const {
  const std::lock_guard lock{mutex_};
  BoundSummary summary;
  for (auto run = runs_.begin(); run != runs_.end();) {
    const std::size_t strategy = run->first.first;
    BoundSummary::Row row{.strategy = world_.strategies[strategy].name};
    RunningEstimate cost;
    ByDeadlines<RunningEstimate> any;
    ByDeadlines<RunningEstimate> own;
    for (; run != runs_.end() && run->first.first == strategy; ++run) {
      const RunBounds& bounds = run->second;
      ++row.replications;
      row.jobs += static_cast<double>(bounds.jobs);
      cost.add(bounds.cost);
      any.without.add(bounds.any.without);
      any.with.add(bounds.any.with);
      own.without.add(bounds.own.without);
      own.with.add(bounds.own.with);
      summary.has_deadlines = summary.has_deadlines || bounds.has_deadlines;
      summary.cell = std::max(summary.cell, bounds.cell);
    }
    row.jobs /= static_cast<double>(row.replications);
    row.cost = cost.result();
    row.any = {.without = any.without.result(), .with = any.with.result()};
    row.own = {.without = own.without.result(), .with = own.with.result()};
    summary.rows.push_back(std::move(row));
  }
  sum_all_jobs(summary);
  return summary;
}

void BoundBook::sum_all_jobs(BoundSummary& summary) const {
  ByDeadlines<RunningEstimate> sums;
  for (const auto& [replication, bounds] : all_jobs_) {
    ++summary.replications;
    summary.jobs += static_cast<double>(bounds->jobs);
    summary.impossible += static_cast<double>(bounds->impossible);
    if (bounds->any.without) sums.without.add(*bounds->any.without);
    if (bounds->any.with) sums.with.add(*bounds->any.with);
    summary.has_deadlines = summary.has_deadlines || bounds->has_deadlines;
    summary.cell = std::max(summary.cell, bounds->cell);
  }
  if (summary.replications == 0) return;
  summary.jobs /= static_cast<double>(summary.replications);
  summary.impossible /= static_cast<double>(summary.replications);
  if (sums.without.count() == summary.replications) summary.all_jobs.without = sums.without.result();
  if (sums.with.count() == summary.replications) summary.all_jobs.with = sums.with.result();
}

}  // namespace stockout
