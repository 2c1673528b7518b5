#include "models/orchestrators/kueue/alarms.h"

#include <limits>

namespace stockout::kueue {

void Alarms::set(WorkloadId id, std::optional<SimTime> at) {
  const auto known = times_.find(id);
  if (known != times_.end()) {
    order_.erase({known->second, id});
    times_.erase(known);
  }
  if (!at) return;
  times_.emplace(id, *at);
  order_.emplace(*at, id);
}

std::optional<SimTime> Alarms::next_after(SimTime now) const {
  const auto next = order_.upper_bound({now, WorkloadId{std::numeric_limits<std::uint32_t>::max()}});
  return next == order_.end() ? std::nullopt : std::optional{next->first};
}

std::optional<Alarms::Alarm> Alarms::pop_until(SimTime end) {
  if (order_.empty() || order_.begin()->first > end) return std::nullopt;
  const Alarm first{order_.begin()->first, order_.begin()->second};
  set(first.workload, std::nullopt);
  return first;
}

}  // namespace stockout::kueue
