#include "models/simulation/desk/holdings.h"

#include <algorithm>
#include <tuple>

namespace stockout {

void Holdings::begin(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  if (spec.until != kNever) held_.state(id).end = held_.set(spec.until, EventKind::held_until, id);
  if (spec.booking) {
    play_or_set(spec.booking->decided, EventKind::held_decided, id);
  } else {
    play_or_set(spec.from, spec.scaling ? EventKind::held_idle : EventKind::held_asks, id);
  }
  if (!spec.scaling) return;
  for (const LeastStep& step : spec.scaling->steps) {
    if (step.at > std::max(spec.from, now()) && step.at < spec.until)
      held_.set(step.at, EventKind::held_idle, id);
  }
}

void Holdings::play_or_set(SimTime at, EventKind kind, PoolId id) {
  if (at > now()) return static_cast<void>(held_.set(at, kind, id));
  play(kind, id, kNoLease);
}

bool Holdings::play_next() {
  if (due_.empty() && !collect_due()) return false;
  const Event event = due_.back();
  due_.pop_back();
  const PoolId id{static_cast<std::uint16_t>(event.detail)};
  if (!held_.state(id).over) play(event.kind, id, event.lease());
  return true;
}

bool Holdings::collect_due() {
  for (Event event{}; agenda_.take(Phase::held, event);) due_.push_back(event);
  std::ranges::stable_sort(due_, {}, [this](const Event& event) {
    const bool is_machine = event.kind == EventKind::machine_there;
    return std::tuple{event.detail, event.kind,
                      is_machine ? books_.leases()[event.lease()].holder.machine : std::uint32_t{0}};
  });
  std::ranges::reverse(due_);
  return !due_.empty();
}

void Holdings::play(EventKind kind, PoolId id, LeaseSlot lease) {
  switch (kind) {
    case EventKind::held_until:
      return end(id);
    case EventKind::held_decided:
      return bookings_.accepts(id) ? accept(id) : refuse(id);
    case EventKind::held_gathers:
      return gather(id);
    case EventKind::held_opens:
      return held_.are_there(id) ? open(id) : void();
    case EventKind::held_asks:
      return ask(id);
    case EventKind::machine_there:
      return elastic_.machine_there(id, lease);
    default:  // held_idle
      return agenda_.has_begun() ? touched_.touch(id, now()) : mind(id);
  }
}

void Holdings::hear(const Outcome& outcome) {
  switch (outcome.kind) {
    case Outcome::Kind::machines_free:
      return machines_free(outcome.pool, outcome.lease);
    case Outcome::Kind::gathers:
      return bookings_.serve(books_.pool(outcome.pool), now());
    case Outcome::Kind::turn:
      return take_turn(outcome.pool);
    case Outcome::Kind::served:
      if (held_.spec(outcome.pool).scaling) mind(outcome.pool);
      return idle_.review(outcome.pool);
    default:
      return;
  }
}

// A reservation, or an elastic pool that asks again.
void Holdings::ask(PoolId id) {
  if (held_.spec(id).added_supply) return open(id);
  if (!agenda_.has_begun()) return take_turn(id);
  held_.landlord(id).claims.to_create.push_back(id);
  touched_.touch(held_.spec(id).landlord, now());
}

// In the landlord's dispatch.
void Holdings::take_turn(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  HeldState& state = held_.state(id);
  if (state.over || now() >= spec.until) return;
  if (spec.scaling) return elastic_.grow(id);
  state.lease = market_.lease_machines(id, spec, spec.machines, LeaseClass::reserved);
  if (state.lease == kNoLease) held_.ask_again(id);
}

void Holdings::machines_free(PoolId id, LeaseSlot lease) {
  if (held_.spec(id).scaling) return elastic_.start(id, lease);
  play_or_set(held_.spec(id).from, EventKind::held_opens, id);
}

void Holdings::accept(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  held_.state(id).accepted = true;
  play_or_set(spec.added_supply ? spec.from : spec.from - spec.booking->gather,
              spec.added_supply ? EventKind::held_opens : EventKind::held_gathers, id);
}

void Holdings::refuse(PoolId id) {
  held_.state(id).over = true;
  route_.close(id);
  agenda_.cancel(held_.state(id).end);
  recorder_.booking_refused(id);
  requests_.empty_queue(id);
}

void Holdings::gather(PoolId id) {
  bookings_.gather_for(id);
  if (!agenda_.has_begun()) return bookings_.serve(held_.landlord(id), now());
  touched_.touch(held_.spec(id).landlord, now());
}

// The machines of a held pool are there: it has capacity from now on.
void Holdings::open(PoolId id) {
  held_.state(id).since = now();
  held_.resize(id, held_.spec(id).gpus);
  touched_.touch(id, now());
}

void Holdings::mind(PoolId id) {
  if (elastic_.mind(id)) ask(id);
}

// Nobody is served any more; what still waits passes on.
void Holdings::end(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  close(id);
  held_.landlord_has_more(id, spec.scaling ? spec.scaling->lease_class : LeaseClass::reserved);
  touched_.touch(id, now());
  requests_.empty_queue(id);
}

// Gives all machines back, at its `until` or at the end of the run.
void Holdings::close(PoolId id) {
  const HeldPool& spec = held_.spec(id);
  HeldState& state = held_.state(id);
  state.over = true;
  route_.close(id);
  bookings_.stop_gathering(id);
  idle_.clear(id);
  agenda_.cancel(state.elastic.idle_timer);
  agenda_.cancel(state.ask);
  if (spec.scaling) return elastic_.give_all_back(id);
  if (state.lease != kNoLease) held_.release(state.lease);
  if (state.since == kNever) return;
  held_.resize(id, GpuCount{0});
  held_.add_span(id, spec.machines, state.since, std::max(now(), state.since + spec.committed));
}

void Holdings::close_all(const std::vector<PoolId>& in_run) {
  for (const HeldState& state : held_.states()) recorder_.held_came(state.since);
  for (const PoolId id : in_run) {
    if (!held_.state(id).over) close(id);
    held_.settle(id);
  }
}

}  // namespace stockout
