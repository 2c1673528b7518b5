#include "models/orchestrators/kueue_entries.h"

#include <algorithm>

namespace stockout {

bool KueueEntry::is_over() const { return std::ranges::all_of(members, &KueueMember::is_final); }

bool KueueEntry::is_back() const { return std::ranges::none_of(members, &KueueMember::has_gone_on); }

bool KueueEntry::are_pods_ready() const {
  const auto is_ready = [](const KueueMember& member) { return member.is_final || member.is_ready; };
  return !is_over() && std::ranges::all_of(members, is_ready);
}

KueueEntries::Place KueueEntries::add(const KueueMember& job, const std::optional<KueueEntry::SetKey>& set) {
  const std::uint64_t first = set ? sets_.emplace(*set, job.job).first->second : job.job;
  if (first != job.job) firsts_.emplace(job.job, first);
  KueueEntry& entry = entries_[first];
  entry.set = set;
  entry.members.push_back(job);
  return {.first = first, .entry = &entry, .member = &entry.members.back()};
}

std::optional<KueueEntries::Place> KueueEntries::find(std::uint64_t job) {
  const auto other = firsts_.find(job);
  const std::uint64_t first = other == firsts_.end() ? job : other->second;
  const auto found = entries_.find(first);
  if (found == entries_.end()) return std::nullopt;
  KueueEntry& entry = found->second;
  return Place{
      .first = first, .entry = &entry, .member = &*std::ranges::find(entry.members, job, &KueueMember::job)};
}

KueueEntry* KueueEntries::entry_of(std::uint64_t first) {
  const auto found = entries_.find(first);
  return found == entries_.end() ? nullptr : &found->second;
}

void KueueEntries::erase(std::uint64_t first) {
  const KueueEntry& entry = entries_.at(first);
  if (entry.set) sets_.erase(*entry.set);
  for (const KueueMember& member : entry.members) firsts_.erase(member.job);
  entries_.erase(first);
}

}  // namespace stockout
