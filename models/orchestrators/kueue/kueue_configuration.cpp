// Changes of queues, cohorts and flavors while workloads are there.

#include <algorithm>
#include <utility>

#include "models/orchestrators/kueue/kueue.h"
#include "models/orchestrators/kueue/ordering.h"

namespace stockout::kueue {

void Kueue::set_flavor(ResourceFlavor flavor) {
  leaving_flavors_.erase(flavor.name);
  configuration_.flavors.insert_or_assign(flavor.name, std::move(flavor));
  reconfigure();
}

void Kueue::remove_flavor(const std::string& name) {
  leaving_flavors_.insert(name);
  reconfigure();
}

void Kueue::add_check(const std::string& name) {
  if (checks_) checks_->insert(name);
  reconfigure();
}

void Kueue::set_cohort(Cohort cohort) {
  configuration_.cohorts.insert_or_assign(cohort.name, std::move(cohort));
  reconfigure();
}

void Kueue::remove_cohort(const std::string& name) {
  configuration_.cohorts.erase(name);
  reconfigure();
}

void Kueue::set_cluster_queue(ClusterQueue queue) {
  configuration_.cluster_queues.insert_or_assign(queue.name, std::move(queue));
  reconfigure();
  drain();
}

void Kueue::remove_cluster_queue(const std::string& name) {
  if (ledger_.held_in(name).empty()) {
    leaving_.erase(name);
    configuration_.cluster_queues.erase(name);
  } else {
    leaving_.insert(name);
  }
  reconfigure();
}

void Kueue::set_local_queue(LocalQueue queue) {
  configuration_.local_queues.insert_or_assign(queue.name, std::move(queue));
  reconfigure();
  drain();
}

void Kueue::remove_local_queue(const std::string& name) {
  configuration_.local_queues.erase(name);
  reconfigure();
}

// Those of stopped queues that are to be emptied.
void Kueue::drain() {
  for (const auto& own : workloads_) {
    if (!own->has_quota()) continue;
    const auto queue = configuration_.cluster_queues.find(own->admission->cluster_queue);
    const auto local = configuration_.local_queues.find(own->local_queue);
    if (queue != configuration_.cluster_queues.end() && queue->second.stop == StopPolicy::hold_and_drain) {
      evict(own->id, kClusterQueueStopped);
    } else if (local != configuration_.local_queues.end() &&
               local->second.stop == StopPolicy::hold_and_drain) {
      evict(own->id, kLocalQueueStopped);
    }
  }
}

bool Kueue::may_admit(const ClusterQueue& queue) const {
  if (queue.stop != StopPolicy::none || leaving_.contains(queue.name)) return false;
  if (tree().is_in_cycle(*tree().queue(queue.name))) return false;
  const bool has_checks =
      !checks_ || std::all_of(queue.checks.begin(), queue.checks.end(),
                              [&](const RequiredCheck& check) { return checks_->contains(check.name); });
  return has_checks && std::all_of(queue.groups.begin(), queue.groups.end(), [&](const ResourceGroup& group) {
           return std::all_of(group.flavors.begin(), group.flavors.end(), [&](const FlavorQuotas& flavor) {
             return configuration_.flavors.contains(flavor.flavor);
           });
         });
}

void Kueue::drop_leaving_flavors() {
  if (leaving_flavors_.empty()) return;
  std::set<std::string> staying;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    for (const ResourceGroup& group : queue.groups) {
      for (const FlavorQuotas& flavor : group.flavors) staying.insert(flavor.flavor);
    }
  }
  for (const std::string& name : leaving_flavors_) {
    if (!staying.contains(name)) configuration_.flavors.erase(name);
  }
  std::erase_if(leaving_flavors_, [&](const std::string& name) { return !staying.contains(name); });
}

void Kueue::reconfigure() {
  drop_leaving_flavors();
  ledger_.rebuild(configuration_);
  ++changes_;
  for (auto& [root, generation] : generations_) generation = changes_;
  flush_all_ = true;
  active_queues_.clear();
  most_flavors_ = 0;
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    if (may_admit(queue)) active_queues_.insert(name);
    std::size_t flavors = 0;
    for (const ResourceGroup& group : queue.groups) flavors += group.flavors.size();
    most_flavors_ = std::max(most_flavors_, flavors);
  }
  fit_queues();
}

PendingQueue::UsageOf Kueue::usage_rule(const ClusterQueue& queue) const {
  if (!usages_ || !queue.usage_based_admission) return nullptr;
  return [this](const std::string& local_queue) { return usages_->usage(local_queue); };
}

// A queue for each cluster queue, and every waiting workload in the one that is now its own.
void Kueue::fit_queues() {
  std::erase_if(queues_,
                [&](const auto& entry) { return !configuration_.cluster_queues.contains(entry.first); });
  for (const auto& [name, queue] : configuration_.cluster_queues) {
    const auto [entry, is_new] = queues_.try_emplace(name, settings_, queue.strategy, usage_rule(queue));
    if (!is_new) entry->second.set_rules(queue.strategy, usage_rule(queue), now_);
  }
  for (const auto& own : workloads_) {
    if (own->has_quota() || own->finished || !own->active) continue;
    const std::string queue = queue_of(*own).value_or("");
    const auto old = queues_.find(own->cluster_queue);
    const bool is_there =
        old != queues_.end() && (old->second.is_active(own->id) || old->second.is_parked(own->id));
    if (queue == own->cluster_queue && is_there) continue;
    dequeue(*own);
    enqueue(*own);
  }
}

}  // namespace stockout::kueue
