#include "models/orchestrators/kueue/object_store.h"

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {

void ObjectStore::apply(Object object) {
  std::visit([this](auto& one) { put(std::move(one)); }, object);
}

void ObjectStore::put(ResourceFlavor flavor) {
  leaving_flavors_.erase(flavor.name);
  configuration_.flavors.insert_or_assign(flavor.name, std::move(flavor));
}

void ObjectStore::put(const AdmissionCheck& check) {
  if (configuration_.admission_checks) configuration_.admission_checks->insert(check.name);
}

void ObjectStore::put(Cohort cohort) {
  configuration_.cohorts.insert_or_assign(cohort.name, std::move(cohort));
}

void ObjectStore::put(ClusterQueue queue) {
  configuration_.cluster_queues.insert_or_assign(queue.name, std::move(queue));
}

void ObjectStore::put(LocalQueue queue) {
  configuration_.local_queues.insert_or_assign(queue.name, std::move(queue));
}

void ObjectStore::remove(ObjectKind kind, const std::string& name) {
  switch (kind) {
    case ObjectKind::resource_flavor:
      leaving_flavors_.insert(name);
      break;
    case ObjectKind::admission_check:
      if (configuration_.admission_checks) configuration_.admission_checks->erase(name);
      break;
    case ObjectKind::cohort:
      configuration_.cohorts.erase(name);
      break;
    case ObjectKind::cluster_queue:
      leaving_queues_.insert(name);
      break;
    case ObjectKind::local_queue:
      configuration_.local_queues.erase(name);
      break;
  }
}

bool ObjectStore::has_unused(const Ledger& ledger) const {
  return std::any_of(leaving_queues_.begin(), leaving_queues_.end(),
                     [&](const std::string& name) { return ledger.held_in(name).empty(); });
}

std::set<std::string> ObjectStore::flavors_in_use() const {
  std::set<std::string> used;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& flavor : group.flavors) used.insert(flavor.flavor);
    }
  }
  return used;
}

void ObjectStore::drop_unused(const Ledger& ledger) {
  std::erase_if(leaving_queues_, [&](const std::string& name) {
    const bool is_unused = ledger.held_in(name).empty();
    if (is_unused) configuration_.cluster_queues.erase(name);
    return is_unused;
  });
  if (leaving_flavors_.empty()) return;
  const std::set<std::string> used = flavors_in_use();
  std::erase_if(leaving_flavors_, [&](const std::string& name) {
    const bool is_unused = !used.contains(name);
    if (is_unused) configuration_.flavors.erase(name);
    return is_unused;
  });
}

bool ObjectStore::may_admit(const ClusterQueue& queue, const CohortForest& forest) const {
  if (queue.stop != StopPolicy::none || leaving_queues_.contains(queue.name)) return false;
  if (forest.is_in_cycle(*forest.queue(queue.name))) return false;
  const auto& checks = configuration_.admission_checks;
  const bool has_checks =
      !checks || std::all_of(queue.checks.begin(), queue.checks.end(),
                             [&](const RequiredCheck& check) { return checks->contains(check.name); });
  return has_checks && std::all_of(queue.groups.begin(), queue.groups.end(), [&](const ResourceGroup& group) {
           return std::all_of(group.flavors.begin(), group.flavors.end(), [&](const FlavorQuotas& flavor) {
             return configuration_.flavors.contains(flavor.flavor);
           });
         });
}

void ObjectStore::refresh(const CohortForest& forest) {
  active_queues_.clear();
  most_flavors_ = 0;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    if (may_admit(queue, forest)) active_queues_.insert(name);
    std::size_t flavors = 0;
    for (const ResourceGroup& group : queue.groups) flavors += group.flavors.size();
    most_flavors_ = std::max(most_flavors_, flavors);
  }
}

std::optional<std::string> ObjectStore::queue_of(const Workload& workload) const {
  const auto local = configuration_.local_queues.find(workload.spec.local_queue);
  if (local == configuration_.local_queues.end() || local->second.stop != StopPolicy::none)
    return std::nullopt;
  const std::string& name = local->second.cluster_queue;
  return configuration_.cluster_queues.contains(name) ? std::optional{name} : std::nullopt;
}

bool ObjectStore::is_stopped_for(const Workload& workload) const {
  const std::string& name = workload.status.admission->cluster_queue;
  const auto queue = configuration_.cluster_queues.find(name);
  const auto local = configuration_.local_queues.find(workload.spec.local_queue);
  return local == configuration_.local_queues.end() || local->second.stop != StopPolicy::none ||
         queue == configuration_.cluster_queues.end() || queue->second.stop != StopPolicy::none ||
         leaving_queues_.contains(name);
}

const char* ObjectStore::drain_reason(const Workload& workload) const {
  const auto queue = configuration_.cluster_queues.find(workload.status.admission->cluster_queue);
  if (queue != configuration_.cluster_queues.end() && queue->second.stop == StopPolicy::hold_and_drain) {
    return kClusterQueueStopped;
  }
  const auto local = configuration_.local_queues.find(workload.spec.local_queue);
  const bool is_drained =
      local != configuration_.local_queues.end() && local->second.stop == StopPolicy::hold_and_drain;
  return is_drained ? kLocalQueueStopped : nullptr;
}

}  // namespace stockout::kueue
