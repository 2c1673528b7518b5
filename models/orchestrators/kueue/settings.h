#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/time.h"

namespace stockout::kueue {

/// When fair sharing takes a workload from another queue: S2-a and S2-b of Kueue's design.
enum class FairStrategy : std::uint8_t { less_than_or_equal_to_final_share, less_than_initial_share };

enum class RequeueTimestamp : std::uint8_t { eviction, creation };

/// Feature gates that change a rule.
enum class Gate : std::uint8_t {
  partial_admission,
  flavor_fungibility,
  priority_sorting_within_cohort,
  preempt_within_nominal,
  reevaluate_fair_candidates,
  prioritize_non_borrowing,
  equivalence_hashing,
  recompute_on_overlap,
  preserve_scan_progress,
  prioritize_preemptors,
  priority_boost,
  reclaimable_pods,
  concurrent_admission,
  cleanup_requests_on_eviction,
  admission_fair_sharing,
};

/// The gate that Kueue calls so; nothing if it is none of these.
[[nodiscard]] std::optional<Gate> gate_named(std::string_view name);

/// Which feature gates are on: at first those that were in Kueue of August 2026.
class Gates {
 public:
  Gates();
  [[nodiscard]] bool has(Gate gate) const { return on_[static_cast<std::size_t>(gate)]; }
  void set(Gate gate, bool on) { on_[static_cast<std::size_t>(gate)] = on; }

 private:
  std::bitset<15> on_;
};

/// Usage of local queues decays with the half life, once every sampling interval.
struct AdmissionFairSharing {
  SimDuration half_life{};
  SimDuration sampling = std::chrono::minutes{5};
  std::map<std::string, double> weights = {};  // by resource; 1 for those that are not there
};

/// Workloads whose pods are not ready in time are evicted and tried again later.
struct WaitForPodsReady {
  SimDuration timeout = std::chrono::minutes{30};
  std::optional<SimDuration> recovery_timeout = std::nullopt;  // after pods were lost; none: no limit
  bool block_admission = false;
  std::optional<std::int32_t> backoff_limit = std::nullopt;  // requeues before it is deactivated
  SimDuration backoff_base = std::chrono::minutes{1};
  SimDuration backoff_max = std::chrono::hours{1};
};

/// Kueue's own configuration, as opposed to that of queues.
struct Settings {
  bool fair_sharing = false;
  std::vector<FairStrategy> strategies{FairStrategy::less_than_or_equal_to_final_share,
                                       FairStrategy::less_than_initial_share};
  RequeueTimestamp requeue_timestamp = RequeueTimestamp::eviction;
  std::optional<AdmissionFairSharing> admission_fair_sharing = std::nullopt;
  std::optional<WaitForPodsReady> pods_ready = std::nullopt;  // nothing: off; Kueue's default is on
  Gates gates = {};
};

}  // namespace stockout::kueue
