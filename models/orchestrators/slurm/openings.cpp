#include "models/orchestrators/slurm/openings.h"

#include "models/orchestrators/slurm/preemption.h"

namespace stockout::slurm {

void Openings::begin() {
  as_of_ = cluster_.changes;
  kind_ = cluster_.queue.kinds().begin();
  look();
}

bool Openings::any(const Plan& plan) {
  if (as_of_ != cluster_.changes) begin();
  for (; kind_ != cluster_.queue.kinds().end(); ++kind_, look()) {
    if (preempts_ || is_open(plan)) return true;
  }
  return false;
}

void Openings::look() {
  if (kind_ == cluster_.queue.kinds().end()) return;
  const auto& [kind, waiting] = *kind_;
  NodeSet among = cluster_.nodes.of_partition[kind.partition];
  among &= cluster_.nodes.usable;
  preempts_ = !preemptable(cluster_, waiting.begin()->second, kind.partition, among).empty();
  cluster_.nodes.free.select(among, kind.shape, nodes_);
}

bool Openings::is_open(const Plan& plan) const {
  const auto& [kind, waiting] = *kind_;
  NodeSet nodes = nodes_;
  const SimTime now = cluster_.second();
  const SimTime end = now + waiting.begin()->first;
  const std::vector<Slot>& slots = plan.slots();
  for (std::size_t i = plan.slot_at(now); i < slots.size() && slots[i].begin <= end; ++i) {
    nodes &= slots[i].nodes;
  }
  return nodes.size() >= kind.shape.nodes;
}

}  // namespace stockout::slurm
