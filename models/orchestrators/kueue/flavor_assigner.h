#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/preemption.h"
#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// How an assignment can be had, from worst to best. `deferred_fit`: it fits once evictions under way are
/// done.
enum class Mode : std::uint8_t { no_fit, preempt, deferred_fit, fit };

/// The same, finer: whether evicting would help, and whom. From worst to best.
enum class Prospect : std::uint8_t { no_fit, no_candidates, preempt, reclaim, fit };

/// Offer of one flavor: how, and from how far the quota comes (0: own queue, 1: its cohort, and so on).
struct Offer {
  Prospect prospect = Prospect::no_fit;
  int borrow = 0;
};

/// Reasons why a workload is pending, as Kueue writes them.
inline constexpr const char* kWaitingForQuota = "WaitingForQuota";
inline constexpr const char* kExceedsMaxQuota = "ExceedsMaxQuota";
inline constexpr const char* kNoMatchingFlavor = "NoMatchingFlavor";

/// Whether `a` is the better offer.
[[nodiscard]] bool is_better(const Offer& a, const Offer& b, FlavorPreference preference);

/// One flavor that was tried for a pod set.
struct FlavorAttempt {
  std::string flavor;
  Mode mode = Mode::no_fit;
  int borrow = 0;
  std::optional<Prospect> prospect = std::nullopt;  // of evictions, where they were looked for
  std::string reason = {};                          // why there is no fit
};

struct FlavorChoice {
  std::string flavor;
  Mode mode = Mode::no_fit;
  int borrow = 0;
  int tried = -1;  // place of the last flavor that was tried, -1 if none is left
};

struct PodSetAssignment {
  std::string name;
  std::int64_t count = 0;
  Requests requests = {};                            // of all pods
  std::map<std::string, FlavorChoice> flavors = {};  // by resource
  bool failed = false;
  std::string reason = {};  // why it failed, before any flavor was tried
  std::vector<FlavorAttempt> attempts = {};

  [[nodiscard]] Mode mode() const;
};

/// Flavors for a workload. The mode is the worst of its pod sets; pod sets after one that failed are not
/// there.
struct Assignment {
  std::vector<PodSetAssignment> pod_sets = {};
  int borrow = 0;
  Usage usage = {};
  FlavorSearch search = {};
  std::string reason = {};   // why there is no fit
  bool is_deferred = false;  // a fit that waits for evictions

  [[nodiscard]] Mode mode() const;
  [[nodiscard]] Admission admission(const std::string& cluster_queue) const;
  /// The claim to evict for it.
  [[nodiscard]] Claim claim(const Workload& workload, NodeId queue, QuotaTree& tree) const;
};

/// Asked where a cell's quota is used up: whether evictions help, for `amount` in all.
using Oracle = std::function<Offer(CellId cell, Amount amount)>;

/// The oracle that looks for victims.
[[nodiscard]] Offer offer_by_eviction(const Scene& scene, const Workload& workload, NodeId queue, CellId cell,
                                      Amount amount);

/// Pod set -> resource -> the only flavor that may be assigned.
using FlavorsOnly = std::map<std::string, std::map<std::string, std::string>>;

struct AssignmentQuestion {
  const Workload* workload = nullptr;
  NodeId queue{};
  const FlavorSearch* resumed = nullptr;  // where the search goes on
  const FlavorsOnly* only = nullptr;
  std::vector<std::int64_t> counts = {};  // of pods by pod set; empty: all
};

/// Pods of each pod set that still ask for quota.
[[nodiscard]] std::vector<std::int64_t> pod_counts(const Workload& workload, const Gates& gates);

[[nodiscard]] Assignment assign_flavors(const Scene& scene, const AssignmentQuestion& question,
                                        const Oracle& oracle);

/// How pressing a reason is, for the choice among several.
[[nodiscard]] int severity(const std::string& reason);

}  // namespace stockout::kueue
