#include "models/repricing/record_writer.h"

// A stored comparison -> the bytes of an SQLite file. It is made in memory, so that the file can appear whole
// or not at all.

#include <limits>
#include <new>

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include "models/repricing/record_tables.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

class RecordWriter {
 public:
  explicit RecordWriter(const StoredComparison& stored)
      : stored_{stored}, database_{":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE} {}

  std::string write() {
    create();
    database_.exec("BEGIN");
    write_record();
    write_prices();
    write_terms();
    write_strategies();
    seal();
    database_.exec("COMMIT");
    return sql_file_bytes(database_);
  }

 private:
  void create();
  void write_record();
  void write_prices();
  void write_terms();
  void write_strategies();
  void seal();

  const StoredComparison& stored_;
  SQLite::Database database_;
};

void RecordWriter::create() {
  set_file_kind(database_, kRecordFile);
  std::apply([&](const auto&... tables) { (database_.exec(create_sql(tables)), ...); }, kRecordTables);
  for (const std::string_view view : kRecordViews) database_.exec(std::string{view});
}

void RecordWriter::write_record() {
  RowWriter<kRecordTable>{database_}.add(stored_);
  RowWriter<kSetsTable> sets{database_};
  for (std::size_t i = 0; i < stored_.scenario_sets.size(); ++i)
    sets.add(RowNumber{i}, ScenarioSet{stored_.scenario_sets[i]});
  RowWriter<kGoalsTable> goals{database_};
  for (std::size_t i = 0; i < stored_.goals.size(); ++i) goals.add(OfGoal{i}, stored_.goals[i]);
}

void RecordWriter::write_prices() {
  RowWriter<kLinesTable> lines{database_};
  RowWriter<kStepsTable> steps{database_};
  for (std::size_t i = 0; i < stored_.lines.size(); ++i) {
    lines.add(RowNumber{i}, stored_.lines[i]);
    const OfLine line{PriceLineId{static_cast<std::uint32_t>(i)}};
    for (const PriceStep& step : stored_.lines[i].price.steps) steps.add(line, step);
  }
  RowWriter<kClockTable> clock{database_};
  for (std::size_t i = 0; i < stored_.offsets.size(); ++i) clock.add(RowNumber{i}, stored_.offsets[i]);
  RowWriter<kOwnPricesTable> own{database_};
  for (std::size_t i = 0; i < stored_.overlays.size(); ++i) own.add(RowNumber{i}, stored_.overlays[i]);
}

void RecordWriter::write_terms() {
  const BillTerms& terms = stored_.terms;
  RowWriter<kCommitmentsTable> commitments{database_};
  for (std::size_t i = 0; i < terms.commitments.size(); ++i)
    commitments.add(RowNumber{i}, terms.commitments[i], CommitmentMachine{stored_.commitment_machines[i]});
  RowWriter<kCoverageCommitmentsTable> covering{database_};
  RowWriter<kCoverageLinesTable> covered{database_};
  for (std::size_t i = 0; i < terms.coverage.size(); ++i) {
    const Coverage& coverage = terms.coverage[i];
    for (std::size_t k = 0; k < coverage.commitments.size(); ++k)
      covering.add(CoverageItem{i, k}, CoveringCommitment{coverage.commitments[k]});
    for (std::size_t k = 0; k < coverage.lines.size(); ++k)
      covered.add(CoverageItem{i, k}, OfLine{coverage.lines[k]});
  }
  RowWriter<kOtherCostsTable> other{database_};
  for (std::size_t i = 0; i < terms.other.size(); ++i) other.add(RowNumber{i}, terms.other[i]);
}

// Sums over the use of a run must not overflow for a reader either.
void check_machine_time(const BilledUse& use) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < use.lines(); ++i) {
    for (const UsageHour& hour : use.hours(PriceLineId{static_cast<std::uint32_t>(i)})) {
      if (hour.billed.count() > kRecordMostTime - sum) {
        throw InputError{{.file = "command line", .pointer = "--record"},
                         "a run uses more machine-time than a record can hold"};
      }
      sum += hour.billed.count();
    }
  }
}

/// The rows of all runs.
class RunRows {
 public:
  explicit RunRows(SQLite::Database& database)
      : runs_{database},
        measures_{database},
        goals_{database},
        usage_{database},
        held_{database},
        other_{database} {}

  void add(std::size_t strategy, const StoredRun& run);

 private:
  void add_line(const OfRun& run, const BilledUse& use, PriceLineId line);

  RowWriter<kRunsTable> runs_;
  RowWriter<kRunMeasuresTable> measures_;
  RowWriter<kRunGoalsTable> goals_;
  RowWriter<kRunUsageTable> usage_;
  RowWriter<kRunHeldTable> held_;
  RowWriter<kRunOtherTable> other_;
};

void RunRows::add(std::size_t strategy, const StoredRun& run) {
  if (run.replication > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw InputError{{.file = "command line", .pointer = "--record"},
                     "a record holds replications up to 9223372036854775807"};
  }
  const OfRun of{.strategy = strategy, .replication = run.replication};
  runs_.add(OfStrategy{strategy}, run);
  for (const MeasureInfo& measure : measure_table()) {
    const Value& value = run.total[measure.measure];
    if (value.is_absent()) continue;
    measures_.add(of, RunMeasure{.measure = std::string{measure.name},
                                 .value = value.value,
                                 .is_lower_bound = value.known == Value::Known::at_least});
  }
  for (std::size_t i = 0; i < run.goals.size(); ++i)
    if (!run.goals[i].value.is_absent())
      goals_.add(of, OfGoal{i}, run.goals[i], RunGoal{run.goals[i].value.value});
  check_machine_time(run.use);
  for (std::size_t i = 0; i < run.use.lines(); ++i)
    add_line(of, run.use, PriceLineId{static_cast<std::uint32_t>(i)});
  for (std::size_t i = 0; i < run.use.held.size(); ++i) held_.add(of, RowNumber{i}, run.use.held[i]);
  for (std::size_t i = 0; i < run.use.other.size(); ++i)
    other_.add(of, RowNumber{i}, RunUnits{run.use.other[i]});
}

// What lost a race was leased too: its hours are among those of the line.
void RunRows::add_line(const OfRun& run, const BilledUse& use, PriceLineId line) {
  const auto lost = use.lost_races(line);
  auto next = lost.begin();
  for (const UsageHour& hour : use.hours(line)) {
    const bool has_lost = next != lost.end() && next->hour == hour.hour;
    usage_.add(run, OfLine{line}, hour, LostRaces{has_lost ? next->billed : MachineTime{}});
    if (has_lost) ++next;
  }
  STOCKOUT_CHECK(next == lost.end());
}

void RecordWriter::write_strategies() {
  RowWriter<kStrategiesTable> strategies{database_};
  RowWriter<kNeverRanTable> never_ran{database_};
  RunRows runs{database_};
  for (std::size_t i = 0; i < stored_.strategies.size(); ++i) {
    strategies.add(RowNumber{i}, stored_.strategies[i]);
    for (const std::string& name : stored_.strategies[i].never_ran)
      never_ran.add(OfStrategy{i}, NeverRan{name});
    for (const StoredRun& run : stored_.strategies[i].runs) runs.add(i, run);
  }
}

// What a record holds proves itself, as a sweep's store does.
void RecordWriter::seal() {
  database_.exec(create_sql(kTableSumsTable));
  for (const SummedRows& rows : each_table(kRecordTables)) seal_rows<kTableSumsTable>(database_, rows);
}

}  // namespace

std::string record_bytes(const StoredComparison& comparison) {
  try {
    return RecordWriter{comparison}.write();
  } catch (const SQLite::Exception& error) {
    if (error.getErrorCode() == SQLITE_NOMEM || error.getErrorCode() == SQLITE_TOOBIG) throw std::bad_alloc{};
    throw;
  }
}

}  // namespace stockout
