#pragma once

#include <set>
#include <string>
#include <vector>

#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/ledger.h"
#include "models/orchestrators/kueue/local_queue_usage.h"
#include "models/orchestrators/kueue/ordering.h"
#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/settings.h"

namespace stockout::kueue {

/// Data for a decision. The ledger is changed while it is made, and is as before when it is.
struct Scene {
  Ledger& ledger;
  const Configuration& configuration;
  const Settings& settings;
  const LocalQueueUsages* local_queues = nullptr;        // with admission fair sharing
  const std::set<std::string>* active_queues = nullptr;  // that may admit; nothing: all

  [[nodiscard]] QuotaTree& tree() const { return ledger.tree(); }
  [[nodiscard]] const ClusterQueue& queue(NodeId node) const {
    return configuration.cluster_queues.at(ledger.tree().name(node));
  }
  /// Whether other queues may evict from it: nobody is evicted for them from one that may not admit.
  [[nodiscard]] bool gives_way(NodeId queue) const {
    return active_queues == nullptr || active_queues->contains(ledger.tree().name(queue));
  }
};

/// A workload that is to be evicted, and by which right.
struct Victim {
  WorkloadId workload{};
  const char* reason = nullptr;
};

/// Claim of a workload: `usage` in all, for which it may evict users of the cells in `contested`.
struct Claim {
  const Workload* preemptor = nullptr;
  NodeId queue{};
  Usage usage = {};
  std::vector<CellId> contested = {};

  /// Claims `amount` more of the cell. Who asks for none of it may be there however much is used.
  void want(CellId cell, Amount amount) {
    if (amount != Amount{}) add_to(usage, cell, amount);
  }
};

/// Whom the claim evicts so that it fits: all that are needed, or nobody. Those that are being evicted
/// already are among them.
[[nodiscard]] std::vector<Victim> find_victims(const Scene& scene, const Claim& claim);

/// Whether the claim fits now, without borrowing if that is not allowed.
[[nodiscard]] bool fits(const QuotaTree& tree, const Claim& claim, bool may_borrow = true);

/// Puts back, last first, whom the claim can do without; everyone in `victims` is lifted before and after.
void keep_needed(const Scene& scene, const Claim& claim, bool may_borrow, std::vector<Victim>& victims);

void put_back(Ledger& ledger, const std::vector<Victim>& victims);

/// Candidates of one list in the order in which they are evicted.
void sort_candidates(const Scene& scene, NodeId queue, std::vector<WorkloadId>& candidates);

/// Height of the lowest subtree whose quota covers `amount` more of the cell: 0 for the queue itself. If
/// there is none, that of the whole tree. `is_part`: it is not the whole tree.
struct CoveringSubtree {
  int height = 0;
  bool is_part = false;
};
[[nodiscard]] CoveringSubtree covering_subtree(const QuotaTree& tree, NodeId queue, CellId cell,
                                               Amount amount);

}  // namespace stockout::kueue
