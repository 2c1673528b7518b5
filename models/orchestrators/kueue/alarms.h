#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "models/orchestrators/kueue/workload.h"
#include "sim/core/time.h"

namespace stockout::kueue {

/// When something falls due for which workload; at most one thing each.
class Alarms {
 public:
  /// Nothing: no longer.
  void set(WorkloadId id, std::optional<SimTime> at);
  /// The first one after `now`.
  [[nodiscard]] std::optional<SimTime> next_after(SimTime now) const;

  struct Alarm {
    SimTime at;
    WorkloadId workload{};
  };
  /// The first one until `end`, which is then no longer set.
  [[nodiscard]] std::optional<Alarm> pop_until(SimTime end);

 private:
  std::set<std::pair<SimTime, WorkloadId>> order_;
  std::map<WorkloadId, SimTime> times_;
};

}  // namespace stockout::kueue
