#include "models/orchestrators/kueue/queue_manager.h"

#include <algorithm>

namespace stockout::kueue {
namespace {

PendingQueue::UsageOf usage_rule(const ClusterQueue& queue, const LocalQueueUsages* usages) {
  if (usages == nullptr || !queue.usage_based_admission) return nullptr;
  return [usages](const std::string& local_queue) { return usages->usage(local_queue); };
}

}  // namespace

void QueueManager::rebuild(const Configuration& configuration, const LocalQueueUsages* usages, SimTime now) {
  std::erase_if(queues_,
                [&](const auto& entry) { return !configuration.cluster_queues.contains(entry.first); });
  for (const auto& [name, queue] : configuration.cluster_queues) {
    const auto [entry, is_new] =
        queues_.try_emplace(name, settings_, queue.strategy, usage_rule(queue, usages));
    if (!is_new) entry->second.set_rules(queue.strategy, usage_rule(queue, usages), now);
  }
}

const PendingQueue* QueueManager::find(const std::string& queue) const {
  const auto entry = queues_.find(queue);
  return entry == queues_.end() ? nullptr : &entry->second;
}

PendingQueue* QueueManager::find(const std::string& queue) {
  const auto entry = queues_.find(queue);
  return entry == queues_.end() ? nullptr : &entry->second;
}

bool QueueManager::holds(const Workload& workload) const {
  const PendingQueue* queue = find(workload.cluster_queue);
  return queue != nullptr && (queue->is_active(workload.id) || queue->is_parked(workload.id));
}

void QueueManager::remove(const Workload& workload) {
  if (PendingQueue* queue = find(workload.cluster_queue)) queue->remove(workload.id);
}

std::vector<Head> QueueManager::pop_heads(const ObjectStore& objects, const CohortForest& forest) {
  std::vector<Head> heads;
  for (auto& [name, queue] : queues_) {
    if (!queue.has_active() || !objects.is_active(name)) continue;
    const auto preemptor = queue.preemptor();
    const Workload* first = queue.pop();
    heads.push_back({.workload = first,
                     .is_preemptor = preemptor == first->id,
                     .generation = generation(forest.root_name(name))});
  }
  return heads;
}

void QueueManager::quota_changed(const std::string& root) {
  holders_changed(root);
  to_flush_.insert(root);
}

void QueueManager::all_quota_changed() {
  generation_of_all_ = ++changes_;
  flush_all_ = true;
}

std::int64_t QueueManager::generation(const std::string& root) const {
  const auto entry = generations_.find(root);
  return entry == generations_.end() ? generation_of_all_ : std::max(generation_of_all_, entry->second);
}

int QueueManager::flush(const CohortForest& forest, SimTime now) {
  int moved = 0;
  for (auto& [name, queue] : queues_) {
    const auto node = forest.queue(name);
    const bool is_meant = node && (flush_all_ || to_flush_.contains(forest.root_name(name)));
    if (is_meant && !forest.is_in_cycle(*node)) moved += queue.flush(now);
  }
  to_flush_.clear();
  flush_all_ = false;
  return moved;
}

}  // namespace stockout::kueue
