#include "models/orchestrators/kueue/waiting_line.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace stockout::kueue {

bool Place::operator<(const Place& other) const {
  if (priority != other.priority) return priority > other.priority;
  return std::tie(queued, uid, id) < std::tie(other.queued, other.uid, other.id);
}

void WaitingLine::add(const Spot& spot, const Workload& workload) {
  const auto entry = classes_.try_emplace(spot.kind).first;
  hide_front(*entry);
  if (entry->second.insert_or_assign(spot.place, &workload).second) ++size_;
  show_front(*entry);
}

void WaitingLine::remove(const Spot& spot) {
  const auto entry = classes_.find(spot.kind);
  if (entry == classes_.end()) return;
  hide_front(*entry);
  size_ -= entry->second.erase(spot.place);
  show_front(*entry);
  if (entry->second.empty()) classes_.erase(entry);
}

bool WaitingLine::contains(const Spot& spot) const {
  const auto entry = classes_.find(spot.kind);
  return entry != classes_.end() && entry->second.contains(spot.place);
}

std::vector<const Workload*> WaitingLine::all() const {
  std::vector<const Workload*> all;
  for (const auto& [kind, members] : classes_) {
    for (const auto& [place, workload] : members) all.push_back(workload);
  }
  std::sort(all.begin(), all.end(), [](const Workload* a, const Workload* b) { return a->id < b->id; });
  return all;
}

std::vector<const Workload*> WaitingLine::held() const {
  std::vector<const Workload*> held;
  for (auto entry = classes_.lower_bound({.is_held = true}); entry != classes_.end(); ++entry) {
    for (const auto& [place, workload] : entry->second) held.push_back(workload);
  }
  return held;
}

void WaitingLine::move_like(const std::string& shape, WaitingLine& to) {
  for (const bool is_held : {false, true}) {
    auto entry = classes_.lower_bound({.is_held = is_held, .shape = shape});
    while (entry != classes_.end() && entry->first.is_held == is_held && entry->first.shape == shape) {
      move(entry++, to);
    }
  }
}

void WaitingLine::move_free(WaitingLine& to) {
  while (!classes_.empty() && !classes_.begin()->first.is_held) move(classes_.begin(), to);
}

void WaitingLine::move(Classes::iterator entry, WaitingLine& to) {
  hide_front(*entry);
  size_ -= entry->second.size();
  to.take_in(classes_.extract(entry));
}

// Of two lists the shorter goes into the longer.
void WaitingLine::take_in(Classes::node_type taken) {
  size_ += taken.mapped().size();
  const auto own = classes_.find(taken.key());
  if (own == classes_.end()) {
    show_front(*classes_.insert(std::move(taken)).position);
    return;
  }
  hide_front(*own);
  if (own->second.size() < taken.mapped().size()) own->second.swap(taken.mapped());
  own->second.merge(taken.mapped());
  show_front(*own);
}

void WaitingLine::show_front(const Classes::value_type& entry) {
  if (!entry.second.empty()) fronts_[entry.first.lane].insert(*entry.second.begin());
}

void WaitingLine::hide_front(const Classes::value_type& entry) {
  if (entry.second.empty()) return;
  const auto lane = fronts_.find(entry.first.lane);
  lane->second.erase(entry.second.begin()->first);
  if (lane->second.empty()) fronts_.erase(lane);
}

}  // namespace stockout::kueue
