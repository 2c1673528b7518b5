#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "models/orchestrators/kueue/cohort_forest.h"
#include "models/orchestrators/kueue/configuration.h"
#include "models/orchestrators/kueue/ledger.h"
#include "models/orchestrators/kueue/workload.h"

namespace stockout::kueue {

/// Objects that an administrator of the cluster makes, changes and deletes.
using Object = std::variant<ResourceFlavor, AdmissionCheck, Cohort, ClusterQueue, LocalQueue>;
enum class ObjectKind : std::uint8_t { resource_flavor, admission_check, cohort, cluster_queue, local_queue };

/// The objects of a cluster. A flavor that a queue names, and a cluster queue that somebody holds quota in,
/// go only when that is over. Until then such a queue admits nobody.
class ObjectStore {
 public:
  explicit ObjectStore(Configuration configuration) : configuration_{std::move(configuration)} {}

  [[nodiscard]] const Configuration& configuration() const { return configuration_; }
  /// Makes the object, or changes the one of its name.
  void apply(Object object);
  /// Of what is not there nothing goes. A cohort that is still named stays as one without quota.
  void remove(ObjectKind kind, const std::string& name);
  /// Whether a cluster queue was to go that nobody holds quota in any more.
  [[nodiscard]] bool has_unused(const Ledger& ledger) const;
  void drop_unused(const Ledger& ledger);
  /// Finds out anew who may admit; `forest` is that of this configuration.
  void refresh(const CohortForest& forest);

  /// Whether a cluster queue may admit: it is not stopped, and its flavors and checks exist.
  [[nodiscard]] bool is_active(const std::string& cluster_queue) const {
    return active_queues_.contains(cluster_queue);
  }
  [[nodiscard]] const std::set<std::string>& active_queues() const { return active_queues_; }
  /// Most flavors of a cluster queue.
  [[nodiscard]] std::size_t most_flavors() const { return most_flavors_; }
  /// Where the workload would wait: nothing if its local queue or cluster queue is not there, or stopped.
  [[nodiscard]] std::optional<std::string> queue_of(const Workload& workload) const;
  /// Whether a queue of a workload that holds quota is stopped, gone or to go.
  [[nodiscard]] bool is_stopped_for(const Workload& workload) const;
  /// The reason for which a workload that is admitted is to be evicted: one of its queues is to be emptied.
  [[nodiscard]] const char* drain_reason(const Workload& workload) const;

 private:
  void put(ResourceFlavor flavor);
  void put(const AdmissionCheck& check);
  void put(Cohort cohort);
  void put(ClusterQueue queue);
  void put(LocalQueue queue);
  [[nodiscard]] std::set<std::string> flavors_in_use() const;
  [[nodiscard]] bool may_admit(const ClusterQueue& queue, const CohortForest& forest) const;

  Configuration configuration_;
  std::set<std::string> leaving_queues_;   // cluster queues that go when they are empty
  std::set<std::string> leaving_flavors_;  // flavors that go when no queue names them
  std::set<std::string> active_queues_;
  std::size_t most_flavors_ = 0;
};

}  // namespace stockout::kueue
