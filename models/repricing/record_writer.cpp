// A stored comparison -> the bytes of an SQLite file. It is made in memory, so that the file can appear whole
// or not at all.

#include <limits>
#include <memory>
#include <new>
#include <optional>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include "models/repricing/record_bounds.h"
#include "models/repricing/record_file.h"
#include "models/repricing/record_layout.h"
#include "sim/core/check.h"
#include "sim/core/error.h"
#include "sim/io/sql_text.h"

namespace stockout {
namespace {

void bind_value(SQLite::Statement& statement, int place, std::int64_t value) { statement.bind(place, value); }
void bind_value(SQLite::Statement& statement, int place, double value) { statement.bind(place, value); }
void bind_value(SQLite::Statement& statement, int place, const std::string& value) {
  statement.bind(place, value);
}
void bind_value(SQLite::Statement& statement, int place, std::string_view value) {
  statement.bind(place, std::string{value});
}
template <typename T>
void bind_value(SQLite::Statement& statement, int place, const std::optional<T>& value) {
  if (value) {
    bind_value(statement, place, *value);
  } else {
    statement.bind(place);
  }
}

/// Puts rows into one table.
class Inserter {
 public:
  Inserter(SQLite::Database& database, std::string_view table, std::size_t columns)
      : statement_{database, insert_row_sql(table, columns)} {}

  template <typename... Cells>
  void add(const Cells&... cells) {
    int place = 0;
    (bind_value(statement_, ++place, cells), ...);
    statement_.exec();
    statement_.reset();
  }

 private:
  SQLite::Statement statement_;
};

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }
std::int64_t flag(bool value) { return value ? 1 : 0; }
std::int64_t ms(SimTime at) { return (at - kStart).count(); }
std::string_view model_name(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }
std::string hex(std::uint64_t value) { return fmt::format("{:016x}", value); }

std::optional<std::string> day(const std::optional<Date>& date) {
  return date ? std::optional{to_text(*date)} : std::nullopt;
}

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
    database_.exec("COMMIT");
    return bytes();
  }

 private:
  void create();
  void write_record();
  void write_prices();
  void write_terms();
  void write_strategies();
  std::string bytes();

  const StoredComparison& stored_;
  SQLite::Database database_;
};

void RecordWriter::create() {
  database_.exec(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kRecordApplication, kRecordLayout));
  for (const RecordTable& table : kRecordTables) database_.exec(std::string{table.sql});
  for (const std::string_view view : kRecordViews) database_.exec(std::string{view});
}

void RecordWriter::write_record() {
  const auto& goal = stored_.goal;
  Inserter record{database_, "record", 19};
  record.add(stored_.version, stored_.scenario_file, stored_.scenario_text, stored_.name, stored_.question,
             stored_.start, stored_.prices_as_of, flag(stored_.prices_follow_calendar),
             fmt::format("{}", stored_.seed), number(stored_.replications), flag(stored_.means_adjusted),
             hex(stored_.fingerprint), ms(stored_.window_end), std::int64_t{stored_.billing.step.count()},
             std::int64_t{stored_.billing.least.count()},
             goal ? std::optional{stored_.goal_text} : std::nullopt,
             goal ? std::optional{goal->quantile} : std::nullopt,
             goal ? std::optional<std::int64_t>{goal->at_most.count()} : std::nullopt,
             goal ? std::optional{goal->same_work} : std::nullopt);
  Inserter sets{database_, "scenario_sets", 2};
  for (std::size_t i = 0; i < stored_.scenario_sets.size(); ++i)
    sets.add(number(i), stored_.scenario_sets[i]);
}

void RecordWriter::write_prices() {
  Inserter lines{database_, "price_lines", 10};
  Inserter steps{database_, "price_steps", 4};
  for (std::size_t i = 0; i < stored_.lines.size(); ++i) {
    const auto& [price, machine, pool, parts] = stored_.lines[i];
    lines.add(number(i), machine, pool, price.region, model_name(price.model),
              kChargeNames[static_cast<std::size_t>(price.charge)], parts, price.as_of, price.source,
              flag(price.overlaid));
    for (const PriceStep& step : price.steps)
      steps.add(number(i), ms(step.from), step.list.count(), step.contracted.count());
  }
  Inserter own{database_, "own_prices", 10};
  for (std::size_t i = 0; i < stored_.overlays.size(); ++i) {
    const PriceOverlay& price = stored_.overlays[i];
    own.add(number(i), price.machine, price.gpu, price.region,
            price.model ? std::optional{model_name(*price.model)} : std::nullopt, price.factor_ppm,
            price.usd_per_hour ? std::optional{price.usd_per_hour->count()} : std::nullopt, day(price.from),
            day(price.until), price.label);
  }
}

void RecordWriter::write_terms() {
  const BillTerms& terms = stored_.terms;
  Inserter commitments{database_, "commitments", 11};
  for (std::size_t i = 0; i < terms.commitments.size(); ++i) {
    const Commitment& commitment = terms.commitments[i];
    commitments.add(number(i), commitment.name, stored_.commitment_machines[i], commitment.region,
                    commitment.machines.count(), ms(commitment.start), ms(commitment.end),
                    commitment.list.count(), commitment.contracted.count(), commitment.as_of,
                    commitment.plan ? std::optional{model_name(*commitment.plan)} : std::nullopt);
  }
  Inserter coverage_commitments{database_, "coverage_commitments", 3};
  Inserter coverage_lines{database_, "coverage_lines", 3};
  for (std::size_t i = 0; i < terms.coverage.size(); ++i) {
    const Coverage& coverage = terms.coverage[i];
    for (std::size_t k = 0; k < coverage.commitments.size(); ++k)
      coverage_commitments.add(number(i), number(k), number(coverage.commitments[k]));
    for (std::size_t k = 0; k < coverage.lines.size(); ++k)
      coverage_lines.add(number(i), number(k), number(index(coverage.lines[k])));
  }
  Inserter other{database_, "other_costs", 3};
  for (std::size_t i = 0; i < terms.other.size(); ++i)
    other.add(number(i), terms.other[i].name, terms.other[i].price.count());
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
class RunInserters {
 public:
  explicit RunInserters(SQLite::Database& database)
      : runs_{database, "runs", 5},
        measures_{database, "run_measures", 5},
        usage_{database, "run_usage", 7},
        held_{database, "run_held", 5},
        other_{database, "run_other_costs", 4} {}

  void add(std::int64_t strategy, const StoredRun& run);

 private:
  void add_line(std::int64_t strategy, std::int64_t replication, const BilledUse& use, PriceLineId line);

  Inserter runs_;
  Inserter measures_;
  Inserter usage_;
  Inserter held_;
  Inserter other_;
};

void RunInserters::add(std::int64_t strategy, const StoredRun& run) {
  if (run.replication > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    throw InputError{{.file = "command line", .pointer = "--record"},
                     "a record holds replications up to 9223372036854775807"};
  }
  const auto replication = static_cast<std::int64_t>(run.replication);
  runs_.add(strategy, replication, hex(run.fingerprint), flag(run.drew), run.reference_gpu_h);
  for (const MeasureInfo& measure : measure_table()) {
    const Value& value = run.total[measure.measure];
    if (!value.is_absent())
      measures_.add(strategy, replication, measure.name, value.value,
                    flag(value.known == Value::Known::at_least));
  }
  check_machine_time(run.use);
  for (std::size_t i = 0; i < run.use.lines(); ++i)
    add_line(strategy, replication, run.use, PriceLineId{static_cast<std::uint32_t>(i)});
  for (std::size_t i = 0; i < run.use.held.size(); ++i) {
    held_.add(strategy, replication, number(i), number(index(run.use.held[i].line)),
              run.use.held[i].machines.count());
  }
  for (std::size_t i = 0; i < run.use.other.size(); ++i)
    other_.add(strategy, replication, number(i), run.use.other[i].count());
}

// What lost a race was leased too: its hours are among those of the line.
void RunInserters::add_line(std::int64_t strategy, std::int64_t replication, const BilledUse& use,
                            PriceLineId line) {
  const auto lost = use.lost_races(line);
  auto next = lost.begin();
  for (const UsageHour& hour : use.hours(line)) {
    const bool has_lost = next != lost.end() && next->hour == hour.hour;
    usage_.add(strategy, replication, number(index(line)), hour.hour, hour.used.count(), hour.billed.count(),
               has_lost ? next->billed.count() : std::int64_t{0});
    if (has_lost) ++next;
  }
  STOCKOUT_CHECK(next == lost.end());
}

void RecordWriter::write_strategies() {
  Inserter strategies{database_, "strategies", 3};
  RunInserters runs{database_};
  for (std::size_t i = 0; i < stored_.strategies.size(); ++i) {
    const StoredStrategy& strategy = stored_.strategies[i];
    strategies.add(number(i), strategy.name, flag(strategy.looks_at_prices));
    for (const StoredRun& run : strategy.runs) runs.add(number(i), run);
  }
}

std::string RecordWriter::bytes() {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> image{
      sqlite3_serialize(database_.getHandle(), "main", &size, 0), sqlite3_free};
  if (!image) throw std::bad_alloc{};
  return {reinterpret_cast<const char*>(image.get()), static_cast<std::size_t>(size)};
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
