#include "models/orchestrators/slurm/plan.h"

#include <algorithm>
#include <utility>

namespace stockout::slurm {

Plan::Plan(SimTime begin, SimTime end, NodeSet nodes, SimDuration resolution)
    : resolution_{resolution}, slots_{{.begin = begin, .end = end, .nodes = std::move(nodes)}} {}

bool Plan::overlaps(const NodeSet& nodes, SimTime begin, SimTime end) const {
  for (std::size_t i = slot_at(begin); i < slots_.size() && slots_[i].begin < end; ++i) {
    if (!nodes.is_subset_of(slots_[i].nodes)) return true;
  }
  return false;
}

std::size_t Plan::slot_at(SimTime at) const {
  const auto slot = std::ranges::upper_bound(slots_, at, {}, &Slot::end);
  return static_cast<std::size_t>(slot - slots_.begin());
}

void Plan::split(std::size_t slot, SimTime at) {
  Slot after{.begin = at, .end = slots_[slot].end, .nodes = slots_[slot].nodes};
  slots_[slot].end = at;
  slots_.insert(slots_.begin() + static_cast<std::ptrdiff_t>(slot) + 1, std::move(after));
  ++entries_;
}

// Of the neighbours among these, the first two that are alike become one.
void Plan::merge_one(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last && i + 1 < slots_.size(); ++i) {
    if (slots_[i].nodes != slots_[i + 1].nodes) continue;
    slots_[i].end = slots_[i + 1].end;
    slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    return;
  }
}

void Plan::reserve(const NodeSet& nodes, SimTime begin, SimTime end) {
  begin = std::max(begin, slots_.front().begin);
  end = std::max(end, begin + resolution_);
  std::size_t at = 0;
  while (at < slots_.size() && slots_[at].end < begin) ++at;
  if (at == slots_.size()) return;
  const std::size_t before = at == 0 ? 0 : at - 1;
  if (slots_[at].end > begin) split(at, begin);
  std::size_t next = at + 1;
  for (; next < slots_.size(); ++next) {
    if (end < slots_[next].end) split(next, end);
    slots_[next].nodes -= nodes;
    if (slots_[next].end == end) break;
  }
  merge_one(before, next + 1);
}

}  // namespace stockout::slurm
