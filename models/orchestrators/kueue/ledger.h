#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/orchestrators/kueue/quota_tree.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// The quota tree together with the workloads that hold quota in it.
///
/// A decision tries things out on the ledger itself and takes them back: `lift` and `put_back` change usage
/// only, `hold` and `release` who is there.
class Ledger {
 public:
  [[nodiscard]] QuotaTree& tree() { return tree_; }
  [[nodiscard]] const QuotaTree& tree() const { return tree_; }

  /// Takes over other queues and cohorts. Held workloads go on holding.
  void rebuild(const Configuration& configuration);

  /// The workload holds what its admission says, in the queue that it names. It must not move in memory.
  void hold(const Workload& workload);
  void release(const Workload& workload);
  /// The workload holds less than before (pods that are done): counts it anew.
  void recount(const Workload& workload);
  [[nodiscard]] bool holds(WorkloadId workload) const { return held_.contains(workload); }

  /// Those that hold quota in the queue, by number.
  [[nodiscard]] const std::set<WorkloadId>& held_in(const std::string& queue) const;
  [[nodiscard]] const Workload& workload(WorkloadId id) const { return *held_.at(id).workload; }
  [[nodiscard]] const Usage& usage(WorkloadId id) const { return held_.at(id).usage; }
  /// Whether it has any of these cells assigned, be it for a usage of zero.
  [[nodiscard]] bool uses_any(WorkloadId id, const std::vector<CellId>& cells) const;

  /// Takes the usage of a held workload out of the tree, or back in.
  void lift(WorkloadId id);
  void put_back(WorkloadId id);
  /// Hides a held workload from held_in(), or shows it again.
  void set_aside(WorkloadId id, bool aside);

 private:
  struct Held {
    const Workload* workload = nullptr;
    std::string queue;
    Usage usage;
  };

  [[nodiscard]] Usage usage_of(const Admission& admission);

  QuotaTree tree_;
  std::unordered_map<WorkloadId, Held> held_;
  std::unordered_map<std::string, std::set<WorkloadId>> by_queue_;
};

}  // namespace stockout::kueue
