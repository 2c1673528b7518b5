#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/orchestrators/kueue/cluster.h"
#include "models/orchestrators/kueue/cycle.h"
#include "models/orchestrators/kueue/workload_controller.h"

namespace stockout::kueue {

/// Results of one scheduling cycle.
struct CycleReport {
  std::size_t heads = 0;
  bool has_progress = false;  // somebody was admitted, evicted or parked
  std::vector<Entry> entries = {};
};

/// Takes the heads of all queues, cycle by cycle, and has carried out what a cycle decides.
class Scheduler {
 public:
  Scheduler(Cluster& cluster, WorkloadController& workloads) : cluster_{cluster}, workloads_{workloads} {}

  CycleReport cycle();
  /// Cycles and flushes until nothing changes.
  void settle();
  /// Whether one that would be admitted waits until the pods of others are ready, and all others behind it.
  [[nodiscard]] bool is_blocked() const;

 private:
  bool admit_blocked();
  bool carry_out(const Entry& entry);

  Cluster& cluster_;
  WorkloadController& workloads_;
  std::optional<Entry> blocked_;  // waits until the pods of others are ready
  std::int64_t cycles_ = 0;
};

}  // namespace stockout::kueue
