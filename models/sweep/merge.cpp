#include "models/sweep/merge.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/kept/store_lock.h"
#include "models/sweep/check_sums.h"
#include "models/sweep/store_file.h"
#include "models/sweep/store_tables.h"
#include "sim/io/sql_rows.h"
#include "sim/io/whole_file.h"

namespace stockout {
namespace {

struct ShardStore {
  std::string path;
  StoreHead head;
  std::vector<InputStamp> inputs;
  std::size_t points = 0;
};

// Opened for writing once, so that a transaction that was cut off is taken back.
ShardStore read_shard(const std::string& path) {
  if (!store_exists(path)) throw InputError{{.file = path}, "is not there, or empty"};
  const StoreLock lock{path, StoreLock::Use::merge};
  SQLite::Database store = open_store(path, SQLite::OPEN_READWRITE);
  return with_store(path, [&] {
    return ShardStore{.path = path,
                      .head = read_head(store),
                      .inputs = read_inputs(store),
                      .points = sql_count(store, "SELECT count(*) FROM points")};
  });
}

void check_same_inputs(const ShardStore& first, const ShardStore& other) {
  const std::string built_in = InputStamps::built_in_catalog().name;
  const auto has_it = [&](const ShardStore& shard) {
    return std::ranges::find(shard.inputs, built_in, &InputStamp::name) != shard.inputs.end();
  };
  if (first.points > 0 && other.points > 0 && has_it(first) != has_it(other))
    throw InputError{{.file = other.path},
                     fmt::format("was made with another catalogue than {}", first.path)};
  for (const InputStamp& input : other.inputs) {
    for (const InputStamp& known : first.inputs) {
      if (known.name != input.name || known == input) continue;
      throw InputError{{.file = other.path},
                       fmt::format("was made from another {} than {}: {} bytes against {}", input.name,
                                   first.path, input.bytes, known.bytes)};
    }
  }
}

// Shards that an earlier, different sweep left behind under the same names are no part of this one.
void check_made_from(const Sweep& sweep, const ShardStore& shard, InputStamps& inputs) {
  const std::string changed = difference(shard.head, head_of(sweep, shard.head.shard));
  if (!changed.empty())
    throw InputError{{.file = shard.path}, fmt::format("is not of {} as it is now: {}", sweep.file, changed)};
  for (const InputStamp& was : shard.inputs) {
    if (inputs.named(was.name) == was) continue;
    throw InputError{{.file = shard.path},
                     fmt::format("was made from another {} than there is now", was.name)};
  }
}

void check_shards(const std::vector<ShardStore>& shards, bool partial) {
  std::map<std::size_t, const ShardStore*> by_index;
  for (const ShardStore& shard : shards) {
    const std::string differs = difference(shards.front().head, shard.head);
    if (!differs.empty())
      throw InputError{{.file = shard.path},
                       fmt::format("is of another sweep than {}: {}", shards.front().path, differs)};
    if (shard.head.shard.of != shards.front().head.shard.of) {
      throw InputError{{.file = shard.path},
                       fmt::format("is one of {} shards, but {} is one of {}", shard.head.shard.of,
                                   shards.front().path, shards.front().head.shard.of)};
    }
    for (const ShardStore& other : shards) check_same_inputs(other, shard);
    const auto [other, is_new] = by_index.emplace(shard.head.shard.index, &shard);
    if (!is_new)
      throw InputError{
          {.file = shard.path},
          fmt::format("holds shard {}, and so does {}", shard.head.shard.index, other->second->path)};
    if (!partial && shard.points < shard.head.shard_points()) {
      throw InputError{
          {.file = shard.path},
          fmt::format("has {} of its {} points: finish it with --resume, or merge with --partial",
                      shard.points, shard.head.shard_points())};
    }
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < shards.front().head.shard.of; ++i) {
    if (!by_index.contains(i)) missing.push_back(i);
  }
  if (missing.empty() || partial) return;
  const std::size_t count = missing.size();
  missing.resize(std::min<std::size_t>(count, 20));
  throw InputError{
      {.file = "command line"},
      fmt::format("{} of {} shards are missing: {}{}. Name their stores too, or merge with --partial", count,
                  shards.front().head.shard.of, fmt::join(missing, ", "),
                  count > missing.size() ? ", ..." : "")};
}

void check_not_there(const std::string& out) {
  if (store_exists(out)) throw InputError{{.file = out}, "is there already: name another, or remove it"};
}

// Shards may have read the same inputs.
void copy_rows(SQLite::Database& merged, std::string_view table, const std::string& order, TableRole role) {
  merged.exec(fmt::format("INSERT{} INTO main.{} SELECT * FROM shard.{} ORDER BY {}",
                          role == TableRole::inputs ? " OR IGNORE" : "", table, table, order));
}

// As one process would have begun it: all in the order of the points.
void copy_tables(SQLite::Database& merged, const std::vector<ShardStore>& shards) {
  for (const ShardStore& shard : shards) {
    SQLite::Statement attach{merged, "ATTACH DATABASE ? AS shard"};
    attach.bind(1, shard.path);
    attach.exec();
    {
      SQLite::Transaction transaction{merged};
      for_each_table([&](const auto& table, TableRole role) {
        const bool is_copied = role != TableRole::head && role != TableRole::sums;
        if (is_copied) copy_rows(merged, table.name, order_of(table), role);
      });
      seal_inputs(merged);
      transaction.commit();
    }
    merged.exec("DETACH DATABASE shard");
  }
}

MergeOutcome write_merged(const std::string& path, const std::vector<ShardStore>& shards) {
  SQLite::Database merged{path, SQLite::OPEN_READWRITE};
  merged.exec("PRAGMA journal_mode = MEMORY");  // a file that is not whole is thrown away
  StoreHead head = shards.front().head;
  head.shard = {};
  {
    SQLite::Transaction transaction{merged};
    create_tables(merged, head);
    transaction.commit();
  }
  copy_tables(merged, shards);
  return {.points = sql_count(merged, "SELECT count(*) FROM points"),
          .of = head.points,
          .failed = sql_count(merged, "SELECT count(*) FROM points WHERE state = 'failed'")};
}

}  // namespace

MergeOutcome merge_stores(const std::string& out, const std::vector<std::string>& paths, bool partial,
                          const Sweep* sweep) {
  check_not_there(out);
  std::vector<ShardStore> shards;
  for (const std::string& path : paths) shards.push_back(read_shard(path));
  if (sweep != nullptr) {
    InputStamps inputs{sweep->folder()};
    for (const ShardStore& shard : shards) check_made_from(*sweep, shard, inputs);
  }
  check_shards(shards, partial);
  WholeFile file{out};
  const MergeOutcome outcome = with_store(out, [&] { return write_merged(file.temporary(), shards); });
  check_not_there(out);  // a sweep may have begun it meanwhile
  file.commit();
  return outcome;
}

}  // namespace stockout
