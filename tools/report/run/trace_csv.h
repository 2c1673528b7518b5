#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/world/world.h"
#include "tools/report/run/trace_places.h"
#include "tools/table/csv_columns.h"

namespace stockout {

/// A job, and what stands in its row.
struct TracedJob;

/// Writes jobs as the project's own trace format (models/workload/README.md), to the millisecond, with times
/// since the start of the window. Read with "shift": "none" they are the same jobs.
class TraceCsv {
 public:
  /// Looks at the shapes of the recorded jobs of a replication. Throws InputError if no file can tell them:
  /// totals that would split into other nodes.
  TraceCsv(const World& world, std::uint64_t replication);

  /// 0, or what the reader must be told as "gpus_per_node": jobs have a last node of fewer GPUs, so that the
  /// file holds totals.
  [[nodiscard]] std::int32_t gpus_per_node() const { return gpus_per_node_; }

  /// With a column `eligible` where a trace tells that jobs were held back after they were submitted.
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(const Job& job) const;

 private:
  [[nodiscard]] const std::string& team_of(const Job& job) const;
  [[nodiscard]] SimDuration held_before(const Job& job) const;

  const World& world_;
  TracePlaces places_;
  std::int32_t gpus_per_node_ = 0;
  bool knows_held_ = false;
  std::vector<CsvColumn<TracedJob>> columns_;
};

}  // namespace stockout
