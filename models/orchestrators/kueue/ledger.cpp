#include "models/orchestrators/kueue/ledger.h"

#include <algorithm>
#include <utility>

namespace stockout::kueue {

Usage Ledger::usage_of(const Admission& admission) {
  Usage usage;
  for (const PodSetAdmission& pod_set : admission.pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const auto amount = pod_set.usage.find(resource);
      add_to(usage, tree_.cell(flavor, resource), amount == pod_set.usage.end() ? Amount{} : amount->second);
    }
  }
  return usage;
}

void Ledger::rebuild(const Configuration& configuration) {
  tree_.rebuild(configuration);
  for (const auto& [id, held] : held_) put_back(id);
}

void Ledger::hold(const Workload& workload) {
  Held held{.workload = &workload,
            .queue = workload.status.admission->cluster_queue,
            .usage = usage_of(*workload.status.admission)};
  by_queue_[held.queue].insert(workload.id);
  const auto entry = held_.insert_or_assign(workload.id, std::move(held)).first;
  if (const auto node = tree_.queue(entry->second.queue)) tree_.add(*node, entry->second.usage);
}

void Ledger::release(const Workload& workload) {
  const auto entry = held_.find(workload.id);
  if (entry == held_.end()) return;
  lift(workload.id);
  by_queue_[entry->second.queue].erase(workload.id);
  held_.erase(entry);
}

void Ledger::recount(const Workload& workload) {
  release(workload);
  hold(workload);
}

const std::set<WorkloadId>& Ledger::held_in(const std::string& queue) const {
  static const std::set<WorkloadId> kNone;
  const auto entry = by_queue_.find(queue);
  return entry == by_queue_.end() ? kNone : entry->second;
}

bool Ledger::uses_any(WorkloadId id, const std::vector<CellId>& cells) const {
  const Usage& used = usage(id);
  return std::any_of(used.begin(), used.end(), [&](const CellAmount& one) {
    return std::find(cells.begin(), cells.end(), one.cell) != cells.end();
  });
}

void Ledger::lift(WorkloadId id) {
  const Held& held = held_.at(id);
  if (const auto node = tree_.queue(held.queue)) tree_.remove(*node, held.usage);
}

void Ledger::put_back(WorkloadId id) {
  const Held& held = held_.at(id);
  if (const auto node = tree_.queue(held.queue)) tree_.add(*node, held.usage);
}

void Ledger::set_aside(WorkloadId id, bool aside) {
  std::set<WorkloadId>& shown = by_queue_[held_.at(id).queue];
  if (aside) {
    shown.erase(id);
  } else {
    shown.insert(id);
  }
}

}  // namespace stockout::kueue
