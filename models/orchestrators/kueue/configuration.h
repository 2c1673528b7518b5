#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/amount.h"
#include "models/orchestrators/kueue/flavor.h"

namespace stockout::kueue {

/// Quota of one resource in one flavor. The limits bound what is borrowed above it and what of it is lent.
struct Quota {
  Amount nominal;
  std::optional<Amount> borrowing_limit = std::nullopt;  // none: all that others leave
  std::optional<Amount> lending_limit = std::nullopt;    // none: all of it
};

/// One flavor of a resource group: its quota by resource. Every flavor of a group has the same resources.
struct FlavorQuotas {
  std::string flavor;
  std::map<std::string, Quota> quotas;  // by resource
};

/// Resources that come from one flavor together, and the flavors in the order in which they are tried.
struct ResourceGroup {
  std::vector<FlavorQuotas> flavors;

  /// Whether the resource is one of the group: all its flavors have a quota of it.
  [[nodiscard]] bool covers(const std::string& resource) const {
    return !flavors.empty() && flavors.front().quotas.contains(resource);
  }
};

enum class QueueingStrategy : std::uint8_t { best_effort_fifo, strict_fifo };

/// Whom a workload may evict. `newer_equal_priority`: also equals in priority that were queued later.
enum class PreemptionPolicy : std::uint8_t { never, lower_priority, lower_or_newer_equal_priority, any };

/// Whether a queue may evict others' workloads while it would borrow itself.
struct BorrowWithinCohort {
  bool lower_priority = false;                              // false: never
  std::optional<std::int32_t> max_priority = std::nullopt;  // of victims
};

struct Preemption {
  PreemptionPolicy within_queue = PreemptionPolicy::never;
  PreemptionPolicy reclaim_within_cohort = PreemptionPolicy::never;
  /// That the policy above was not given. It then is `never`, but fair sharing may still ask for victims.
  bool reclaim_unset = false;
  BorrowWithinCohort borrow_within_cohort = {};
};

enum class FlavorPreference : std::uint8_t { borrowing_over_preemption, preemption_over_borrowing };

/// When the search for a flavor goes on although this one would do.
struct FlavorFungibility {
  bool next_when_borrowing = false;  // whenCanBorrow: TryNextFlavor
  bool next_when_preempting = true;  // whenCanPreempt: TryNextFlavor
  FlavorPreference preference = FlavorPreference::borrowing_over_preemption;
};

enum class StopPolicy : std::uint8_t { none, hold, hold_and_drain };

/// An admission check of a queue; required for workloads on one of `flavors`, or for all if there are none.
struct RequiredCheck {
  std::string name;
  std::vector<std::string> flavors = {};
};

/// Where jobs of one kind wait and what they may use. Without a cohort it neither borrows nor lends.
struct ClusterQueue {
  std::string name;
  std::string cohort = {};  // empty: none
  QueueingStrategy strategy = QueueingStrategy::best_effort_fifo;
  std::vector<ResourceGroup> groups = {};
  Preemption preemption = {};
  FlavorFungibility fungibility = {};
  double fair_weight = 1;
  std::vector<RequiredCheck> checks = {};
  StopPolicy stop = StopPolicy::none;
  bool usage_based_admission = false;  // admission fair sharing among its local queues
};

/// A node of a tree of queues: they share what they do not use. A cohort that only a queue names has no
/// quota.
struct Cohort {
  std::string name;
  std::string parent = {};  // empty: a root
  std::vector<ResourceGroup> groups = {};
  double fair_weight = 1;
};

/// The queue of a namespace: which cluster queue its workloads go to.
struct LocalQueue {
  std::string name;
  std::string cluster_queue;
  double fair_weight = 1;
  StopPolicy stop = StopPolicy::none;
  std::map<std::string, double> consumed = {};  // by resource, before the start; for admission fair sharing
};

/// An admission check that queues may name. Who decides it is not Kueue's affair.
struct AdmissionCheck {
  std::string name;
};

/// A cluster's objects, by name.
struct Configuration {
  std::map<std::string, ResourceFlavor> flavors = {};
  std::map<std::string, Cohort> cohorts = {};
  std::map<std::string, ClusterQueue> cluster_queues = {};
  std::map<std::string, LocalQueue> local_queues = {};
  std::optional<std::set<std::string>> admission_checks = std::nullopt;  // nothing: all that queues name
};

}  // namespace stockout::kueue
