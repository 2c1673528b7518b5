#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace stockout {

/// Which part of a sweep's points one process does: those whose number leaves `index` when divided by `of`.
struct Shard {
  std::size_t index = 0;
  std::size_t of = 1;

  [[nodiscard]] bool has(std::size_t point) const { return point % of == index; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

inline constexpr std::size_t kMostShards = 100'000;

/// Which shard this process does, and who said so.
struct ShardChoice {
  Shard shard;
  std::string said_by;  // "--shard", "SLURM_ARRAY_TASK_ID"; empty: nobody, it does the whole sweep
};

/// By the option `--shard i/n`, else by what Slurm gives to a task of an array (SLURM_ARRAY_TASK_ID, _MIN,
/// _STEP, _COUNT) or Kubernetes to a pod of an indexed Job (JOB_COMPLETION_INDEX, which needs `--shards n`).
/// `environment` gives a variable's value or null. Throws InputError for what is no shard.
[[nodiscard]] ShardChoice choose_shard(const std::string& option, std::optional<std::size_t> shards,
                                       const std::function<const char*(const char*)>& environment);

/// The store of one shard: "load.sqlite" becomes "load.shard-3-of-10.sqlite".
[[nodiscard]] std::string shard_path(const std::string& store, const Shard& shard);

}  // namespace stockout
