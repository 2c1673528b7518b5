#include "models/orchestrators/kueue_requests.h"

#include <algorithm>

namespace stockout {
namespace {

// Whether the check is an open request for capacity in the flavor.
bool is_pending(const kueue::Check& check, const KueueCluster& cluster, const kueue::Workload& own,
                const std::string& flavor) {
  if (check.state != kueue::CheckState::pending) return false;
  const auto& required = cluster.objects.cluster_queues.at(own.status.admission->cluster_queue).checks;
  const auto rule = std::ranges::find(required, check.name, &kueue::RequiredCheck::name);
  return rule == required.end() || rule->flavors.empty() ||
         std::ranges::find(rule->flavors, flavor) != rule->flavors.end();
}

}  // namespace

const std::string& flavor_of(const kueue::Workload& own, std::size_t member) {
  return own.status.admission->pod_sets[member].flavors.at(kKueueResource);
}

const kueue::Check* pending_check(const KueueCluster& cluster, const kueue::Workload& own,
                                  std::size_t member) {
  const auto& checks = own.status.checks;
  const auto found = std::ranges::find_if(checks, [&](const kueue::Check& check) {
    return is_pending(check, cluster, own, flavor_of(own, member));
  });
  return found == checks.end() ? nullptr : &*found;
}

const kueue::Check* met_check(const KueueCluster& cluster, const kueue::Workload& own,
                              const KueueEntry& entry) {
  const auto lacks = [&](const kueue::Check& check, std::size_t member) {
    const KueueMember& one = entry.members[member];
    return !one.is_final && one.leases == 0 && is_pending(check, cluster, own, flavor_of(own, member));
  };
  for (const kueue::Check& check : own.status.checks) {
    bool is_met = check.state == kueue::CheckState::pending;
    for (std::size_t i = 0; i < entry.members.size(); ++i) is_met = is_met && !lacks(check, i);
    if (is_met) return &check;
  }
  return nullptr;
}

}  // namespace stockout
