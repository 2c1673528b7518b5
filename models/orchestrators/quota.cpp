#include "models/orchestrators/quota.h"

#include <algorithm>

namespace stockout {
namespace {

constexpr Token kStep{0};     // a limit changes
constexpr Token kNextTry{1};  // a job asks again
constexpr Token kNextTurn{2};

}  // namespace

QuotaWish Quota::wish_of(const JobView& job, const LegView& leg) {
  if (order_.size() <= job.ticket.slot) order_.resize(job.ticket.slot + std::size_t{1});
  std::uint64_t& order = order_[job.ticket.slot];
  if (!leg.is_anew) order = came_++;
  return {.job = job.number, .order = order, .places = leg.places, .lease_class = leg.leg.policy.lease_class};
}

bool Quota::has_room(const QuotaWish& wish, SimTime now) const {
  return std::ranges::any_of(
      wish.places, [&](const Candidate* place) { return books_.has_room(*place, wish.lease_class, now); });
}

// Its node groups back off for want of quota, and not the job.
bool Quota::is_for_groups(const Leg& leg) const {
  return leg.node_group.has_value() && strategy_.quota.when_short == WhenShort::back_off;
}

Reply Quota::may_ask(const JobView& job, const LegView& leg, Clerk& clerk) {
  waits_.end(job.number, clerk.now());
  if (is_for_groups(leg.leg)) return Reply::go;
  const QuotaWish wish = wish_of(job, leg);
  const bool is_behind =
      strategy_.quota.when_short == WhenShort::wait &&
      lines_.stands_anybody_before(wish.order, books_.quotas_of(wish.places, wish.lease_class));
  if (!is_behind && has_room(wish, clerk.now())) return Reply::go;
  waits_.begin(job, clerk.now());
  return hold_or_refuse(job, wish, clerk);
}

Reply Quota::hold_or_refuse(const JobView& job, const QuotaWish& wish, Clerk& clerk) {
  if (strategy_.quota.when_short == WhenShort::wait) {
    lines_.join(job.ticket, books_.quotas_of(wish.places, wish.lease_class), wish);
    ++standing_;
    return Reply::wait;
  }
  waits_.add_refusals(job.number, wish.places.size());
  if (strategy_.quota.when_short == WhenShort::refuse) return Reply::refuse;
  clerk.wake(back_offs_.join(job.ticket, wish, clerk.now()), kNextTry);
  ++standing_;
  return Reply::wait;
}

bool Quota::would_let_ask(const JobView& job, const LegView& leg, const Candidate& place,
                          const Clerk& clerk) const {
  const LeaseClass lease_class = leg.leg.policy.lease_class;
  const bool is_behind = strategy_.quota.when_short == WhenShort::wait &&
                         lines_.stands_anybody_but(job.ticket, books_.quotas_of(leg.places, lease_class));
  return !is_behind && books_.has_room(place, lease_class, clerk.now());
}

bool Quota::may_ask_in(const JobView& job, const LegView& leg, const Candidate& place, Clerk& clerk) {
  if (books_.has_room(place, leg.leg.policy.lease_class, clerk.now())) return true;
  waits_.add_refusals(job.number, 1);
  if (is_for_groups(leg.leg)) {
    waits_.begin(job, clerk.now());
    short_groups_.insert(node_group_of(leg.leg, place));
  }
  return false;
}

// A request that took its quota when it was made has it.
bool Quota::may_start(const JobView& job, const LegView& leg, const Candidate& place, Clerk& clerk) {
  return strategy_.quota.taken_at == QuotaTaken::request || may_ask_in(job, leg, place, clerk);
}

void Quota::heard(const News& news, Clerk& clerk) {
  switch (news.kind) {
    case News::Kind::opened:
      return is_taken_by_request(news.leg) ? take(news, news.asked->machines()) : void();
    case News::Kind::closed:
      return is_taken_by_request(news.leg) ? give_back(news, news.asked->machines()) : void();
    case News::Kind::granted:
      waits_.end(news.job.number, clerk.now());
      return take(news, news.machines);
    case News::Kind::refused:
      if (strategy_.legs[news.leg].node_group)
        short_groups_.erase(node_group_of(strategy_.legs[news.leg], *news.asked));
      return;
    case News::Kind::passed_over:
      return wait_for_group(news, clerk.now());
    case News::Kind::starts:
    case News::Kind::suspended:
    case News::Kind::fails:
      return;
    case News::Kind::fewer:
    case News::Kind::ended:
      return give_back(news, news.machines);
    case News::Kind::left:
      return leave_line(news.job, clerk.now());
    case News::Kind::final:
      return waits_.end(news.job.number, clerk.now());
  }
}

// One that backs off since it found no quota.
void Quota::wait_for_group(const News& news, SimTime now) {
  if (short_groups_.contains(node_group_of(strategy_.legs[news.leg], *news.asked)))
    waits_.begin(news.job, now);
}

// What is decided at once takes it with the request, whatever the rule.
bool Quota::is_taken_by_request(std::uint8_t leg) const {
  return strategy_.quota.taken_at == QuotaTaken::request || !strategy_.legs[leg].policy.waits();
}

void Quota::take(const News& news, std::int64_t machines) {
  books_.take(*news.asked, strategy_.legs[news.leg].policy.lease_class, machines);
}

void Quota::give_back(const News& news, std::int64_t machines) {
  books_.give_back(*news.asked, strategy_.legs[news.leg].policy.lease_class, machines);
  has_changed_ = true;
}

// One that was refused stands nowhere, and goes on waiting.
void Quota::leave_line(const JobView& job, SimTime now) {
  if (!lines_.leave(job.ticket) && !back_offs_.leave(job.ticket)) return;
  --standing_;
  waits_.end(job.number, now);
  has_changed_ = true;
}

void Quota::timer(Token token, Clerk& clerk) {
  has_changed_ = true;
  if (token == kStep) wake_at_next_step(clerk);
}

void Quota::wake_at_next_step(Clerk& clerk) {
  const SimTime next = books_.next_step(clerk.now());
  if (next != kNever) clerk.wake(next, kStep);
}

void Quota::turn(Clerk& clerk) {
  const SimTime now = clerk.now();
  const auto fits = [&](const QuotaWish& wish) { return has_room(wish, now); };
  const auto go = [&](Ticket job, const QuotaWish& wish) {
    --standing_;
    waits_.end(wish.job, now);
    clerk.admit(job);
  };
  const auto refused = [&](const QuotaWish& wish, SimTime next) {
    waits_.add_refusals(wish.job, wish.places.size());
    clerk.wake(next, kNextTry);
  };
  const bool goes_one = lines_.let_one_go(fits, go) || back_offs_.let_one_go(now, fits, go, refused);
  if (goes_one && strategy_.quota.taken_at == QuotaTaken::request) return;
  if (goes_one) clerk.wake(now, kNextTurn);
  has_changed_ = false;
}

}  // namespace stockout
