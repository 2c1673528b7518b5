#include "models/sweep/store.h"

#include <fmt/format.h>
#include <algorithm>

#include "models/sweep/columns.h"

namespace stockout {
namespace {

SQLite::Database begin_store(const std::string& path, const Sweep& sweep, const Shard& shard) {
  return begin_kept(path, kKeptSweep,
                    [&](SQLite::Database& store) { create_tables(store, head_of(sweep, shard)); });
}

void check_same_sweep(const std::string& path, const StoreHead& was, const StoreHead& is) {
  check_same_work(path, difference(was, is));
  if (was.shard != is.shard) {
    throw InputError{{.file = path},
                     fmt::format("holds shard {} of {}, not {} of {}", was.shard.index, was.shard.of,
                                 is.shard.index, is.shard.of)};
  }
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
  refuse_unresumed(path);
}

// Lists and objects are JSON text.
StoredValue stored_value(const JsonValue& value) {
  if (const auto* whole = value.get<std::int64_t>()) return *whole;
  if (const auto* number = value.get<double>()) return *number;
  if (const auto* flag = value.get<bool>()) return Flag::encode(*flag);
  if (const auto* text = value.get<std::string>()) return *text;
  if (value.get<JsonValue::Null>() != nullptr) return {};
  constexpr std::size_t kMostText = 100'000;
  return to_text(value, kMostText);
}

std::vector<StoredValue> stored_values(const Summaries& total) {
  std::vector<StoredValue> values;
  for (const MeasureInfo& measure : measure_table()) {
    const StoredSummary summary = stored_summary(total[measure.measure]);
    for_each_column(measure, [&](const auto& field) { values.push_back(field.get(summary)); });
  }
  return values;
}

}  // namespace

SweepStore::SweepStore(const std::string& path, const Sweep& sweep, const Shard& shard, bool resume,
                       InputStamps& inputs)
    : path_{path},
      sweep_{sweep},
      lock_{path, StoreLock::Use::write},
      store_{open_for_run(path, sweep, shard, resume, inputs)} {
  with_store(path_, [&] {
    points_.emplace(store_, sweep.design.parameters().size());
    results_.emplace(store_, result_columns().size());
    seals_.emplace(store_);
  });
}

void SweepStore::check_catalog(const std::vector<InputStamp>& catalog) {
  with_store(path_, [&] {
    const std::vector<InputStamp> read = read_inputs(store_);
    for (const InputStamp& stamp : catalog) {
      const bool was_read = std::ranges::find(read, stamp.name, &InputStamp::name) != read.end();
      if (!read.empty() && !was_read)
        check_same_work(path_, fmt::format("{} is read now, and was not", stamp.name));
    }
  });
}

std::vector<bool> SweepStore::finished() {
  return with_store(path_, [&] {
    std::vector<bool> finished(sweep_.design.points());
    read_query<PointSum>(store_, "SELECT point FROM points ORDER BY point", "its points",
                         std::tuple{field<&PointSum::point>("point", Whole{})},
                         [&](const RowReader& row, const PointSum& of) {
                           if (of.point >= finished.size()) row.fail("there is no such point");
                           finished[of.point] = true;
                         });
    return finished;
  });
}

std::size_t SweepStore::failed_points() {
  return with_store(path_,
                    [&] { return sql_count(store_, "SELECT count(*) FROM points WHERE state = 'failed'"); });
}

void SweepStore::add(const std::vector<FinishedPoint>& points) {
  with_store(path_, [&] {
    SQLite::Transaction transaction{store_, SQLite::TransactionBehavior::IMMEDIATE};
    for (const FinishedPoint& point : points) {
      for (const InputStamp& input : point.inputs) write_input(store_, input);
      insert_point(point.rows);
      insert_results(point.rows);
      seals_->seal(point.rows.point);
    }
    seal_inputs(store_);
    transaction.commit();
  });
  if (!lock_.is_still_there()) fail_lost_store(path_);
}

void SweepStore::insert_point(const PointRows& rows) {
  std::vector<StoredValue> varied;
  for (const JsonValue* value : sweep_.design.values(rows.point)) varied.push_back(stored_value(*value));
  points_->add_with(varied, rows, PointStatus{rows.error.empty() ? PointState::done : PointState::failed});
}

void SweepStore::insert_results(const PointRows& rows) {
  for (std::size_t strategy = 0; strategy < rows.strategies.size(); ++strategy) {
    const StrategyRow& row = rows.strategies[strategy];
    results_->add_with(stored_values(row.total), ResultPlace{.point = rows.point, .strategy = strategy}, row);
  }
}

}  // namespace stockout
