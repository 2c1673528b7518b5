#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/sweep/sweep_file.h"

namespace stockout {

struct MergeOutcome {
  std::size_t points = 0;  // that are in the merged store
  std::size_t of = 0;      // that the sweep has
  std::size_t failed = 0;
};

/// Makes one store of those of the shards: the same rows as one process would have written. It appears whole
/// or not at all. Throws InputError if they are not the shards of one sweep, each once, or if one is not
/// done; with `partial` shards and points may be missing. With a `sweep` also if they were begun with another
/// sweep file, scenario or input file than it has now.
[[nodiscard]] MergeOutcome merge_stores(const std::string& out, const std::vector<std::string>& shards,
                                        bool partial, const Sweep* sweep = nullptr);

}  // namespace stockout
