#include "models/measures/measures.h"

#include <algorithm>
#include <utility>

#include "models/billing/cost.h"
#include "models/measures/bill_values.h"
#include "models/measures/consecutive_jobs.h"
#include "models/measures/goal_rule.h"
#include "models/measures/goal_tally.h"
#include "models/measures/gpu_account.h"
#include "models/measures/grouping.h"
#include "models/measures/job_tally.h"
#include "models/measures/kueue_tally.h"
#include "models/measures/pipeline_tally.h"
#include "models/measures/pool_values.h"
#include "models/measures/terms_units.h"
#include "models/measures/work_tally.h"
#include "sim/core/check.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

MachineTime sum_of(const std::vector<UsageHour>& hours) {
  MachineTime used{};
  for (const UsageHour& hour : hours) used += hour.used;
  return used;
}

const BillTerms& no_terms() {
  static const BillTerms kNone;
  return kNone;
}

// Held capacity has been paid for by the held line, without rounding up each job's time.
void drop_rounding(std::vector<UsageHour>& hours) {
  for (UsageHour& hour : hours) hour.billed = hour.used;
}

// When held capacity is paid only up to the last start, jobs go on running on what is paid no longer: neither
// its idle time nor its idle cost means anything.
void drop_idle(Values& values) {
  for (const Measure measure :
       {Measure::idle, Measure::held_use, Measure::useful_share, Measure::cost_idle}) {
    values[measure] = {};
  }
}

/// Everything that is gathered for one row before it becomes numbers.
struct Row {
  Row(const World& world, const std::optional<WaitGoal>& goal)
      : jobs{tally_terms(world, goal)},
        work{world.gpu_types.size() + 1},
        accounts{world.gpu_types.size() + 1} {}

  void add(const Job& job, const JobOutcome& outcome, std::size_t asked, GpuCount gpus, Rate fastest,
           bool follows) {
    jobs.add(job, outcome, fastest, follows);
    work.add(job, outcome.state, asked, gpus);
  }

  JobTally jobs;
  WorkTally work;
  GpuAccounts accounts;
  MachineBill bill;
  Money phantom;  // paid for leases that lost a race
};

/// The rows of one grouping.
struct Group {
  Group(const GroupRows& of, const std::optional<WaitGoal>& goal)
      : by{of.by()}, places{of}, rows(group_names(of.world(), by).size(), Row{of.world(), goal}) {}

  GroupBy by;
  GroupRows places;
  std::vector<Row> rows;
};

class Reduction {
 public:
  Reduction(const World& world, std::size_t strategy, const MeasureOptions& options)
      : world_{world},
        strategy_{world.strategies[strategy]},
        job_gpus_{world, strategy_},
        asked_{asked_gpus(world)},
        fastest_{fastest_rates(world)},
        places_{line_places(world)},
        consecutive_{options.between},
        terms_{options.terms != nullptr ? *options.terms : no_terms()},
        units_{world, strategy},
        use_{world.price_lines.size()},
        line_costs_(world.price_lines.size()),
        total_{world, options.goal},
        goals_{options.goals, open_may_complete(world)},
        pipelines_{world, tally_terms(world, options.goal)} {
    groups_.emplace_back(GroupRows{world, strategy_, GroupBy::gpu}, options.goal);
    if (options.by != GroupBy::nothing && options.by != GroupBy::gpu) {
      groups_.emplace_back(GroupRows{world, strategy_, options.by}, options.goal);
    }
    result_.lines.resize(world.price_lines.size());
    result_.classes.resize(world.classes.size());
  }

  void add_job(const Job& job, const JobOutcome& outcome);
  void add_usage(const UsageLedger& usage);
  void add_phantom(const RunRecord& record);
  [[nodiscard]] Measures finish(const RunRecord& record, const MeasureOptions& options);

 private:
  static void add_time(GpuAccount& account, Charge charge, const TimeSplit& split, GpuTime used);
  void add_gpu_time(const UsageKey& key, const TimeSplit& split, MachineTime machines);
  void add_cost(const UsageKey& key, PriceLineId paid, const std::vector<UsageHour>& hours);
  Money lost_race_cost(PriceLineId paid, const std::vector<UsageHour>& hours);
  [[nodiscard]] std::vector<Values> fill_rows(const Group& group) const;
  void fill_held_hours(Values& values, const GpuAccounts& accounts) const;
  void fill_pools(std::vector<Values>& rows, const RunRecord& record) const;
  void fill_costs(const RunRecord& record);
  void fill_total(const RunRecord& record);
  void fill_late(const RunRecord& record);
  void add_shortages(const RunRecord& record);

  const World& world_;
  const Strategy& strategy_;
  JobGpus job_gpus_;
  std::vector<std::size_t> asked_;  // by ShapeId
  std::vector<Rate> fastest_;       // by ShapeId
  std::vector<LinePlace> places_;
  ConsecutiveJobs consecutive_;
  const BillTerms& terms_;
  TermsUnits units_;
  BilledUse use_;
  std::vector<Cost> line_costs_;  // of the machines, by PriceLineId
  Row total_;
  GoalTally goals_;
  PipelineTally pipelines_;
  std::vector<Group> groups_;  // by GPU type, and what was asked
  Measures result_;
};

void Reduction::add_job(const Job& job, const JobOutcome& outcome) {
  const std::size_t gpu = job_gpus_.of(outcome.leg, job.shape);
  const std::size_t asked = asked_[index(job.shape)];
  const GpuCount gpus = gpus_at_work(world_.shapes[index(job.shape)]);
  const Rate fastest = fastest_[index(job.shape)];
  const bool follows = consecutive_.add(job, outcome);
  ClassStarts& starts = result_.classes[index(job.job_class)];
  ++starts.jobs;
  if (outcome.first_grant != kNever) ++starts.started;
  units_.add_job(job, outcome);
  total_.add(job, outcome, asked, gpus, fastest, follows);
  goals_.add(job, outcome, fastest);
  if (outcome.state != FinalState::completed) result_.undone_gpu_h += to_hours(gpus * job.work);
  pipelines_.add(job, outcome, fastest, follows);
  for (Group& group : groups_) {
    if (const auto row = group.places.of_job(job, outcome.leg, gpu))
      group.rows[*row].add(job, outcome, asked, gpus, fastest, follows);
  }
}

void Reduction::add_time(GpuAccount& account, Charge charge, const TimeSplit& split, GpuTime used) {
  if (charge == Charge::held) {
    account.held += used;
    account.idle += split.idle;
  } else {
    account.jobs += split;
    account.useful += split.completed;
  }
}

// What one user and class used of a price line is priced here, once. The lines, the rows of every grouping
// and the total are sums of that, so that they agree to the last digit.
void Reduction::add_usage(const UsageLedger& usage) {
  for (const UsageKey& key : usage.keys()) {
    const PriceLine& line = world_.price_lines[index(key.line)];
    std::vector<UsageHour> hours = usage.hours(key);
    if (line.charge == Charge::sublet) drop_rounding(hours);
    add_gpu_time(key, usage.split(key), sum_of(hours));
    add_cost(key, key.line, hours);
    if (line.fee) add_cost(key, *line.fee, hours);
  }
}

// What was used under the key is paid at the line's price: the machines, or the fee on top of them.
void Reduction::add_cost(const UsageKey& key, PriceLineId paid, const std::vector<UsageHour>& hours) {
  const PriceLine& line = world_.price_lines[index(paid)];
  const Cost cost = cost_of(line, hours);
  use_.add(paid, hours);
  line_costs_[index(paid)] += cost;
  result_.lines[index(paid)].machine_hours += to_hours(sum_of(hours));
  for (Group& group : groups_) {
    const auto row = group.places.of_usage(key, line.charge, places_[index(key.line)]);
    Row& idle = group.rows.back();  // of classes and users
    Row& to = row ? group.rows[*row] : idle;
    to.bill.add(line, cost);
    if (is_by_jobs(group.by) && line.charge == Charge::sublet)
      idle.bill.add(line, cost);  // not idle: taken off
  }
}

Money Reduction::lost_race_cost(PriceLineId paid, const std::vector<UsageHour>& hours) {
  use_.add_lost_races(paid, hours);
  return cost_of(world_.price_lines[index(paid)], hours).contracted;
}

// Phantom demand is known by pool and by price line. A request's pool has a price line for it.
void Reduction::add_phantom(const RunRecord& record) {
  for (const UsageKey& key : record.phantom.keys()) {
    const PriceLine& line = world_.price_lines[index(key.line)];
    if (line.charge != Charge::direct) continue;
    const std::vector<UsageHour> hours = record.phantom.hours(key);
    Money cost = lost_race_cost(key.line, hours);
    if (line.fee) cost += lost_race_cost(*line.fee, hours);
    total_.phantom += cost;
    for (Group& group : groups_) {
      if (const auto row = group.places.of_usage(key, line.charge, places_[index(key.line)]))
        group.rows[*row].phantom += cost;
    }
  }
  std::vector<bool> seen(record.pools.size());
  for (const LinePlace& place : places_) {
    if (seen[index(place.pool)]) continue;
    seen[index(place.pool)] = true;
    if (!place.has_gpus) continue;
    const PoolTotals& pool = record.pools[index(place.pool)];
    const auto add = [&](GpuAccount& account) {
      account.phantom_waiting += pool.phantom_waiting;
      account.phantom_leased += pool.phantom_leased;
    };
    add(total_.accounts.of(place.gpu));
    for (Group& group : groups_) {
      if (group.by == GroupBy::gpu) add(group.rows[place.gpu].accounts.of(place.gpu));
      if (group.by == GroupBy::pool) add(group.rows[index(place.pool)].accounts.of(place.gpu));
    }
  }
}

// Machines without GPUs have none. Where rows are jobs of somebody, what no job leased of the held capacity
// is in the last one.
void Reduction::add_gpu_time(const UsageKey& key, const TimeSplit& split, MachineTime machines) {
  const PriceLine& line = world_.price_lines[index(key.line)];
  const LinePlace& place = places_[index(key.line)];
  if (!place.has_gpus) return;
  const GpuTime used = place.gpus * SimDuration{machines.count()};
  add_time(total_.accounts.of(place.gpu), line.charge, split, used);
  if (line.charge != Charge::held) units_.add_leased(key.job_class, used);
  for (Group& group : groups_) {
    const auto row = group.places.of_usage(key, line.charge, place);
    Row& to = row ? group.rows[*row] : group.rows.back();  // idle, of classes and users
    add_time(to.accounts.of(place.gpu), line.charge, split, used);
  }
}

// Capacity that never came was held for 0 hours; a strategy that holds none has none to measure.
void Reduction::fill_held_hours(Values& values, const GpuAccounts& accounts) const {
  if (!strategy_.held.empty()) accounts.fill_held(values);
}

std::vector<Values> Reduction::fill_rows(const Group& group) const {
  std::vector<Values> rows(group.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = group.rows[i];
    const bool idle = is_by_jobs(group.by) && i + 1 == rows.size();
    if (!idle && group.by != GroupBy::pool) {
      row.jobs.fill(rows[i]);
      row.work.fill(rows[i]);
    }
    if (!idle) row.accounts.fill_leased(rows[i]);
    if (idle || !is_by_jobs(group.by)) fill_held_hours(rows[i], row.accounts);
    if (!is_by_jobs(group.by)) row.accounts.fill_phantom(rows[i]);
    if (!idle) rows[i].set(Measure::cost_phantom, row.phantom.to_usd());
    if (group.by == GroupBy::pool) rows[i][Measure::useful] = rows[i][Measure::useful_share] = {};
    if (idle) {
      fill_idle(rows[i], row.bill);
    } else if (is_by_jobs(group.by)) {
      fill_used(rows[i], row.bill);
    } else {
      fill_held(rows[i], row.bill);
    }
    if (world_.hold_end == HoldEnd::last_start && !strategy_.held.empty()) {
      drop_idle(rows[i]);
      if (idle) rows[i] = {};
    }
    const bool by_jobs = is_by_jobs(group.by) && !idle;
    fill_unit_costs(rows[i], by_jobs ? reference_gpu_h(world_, row.work) : std::nullopt);
  }
  return rows;
}

void Reduction::fill_pools(std::vector<Values>& rows, const RunRecord& record) const {
  for (std::size_t i = 0; i < rows.size(); ++i)
    fill_pool(rows[i], world_, static_cast<PoolId>(i), record.pools[i]);
}

// A reservation that never came binds nobody.
void Reduction::fill_costs(const RunRecord& record) {
  for (const PoolId id : strategy_.held) {
    if (record.held_since[index(id) - world_.pools.size()] == kNever) continue;
    const HeldPool& held = world_.held_pool(id);
    use_.held.push_back({.line = held.line,
                         .machines = held.machines,
                         .booked = held.booking ? held.until - held.from : SimDuration::zero()});
  }
  use_.other = units_.units(terms_);
  use_.close();
  Bill& bill = result_.bill;
  for (std::size_t i = 0; i < line_costs_.size(); ++i)
    bill.machines.add(world_.price_lines[i], line_costs_[i]);
  bill.lost_races = total_.phantom;
  add_terms(bill, use_, world_.price_lines, terms_, world_.window_end);
  fill_lines(result_.lines, line_costs_, bill);
  fill_bill(result_.total, bill, terms_);
  for (const Money cost : bill.other) result_.other.push_back(cost.to_usd());
  result_.reference_gpu_h = reference_gpu_h(world_, total_.work);
  fill_unit_costs(result_.total, result_.reference_gpu_h);
}

void Reduction::fill_late(const RunRecord& record) {
  for (const PoolId id : strategy_.held) {
    const SimTime since = record.held_since[index(id) - world_.pools.size()];
    const SimTime due = std::min(world_.held_pool(id).due(kStart), record.end);
    const double late = to_hours(std::max(SimDuration::zero(), std::min(since, record.end) - due));
    const bool missed = since == kNever && due < record.end;
    result_.held.push_back({.pool = id, .late = missed ? Value::at_least(late) : Value::exact(late)});
    Value& worst = result_.total[Measure::held_late];
    worst.value = std::max(worst.value, late);
    worst.known = std::max(worst.known, result_.held.back().late.known);
  }
}

void Reduction::add_shortages(const RunRecord& record) {
  for (std::size_t i = 0; i < world_.pools.size(); ++i) {
    const GpuTime shortage = record.pools[i].shortage;
    if (shortage > GpuTime{})
      result_.shortages.push_back({.pool = static_cast<PoolId>(i), .gpu_hours = to_hours(shortage)});
  }
}

void Reduction::fill_total(const RunRecord& record) {
  Values& total = result_.total;
  total_.jobs.fill(total);
  total_.work.fill(total);
  total_.accounts.fill_leased(total);
  fill_held_hours(total, total_.accounts);
  total_.accounts.fill_phantom(total);
  fill_costs(record);
  if (world_.hold_end == HoldEnd::last_start && !strategy_.held.empty()) drop_idle(total);
  if (world_.has_sets()) {
    total.set(Measure::set_restarts, static_cast<double>(record.sets.restarts));
    total.set(Measure::sets_given_back, static_cast<double>(record.sets.given_back));
  }
  std::uint64_t censored = 0;
  for (const PoolTotals& pool : record.pools) censored += pool.censored_grants;
  total.set(Measure::censored_decisions, static_cast<double>(censored));
}

Measures Reduction::finish(const RunRecord& record, const MeasureOptions& options) {
  const GroupBy by = options.by;
  fill_total(record);
  result_.goals = goals_.met(result_.total[Measure::cost]);
  pipelines_.finish(result_);
  fill_late(record);
  add_shortages(record);
  result_.gpus = fill_rows(groups_.front());
  if (by != GroupBy::nothing) result_.groups = fill_rows(groups_.back());
  if (by == GroupBy::pool) {
    fill_pools(result_.groups, record);
    for (const HeldCame& held : result_.held)
      result_.groups[index(held.pool)][Measure::held_late] = held.late;
  }
  fill_kueue(result_, record, strategy_, groups_.back().places);
  result_.evictions = record.evictions;
  result_.drew = record.drew;
  result_.fingerprint = record.fingerprint;
  result_.use = std::move(use_);
  return std::move(result_);
}

}  // namespace

Measures measure(const World& world, std::size_t strategy, std::uint64_t replication, const RunRecord& record,
                 const MeasureOptions& options) {
  Reduction reduction{world, strategy, options};
  std::uint64_t jobs = 0;
  for_each_recorded_job(world, replication, [&](std::uint64_t number, const Job& job) {
    STOCKOUT_CHECK(number < record.jobs.size());
    reduction.add_job(job, record.jobs.at(number));
    ++jobs;
  });
  STOCKOUT_CHECK(jobs == record.jobs.size());
  STOCKOUT_CHECK(record.pools.size() == world.pool_count());
  STOCKOUT_CHECK(record.held_since.size() == world.held.size());
  reduction.add_usage(record.usage);
  reduction.add_phantom(record);
  return reduction.finish(record, options);
}

}  // namespace stockout
