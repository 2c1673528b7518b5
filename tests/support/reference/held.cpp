#include <algorithm>

#include "tests/support/reference/run.h"

// Section 12: pools that the strategy holds, how they come from their parent pools, and go.
namespace stockout::reference {

bool Run::is_bought(std::size_t p) const {
  return is_held(p) && std::ranges::count(strategy_.held, pool_id(p)) > 0;
}

/// R3.3: It grants nothing and asks for nothing any more.
bool Run::is_over(std::size_t p) const { return pools_[p].decided == false || now_ >= held_pool(p).until; }

/// R12.1, R12.11, R12.13: When something is to happen to a held pool that the strategy pays for.
void Run::set_timetable(std::size_t p) {
  const HeldPool& held = held_pool(p);
  auto& due = pools_[p].due;
  if (held.until != kNever) due[Moment::until].at = std::max(held.until, world_.begin);
  if (held.booking) {
    due[Moment::decision].at = std::max(held.booking->decided, world_.begin);
  } else {
    due[Moment::opening].at = std::max(held.from, world_.begin);
  }
  if (!held.scaling) return;
  for (const LeastStep& step : held.scaling->steps) {
    if (step.at > std::max(held.from, world_.begin)) pools_[p].least_steps.push_back({.at = step.at});
  }
}

/// R12.9: Phase 2: whatever is due for one held pool.
void Run::due_for_held_pool(std::size_t p) {
  auto& due = pools_[p].due;
  if (comes_due(due[Moment::until])) window_ends(p);
  if (comes_due(due[Moment::decision])) decide_booking(p);
  if (comes_due(due[Moment::gathering])) request_own_machines(p);
  if (comes_due(due[Moment::opening])) ask_or_open(p);
  if (comes_due(due[Moment::ask_again])) ask_for_machines(p);
  if (comes_due(due[Moment::look_again])) touch(p);
  for (Due& step : pools_[p].least_steps) {
    if (!comes_due(step)) continue;
    note("elastic: its minimum changed");
    touch(p);
  }
  machines_come(p);
}

/// R12.1, R12.4, R12.20, R12.22.
void Run::ask_or_open(std::size_t p) {
  const HeldPool& held = held_pool(p);
  if (held.scaling) {
    touch(p);
  } else if (held.added_supply || held.booking) {
    if (held.added_supply) note("held pool added to the supply");
    pools_[p].created = now_;
    touch(p);
  } else {
    request_own_machines(p);
  }
}

/// So many of its machines are asked of its parent.
Request& Run::request_of(std::size_t p, std::int64_t machines, LeaseClass lease_class) {
  const HeldPool& held = held_pool(p);
  const auto gpus = static_cast<std::int32_t>(held.machine_gpus().count());
  const auto count = static_cast<std::int32_t>(machines);
  Request& request = requests_.emplace_back();
  request.held_pool = p;
  request.pool = parent_of(p);
  request.lease_class = lease_class;
  request.candidate.gpus = held.machine_gpus() * machines;
  request.candidate.parts[0] = {.line = held.line, .machines = count, .gpus = gpus, .machine = held.machine};
  request.entered = now_;
  return request;
}

/// R12.1, R12.18.
void Run::request_own_machines(std::size_t p) {
  if (held_pool(p).booking) note("booking gathers");
  request_of(p, held_pool(p).machines.count(), LeaseClass::reserved);
  touch(parent_of(p));
}

/// R12.3, R12.20, R12.31: The room of its own lease, or of one machine of an elastic pool, is there.
void Run::held_machines_granted(Lease& lease) {
  const std::size_t p = lease.held_pool;
  const HeldPool& held = held_pool(p);
  if (held.scaling) {
    machine_starts(lease);
  } else if (held.booking && now_ < held.from) {
    note("booked machines wait for the window");
    pools_[p].due[Moment::opening].at = held.from;
  } else {
    if (held.booking && now_ > held.from) note("booking opens late");
    pools_[p].created = now_;
    touch(p);
  }
}

/// R6.1, R12.2, R12.18, R12.28: In the parent's dispatch: bookings take room that has come free, if it is
/// enough; others are granted or refused.
void Run::serve_held_pools(std::size_t parent, bool bookings) {
  for (std::size_t p = world_.pools.size(); p < pools_.size(); ++p) {
    if (!is_bought(p) || parent_of(p) != parent || is_over(p)) continue;
    if (pools_[p].asks && !bookings) serve_elastic(p);
    for (Request& request : requests_) {
      if (!request.open() || request.held_pool != p || is_of_booking(request) != bookings) continue;
      if (fits(request)) {
        grant(request);
      } else if (bookings) {
        note("booking finds too little room");
      } else {
        note("held pool refused");
        refuse(request);
        pools_[p].due[Moment::opening] = from_now(held_pool(p).retry_every);
      }
    }
  }
}

/// R12.10, R12.11, R12.32: The pool's `until`.
void Run::window_ends(std::size_t p) {
  PoolState& pool = pools_[p];
  note(pool.created == kNever && !held_pool(p).scaling ? "window over before it was there" : "window over");
  if (world_.ties == Ties::starts_first) note("starts first: window over");
  pool.due.clear();
  pool.least_steps.clear();
  pool.idle_machines.clear();
  pool.asks = false;
  for (const Request* asked :
       withdraw(Fate::withdrawn, [p](const Request& one) { return one.held_pool == p; })) {
    if (is_of_booking(*asked)) note("window over while it gathered");
  }
  for (Lease& lease : leases_) {
    if (lease.open() && lease.held_pool == p) end_held_lease(lease);
  }
  touch(parent_of(p));
  touch(p);
  empty_queue(p);
}

/// R12.12, R12.17, R11.12: The pool is over: whoever waits there has to go elsewhere.
void Run::empty_queue(std::size_t p) {
  for (const Request* request :
       withdraw(Fate::withdrawn, [p](const Request& one) { return one.pool == p; })) {
    JobState& job = *request->job;
    const bool is_racing = job.races && lease_of(job) == nullptr;
    const bool in_leg = (job.queues || is_racing) && job.leg == request->leg;
    if (in_leg && !has_open_request(job, request->leg)) {
      note("over: exhausted the leg");
      exhausted(job, FinalState::refused);
    } else if (job.past_last && !has_open_request(job)) {
      note("over: the job was past its last leg");
      would_be_final(job, FinalState::expired);
    } else {
      note("over: the job goes on");
    }
  }
}

/// R12.11, R12.24: The pool's own lease, or one machine of an elastic pool, goes back to the parent.
void Run::end_held_lease(Lease& lease) {
  if (lease.batches.front().delayed) note("a delayed lease of a held pool ended");
  lease.ended = now_;
  touch(lease.pool);
  start_delayed(lease.pool, source_of(lease.pool, lease.lease_class));
}

/// R12.18: It waits for its machines, and takes room from all others.
bool Run::is_of_booking(const Request& request) const {
  return request.held_pool != kNone && held_pool(request.held_pool).booking.has_value();
}

/// R12.14, R12.15, R12.17, R12.18: The provider says yes or no.
void Run::decide_booking(std::size_t p) {
  const HeldPool& held = held_pool(p);
  const Booking& booking = *held.booking;
  constexpr std::int32_t kMillion = 1'000'000;
  Draw draw = random_.draw(Purpose::acceptance, p - world_.pools.size());
  const bool lucky = booking.accept_ppm == kMillion || uniform01(draw) < booking.accept_ppm / 1e6;
  const bool accepted = lucky && promise_fits(p);
  note(accepted ? "booking accepted"
       : lucky  ? "booking refused for want of room"
                : "booking refused by chance");
  pools_[p].decided = accepted;
  auto& due = pools_[p].due;
  if (!accepted) {
    due.erase(Moment::until);
    empty_queue(p);
  } else if (held.added_supply) {
    due[Moment::opening].at = std::max(held.from, now_);
  } else {
    due[Moment::gathering].at = std::max(now_, held.from - booking.gather);
  }
}

/// R12.16: Whether all that is promised fits at every instant of the booking's window: it is most when a
/// window begins.
bool Run::promise_fits(std::size_t p) const {
  const HeldPool& held = held_pool(p);
  const std::size_t source = source_of(parent_of(p), LeaseClass::reserved);
  if (held.added_supply || source == kNone) return true;
  const std::int64_t most = capacity_of(parent_of(p), source) * held.booking->bookable_ppm / 1'000'000;
  std::vector<SimTime> instants{held.from};
  for (const HeldPool& other : world_.held) instants.push_back(other.from);
  return std::ranges::all_of(instants, [&](SimTime at) {
    const bool in_window = held.from <= at && at < held.until;
    return !in_window || held.gpus.count() + promised_to_others(p, at) <= most;
  });
}

/// R12.16.
std::int64_t Run::promised_to_others(std::size_t p, SimTime at) const {
  const std::size_t parent = parent_of(p);
  const std::size_t source = source_of(parent, LeaseClass::reserved);
  std::int64_t gpus = 0;
  for (std::size_t other = world_.pools.size(); other < pools_.size(); ++other) {
    const HeldPool& held = held_pool(other);
    if (other == p || at >= held.until) continue;
    const bool promised = pools_[other].decided == true && !held.added_supply;
    if (promised && parent_of(other) == parent && at >= held.from) gpus += held.gpus.count();
    for (const Lease& lease : leases_) {
      const bool holds = !held.booking && lease.open() && lease.held_pool == other;
      if (holds && draws_on(lease, parent, source)) gpus += gpus_of(lease);
    }
  }
  return gpus;
}

}  // namespace stockout::reference
