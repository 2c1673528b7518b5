#include "models/sweep/store_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <new>
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

void fail_store(const std::string& path, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  const SourceRef where{.file = path};
  if (code == SQLITE_NOMEM) throw std::bad_alloc{};
  if (code == SQLITE_NOTADB) throw InputError{where, "is no store of a sweep"};
  if (code == SQLITE_CORRUPT) throw InputError{where, "is damaged. Begin anew with another --store"};
  if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
    throw InputError{where, "is locked by another program: close what has it open, and go on with --resume"};
  if (code == SQLITE_FULL)
    throw InputError{where, "the disk is full; go on with --resume when there is room"};
  if (error.getExtendedErrorCode() == SQLITE_READONLY_DBMOVED) fail_lost_store(path);
  if (error.getExtendedErrorCode() == SQLITE_IOERR_WRITE) {
    throw InputError{where,
                     "cannot be written: the disk failed, or a quota or a limit on the size of files (ulimit "
                     "-f) is reached. Go on with --resume when that is mended"};
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
  check_file_kind(path, kStoreFile,
                  {.what = "store of a sweep",
                   .make = "`stockout sweep SWEEP --store FILE` makes one",
                   .again = "run the sweep again, with another --store"});
  return with_store(path, [&] {
    SQLite::Database store{path, flags, kBusyMs};
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
