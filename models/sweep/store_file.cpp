#include "models/sweep/store_file.h"

#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include "models/sweep/check_sums.h"
#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "sim/core/counted.h"
#include "sim/io/sql_rows.h"

namespace stockout {
namespace {

std::string parameter_columns(const StoreHead& head) {
  std::string text;
  for (const StoredParameter& parameter : head.parameters) text += ", " + sql_name(parameter.column);
  return text;
}

// Points have the columns of the sweep, results those of the measures.
template <typename Table>
std::string made_for(const Table& table, const StoreHead& head) {
  if (table.name == kResultsTable.name) return create_results_sql();
  return create_sql(table, table.name == kPointsTable.name ? parameter_columns(head) : std::string{});
}

// For people, made behind the table that it shows; empty: none is.
std::string view_behind(std::string_view table, const StoreHead& head) {
  if (table == kPointsTable.name) {
    return fmt::format(
        "CREATE VIEW failed AS SELECT point, error{} FROM points WHERE state = 'failed' ORDER BY point",
        parameter_columns(head));
  }
  if (table != kResultsTable.name) return {};
  std::string measured;
  for (const ResultColumn& column : result_columns()) measured += ", " + sql_name(column.name);
  return fmt::format(
      "CREATE VIEW wide AS SELECT point{}, {}{} FROM points JOIN results USING (point) ORDER BY point, "
      "strategy_number",
      parameter_columns(head), fmt::join(result_fields(), ", "), measured);
}

void write_head(SQLite::Database& store, const StoreHead& head) {
  RowWriter<kSweepTable>{store}.add(head);
  RowWriter<kParametersTable> parameters{store};
  for (std::size_t i = 0; i < head.parameters.size(); ++i)
    parameters.add(RowPlace{i + 1}, head.parameters[i]);
  RowWriter<kMeasuresTable> measures{store};
  std::size_t place = 0;
  for (const MeasureInfo& measure : measure_table()) measures.add(RowPlace{++place}, measure);
  RowWriter<kWorldsTable> worlds{store};
  RowWriter<kTurnsTable> turns{store};
  std::size_t turn = 0;
  for (std::size_t i = 0; i < head.worlds.size(); ++i) {
    worlds.add(RowPlace{i + 1}, head.worlds[i]);
    for (std::size_t own = 0; own < head.worlds[i].turns; ++own)
      turns.add(StoredTurn{.turn = turn++, .world = i + 1});
  }
}

// All values that a world puts into the scenario, as one object.
std::string changes_text(const SweepWorld& world) {
  constexpr std::size_t kMostText = 10'000'000;
  JsonValue::Members members;
  for (const PlacedValue& change : world.changes)
    members.push_back({.key = change.pointer, .value = change.value});
  return to_text(JsonValue{std::move(members)}, kMostText);
}

void read_worlds(SQLite::Database& store, StoreHead& head) {
  read_rows<kWorldsTable, RowPlace, StoredWorld>(store,
                                                 [&](const RowReader&, const RowPlace&, StoredWorld& world) {
                                                   head.worlds.push_back(std::move(world));
                                                 });
  std::vector<std::size_t> turns(head.worlds.size());
  read_rows<kTurnsTable, StoredTurn>(store, [&](const RowReader& row, const StoredTurn& turn) {
    if (turn.world < 1 || turn.world > turns.size()) row.fail("there is no such world");
    ++turns[turn.world - 1];
  });
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (turns[i] != head.worlds[i].turns)
      throw SQLite::Exception("its worlds and turns differ", SQLITE_CORRUPT);
  }
}

std::string worlds_text(const StoreHead& head) {
  return head.worlds.empty() ? "no worlds" : counted(head.worlds.size(), "world");
}

std::string worlds_difference(const StoreHead& was, const StoreHead& is) {
  if (was.worlds.size() != is.worlds.size())
    return fmt::format("--worlds: there {} {}, now there {} {}", was.worlds.size() == 1 ? "was" : "were",
                       worlds_text(was), is.worlds.size() == 1 ? "is" : "are", worlds_text(is));
  for (std::size_t i = 0; i < was.worlds.size(); ++i) {
    if (was.worlds[i] == is.worlds[i]) continue;
    const auto text = [](const StoredWorld& world) {
      return fmt::format("\"{}\", in {} of a round, {}", world.name, counted(world.turns, "replication"),
                         world.changes);
    };
    return fmt::format("--worlds: world {}: {}", i + 1,
                       line_difference(text(was.worlds[i]), text(is.worlds[i])));
  }
  if (was.agreement != is.agreement)
    return fmt::format("--worlds: the worlds {}, now they {}", was.agreement, is.agreement);
  return {};
}

}  // namespace

std::size_t StoreHead::round() const {
  if (worlds.empty()) return 1;
  return std::accumulate(worlds.begin(), worlds.end(), std::size_t{0},
                         [](std::size_t sum, const StoredWorld& world) { return sum + world.turns; });
}

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
                 .parameters = {},
                 .agreement = sweep.worlds.agreement,
                 .worlds = {}};
  for (const Parameter& parameter : sweep.design.parameters()) {
    head.parameters.push_back(
        {.column = parameter.column, .pointers = fmt::format("{}", fmt::join(parameter.pointers, " "))});
  }
  const WorldTurns& turns = sweep.worlds.turns;
  for (std::size_t i = 0; i < sweep.worlds.all.size(); ++i) {
    head.worlds.push_back(
        {.name = sweep.worlds.all[i].name,
         .turns = turns.in_round()[i],
         .weight = static_cast<double>(turns.in_round()[i]) / static_cast<double>(turns.round()),
         .changes = changes_text(sweep.worlds.all[i])});
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
  return worlds_difference(was, is);
}

void create_tables(SQLite::Database& store, const StoreHead& head) {
  set_file_kind(store, kStoreFile);
  for_each_table([&](const auto& table, TableRole) {
    store.exec(made_for(table, head));
    if (const std::string view = view_behind(table.name, head); !view.empty()) store.exec(view);
  });
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
  read_worlds(store, head);
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
