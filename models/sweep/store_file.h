#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>

#include "models/kept/input_stamps.h"
#include "models/kept/kept_file.h"
#include "models/sweep/shard.h"
#include "models/sweep/sweep_file.h"
#include "sim/core/error.h"

namespace stockout {

inline constexpr SqlFileKind kStoreFile = kKeptSweep.file;

/// A parameter of the sweep as its store names it.
struct StoredParameter {
  std::string column;
  std::string pointers;  // with a space between them
};

/// One of the worlds of a sweep as its store keeps it.
struct StoredWorld {
  std::string name;
  std::size_t turns = 0;  // replications of a round in it
  double weight = 0;      // its share of them
  std::string changes;    // JSON: values by pointer into the scenario
  friend bool operator==(const StoredWorld&, const StoredWorld&) = default;
};

/// Identity of a store: two with equal heads hold points of the same sweep.
struct StoreHead {
  std::uint32_t layout = kStoreFile.layout;
  std::string program;  // version that writes it
  std::string name;
  std::string sweep_text;
  std::string scenario_text;
  std::string price_text;  // of the files of --prices
  std::size_t points = 0;
  Shard shard;
  std::vector<StoredParameter> parameters;
  std::string agreement;            // of the worlds with a history, in words; empty: there are none
  std::vector<StoredWorld> worlds;  // that the replications of each point take turns through

  /// How many replications have each world as often as it weighs; 1 without worlds.
  [[nodiscard]] std::size_t round() const;
  /// Of the shard.
  [[nodiscard]] std::size_t shard_points() const {
    return points / shard.of + (shard.index < points % shard.of ? 1 : 0);
  }
};

[[nodiscard]] StoreHead head_of(const Sweep& sweep, const Shard& shard);

/// The first difference of `is` from `was`, in words; empty if they are of the same sweep. Shards are not
/// looked at.
[[nodiscard]] std::string difference(const StoreHead& was, const StoreHead& is);

/// Opens what is there, and holds it to be a store of ours, and all that is in it to its check sums. Throws
/// InputError for any other file, a store of another layout and one that is damaged.
[[nodiscard]] SQLite::Database open_store(const std::string& path, int flags);

/// Whether there is a file at all, with anything in it.
[[nodiscard]] bool store_exists(const std::string& path);

/// All tables and views, and the head in them, within a transaction of the caller's.
void create_tables(SQLite::Database& store, const StoreHead& head);

[[nodiscard]] StoreHead read_head(SQLite::Database& store);
[[nodiscard]] std::vector<InputStamp> read_inputs(SQLite::Database& store);
void write_input(SQLite::Database& store, const InputStamp& input);

/// Does `work`; SQLite's errors become InputError.
template <typename Work>
auto with_store(const std::string& path, Work&& work) {
  return with_kept(path, kKeptSweep, std::forward<Work>(work));
}

}  // namespace stockout
