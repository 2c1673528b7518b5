#include "models/sweep/store_file.h"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include "models/sweep/check_sums.h"
#include "models/sweep/columns.h"
#include "models/sweep/keys.h"

namespace stockout {
namespace {

int pragma_number(SQLite::Database& store, const char* name) {
  return store.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

void check_whole(SQLite::Database& store, const std::string& path) {
  const std::string found = store.execAndGet("PRAGMA quick_check(1)").getString();
  if (found != "ok")
    throw InputError{{.file = path}, fmt::format("is damaged: {}. Begin anew with another --store", found)};
}

// What a transaction left that was cut off. If it was the one that began the store, nothing remains.
void take_back(const std::string& path) {
  with_store(path, [&] {
    SQLite::Database store{path, SQLite::OPEN_READWRITE, kBusyMs};
    static_cast<void>(store.execAndGet("SELECT count(*) FROM sqlite_master"));
  });
}

std::string parameter_columns(const StoreHead& head) {
  std::string text;
  for (const StoredParameter& parameter : head.parameters) text += ", " + sql_name(parameter.column);
  return text;
}

void create_points(SQLite::Database& store, const StoreHead& head) {
  const std::string varied = parameter_columns(head);
  store.exec(fmt::format(
      "CREATE TABLE points (point INTEGER PRIMARY KEY, state TEXT, error TEXT, fingerprint TEXT{})", varied));
  store.exec(fmt::format(
      "CREATE VIEW failed AS SELECT point, error{} FROM points WHERE state = 'failed' ORDER BY point",
      varied));
}

void create_results(SQLite::Database& store, const StoreHead& head) {
  std::string columns;
  std::string means;
  for (const ResultColumn& column : result_columns()) {
    const bool is_count =
        column.kind == ResultColumn::Kind::replications || column.kind == ResultColumn::Kind::is_lower_bound;
    columns += fmt::format(", {} {}", sql_name(column.name), is_count ? "INTEGER" : "REAL");
    if (column.kind == ResultColumn::Kind::mean) means += ", " + sql_name(column.name);
  }
  store.exec(fmt::format(
      "CREATE TABLE results (point INTEGER, strategy_number INTEGER, strategy TEXT, replications INTEGER{},"
      " PRIMARY KEY (point, strategy_number)) WITHOUT ROWID",
      columns));
  store.exec(
      fmt::format("CREATE VIEW wide AS SELECT point{}, strategy, replications{} FROM points JOIN results"
                  " USING (point) ORDER BY point, strategy_number",
                  parameter_columns(head), means));
}

void write_head(SQLite::Database& store, const StoreHead& head) {
  SQLite::Statement insert{store, "INSERT INTO sweep VALUES (?, ?, ?, ?, ?, ?, ?, ?)"};
  insert.bind(1, kStoreLayout);
  insert.bind(2, head.program);
  insert.bind(3, head.name);
  insert.bind(4, static_cast<std::int64_t>(head.points));
  insert.bind(5, static_cast<std::int64_t>(head.shard.index));
  insert.bind(6, static_cast<std::int64_t>(head.shard.of));
  insert.bind(7, head.sweep_text);
  insert.bind(8, head.scenario_text);
  insert.exec();
}

void write_parameters(SQLite::Database& store, const StoreHead& head) {
  SQLite::Statement insert{store, "INSERT INTO parameters (name, pointer) VALUES (?, ?)"};
  for (const StoredParameter& parameter : head.parameters) {
    insert.bind(1, parameter.column);
    insert.bind(2, parameter.pointers);
    insert.exec();
    insert.reset();
  }
}

void write_measures(SQLite::Database& store) {
  SQLite::Statement insert{store, "INSERT INTO measures (name, unit, meaning) VALUES (?, ?, ?)"};
  for (const MeasureInfo& measure : measure_table()) {
    insert.bind(1, std::string{measure.name});
    insert.bind(2, std::string{measure.unit});
    insert.bind(3, std::string{measure.meaning});
    insert.exec();
    insert.reset();
  }
}

// A line, if need be cut to what is around a place in it.
std::string cut_around(std::string_view line, std::size_t place) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kMost = 100;
  const std::size_t from = place > kBefore ? place - kBefore : 0;
  const std::string_view shown = line.substr(std::min(from, line.size()), kMost);
  return fmt::format("`{}{}{}`", from > 0 ? "..." : "", shown, from + kMost < line.size() ? "..." : "");
}

// "line 4 was `a`, is `b`", of the first that differs.
std::string line_difference(std::string_view was, std::string_view is) {
  for (int line = 1;; ++line) {
    const std::string_view a = was.substr(0, was.find('\n'));
    const std::string_view b = is.substr(0, is.find('\n'));
    if (a != b) {
      const auto [at, _] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
      const auto place = static_cast<std::size_t>(at - a.begin());
      return fmt::format("line {} was {}, is {}", line, cut_around(a, place), cut_around(b, place));
    }
    if (a.size() >= was.size() || b.size() >= is.size()) return "one is longer";
    was.remove_prefix(a.size() + 1);
    is.remove_prefix(b.size() + 1);
  }
}

}  // namespace

std::string sql_name(std::string_view name) {
  std::string text{'"'};
  for (const char c : name) text += c == '"' ? std::string{"\"\""} : std::string{c};
  return text + '"';
}

void fail_store(const std::string& path, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const SourceRef where{.file = path};
  if (code == SQLITE_NOTADB) throw InputError{where, "is no store of a sweep"};
  if (code == SQLITE_CORRUPT) throw InputError{where, "is damaged. Begin anew with another --store"};
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw InputError{where, "is locked by another program: close what has it open, and go on with --resume"};
  if (code == SQLITE_FULL)
    throw InputError{where, "the disk is full; go on with --resume when there is room"};
  if (error.getExtendedErrorCode() == SQLITE_READONLY_DBMOVED) fail_lost_store(path);
  if (error.getExtendedErrorCode() == SQLITE_IOERR_WRITE) {
    throw InputError{
        where,
        "cannot be written: the disk failed, or a quota or a limit on the size of files (ulimit -f) "
        "is reached; go on with --resume when that is mended"};
  }
  throw InputError{where, fmt::format("cannot be used: {}", error.what())};
}

void fail_lost_store(const std::string& path) {
  throw InputError{{.file = path},
                   "was removed, moved or replaced while it was being written: put it back and go on with "
                   "--resume, or begin anew"};
}

bool store_exists(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) throw InputError{{.file = path}, "is no file that a store can be"};
  if (status.st_size == 0) return false;
  if (::stat((path + "-journal").c_str(), &status) != 0) return true;
  take_back(path);
  return ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

SQLite::Database open_store(const std::string& path, int flags) {
  return with_store(path, [&] {
    SQLite::Database store{path, flags, kBusyMs};
    if (pragma_number(store, "application_id") != kStoreApplication)
      throw InputError{{.file = path}, "is a database, but no store of a sweep"};
    const int layout = pragma_number(store, "user_version");
    if (layout != kStoreLayout) {
      throw InputError{{.file = path},
                       fmt::format("is a store of layout {}; this program, {}, reads layout {}: {}", layout,
                                   STOCKOUT_VERSION, kStoreLayout,
                                   layout < kStoreLayout ? "run the sweep again, with another --store"
                                                         : "use the one that made it")};
    }
    check_whole(store, path);
    check_seals(store, path);
    return store;
  });
}

StoreHead head_of(const Sweep& sweep, const Shard& shard) {
  StoreHead head{.program = STOCKOUT_VERSION,
                 .name = sweep.name,
                 .sweep_text = sweep.text,
                 .scenario_text = sweep.scenario_text,
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
  return {};
}

void create_tables(SQLite::Database& store, const StoreHead& head) {
  store.exec(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kStoreApplication, kStoreLayout));
  store.exec(
      "CREATE TABLE sweep (layout INTEGER, program TEXT, name TEXT, points INTEGER, shard INTEGER, shards "
      "INTEGER,"
      " sweep_file TEXT, scenario_file TEXT);"
      "CREATE TABLE inputs (name TEXT PRIMARY KEY, bytes INTEGER, fnv1a TEXT) WITHOUT ROWID;"
      "CREATE TABLE parameters (place INTEGER PRIMARY KEY, name TEXT, pointer TEXT);"
      "CREATE TABLE measures (place INTEGER PRIMARY KEY, name TEXT, unit TEXT, meaning TEXT)");
  create_points(store, head);
  create_results(store, head);
  create_check_sums(store);
  write_head(store, head);
  write_parameters(store, head);
  write_measures(store);
  seal_sweep(store);
  seal_inputs(store);
}

StoreHead read_head(SQLite::Database& store) {
  SQLite::Statement query{
      store, "SELECT program, name, points, shard, shards, sweep_file, scenario_file FROM sweep"};
  if (!query.executeStep()) throw SQLite::Exception("it has no head", SQLITE_CORRUPT);
  StoreHead head{.program = query.getColumn(0).getString(),
                 .name = query.getColumn(1).getString(),
                 .sweep_text = query.getColumn(5).getString(),
                 .scenario_text = query.getColumn(6).getString(),
                 .points = static_cast<std::size_t>(query.getColumn(2).getInt64()),
                 .shard = {.index = static_cast<std::size_t>(query.getColumn(3).getInt64()),
                           .of = static_cast<std::size_t>(query.getColumn(4).getInt64())},
                 .parameters = {}};
  if (head.points == 0 || static_cast<double>(head.points) > kMostPoints || head.shard.of == 0 ||
      head.shard.of > kMostShards || head.shard.index >= head.shard.of) {
    throw SQLite::Exception("its head is none", SQLITE_CORRUPT);
  }
  SQLite::Statement parameters{store, "SELECT name, pointer FROM parameters ORDER BY place"};
  while (parameters.executeStep()) {
    head.parameters.push_back(
        {.column = parameters.getColumn(0).getString(), .pointers = parameters.getColumn(1).getString()});
  }
  return head;
}

std::vector<InputStamp> read_inputs(SQLite::Database& store) {
  std::vector<InputStamp> inputs;
  SQLite::Statement query{store, "SELECT name, bytes, fnv1a FROM inputs ORDER BY name"};
  while (query.executeStep()) {
    inputs.push_back({.name = query.getColumn(0).getString(),
                      .bytes = static_cast<std::uint64_t>(query.getColumn(1).getInt64()),
                      .fnv1a = query.getColumn(2).getString()});
  }
  return inputs;
}

void write_input(SQLite::Database& store, const InputStamp& input) {
  SQLite::Statement insert{store, "INSERT OR IGNORE INTO inputs VALUES (?, ?, ?)"};
  insert.bind(1, input.name);
  insert.bind(2, static_cast<std::int64_t>(input.bytes));
  insert.bind(3, input.fnv1a);
  insert.exec();
}

}  // namespace stockout
