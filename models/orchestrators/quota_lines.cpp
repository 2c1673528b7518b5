#include "models/orchestrators/quota_lines.h"

#include <algorithm>

namespace stockout {

bool QuotaLines::stands_anybody_before(std::uint64_t order, const Quotas& quotas) const {
  const auto line = lines_.find(quotas);
  return line != lines_.end() && !line->second.empty() && line->second.begin()->first < order;
}

bool QuotaLines::stands_anybody_but(Ticket job, const Quotas& quotas) const {
  const auto line = lines_.find(quotas);
  if (line == lines_.end() || line->second.empty()) return false;
  return line->second.size() > 1 || line->second.begin()->second.job != job;
}

void QuotaLines::join(Ticket job, const Quotas& quotas, QuotaWish wish) {
  Lined& line = lines_[quotas];
  line[wish.order] = {.job = job, .wish = wish};
  places_[job.slot] = {.line = &line, .order = wish.order};
}

bool QuotaLines::leave(Ticket job) {
  const auto place = places_.find(job.slot);
  if (place == places_.end()) return false;
  place->second.line->erase(place->second.order);
  places_.erase(place);
  return true;
}

SimTime QuotaBackOffs::join(Ticket job, QuotaWish wish, SimTime now) {
  Standing& standing = standing_[job.slot];
  standing = {.job = job, .wish = wish, .pause = rule_.back_off_first, .next = {}};
  return set_next(job.slot, standing, now);
}

SimTime QuotaBackOffs::set_next(std::uint32_t slot, Standing& standing, SimTime now) {
  standing.next = now + standing.pause;
  standing.pause = std::min(standing.pause * 2, rule_.back_off_most);
  due_[{standing.next, standing.wish.order}] = slot;
  return standing.next;
}

bool QuotaBackOffs::leave(Ticket job) {
  const auto found = standing_.find(job.slot);
  if (found == standing_.end()) return false;
  due_.erase({found->second.next, found->second.wish.order});
  standing_.erase(found);
  return true;
}

}  // namespace stockout
