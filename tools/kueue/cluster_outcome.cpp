#include "tools/kueue/cluster_outcome.h"

#include <utility>

#include "tools/kueue/case_objects.h"

namespace stockout::kueue {

void NamedCluster::submit(Workload workload, const CaseValue& value) {
  const std::string name = workload.name;
  const auto other = ids_.find(name);
  if (other != ids_.end() && !kueue.workload(other->second).status.finished) value.odd(kTwoOfAName);
  ids_[name] = kueue.submit(std::move(workload));
}

void NamedCluster::finish(const CaseValue& name) {
  const auto entry = ids_.find(name.text());
  if (entry != ids_.end()) kueue.finish(entry->second);
}

WorkloadId NamedCluster::id(const CaseValue& name) const {
  const auto entry = ids_.find(name.text());
  if (entry == ids_.end()) name.odd("there is no such workload");
  return entry->second;
}

std::string admission_text(const std::optional<Admission>& admission) {
  if (!admission) return "none";
  std::string text = admission->cluster_queue + ':';
  for (const PodSetAdmission& pod_set : admission->pod_sets) {
    text += fmt::format(" {} x {}", pod_set.count, pod_set.pod_set);
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const auto used = pod_set.usage.find(resource);
      text += fmt::format(" {}={} of {}", resource, used == pod_set.usage.end() ? 0 : used->second.count(),
                          flavor);
    }
  }
  return text;
}

}  // namespace stockout::kueue
