#include "models/orchestrators/open_limit.h"

#include <algorithm>

#include "sim/core/check.h"

namespace stockout {
namespace {

bool is_bounded(const Leg& leg) { return leg.policy.open_max > 0 && !leg.policy.held; }

}  // namespace

bool OpenLimit::is_asked_for(const Strategy& strategy) {
  return std::ranges::any_of(strategy.legs, is_bounded);
}

OpenLimit::OpenLimit(const Strategy& strategy) {
  for (const Leg& leg : strategy.legs) {
    limit_of_leg_.push_back(kNoLimit);
    if (leg.policy.held || std::ranges::none_of(strategy.legs, [&](const Leg& other) {
          return other.policy.open_max > 0 && other.policy.name == leg.policy.name;
        })) {
      continue;
    }
    const auto known = std::ranges::find(limits_, leg.policy.name, &Limit::model);
    limit_of_leg_.back() = static_cast<std::size_t>(known - limits_.begin());
    if (known == limits_.end()) limits_.push_back({.model = leg.policy.name, .open = 0, .line = {}});
  }
}

Reply OpenLimit::may_ask(const JobView& job, const LegView& leg, Clerk& /*clerk*/) {
  const std::size_t number = limit_of_leg_[leg.number];
  if (number == kNoLimit || !leg.waits) return Reply::go;
  Limit& limit = limits_[number];
  const Wish wish{.requests = static_cast<std::int64_t>(leg.places.size()), .most = leg.leg.policy.open_max};
  if (limit.line.empty() && limit.fits(wish)) return Reply::go;
  limit.line.join(job.ticket, wish);
  return Reply::wait;
}

void OpenLimit::heard(const News& news, Clerk& /*clerk*/) {
  const std::size_t number = limit_of_leg_[news.leg];
  if (number == kNoLimit) return;
  Limit& limit = limits_[number];
  switch (news.kind) {
    case News::Kind::opened:
      ++limit.open;
      return;
    case News::Kind::closed:
      --limit.open;
      return;
    case News::Kind::left:
      limit.line.leave(news.job.ticket);
      return;
    default:
      return;
  }
}

bool OpenLimit::is_due() const { return std::ranges::any_of(limits_, &Limit::lets_in); }

void OpenLimit::turn(Clerk& clerk) {
  const auto limit = std::ranges::find_if(limits_, &Limit::lets_in);
  clerk.admit(limit->line.take());
}

void OpenLimit::check() const {
  for (const Limit& limit : limits_) {
    STOCKOUT_CHECK(limit.open == 0, "a limit counts requests that are closed");
  }
}

}  // namespace stockout
