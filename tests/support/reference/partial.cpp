#include <algorithm>

#include "tests/support/reference/run.h"

// Leases of as many machines as there are: how they get them. How they lose them is in losses.cpp.
namespace stockout::reference {

bool Run::is_partial(const Leg& leg, const Candidate& candidate) const {
  return leg.partial && candidate.least > 0;
}

bool Run::is_partial(const Request& request) const {
  if (request.job == kNone || request.queues) return false;
  return is_partial(leg_of(jobs_[request.job], request.leg), request.candidate);
}

/// GPUs of each of the equal machines.
std::int64_t Run::gpus_of_one(const Candidate& candidate) const {
  return candidate.gpus.count() / candidate.parts[0].machines;
}

std::int64_t Run::machines_within_room(const Request& request) const {
  const std::int64_t room = std::max<std::int64_t>(0, room_for(request));
  return std::min<std::int64_t>(request.candidate.parts[0].machines, room / gpus_of_one(request.candidate));
}

/// With fewer machines than that it is refused.
std::int64_t Run::fewest_at_once(const Request& request) const {
  const Leg& leg = leg_of(jobs_[request.job], request.leg);
  return leg.partial->gather > SimDuration::zero() ? 1 : request.candidate.least;
}

void Run::grant_partly(Request& request) {
  const std::int64_t machines = machines_within_room(request);
  const Partial& partial = *leg_of(jobs_[request.job], request.leg).partial;
  close(request, Fate::granted);
  Lease lease{.pool = request.pool,
              .lease_class = request.lease_class,
              .candidate = request.candidate,
              .granted = now_};
  job_is_granted(request, lease);
  lease.partial = true;
  lease.asked = request.candidate;
  lease.gathers = machines < lease.asked.parts[0].machines && partial.gather > SimDuration::zero();
  leases_.push_back(lease);
  if (machines < lease.asked.parts[0].machines) note("partial: granted with fewer");
  if (lease.gathers) set_next_lot(leases_.size() - 1);
  add_lot(leases_.size() - 1, machines);
}

/// What the lease has, by its machines that are there.
void Run::count_machines(Lease& lease) const {
  const auto machines =
      static_cast<std::int32_t>(std::count_if(lease.machines.begin(), lease.machines.end(),
                                              [](const Machine& machine) { return machine.gone == kNever; }));
  const std::int64_t all = lease.asked.parts[0].machines;
  lease.candidate.parts[0].machines = machines;
  lease.candidate.gpus = GpuCount{lease.asked.gpus.count() / all * machines};
  lease.candidate.unused = GpuCount{lease.asked.unused.count() / all * machines};
  lease.rate = std::max<std::int64_t>(1, std::int64_t{lease.asked.rate_ppm} * machines / all);
}

void Run::add_lot(std::size_t l, std::int64_t machines) {
  Lease& lease = leases_[l];
  const std::size_t k = lease.lots.size();
  lease.lots.emplace_back();
  for (std::int64_t i = 0; i < machines; ++i) lease.machines.push_back({.lot = k, .granted = now_});
  count_machines(lease);
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone && lease.lease_class != LeaseClass::spot) take_back_spot(lease.pool, source);
  if (lease.candidate.parts[0].machines == lease.asked.parts[0].machines) {
    if (lease.gathers) note("partial: gathered all");
    stop_asking(lease);
  }
  if (!lease.gathers) set_complete(lease);
  if (source != kNone && overhang(lease.pool, source) > 0) {
    note("partial: delayed lot");
    lease.lots[k].delayed = true;
    lease.lots[k].joined = orders_++;
    return;
  }
  begin_lot(l, k);
}

void Run::set_complete(Lease& lease) {
  lease.complete = true;
  lease.completed = now_;
}

/// It gathers no more, and nothing that it has still waits for its room.
void Run::stop_asking(Lease& lease) {
  if (lease.gathers) jobs_[lease.job].step_due = Due{};
  lease.gathers = false;
}

std::int64_t Run::gpus_of_lot(const Lease& lease, std::size_t lot) const {
  const auto machines = std::count_if(lease.machines.begin(), lease.machines.end(),
                                      [lot](const Machine& machine) { return machine.lot == lot; });
  return machines * gpus_of_one(lease.asked);
}

/// The room of the lot's machines is there.
void Run::begin_lot(std::size_t l, std::size_t k) {
  Lease& lease = leases_[l];
  lease.lots[k].delayed = false;
  const SimTime up = now_ + drawn_length(lease, Purpose::provisioning);
  for (Machine& machine : lease.machines) {
    if (machine.lot == k) machine.up = up;
  }
  draw_lives_of_lot(lease, k);
  start_if_complete(l);
}

/// Start-up begins when the gang is complete and every lot has had its turn.
void Run::start_if_complete(std::size_t l) {
  Lease& lease = leases_[l];
  const bool waits =
      std::any_of(lease.lots.begin(), lease.lots.end(), [](const Lot& lot) { return lot.delayed; });
  if (!lease.complete || waits) return;
  lease.up = lease.completed;
  for (const Machine& machine : lease.machines) lease.up = std::max(lease.up, machine.up);
  start_up(l);
}

/// When the lease asks for more, or asks no more.
void Run::set_next_lot(std::size_t l) {
  const Lease& lease = leases_[l];
  const Partial& partial = *leg_of(jobs_[lease.job], lease.leg).partial;
  const SimTime last = later(lease.granted, partial.gather);
  const SimTime next = later(now_, partial.interval);
  Due due = at_soonest();
  due.at = std::min(next, last);
  set_step(lease.job, next < last ? Step::take_lot : Step::gathered, due);
}

/// Phase 3: in the dispatch that follows the lease asks for more.
void Run::want_lot(std::size_t j) {
  const std::size_t l = lease_of(j);
  pools_[leases_[l].pool].want_lots.push_back(l);
  touch(leases_[l].pool);
  set_next_lot(l);
}

void Run::serve_lots(std::size_t p, LeaseClass lease_class) {
  std::vector<std::size_t> served;
  for (const std::size_t l : pools_[p].want_lots) {
    if (leases_[l].lease_class == lease_class) served.push_back(l);
  }
  for (const std::size_t l : served) {
    std::erase(pools_[p].want_lots, l);
    if (leases_[l].open && leases_[l].gathers) take_lot(l);
  }
}

void Run::take_lot(std::size_t l) {
  const Lease& lease = leases_[l];
  const Request request = request_for(lease.job, lease.leg, lease.asked);
  const std::int64_t missing = lease.asked.parts[0].machines - lease.candidate.parts[0].machines;
  const std::int64_t machines = std::min(missing, machines_within_room(request));
  if (machines == 0) {
    note("partial: no lot");
    return;
  }
  note("partial: took a lot");
  add_lot(l, machines);
}

/// Phase 3: what is there must do.
void Run::stop_gathering(std::size_t l) {
  Lease& lease = leases_[l];
  stop_asking(lease);
  if (lease.candidate.parts[0].machines >= lease.asked.least) {
    note("partial: begins with fewer than it asked for");
    set_complete(lease);
    start_if_complete(l);
    return;
  }
  note("partial: gathered too few");
  for (Lot& lot : lease.lots) lot.delayed = false;
  lease.leaving = true;
  lease.ending = Ending::too_few;
  lease.own_end = now_;
  lease.end = from_now(SimDuration::zero());
}

}  // namespace stockout::reference
