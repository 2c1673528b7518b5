#include "models/repricing/record_reader.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "models/repricing/record_bounds.h"
#include "models/repricing/record_tables.h"
#include "sim/core/error.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

constexpr SqlFileWords kRecordWords{.what = "record of a comparison",
                                    .make = "`stockout compare SCENARIO --record FILE` makes one",
                                    .again = "make it again",
                                    .anew = "Make the record again"};

class RecordReader {
 public:
  explicit RecordReader(std::string path)
      : path_{std::move(path)},
        database_{open_sql_file(path_, kRecordFile, kRecordWords, SQLite::OPEN_READONLY)} {}

  StoredComparison read() {
    check_tables();
    check_sums();
    read_head();
    read_clock();
    read_goals();
    read_lines();
    read_steps();
    read_overlays();
    read_commitments();
    read_coverage();
    read_other_costs();
    read_strategies();
    read_never_ran();
    read_runs();
    read_measures();
    read_run_goals();
    read_usage();
    read_held();
    read_other();
    check_runs();
    return std::move(stored_);
  }

 private:
  [[noreturn]] void fail(std::string_view problem) const { throw InputError{{.file = path_}, problem}; }

  void check_tables();
  void check_sums();
  void read_head();
  void read_clock();
  void read_goals();
  void read_lines();
  void read_steps();
  void read_overlays();
  void read_commitments();
  void read_coverage();
  void read_other_costs();
  void read_strategies();
  void read_never_ran();
  void read_runs();
  void read_measures();
  void read_run_goals();
  void read_usage();
  void read_held();
  void read_other();
  void check_runs() const;
  StoredRun& run_of(const RowReader& row, const OfRun& of);
  void check_line(const RowReader& row, PriceLineId line) const {
    if (index(line) >= stored_.lines.size())
      row.fail(fmt::format("line must be 0 to {}", std::ssize(stored_.lines) - 1));
  }

  std::string path_;
  SQLite::Database database_;
  StoredComparison stored_;
  std::map<std::pair<std::size_t, std::uint64_t>, StoredRun*> runs_;  // by strategy and replication
};

// The shares on which a verdict rests.
bool is_share_of_jobs(Measure measure) {
  return measure == Measure::never_started_share || measure == Measure::within_goal_share ||
         measure == Measure::goal_met_share || measure == Measure::work_done_share;
}
constexpr double kMostShare = 1 + 1e-9;  // sums of work are rounded

// Every run has these.
bool lacks_totals(const Values& total) {
  return total[Measure::jobs].is_absent() || total[Measure::cost].is_absent();
}

// A table whose rows are numbered from 0 without a gap, and at most so many.
void check_number(const RowReader& row, const RowNumber& number, std::size_t expected,
                  std::size_t most = kRecordMostCount) {
  if (number.number != expected) row.fail("a row before it is missing");
  if (expected >= most) row.fail("more than any scenario has");
}

// A table that is not as it was made may be anything, a view that never ends among them.
void RecordReader::check_tables() {
  const auto check = [&](const auto& table) {
    if (!is_table_as_made(database_, std::string{table.name}, create_sql(table)))
      fail(fmt::format("its table {} is not that of a record of this program", table.name));
  };
  std::apply([&](const auto&... tables) { (check(tables), ...); }, kRecordTables);
  check(kTableSumsTable);
}

void RecordReader::check_sums() {
  const auto broken = first_unsealed<kTableSumsTable>(database_, each_table(kRecordTables));
  if (broken)
    fail_damaged_file(path_, fmt::format("its table {} is not what was written", *broken), kRecordWords.anew);
}

void RecordReader::read_head() {
  bool is_there = false;
  read_rows<kRecordTable, StoredComparison>(database_, [&](const RowReader& row, StoredComparison& head) {
    if (std::exchange(is_there, true)) row.fail("there is more than one");
    if (head.goal_text.empty() == head.goal.has_value()) row.fail("goal must be there if the others are");
    stored_ = std::move(head);
  });
  if (!is_there) fail("its table record is empty");
  read_rows<kSetsTable, RowNumber, ScenarioSet>(
      database_, [&](const RowReader& row, const RowNumber& number, ScenarioSet& set) {
        check_number(row, number, stored_.scenario_sets.size());
        stored_.scenario_sets.push_back(std::move(set.pointer_and_value));
      });
}

void RecordReader::read_goals() {
  read_rows<kGoalsTable, OfGoal, AskedGoal>(
      database_, [&](const RowReader& row, const OfGoal& of, AskedGoal& asked) {
        check_number(row, RowNumber{of.goal}, stored_.goals.size(), kRecordMostTerms);
        if (asked.text.empty()) row.fail("text must not be empty");
        const bool is_budget = asked.goal.kind == Goal::Kind::budget;
        if (is_budget && asked.goal.budget_usd <= 0) row.fail("budget_usd must be above 0");
        if (!is_budget && asked.goal.least <= 0) row.fail("least_share must be above 0");
        stored_.goals.push_back(std::move(asked));
      });
}

void RecordReader::read_lines() {
  read_rows<kLinesTable, RowNumber, StoredLine>(
      database_, [&](const RowReader& row, const RowNumber& number, StoredLine& line) {
        check_number(row, number, stored_.lines.size());
        stored_.lines.push_back(std::move(line));
      });
}

void RecordReader::read_steps() {
  read_rows<kStepsTable, OfLine, PriceStep>(
      database_, [&](const RowReader& row, const OfLine& of, const PriceStep& step) {
        check_line(row, of.line);
        PriceLine& line = stored_.lines[index(of.line)].price;
        if (line.steps.empty() ? step.from > kStart : (step.from - kStart) % kHour != SimDuration{})
          row.fail("a price must hold from the start on, and change at whole hours");
        line.steps.push_back(step);
      });
  for (const StoredLine& line : stored_.lines)
    if (line.price.steps.empty()) fail("a price line of it has no price");
}

void RecordReader::read_clock() {
  std::vector<OffsetStep>& clock = stored_.offsets;
  read_rows<kClockTable, RowNumber, OffsetStep>(
      database_, [&](const RowReader& row, const RowNumber& number, const OffsetStep& step) {
        check_number(row, number, clock.size());
        if (!clock.empty() && step.at <= clock.back().at) row.fail("the times of a clock must rise");
        clock.push_back(step);
      });
}

void RecordReader::read_overlays() {
  read_rows<kOwnPricesTable, RowNumber, PriceOverlay>(
      database_, [&](const RowReader& row, const RowNumber& number, PriceOverlay& price) {
        check_number(row, number, stored_.overlays.size());
        if (const std::string why = why_malformed(price); !why.empty()) row.fail(why);
        stored_.overlays.push_back(std::move(price));
      });
}

void RecordReader::read_commitments() {
  std::vector<Commitment>& commitments = stored_.terms.commitments;
  read_rows<kCommitmentsTable, RowNumber, Commitment, CommitmentMachine>(
      database_,
      [&](const RowReader& row, const RowNumber& number, Commitment& commitment, CommitmentMachine& of) {
        check_number(row, number, commitments.size(), kRecordMostTerms);
        if (commitment.end < commitment.start ||
            commitment.end - commitment.start > SimDuration{kRecordMostTermMs})
          row.fail("end_ms must be after start_ms, by the length of a term");
        commitments.push_back(std::move(commitment));
        stored_.commitment_machines.push_back(std::move(of.machine));
      });
}

void RecordReader::read_coverage() {
  std::vector<Coverage>& coverage = stored_.terms.coverage;
  read_rows<kCoverageCommitmentsTable, CoverageItem, CoveringCommitment>(
      database_, [&](const RowReader& row, const CoverageItem& item, const CoveringCommitment& by) {
        if (item.coverage > coverage.size()) row.fail("a row before it is missing");
        if (by.commitment >= stored_.terms.commitments.size()) row.fail("there is no such commitment");
        if (item.coverage == coverage.size()) coverage.emplace_back();
        coverage[item.coverage].commitments.push_back(by.commitment);
      });
  read_rows<kCoverageLinesTable, CoverageItem, OfLine>(
      database_, [&](const RowReader& row, const CoverageItem& item, const OfLine& of) {
        if (item.coverage >= coverage.size()) row.fail("no commitment covers it");
        check_line(row, of.line);
        coverage[item.coverage].lines.push_back(of.line);
      });
}

void RecordReader::read_other_costs() {
  std::vector<OtherCost>& other = stored_.terms.other;
  read_rows<kOtherCostsTable, RowNumber, OtherCost>(
      database_, [&](const RowReader& row, const RowNumber& number, OtherCost& cost) {
        check_number(row, number, other.size(), kRecordMostTerms);
        other.push_back(std::move(cost));
      });
}

void RecordReader::read_strategies() {
  std::set<std::string> names;
  read_rows<kStrategiesTable, RowNumber, StoredStrategy>(
      database_, [&](const RowReader& row, const RowNumber& number, StoredStrategy& strategy) {
        check_number(row, number, stored_.strategies.size());
        if (strategy.name.empty()) row.fail("name must not be empty");
        if (!names.insert(strategy.name).second) row.fail("name must not be that of another strategy");
        stored_.strategies.push_back(std::move(strategy));
      });
  if (stored_.strategies.empty()) fail("it holds no strategy");
}

void RecordReader::read_never_ran() {
  read_rows<kNeverRanTable, OfStrategy, NeverRan>(
      database_, [&](const RowReader& row, const OfStrategy& of, NeverRan& never) {
        if (of.strategy >= stored_.strategies.size()) row.fail("there is no such strategy");
        stored_.strategies[of.strategy].never_ran.push_back(std::move(never.job_class));
      });
}

void RecordReader::read_runs() {
  read_rows<kRunsTable, OfStrategy, StoredRun>(
      database_, [&](const RowReader& row, const OfStrategy& of, StoredRun& run) {
        if (of.strategy >= stored_.strategies.size()) row.fail("there is no such strategy");
        run.use = BilledUse{stored_.lines.size()};
        run.goals.resize(stored_.goals.size());
        stored_.strategies[of.strategy].runs.push_back(std::move(run));
      });
  for (std::size_t i = 0; i < stored_.strategies.size(); ++i)
    for (StoredRun& run : stored_.strategies[i].runs) runs_[{i, run.replication}] = &run;
}

StoredRun& RecordReader::run_of(const RowReader& row, const OfRun& of) {
  const auto run = runs_.find({of.strategy, of.replication});
  if (run == runs_.end()) row.fail("there is no such run");
  return *run->second;
}

void RecordReader::read_measures() {
  std::map<std::string, Measure, std::less<>> known;
  for (const MeasureInfo& measure : measure_table()) known.emplace(measure.name, measure.measure);
  read_rows<kRunMeasuresTable, OfRun, RunMeasure>(database_, [&](const RowReader& row, const OfRun& of,
                                                                 const RunMeasure& measured) {
    StoredRun& run = run_of(row, of);
    const auto measure = known.find(measured.measure);
    if (measure == known.end()) {
      row.fail(fmt::format("there is no measure \"{}\" in this version; the record was made by stockout {}",
                           measured.measure.substr(0, 40), stored_.version));
    }
    if (is_share_of_jobs(measure->second) && (measured.value < 0 || measured.value > kMostShare))
      row.fail(fmt::format("{} must be from 0 to 1", measured.measure));
    run.total[measure->second] =
        measured.is_lower_bound ? Value::at_least(measured.value) : Value::exact(measured.value);
  });
}

void RecordReader::read_run_goals() {
  read_rows<kRunGoalsTable, OfRun, OfGoal, GoalMet, RunGoal>(
      database_,
      [&](const RowReader& row, const OfRun& of, const OfGoal& goal, const GoalMet& met, const RunGoal& run) {
        if (goal.goal >= stored_.goals.size()) row.fail("there is no such goal");
        if (stored_.goals[goal.goal].goal.kind == Goal::Kind::budget) row.fail("a budget is met by no job");
        run_of(row, of).goals[goal.goal] = {.value = Value::exact(run.met_share), .jobs = met.jobs};
      });
}

void RecordReader::read_usage() {
  std::map<const StoredRun*, std::int64_t> sums;  // so that sums over a run do not overflow
  read_rows<kRunUsageTable, OfRun, OfLine, UsageHour, LostRaces>(
      database_, [&](const RowReader& row, const OfRun& of, const OfLine& line, const UsageHour& hour,
                     const LostRaces& lost) {
        StoredRun& run = run_of(row, of);
        check_line(row, line.line);
        if (hour.billed < hour.used || hour.billed < lost.time) row.fail("less is billed than was used");
        std::int64_t& sum = sums[&run];
        sum += hour.billed.count();
        if (sum > kRecordMostTime) row.fail("more machine-time than any run has");
        run.use.add(line.line, std::span{&hour, 1});
        if (lost.time == MachineTime{}) return;
        const UsageHour lost_hour{.hour = hour.hour, .used = lost.time, .billed = lost.time};
        run.use.add_lost_races(line.line, std::span{&lost_hour, 1});
      });
  for (const auto& [key, run] : runs_) run->use.close();
}

void RecordReader::read_held() {
  read_rows<kRunHeldTable, OfRun, RowNumber, HeldMachines>(
      database_,
      [&](const RowReader& row, const OfRun& of, const RowNumber& /*position*/, const HeldMachines& held) {
        StoredRun& run = run_of(row, of);
        if (run.use.held.size() == kRecordMostHeld) row.fail("more than any scenario has");
        check_line(row, held.line);
        run.use.held.push_back(held);
      });
}

void RecordReader::read_other() {
  read_rows<kRunOtherTable, OfRun, RowNumber, RunUnits>(
      database_, [&](const RowReader& row, const OfRun& of, const RowNumber& cost, const RunUnits& units) {
        StoredRun& run = run_of(row, of);
        check_number(row, cost, run.use.other.size());
        run.use.other.push_back(units.units);
      });
}

// Differences are taken within a replication, and what is computed from the use must be what was computed.
void RecordReader::check_runs() const {
  const std::vector<PriceLine> lines = stored_.price_lines();
  std::size_t most = 1;
  for (const StoredStrategy& strategy : stored_.strategies) most = std::max(most, strategy.runs.size());
  for (const StoredStrategy& strategy : stored_.strategies) {
    if (strategy.runs.size() != 1 && strategy.runs.size() != most) fail("replications of it are missing");
    for (const StoredRun& run : strategy.runs) {
      if (lacks_totals(run.total)) fail("measures of a run of it are missing");
      if (run.use.other.size() != stored_.terms.other.size()) fail("other costs of a run of it are missing");
      if (priced(run, lines, stored_.terms, stored_.window_end) != run.total) {
        fail(fmt::format(
            "the use of replication {} of \"{}\" does not cost at its prices what it says: the file was "
            "changed or is damaged",
            run.replication, strategy.name));
      }
    }
  }
}

}  // namespace

StoredComparison read_record(const std::string& path) {
  return with_sql_file(path, kRecordWords, [&] { return RecordReader{path}.read(); });
}

}  // namespace stockout
