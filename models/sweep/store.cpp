#include "models/sweep/store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "models/sweep/columns.h"
#include "sim/io/sql_text.h"

namespace stockout {
namespace {

// Every commit is on the disk before it is told: also the folder's entry of the journal that goes (EXTRA). A
// rollback journal and not a write-ahead log, which shared folders of many machines do not bear.
void make_durable(SQLite::Database& store) {
  store.exec("PRAGMA journal_mode = DELETE");
  store.exec("PRAGMA synchronous = EXTRA");
}

SQLite::Database begin_store(const std::string& path, const Sweep& sweep, const Shard& shard) {
  return with_store(path, [&] {
    SQLite::Database store{path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kBusyMs};
    make_durable(store);
    SQLite::Transaction transaction{store, SQLite::TransactionBehavior::IMMEDIATE};
    create_tables(store, head_of(sweep, shard));
    transaction.commit();
    return store;
  });
}

void check_same_sweep(const std::string& path, const StoreHead& was, const StoreHead& is) {
  const std::string changed = difference(was, is);
  if (!changed.empty()) {
    throw InputError{{.file = path},
                     fmt::format("was begun with something else: {}. Put that back to go on, or "
                                 "begin anew with another --store",
                                 changed)};
  }
  if (was.shard != is.shard) {
    throw InputError{{.file = path},
                     fmt::format("holds shard {} of {}, not {} of {}", was.shard.index, was.shard.of,
                                 is.shard.index, is.shard.of)};
  }
}

void check_input(const std::string& path, const InputStamp& was, InputStamps& inputs) {
  const InputStamp is = inputs.named(was.name);
  if (was == is) return;
  throw InputError{
      {.file = path},
      fmt::format("was begun with another {}: it had {} bytes (FNV-1a {}), and has {} ({}). Put that "
                  "back to go on, or begin anew with another --store",
                  was.name, was.bytes, was.fnv1a, is.bytes, is.fnv1a)};
}

SQLite::Database resume_store(const std::string& path, const Sweep& sweep, const Shard& shard,
                              InputStamps& inputs) {
  SQLite::Database store = open_store(path, SQLite::OPEN_READWRITE);
  return with_store(path, [&] {
    make_durable(store);
    check_same_sweep(path, read_head(store), head_of(sweep, shard));
    for (const InputStamp& was : read_inputs(store)) check_input(path, was, inputs);
    return std::move(store);
  });
}

SQLite::Database open_for_run(const std::string& path, const Sweep& sweep, const Shard& shard, bool resume,
                              InputStamps& inputs) {
  if (!store_exists(path)) return begin_store(path, sweep, shard);
  if (resume) return resume_store(path, sweep, shard, inputs);
  throw InputError{{.file = path},
                   "is there already: --resume goes on with it; or name another --store, or remove it"};
}

void bind_value(SQLite::Statement& statement, int place, const JsonValue& value) {
  if (const auto* whole = value.get<std::int64_t>()) {
    statement.bind(place, *whole);
  } else if (const auto* number = value.get<double>()) {
    statement.bind(place, *number);
  } else if (const auto* flag = value.get<bool>()) {
    statement.bind(place, *flag ? 1 : 0);
  } else if (const auto* text = value.get<std::string>()) {
    statement.bind(place, *text);
  } else if (value.get<JsonValue::Null>() != nullptr) {
    statement.bind(place);
  } else {
    constexpr std::size_t kMostText = 100'000;
    statement.bind(place, to_text(value, kMostText));
  }
}

void bind_summary(SQLite::Statement& statement, int place, const ResultColumn& column,
                  const Summary& summary) {
  using Kind = ResultColumn::Kind;
  const bool is_there = !summary.is_absent();
  if (column.kind == Kind::mean && is_there) {
    statement.bind(place, summary.mean);
  } else if (column.kind == Kind::plus_minus && summary.half_width) {
    statement.bind(place, *summary.half_width);
  } else if (column.kind == Kind::replications) {
    statement.bind(place, static_cast<std::int64_t>(summary.replications));
  } else if (column.kind == Kind::is_lower_bound && is_there) {
    statement.bind(place, summary.known == Value::Known::at_least ? 1 : 0);
  } else {
    statement.bind(place);
  }
}

}  // namespace

SweepStore::SweepStore(const std::string& path, const Sweep& sweep, const Shard& shard, bool resume,
                       InputStamps& inputs)
    : path_{path},
      sweep_{sweep},
      lock_{path, StoreLock::Use::write},
      store_{open_for_run(path, sweep, shard, resume, inputs)} {
  with_store(path_, [&] {
    const std::size_t point_columns = 4 + sweep.design.parameters().size();
    insert_point_.emplace(store_, insert_row_sql("points", point_columns));
    const std::size_t columns = 4 + result_columns().size();
    insert_result_.emplace(store_, insert_row_sql("results", columns));
    seals_.emplace(store_);
  });
}

std::vector<bool> SweepStore::finished() {
  return with_store(path_, [&] {
    std::vector<bool> finished(sweep_.design.points());
    SQLite::Statement query{store_, "SELECT point FROM points"};
    while (query.executeStep()) {
      const auto point = static_cast<std::size_t>(query.getColumn(0).getInt64());
      if (point >= finished.size()) throw SQLite::Exception("it has a point that is none", SQLITE_CORRUPT);
      finished[point] = true;
    }
    return finished;
  });
}

std::size_t SweepStore::failed_points() {
  return with_store(path_, [&] {
    const auto count = store_.execAndGet("SELECT count(*) FROM points WHERE state = 'failed'").getInt64();
    return static_cast<std::size_t>(count);
  });
}

void SweepStore::add(const std::vector<FinishedPoint>& points) {
  with_store(path_, [&] {
    SQLite::Transaction transaction{store_, SQLite::TransactionBehavior::IMMEDIATE};
    for (const FinishedPoint& point : points) {
      for (const InputStamp& input : point.inputs) write_input(store_, input);
      insert_point(point.rows);
      insert_results(point.rows);
      seals_->seal(static_cast<std::int64_t>(point.rows.point));
    }
    seal_inputs(store_);
    transaction.commit();
  });
  if (!lock_.is_still_there()) fail_lost_store(path_);
}

void SweepStore::insert_point(const PointRows& rows) {
  SQLite::Statement& insert = *insert_point_;
  insert.reset();
  insert.clearBindings();
  insert.bind(1, static_cast<std::int64_t>(rows.point));
  insert.bind(2, rows.error.empty() ? "done" : "failed");
  if (!rows.error.empty()) insert.bind(3, rows.error);
  if (!rows.fingerprint.empty()) insert.bind(4, rows.fingerprint);
  int place = 5;
  for (const JsonValue* value : sweep_.design.values(rows.point)) bind_value(insert, place++, *value);
  insert.exec();
}

void SweepStore::insert_results(const PointRows& rows) {
  SQLite::Statement& insert = *insert_result_;
  for (std::size_t strategy = 0; strategy < rows.strategies.size(); ++strategy) {
    const StrategyRow& row = rows.strategies[strategy];
    insert.reset();
    insert.clearBindings();
    insert.bind(1, static_cast<std::int64_t>(rows.point));
    insert.bind(2, static_cast<std::int64_t>(strategy));
    insert.bind(3, row.name);
    insert.bind(4, static_cast<std::int64_t>(row.replications));
    int place = 5;
    for (const ResultColumn& column : result_columns())
      bind_summary(insert, place++, column, row.total[column.measure]);
    insert.exec();
  }
}

}  // namespace stockout
