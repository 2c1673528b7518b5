#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "models/repricing/record_bounds.h"
#include "models/repricing/record_file.h"
#include "models/repricing/record_header.h"
#include "models/repricing/record_layout.h"
#include "models/repricing/record_rows.h"
#include "sim/core/error.h"

namespace stockout {
namespace {

SimTime time_of(std::int64_t ms) { return kStart + SimDuration{ms}; }

class RecordReader {
 public:
  explicit RecordReader(std::string path) : path_{std::move(path)}, database_{path_, SQLite::OPEN_READONLY} {}

  StoredComparison read() {
    check_layout();
    read_head();
    read_lines();
    read_overlays();
    read_terms();
    read_strategies();
    read_measures();
    read_usage();
    read_held();
    read_other();
    check_runs();
    return std::move(stored_);
  }

 private:
  [[nodiscard]] RecordRows rows(std::string_view table, std::string_view columns, std::string_view order) {
    return RecordRows{database_, path_, table, columns, order};
  }
  [[noreturn]] void fail(std::string_view problem) const { throw InputError{{.file = path_}, problem}; }

  void check_layout();
  void read_head();
  void read_lines();
  void read_steps();
  void read_overlays();
  void read_terms();
  void read_coverage();
  void read_strategies();
  void read_runs();
  void read_measures();
  void read_usage();
  void read_held();
  void read_other();
  void check_runs() const;
  StoredRun& run_of(RecordRows& rows);
  PriceLineId line_of(RecordRows& rows) {
    return PriceLineId{
        static_cast<std::uint32_t>(rows.whole(0, static_cast<std::int64_t>(stored_.lines.size()) - 1))};
  }

  std::string path_;
  SQLite::Database database_;
  StoredComparison stored_;
  std::map<std::pair<std::int64_t, std::int64_t>, StoredRun*> runs_;  // by strategy and replication
};

// A table that is not as it was made may be anything, a view that never ends among them.
void RecordReader::check_layout() {
  SQLite::Statement query{database_, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"};
  for (const RecordTable& table : kRecordTables) {
    query.bind(1, std::string{table.name});
    if (!query.executeStep() || query.getColumn(0).getString() != table.sql)
      fail(fmt::format("its table {} is not that of a record of this program", table.name));
    query.reset();
  }
}

void RecordReader::read_head() {
  RecordRows head = rows(
      "record",
      "stockout, scenario_file, scenario_text, name, question, start, prices_as_of, "
      "prices_follow_calendar, seed, replications, means_adjusted, fingerprint, window_ms, billing_step_ms, "
      "billing_least_ms, goal, goal_share, goal_at_most_ms, goal_same_work_share",
      "rowid");
  if (!head.next()) fail("its table record is empty");
  stored_.version = head.text();
  stored_.scenario_file = head.text();
  stored_.scenario_text = head.raw_text();
  stored_.name = head.text();
  stored_.question = head.text();
  stored_.start = to_text(head.day());
  stored_.prices_as_of = to_text(head.day());
  stored_.prices_follow_calendar = head.flag();
  stored_.seed = head.number_in_text(10);
  stored_.replications = static_cast<std::size_t>(head.whole(1, kRecordMostCount));
  stored_.means_adjusted = head.flag();
  stored_.fingerprint = head.number_in_text(16);
  stored_.window_end = time_of(head.whole(0, kRecordMostMs));
  stored_.billing.step = SimDuration{head.whole(0, kRecordMostMs)};
  stored_.billing.least = SimDuration{head.whole(0, kRecordMostMs)};
  if (auto goal = head.text_or_none()) {
    stored_.goal_text = std::move(*goal);
    WaitGoal wait;
    wait.quantile = head.number();
    wait.at_most = SimDuration{head.whole(0, kRecordMostMs)};
    wait.same_work = head.number();
    stored_.goal = wait;
  }
  RecordRows sets = rows("scenario_sets", "pointer_and_value", "number");
  while (sets.next()) stored_.scenario_sets.push_back(sets.raw_text());
}

void RecordReader::read_lines() {
  RecordRows lines =
      rows("price_lines",
           "line, machine, pool, region, model, charge, parts_of_machine, as_of, source, is_own", "line");
  while (lines.next()) {
    lines.check_number(stored_.lines.size());
    StoredLine line;
    line.machine = lines.text();
    line.pool = lines.text();
    line.price.region = lines.text();
    line.price.model = lines.choice<PriceModel>(kPriceModelNames);
    line.price.charge = lines.choice<Charge>(kChargeNames);
    line.parts = lines.whole(1, kRecordMostCount);
    line.price.as_of = lines.text();
    line.price.source = lines.text();
    line.price.overlaid = lines.flag();
    stored_.lines.push_back(std::move(line));
  }
  read_steps();
}

void RecordReader::read_steps() {
  RecordRows steps =
      rows("price_steps", "line, from_ms, list_nanousd_per_machine_hour, contracted_nanousd_per_machine_hour",
           "line, from_ms");
  while (steps.next()) {
    PriceLine& line = stored_.lines[index(line_of(steps))].price;
    const SimTime from = time_of(steps.whole(-kRecordMostMs, kRecordMostMs));
    if (line.steps.empty() ? from > kStart : (from - kStart) % kHour != SimDuration{})
      steps.fail("a price must hold from the start on, and change at whole hours");
    line.steps.push_back({.from = from, .list = steps.price(), .contracted = steps.price()});
  }
  for (const StoredLine& line : stored_.lines)
    if (line.price.steps.empty()) fail("a price line of it has no price");
}

void RecordReader::read_overlays() {
  RecordRows own = rows("own_prices",
                        "machine, gpu, region, model, factor_millionths, nanousd_per_machine_hour, from_day, "
                        "until_day, label",
                        "number");
  while (own.next()) {
    PriceOverlay price;
    price.machine = own.text();
    price.gpu = own.text();
    price.region = own.text();
    price.model = own.choice_or_none<PriceModel>(kPriceModelNames);
    price.factor_ppm = own.whole_or_none(0, kRecordMostPrice);
    if (const auto nanos = own.whole_or_none(0, kRecordMostPrice))
      price.usd_per_hour = MachineHourPrice{*nanos};
    price.from = own.day_or_none();
    price.until = own.day_or_none();
    price.label = own.text();
    if (const std::string why = why_malformed(price); !why.empty()) own.fail(why);
    stored_.overlays.push_back(std::move(price));
  }
}

void RecordReader::read_terms() {
  RecordRows table = rows("commitments",
                          "commitment, name, machine, region, machines, start_ms, end_ms, "
                          "list_nanousd_per_machine_hour, contracted_nanousd_per_machine_hour, as_of, plan",
                          "commitment");
  while (table.next()) {
    table.check_number(stored_.terms.commitments.size());
    if (stored_.terms.commitments.size() == kRecordMostTerms) table.fail("more than any scenario has");
    Commitment commitment;
    commitment.name = table.text();
    stored_.commitment_machines.push_back(table.text());
    commitment.region = table.text();
    commitment.machines = MachineCount{table.whole(0, kRecordMostCount)};
    const std::int64_t start = table.whole(-kRecordMostMs, kRecordMostMs);
    commitment.start = time_of(start);
    commitment.end = time_of(table.whole(start, start + kRecordMostTermMs));
    commitment.list = table.price();
    commitment.contracted = table.price();
    commitment.as_of = table.text();
    commitment.plan = table.choice_or_none<PriceModel>(kPriceModelNames);
    stored_.terms.commitments.push_back(std::move(commitment));
  }
  read_coverage();
  RecordRows other = rows("other_costs", "cost, name, nanousd_per_unit", "cost");
  while (other.next()) {
    other.check_number(stored_.terms.other.size());
    if (stored_.terms.other.size() == kRecordMostTerms) other.fail("more than any scenario has");
    OtherCost cost;
    cost.name = other.text();
    cost.price = MachineHourPrice{other.whole(0, kRecordMostUnitPrice)};
    stored_.terms.other.push_back(std::move(cost));
  }
}

void RecordReader::read_coverage() {
  std::vector<Coverage>& coverage = stored_.terms.coverage;
  const auto commitments = static_cast<std::int64_t>(stored_.terms.commitments.size());
  RecordRows paying = rows("coverage_commitments", "coverage, commitment", "coverage, position");
  while (paying.next()) {
    const auto number = static_cast<std::size_t>(paying.whole(0, static_cast<std::int64_t>(coverage.size())));
    if (number == coverage.size()) coverage.emplace_back();
    coverage[number].commitments.push_back(static_cast<std::size_t>(paying.whole(0, commitments - 1)));
  }
  RecordRows paid = rows("coverage_lines", "coverage, line", "coverage, position");
  while (paid.next()) {
    const auto number =
        static_cast<std::size_t>(paid.whole(0, static_cast<std::int64_t>(coverage.size()) - 1));
    coverage[number].lines.push_back(line_of(paid));
  }
}

void RecordReader::read_strategies() {
  RecordRows strategies = rows("strategies", "strategy, name, looks_at_prices", "strategy");
  while (strategies.next()) {
    strategies.check_number(stored_.strategies.size());
    StoredStrategy strategy;
    strategy.name = strategies.text();
    strategy.looks_at_prices = strategies.flag();
    stored_.strategies.push_back(std::move(strategy));
  }
  if (stored_.strategies.empty()) fail("it holds no strategy");
  read_runs();
}

void RecordReader::read_runs() {
  RecordRows runs =
      rows("runs", "strategy, replication, fingerprint, drew, reference_gpu_h", "strategy, replication");
  const auto most = static_cast<std::int64_t>(stored_.strategies.size()) - 1;
  while (runs.next()) {
    const std::int64_t strategy = runs.whole(0, most);
    StoredRun run;
    run.replication = static_cast<std::uint64_t>(runs.whole(0, std::numeric_limits<std::int64_t>::max()));
    run.fingerprint = runs.number_in_text(16);
    run.drew = runs.flag();
    run.reference_gpu_h = runs.number_or_none();
    run.use = BilledUse{stored_.lines.size()};
    stored_.strategies[static_cast<std::size_t>(strategy)].runs.push_back(std::move(run));
  }
  for (std::size_t i = 0; i < stored_.strategies.size(); ++i) {
    for (StoredRun& run : stored_.strategies[i].runs)
      runs_[{static_cast<std::int64_t>(i), static_cast<std::int64_t>(run.replication)}] = &run;
  }
}

StoredRun& RecordReader::run_of(RecordRows& rows) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const std::int64_t strategy = rows.whole(0, kMost);
  const auto run = runs_.find({strategy, rows.whole(0, kMost)});
  if (run == runs_.end()) rows.fail("there is no such run");
  return *run->second;
}

void RecordReader::read_measures() {
  std::map<std::string, Measure, std::less<>> known;
  for (const MeasureInfo& measure : measure_table()) known.emplace(measure.name, measure.measure);
  RecordRows table = rows("run_measures", "strategy, replication, measure, value, is_lower_bound",
                          "strategy, replication, measure");
  while (table.next()) {
    StoredRun& run = run_of(table);
    const std::string name = table.text();
    const auto measure = known.find(name);
    if (measure == known.end()) {
      table.fail(fmt::format("there is no measure \"{}\" in this version; the record was made by stockout {}",
                             name.substr(0, 40), stored_.version));
    }
    const double value = table.number();
    run.total[measure->second] = table.flag() ? Value::at_least(value) : Value::exact(value);
  }
}

void RecordReader::read_usage() {
  RecordRows table =
      rows("run_usage",
           "strategy, replication, line, hour, used_machine_ms, billed_machine_ms, lost_races_machine_ms",
           "strategy, replication, line, hour");
  std::map<const StoredRun*, std::int64_t> sums;  // so that sums over a run do not overflow
  while (table.next()) {
    StoredRun& run = run_of(table);
    const PriceLineId line = line_of(table);
    UsageHour hour;
    hour.hour = table.whole(0, kRecordMostHours);
    hour.used = MachineTime{table.whole(0, kRecordMostTime)};
    hour.billed = MachineTime{table.whole(hour.used.count(), kRecordMostTime)};
    const MachineTime lost{table.whole(0, hour.billed.count())};
    std::int64_t& sum = sums[&run];
    sum += hour.billed.count();
    if (sum > kRecordMostTime) table.fail("more machine-time than any run has");
    run.use.add(line, std::span{&hour, 1});
    if (lost == MachineTime{}) continue;
    const UsageHour lost_hour{.hour = hour.hour, .used = lost, .billed = lost};
    run.use.add_lost_races(line, std::span{&lost_hour, 1});
  }
  for (const auto& [key, run] : runs_) run->use.close();
}

void RecordReader::read_held() {
  RecordRows held =
      rows("run_held", "strategy, replication, line, machines", "strategy, replication, position");
  while (held.next()) {
    StoredRun& run = run_of(held);
    if (run.use.held.size() == kRecordMostHeld) held.fail("more than any scenario has");
    const PriceLineId line = line_of(held);
    run.use.held.push_back({.line = line, .machines = MachineCount{held.whole(0, kRecordMostCount)}});
  }
}

void RecordReader::read_other() {
  RecordRows other =
      rows("run_other_costs", "strategy, replication, cost, unit_ms", "strategy, replication, cost");
  while (other.next()) {
    StoredRun& run = run_of(other);
    other.check_number(run.use.other.size());
    run.use.other.emplace_back(other.whole(0, kRecordMostTime));
  }
}

// Differences are taken within a replication, and what is computed from the use must be what was computed.
void RecordReader::check_runs() const {
  const std::vector<PriceLine> lines = stored_.price_lines();
  std::size_t most = 1;
  for (const StoredStrategy& strategy : stored_.strategies) most = std::max(most, strategy.runs.size());
  for (const StoredStrategy& strategy : stored_.strategies) {
    if (strategy.runs.size() != 1 && strategy.runs.size() != most) fail("replications of it are missing");
    for (const StoredRun& run : strategy.runs) {
      if (run.use.other.size() != stored_.terms.other.size()) fail("other costs of a run of it are missing");
      if (priced(run, lines, stored_.terms, stored_.window_end) != run.total) {
        fail(fmt::format(
            "the use of replication {} of \"{}\" does not cost at its prices what it says: the file "
            "was changed or is damaged",
            run.replication, strategy.name));
      }
    }
  }
}

}  // namespace

StoredComparison read_record(const std::string& path) {
  check_record_header(path);
  try {
    return RecordReader{path}.read();
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_NOMEM) throw std::bad_alloc{};
    throw InputError{{.file = path}, fmt::format("cannot be read as a record: {}", error.what())};
  }
}

}  // namespace stockout
