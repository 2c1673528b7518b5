#include "models/orchestrators/kueue/settings.h"

#include <algorithm>
#include <array>

namespace stockout::kueue {
namespace {

struct NamedGate {
  Gate gate{};
  std::string_view name;
  bool is_on = true;  // unless somebody says otherwise
};

constexpr std::array kGates{
    NamedGate{Gate::partial_admission, "PartialAdmission"},
    NamedGate{Gate::flavor_fungibility, "FlavorFungibility"},
    NamedGate{Gate::priority_sorting_within_cohort, "PrioritySortingWithinCohort"},
    NamedGate{Gate::preempt_within_nominal, "FairSharingPreemptWithinNominal"},
    NamedGate{Gate::reevaluate_fair_candidates, "FairSharingReevaluatePreemptionCandidates", false},
    NamedGate{Gate::prioritize_non_borrowing, "FairSharingPrioritizeNonBorrowing"},
    NamedGate{Gate::equivalence_hashing, "SchedulingEquivalenceHashing"},
    NamedGate{Gate::recompute_on_overlap, "RecomputeAssignmentUponPreemptionTargetsOverlap"},
    NamedGate{Gate::preserve_scan_progress, "FlavorFungibilityPreserveScanProgress"},
    NamedGate{Gate::prioritize_preemptors, "PrioritizePreemptorWorkloads", false},
    NamedGate{Gate::priority_boost, "PriorityBoost", false},
    NamedGate{Gate::reclaimable_pods, "ReclaimablePods"},
    NamedGate{Gate::concurrent_admission, "ConcurrentAdmission", false},
    NamedGate{Gate::cleanup_requests_on_eviction, "CleanupProvisioningRequestsOnEviction"},
    NamedGate{Gate::admission_fair_sharing, "AdmissionFairSharing"}};

}  // namespace

std::optional<Gate> gate_named(std::string_view name) {
  const auto known =
      std::find_if(kGates.begin(), kGates.end(), [&](const NamedGate& one) { return one.name == name; });
  return known == kGates.end() ? std::nullopt : std::optional{known->gate};
}

Gates::Gates() {
  for (const NamedGate& one : kGates) set(one.gate, one.is_on);
}

}  // namespace stockout::kueue
