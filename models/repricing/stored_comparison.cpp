#include "models/repricing/stored_comparison.h"

#include <algorithm>
#include <utility>

#include "models/measures/bill_values.h"
#include "models/measures/goal_text.h"
#include "models/measures/grouping.h"
#include "sim/core/check.h"
#include "sim/io/input_file.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

constexpr std::size_t kMostScenarioBytes = 64 << 20;  // as a scenario is read

std::int64_t parts_of(const World& world, std::size_t line) {
  if (!is_by_gpu(world, line)) return 1;
  return world.held_pool(world.price_lines[line].pool).machine_gpus().count();
}

std::vector<StoredLine> stored_lines(const World& world) {
  std::vector<StoredLine> lines;
  for (std::size_t i = 0; i < world.price_lines.size(); ++i) {
    const PriceLine& line = world.price_lines[i];
    lines.push_back({.price = line,
                     .machine = world.machines[index(line.machine)].name,
                     .pool = world.pool(line.pool).name,
                     .parts = parts_of(world, i)});
  }
  return lines;
}

// A path may hold any bytes; a record holds text.
std::string as_text(std::string path) {
  for (std::size_t at = 0; at != path.size();) {
    at = std::min({first_control(path), first_not_utf8(path), path.size()});
    if (at != path.size()) path[at] = '?';
  }
  return path;
}

}  // namespace

std::vector<PriceLine> StoredComparison::price_lines() const {
  std::vector<PriceLine> prices;
  for (const StoredLine& line : lines) prices.push_back(line.price);
  return prices;
}

std::vector<std::string> StoredComparison::asked() const { return goal_texts(goal_text, goals); }

RunRecorder::RunRecorder(const Scenario& scenario, std::vector<std::string> sets, std::string version) {
  const World& world = scenario.world;
  stored_.version = std::move(version);
  stored_.scenario_file = as_text(scenario.file);
  stored_.scenario_text = read_text_file(scenario.file, kMostScenarioBytes);
  stored_.scenario_sets = std::move(sets);
  stored_.name = scenario.name;
  stored_.question = scenario.question;
  stored_.start = scenario.start;
  stored_.offsets = world.utc_offsets;
  stored_.prices_as_of = scenario.prices_as_of;
  stored_.prices_follow_calendar = scenario.prices_follow_calendar;
  stored_.seed = world.seed;
  stored_.window_end = world.window_end;
  stored_.billing = world.billing;
  stored_.overlays = scenario.prices;
  stored_.goal = scenario.goal;
  stored_.goal_text = goal_text(scenario.goal, world.classes);
  stored_.goals = asked_goals(scenario.goals, world.classes);
  stored_.lines = stored_lines(world);
  stored_.terms = scenario.terms;
  for (const Commitment& commitment : scenario.terms.commitments)
    stored_.commitment_machines.push_back(world.machines[index(commitment.machine)].name);
  for (const Strategy& strategy : world.strategies)
    stored_.strategies.push_back(
        {.name = strategy.name, .looks_at_prices = strategy.cheapest_first, .runs = {}});
}

void RunRecorder::add(const RunPlace& run, const Measures& measures) {
  STOCKOUT_CHECK(measures.goals.size() == stored_.goals.size());
  std::vector<GoalMet> goals = measures.goals;
  for (std::size_t i = 0; i < goals.size(); ++i)
    if (stored_.goals[i].goal.kind == Goal::Kind::budget) goals[i] = {};
  stored_.strategies[run.strategy].runs.push_back({.replication = run.replication,
                                                   .total = measures.total,
                                                   .reference_gpu_h = measures.reference_gpu_h,
                                                   .use = measures.use,
                                                   .goals = std::move(goals),
                                                   .drew = measures.drew,
                                                   .fingerprint = measures.fingerprint});
}

StoredComparison RunRecorder::finish(const Comparison& comparison) {
  std::erase_if(stored_.strategies, [](const StoredStrategy& strategy) { return strategy.runs.empty(); });
  for (std::size_t i = 0; i < stored_.strategies.size(); ++i)
    stored_.strategies[i].never_ran = comparison.strategies[i].never_ran;
  stored_.replications = comparison.replications;
  stored_.means_adjusted = comparison.controls && comparison.controls->adjust();
  stored_.fingerprint = comparison.fingerprint;
  return std::move(stored_);
}

std::vector<GoalMet> goals_at(const StoredComparison& record, const StoredRun& run, const Value& cost) {
  std::vector<GoalMet> goals = run.goals;
  for (std::size_t i = 0; i < goals.size(); ++i)
    if (record.goals[i].goal.kind == Goal::Kind::budget) goals[i].value = cost;
  return goals;
}

Values priced(const StoredRun& run, const std::vector<PriceLine>& lines, const BillTerms& terms,
              SimTime window_end) {
  Values values = run.total;
  fill_bill(values, bill_of(run.use, lines, terms, window_end), terms);
  fill_unit_costs(values, run.reference_gpu_h);
  for (const MeasureInfo& measure : measure_table()) {
    if (run.total[measure.measure].is_absent()) values[measure.measure] = {};
  }
  return values;
}

}  // namespace stockout
