#include "models/orchestrators/node_groups.h"

#include <algorithm>

namespace stockout {

bool NodeGroups::is_asked_for(const Strategy& strategy) {
  return std::ranges::any_of(strategy.legs, [](const Leg& leg) { return leg.node_group.has_value(); });
}

// Null: it has never failed.
const NodeGroups::BackOff* NodeGroups::find(const Leg& leg, const Candidate& place) const {
  const auto found = back_offs_.find(node_group_of(leg, place));
  return found == back_offs_.end() ? nullptr : &found->second;
}

bool NodeGroups::would_let_ask(const JobView& /*job*/, const LegView& leg, const Candidate& place,
                               const Clerk& clerk) const {
  if (!leg.leg.node_group) return true;
  const BackOff* const last = find(leg.leg, place);
  return last == nullptr || last->end() <= clerk.now();
}

SimTime NodeGroups::next_try(const LegView& leg, const Clerk& clerk) const {
  SimTime next = kNever;
  if (!leg.leg.node_group) return next;
  for (const Candidate* place : leg.places) {
    const BackOff* const last = find(leg.leg, *place);
    if (last != nullptr && last->end() > clerk.now()) next = std::min(next, last->end());
  }
  return next;
}

void NodeGroups::heard(const News& news, Clerk& clerk) {
  const Leg& leg = strategy_.legs[news.leg];
  const bool lacks_quota =
      news.kind == News::Kind::passed_over && strategy_.quota.when_short == WhenShort::back_off;
  if (!leg.node_group || (news.kind != News::Kind::refused && !lacks_quota)) return;
  const Candidate& place = *news.asked;
  const BackOff* const last = find(leg, place);
  back_offs_[node_group_of(leg, place)] = {
      .failed = clerk.now(),
      .pause = last == nullptr ? leg.policy.retry_interval : pause_after(*last, leg, clerk.now())};
}

// Several failures at a time are one: a back-off that is on begins again, no longer than before.
SimDuration NodeGroups::pause_after(const BackOff& before, const Leg& leg, SimTime now) {
  if (now - before.failed > leg.node_group->forget_after) return leg.policy.retry_interval;
  if (now < before.end()) return before.pause;
  return std::min(before.pause * 2, leg.node_group->most);
}

}  // namespace stockout
