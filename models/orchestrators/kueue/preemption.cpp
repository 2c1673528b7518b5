#include "models/orchestrators/kueue/preemption.h"

#include <algorithm>

#include "models/orchestrators/kueue/classical_preemption.h"
#include "models/orchestrators/kueue/fair_preemption.h"

namespace stockout::kueue {

std::vector<Victim> find_victims(const Scene& scene, const Claim& claim) {
  return scene.settings.fair_sharing ? fair_victims(scene, claim) : classical_victims(scene, claim);
}

bool fits(const QuotaTree& tree, const Claim& claim, bool may_borrow) {
  return std::all_of(claim.usage.begin(), claim.usage.end(), [&](const CellAmount& one) {
    if (!may_borrow && tree.borrows(claim.queue, one.cell, one.amount)) return false;
    return one.amount <= std::max(Amount{}, tree.available(claim.queue, one.cell));
  });
}

void keep_needed(const Scene& scene, const Claim& claim, bool may_borrow, std::vector<Victim>& victims) {
  for (std::size_t i = victims.size() - 1; i-- > 0;) {
    scene.ledger.put_back(victims[i].workload);
    if (fits(scene.tree(), claim, may_borrow)) {
      victims.erase(victims.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      scene.ledger.lift(victims[i].workload);
    }
  }
}

void put_back(Ledger& ledger, const std::vector<Victim>& victims) {
  for (const Victim& victim : victims) ledger.put_back(victim.workload);
}

void sort_candidates(const Scene& scene, NodeId queue, std::vector<WorkloadId>& candidates) {
  const std::string& name = scene.tree().name(queue);
  std::vector<Candidate> sorted;
  sorted.reserve(candidates.size());
  for (const WorkloadId id : candidates) {
    const Workload& workload = scene.ledger.workload(id);
    sorted.push_back(
        {&workload, scene.local_queues == nullptr ? std::nullopt : scene.local_queues->usage_for(workload)});
  }
  std::sort(sorted.begin(), sorted.end(), [&](const Candidate& a, const Candidate& b) {
    return is_evicted_first(a, b, name, scene.settings.gates);
  });
  std::transform(sorted.begin(), sorted.end(), candidates.begin(),
                 [](const Candidate& candidate) { return candidate.workload->id; });
}

CoveringSubtree covering_subtree(const QuotaTree& tree, NodeId queue, CellId cell, Amount amount) {
  auto node = tree.parent(queue);
  if (!node) return {};
  if (!tree.borrows(queue, cell, amount)) return {.height = 0, .is_part = true};
  Amount rest = amount - tree.local_available(queue, cell);
  while (tree.parent(*node) && tree.borrows(*node, cell, rest)) {
    rest -= tree.local_available(*node, cell);
    node = tree.parent(*node);
  }
  return {.height = tree.height(*node), .is_part = tree.parent(*node).has_value()};
}

}  // namespace stockout::kueue
