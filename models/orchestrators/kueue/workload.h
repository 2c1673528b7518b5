#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/flavor.h"
#include "sim/core/time.h"

namespace stockout::kueue {

/// A workload's place in the list of all.
enum class WorkloadId : std::uint32_t {};

/// By resource.
using Requests = std::map<std::string, Amount>;

/// Pods of one shape: the launcher and the workers of a job, or one replicated job of a JobSet.
struct PodSet {
  std::string name = "main";
  std::int64_t count = 1;
  std::optional<std::int64_t> min_count = std::nullopt;  // may be admitted with as few as these
  Requests requests = {};                                // of one pod
  NodeDemand nodes = {};
};

/// Quota given to a pod set.
struct PodSetAdmission {
  std::string pod_set;
  std::int64_t count = 0;
  std::map<std::string, std::string> flavors = {};  // by resource
  Requests usage = {};                              // of all its pods
};

struct Admission {
  std::string cluster_queue;
  std::vector<PodSetAdmission> pod_sets = {};
};

enum class CheckState : std::uint8_t { pending, ready, retry, rejected };

/// Where an admission check of a workload stands.
struct Check {
  std::string name;
  CheckState state = CheckState::pending;
  std::optional<SimTime> changed = std::nullopt;
  std::int32_t retries = 0;
  std::optional<SimDuration> requeue_after = std::nullopt;
};

/// A condition of a workload: whether, why and since when.
struct Condition {
  bool status = false;
  std::string reason = {};
  SimTime at = kStart;
};

/// How often a workload was requeued after its pods were late, and when it may be tried again. While it is
/// held (condition Requeued is False) it is not, whatever the time.
struct RequeueState {
  std::optional<std::int32_t> count = std::nullopt;
  std::optional<SimTime> at = std::nullopt;
  bool is_held = false;

  friend bool operator==(const RequeueState&, const RequeueState&) = default;
};

/// Which flavor of which resource a pod set was last tried with: its place in the group, -1 if that was the
/// last.
using TriedFlavors = std::vector<std::map<std::string, int>>;

/// How far the search for flavors came, so that the next cycle goes on from there.
struct FlavorSearch {
  TriedFlavors tried = {};  // by pod set
  std::int64_t queue_generation = 0;
  std::int64_t cycle = 0;
  std::string shape = {};  // of the workload at that time

  /// Whether some flavor was not tried yet.
  [[nodiscard]] bool has_untried() const {
    return std::ranges::any_of(tried, [](const std::map<std::string, int>& pod_set) {
      return std::ranges::any_of(pod_set, [](const auto& one) { return one.second != -1; });
    });
  }
};

/// Request of a user.
struct WorkloadSpec {
  std::string local_queue = {};
  std::int32_t priority = 0;
  std::optional<std::string> priority_boost = std::nullopt;  // an annotation; counts with a gate only
  std::vector<PodSet> pod_sets = {};
  std::optional<std::vector<std::string>> allowed_flavors = std::nullopt;
  bool active = true;
  std::optional<SimDuration> max_execution = std::nullopt;  // while it is admitted, over all its admissions
};

/// State of a workload.
struct WorkloadStatus {
  std::optional<Admission> admission = std::nullopt;  // holds quota while this is set and it is active
  SimTime reserved = kStart;
  std::optional<SimTime> admitted = std::nullopt;
  std::optional<Condition> pods_ready = std::nullopt;
  std::map<std::string, std::int64_t> reclaimable = {};  // pods that are done, in all, by pod set
  std::vector<Check> checks = {};
  Condition evicted = {};
  Condition preempted = {};
  std::optional<RequeueState> requeue = std::nullopt;
  SimDuration executed{};           // in earlier admissions
  std::string pending_reason = {};  // of the last cycle that tried it
  bool finished = false;
};

/// A job as Kueue sees it.
struct Workload {
  WorkloadId id{};
  std::string name;
  std::string uid = {};            // breaks ties, in order of its characters
  std::string cluster_queue = {};  // that of the local queue; empty if there is none
  SimTime created = kStart;
  bool namespace_matches = true;  // the selector of its cluster queue
  WorkloadSpec spec = {};
  WorkloadStatus status = {};
  std::optional<FlavorSearch> search = std::nullopt;

  /// Whether it has an admission. Who is given up has one until its job has stopped, for nothing.
  [[nodiscard]] bool has_quota() const { return status.admission.has_value(); }
  /// Whether others cannot have the quota of its admission.
  [[nodiscard]] bool uses_quota() const { return has_quota() && spec.active; }
};

}  // namespace stockout::kueue
