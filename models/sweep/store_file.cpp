#include "models/sweep/store_file.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include "models/sweep/check_sums.h"
#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

std::string parameter_columns(const StoreHead& head) {
  std::string text;
  for (const StoredParameter& parameter : head.parameters) text += ", " + sql_name(parameter.column);
  return text;
}

void create_points(SQLite::Database& store, const StoreHead& head) {
  const std::string varied = parameter_columns(head);
  store.exec(create_sql(kPointsTable, varied));
  store.exec(fmt::format(
      "CREATE VIEW failed AS SELECT point, error{} FROM points WHERE state = 'failed' ORDER BY point",
      varied));
}

void create_results(SQLite::Database& store, const StoreHead& head) {
  std::string measured;
  for (const ResultColumn& column : result_columns()) measured += ", " + sql_name(column.name);
  store.exec(create_results_sql());
  store.exec(
      fmt::format("CREATE VIEW wide AS SELECT point{}, {}{} FROM points JOIN results USING (point) "
                  "ORDER BY point, strategy_number",
                  parameter_columns(head), fmt::join(result_fields(), ", "), measured));
}

void write_head(SQLite::Database& store, const StoreHead& head) {
  RowWriter<kSweepTable>{store}.add(head);
  RowWriter<kParametersTable> parameters{store};
  for (std::size_t i = 0; i < head.parameters.size(); ++i)
    parameters.add(RowPlace{i + 1}, head.parameters[i]);
  RowWriter<kMeasuresTable> measures{store};
  std::size_t place = 0;
  for (const MeasureInfo& measure : measure_table()) measures.add(RowPlace{++place}, measure);
}

}  // namespace

bool store_exists(const std::string& path) { return kept_exists(path, kKeptSweep); }

SQLite::Database open_store(const std::string& path, int flags) {
  SQLite::Database store = open_kept(path, kKeptSweep, flags);
  return with_store(path, [&] {
    check_seals(store, path);
    return std::move(store);
  });
}

StoreHead head_of(const Sweep& sweep, const Shard& shard) {
  StoreHead head{.program = STOCKOUT_VERSION,
                 .name = sweep.name,
                 .sweep_text = sweep.text,
                 .scenario_text = sweep.scenario_text,
                 .price_text = sweep.price_text,
                 .points = sweep.design.points(),
                 .shard = shard,
                 .parameters = {}};
  for (const Parameter& parameter : sweep.design.parameters()) {
    head.parameters.push_back(
        {.column = parameter.column, .pointers = fmt::format("{}", fmt::join(parameter.pointers, " "))});
  }
  return head;
}

std::string difference(const StoreHead& was, const StoreHead& is) {
  if (was.program != is.program) return fmt::format("stockout was {}, is {}", was.program, is.program);
  if (was.sweep_text != is.sweep_text)
    return "the sweep file: " + line_difference(was.sweep_text, is.sweep_text);
  if (was.scenario_text != is.scenario_text)
    return "the scenario: " + line_difference(was.scenario_text, is.scenario_text);
  if (was.price_text != is.price_text)
    return "the files of --prices: " + line_difference(was.price_text, is.price_text);
  return {};
}

void create_tables(SQLite::Database& store, const StoreHead& head) {
  set_file_kind(store, kStoreFile);
  store.exec(create_sql(kSweepTable));
  store.exec(create_sql(kInputsTable));
  store.exec(create_sql(kParametersTable));
  store.exec(create_sql(kMeasuresTable));
  create_points(store, head);
  create_results(store, head);
  create_check_sums(store);
  write_head(store, head);
  seal_sweep(store);
  seal_inputs(store);
}

StoreHead read_head(SQLite::Database& store) {
  StoreHead head;
  head.points = 0;
  read_rows<kSweepTable, StoreHead>(store, [&](const RowReader& row, StoreHead& found) {
    if (head.points > 0) row.fail("there is more than one");
    if (found.shard.index >= found.shard.of) row.fail("there is no such shard");
    head = std::move(found);
  });
  if (head.points == 0) throw SQLite::Exception("it has no head", SQLITE_CORRUPT);
  read_rows<kParametersTable, RowPlace, StoredParameter>(
      store, [&](const RowReader&, const RowPlace&, StoredParameter& parameter) {
        head.parameters.push_back(std::move(parameter));
      });
  return head;
}

std::vector<InputStamp> read_inputs(SQLite::Database& store) {
  std::vector<InputStamp> inputs;
  read_rows<kInputsTable, InputStamp>(
      store, [&](const RowReader&, InputStamp& input) { inputs.push_back(std::move(input)); });
  return inputs;
}

void write_input(SQLite::Database& store, const InputStamp& input) {
  RowWriter<kInputsTable>{store, 0, "INSERT OR IGNORE"}.add(input);
}

}  // namespace stockout
