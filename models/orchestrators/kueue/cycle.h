#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/flavor_assigner.h"
#include "models/orchestrators/kueue/pending_queue.h"
#include "models/orchestrators/kueue/preemption.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// More reasons why a workload is pending, as Kueue writes them.
inline constexpr const char* kWaitingForPreempted = "WaitingForPreemptedWorkloads";
inline constexpr const char* kWaitingForPodsReady = "WaitingForPodsReady";
inline constexpr const char* kPendingEvaluation = "PendingEvaluation";
inline constexpr const char* kSuspended = "Suspended";
inline constexpr const char* kMisconfigured = "Misconfigured";

/// A workload at the head of its queue.
struct Head {
  const Workload* workload = nullptr;
  bool is_active = true;        // whether its queue may admit
  bool is_preemptor = false;    // whether it waits for victims of an earlier cycle
  std::int64_t generation = 0;  // of quota and its holders in its tree: more since it was last tried?
};

/// Decision of a cycle about a head.
enum class Decision : std::uint8_t {
  not_nominated,  // could not be tried, or found no flavor
  skipped,        // lost to another of this cycle; the next may be better
  preempting,     // evicts, or waits for what others evict
  blocked,        // would be admitted, were all pods ready
  admitted,
};

/// Result of a second look at an assignment whose victims another head had taken.
enum class Recomputed : std::uint8_t { no, deferred_fit, new_targets, skipped };

struct Entry {
  Head head;
  NodeId queue{};
  Assignment assignment = {};
  std::vector<Victim> victims = {};
  Decision decision = Decision::not_nominated;
  RequeueReason requeue = RequeueReason::generic;
  std::string pending_reason = {};
  bool keeps_search = true;  // whether the next cycle goes on with the flavors after those tried
  Recomputed recomputed = Recomputed::no;
  bool skipped_preemption = false;
};

struct CycleQuestion {
  std::vector<Head> heads;
  std::int64_t number = 0;     // of the cycle
  bool all_pods_ready = true;  // of those that hold quota; matters if admission is blocked until they are
};

/// One scheduling cycle: nominate, order, and handle one head after the other. Entries are returned in the
/// order in which they were handled, those that were not nominated last. The ledger is as before; what was
/// decided is for the caller to carry out.
[[nodiscard]] std::vector<Entry> run_cycle(const Scene& scene, CycleQuestion question);

/// The assignment of a head and whom it evicts; with fewer pods if it may and must.
void nominate(const Scene& scene, Entry& entry, const FlavorSearch* resumed,
              const FlavorsOnly* only = nullptr);

/// Quota that a head with nobody to evict keeps from others for the rest of the cycle. Negative where its
/// queue uses more than it may.
[[nodiscard]] Usage reserved_for(const QuotaTree& tree, const Entry& entry);

/// Order of heads without fair sharing.
[[nodiscard]] bool is_handled_first(const Entry& a, const Entry& b, const Settings& settings);

/// Something that tells workloads of different priority or pod sets apart.
[[nodiscard]] std::string shape_of(const Workload& workload, const Gates& gates);

}  // namespace stockout::kueue
