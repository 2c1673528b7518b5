#include "models/orchestrators/quota_lines.h"

#include <algorithm>

namespace stockout {

bool QuotaLines::stands_anybody_for(const Quotas& quotas) const {
  const auto line = lines_.find(quotas);
  return line != lines_.end() && !line->second.empty();
}

void QuotaLines::join(Ticket job, const Quotas& quotas, QuotaWish wish) {
  lines_[quotas].join(job, {.order = came_++, .wish = wish});
}

bool QuotaLines::leave(Ticket job) {
  return std::ranges::any_of(lines_, [job](auto& line) { return line.second.leave(job); });
}

SimTime QuotaBackOffs::join(Ticket job, QuotaWish wish, SimTime now) {
  Standing& standing = standing_[job.slot];
  standing = {.job = job, .wish = wish, .order = came_++, .pause = rule_.back_off_first, .next = {}};
  return set_next(job.slot, standing, now);
}

SimTime QuotaBackOffs::set_next(std::uint32_t slot, Standing& standing, SimTime now) {
  standing.next = now + standing.pause;
  standing.pause = std::min(standing.pause * 2, rule_.back_off_most);
  due_[{standing.next, standing.order}] = slot;
  return standing.next;
}

bool QuotaBackOffs::leave(Ticket job) {
  const auto found = standing_.find(job.slot);
  if (found == standing_.end()) return false;
  due_.erase({found->second.next, found->second.order});
  standing_.erase(found);
  return true;
}

}  // namespace stockout
