#include <algorithm>
#include <utility>

#include "tests/support/reference/run.h"

// Section 10: leases of as many machines as there are: how they get them, and lose some.
namespace stockout::reference {

/// R10.2.
std::int64_t Run::machines_within_room(const Request& request) {
  const std::int64_t room = std::max<std::int64_t>(0, room_for(request));
  return std::min(request.candidate.machines(), room / request.candidate.gpus_of_each().count());
}

/// R10.7, R10.9: It gathers no more.
void Run::stop_asking(Lease& lease) {
  if (lease.gathers) lease.job->step.due = Due{};
  lease.gathers = false;
}

/// R10.5, R10.7: When the lease asks for more, or asks no more.
void Run::set_next_batch(Lease& lease) {
  const Partial& partial = *leg_of(lease).partial;
  const SimTime last = later(lease.gathers_since, partial.gather);
  const SimTime next = later(now_, partial.interval);
  lease.job->step = {set_for(std::min(next, last)), [this, &lease, is_last = next >= last] {
                       is_last ? stop_gathering(lease) : want_batch(lease);
                     }};
}

/// R10.5: Phase 3: in the dispatch that follows the lease asks for more.
void Run::want_batch(Lease& lease) {
  pools_[lease.pool].want_batches.push_back(&lease);
  touch(lease.pool);
  set_next_batch(lease);
}

/// R10.6: Each lease that asks takes a batch, before the at-once requests of its class.
void Run::serve_batches(std::size_t p, LeaseClass lease_class) {
  std::vector<Lease*> others;
  for (Lease* lease : std::exchange(pools_[p].want_batches, {})) {
    if (lease->lease_class != lease_class) {
      others.push_back(lease);
    } else if (lease->open() && lease->gathers) {
      take_batch(*lease);
    }
  }
  pools_[p].want_batches = others;
}

/// R10.6.
void Run::take_batch(Lease& lease) {
  const Request request = request_for(*lease.job, lease.leg, lease.candidate);
  const std::int64_t missing = lease.candidate.machines() - machines_of(lease);
  const std::int64_t machines = std::min(missing, machines_within_room(request));
  note(machines == 0 ? "partial: no batch" : "partial: took a batch");
  if (machines > 0) add_batch(lease, machines);
}

/// R10.7, R10.8: Phase 3: what is there must do.
void Run::stop_gathering(Lease& lease) {
  stop_asking(lease);
  if (machines_of(lease) >= lease.candidate.least) {
    note("partial: begins with fewer than it asked for");
    lease.completed = now_;
    start_if_complete(lease);
    return;
  }
  note("partial: gathered too few");
  leave(lease);
  lease.ending = Ending::too_few;
  lease.own_end = now_;
  lease.end = from_now(SimDuration::zero());
}

/// R10.16: Whether the lease may go on with so many machines less.
bool Run::can_lose(const Lease& lease, std::int64_t machines) const {
  const std::int64_t staying = std::ranges::count(lease.machines, false, &Machine::leaving);
  const auto is_delayed = [](const Batch& batch) { return batch.delayed.has_value(); };
  if (!is_partial(lease) || lease.works == kNever || std::ranges::any_of(lease.batches, is_delayed))
    return false;
  return staying - machines >= (leg_of(lease).partial->recreates ? 1 : lease.candidate.least);
}

/// R10.16, R10.17: As a victim, when so many GPUs are to be freed.
std::int64_t Run::gpus_to_give(const Lease& lease, std::int64_t needed) const {
  const std::int64_t gpus = lease.candidate.gpus_of_each().count();
  const std::int64_t staying = gpus_staying(lease);
  std::int64_t machines = 0;
  while (machines * gpus < std::min(needed, staying)) ++machines;
  return can_lose(lease, machines) ? machines * gpus : staying;
}

/// R10.18 to R10.20, R10.22, R10.23: When the machines that have just become leaving go, and all that
/// were leaving before with them.
void Run::set_loss(Lease& lease, SimDuration notice) {
  const bool is_first = lease.loss.at == kNever;  // others that are leaving end with the lease
  const bool fits = is_first && last_checkpoint_fits(lease, notice);
  const SimDuration until_loss = fits ? lease.job->job_class->checkpoint_cost : notice;
  if (std::min(lease.own_end, lease.loss.at) <= later(now_, until_loss)) {
    note(is_first ? "partial: machines end with the lease" : "partial: leave with others");
    return;
  }
  if (!is_first) note("partial: leave before others");
  if (lease.loss_saves) note("partial: last checkpoint is not written");
  if (fits) note("partial: last checkpoint");
  if (fits) lease.stops = std::min(lease.stops, now_);
  lease.loss_saves = fits;
  lease.loss = from_now(until_loss);
}

/// R10.24: The whole lease is preempted while machines are leaving.
void Run::leave_with_machines(Lease& lease) {
  note("partial: reclaimed while machines leave");
  const SimTime last = later(now_, lease.notice);
  const bool loss_is_first = lease.loss.at <= last;
  if (lease.own_end <= last && !loss_is_first) return;
  lease.ending = Ending::preempted;
  lease.saves_all = loss_is_first && lease.loss_saves;
  lease.end = loss_is_first ? lease.loss : from_now(lease.notice);
  lease.loss = Due{};
}

/// R10.20, R10.21: Phase 1: the machines that are leaving go, and the lease goes on without them.
void Run::machines_go(Lease& lease) {
  const Progress done = progress_of(lease);
  const bool saves = lease.loss_saves && done.saved + done.unsaved > SimDuration::zero();
  if (saves || done.saved > SimDuration::zero()) note("partial: saved at a loss");
  if (!lease.loss_saves && done.unsaved > SimDuration::zero()) note("partial: lost at a loss");
  settle(lease, lease.loss_saves);
  for (Machine& machine : lease.machines) {
    if (machine.leaving && machine.gone == kNever) machine.gone = now_;
  }
  lease.loss_saves = false;
  lease.joins = Due{};
  if (leg_of(lease).partial->recreates) gather_anew(lease);
  if (lease.works <= now_) {
    lease.works = now_ + lease.job->job_class->reload;
  } else if (lease.works != kNever) {
    note("partial: lost machines before work began");
  }
  if (lease.works != kNever) set_own_end(lease);
  touch(lease.pool);
  start_delayed(lease.pool, source_of(lease.pool, lease.lease_class));
}

/// R10.42, R10.44: It has what it has, and asks for the rest. Unless enough of it work on, it does nothing.
void Run::gather_anew(Lease& lease) {
  lease.gathers = true;
  lease.gathers_since = now_;
  lease.completed = kNever;
  set_next_batch(lease);
  if (leg_of(lease).partial->works_on && machines_at_work(lease) >= lease.candidate.least)
    return note("partial: works on while it gathers anew");
  note("partial: gathers anew");
  lease.up = lease.works = lease.stops = lease.own_end = kNever;
  lease.saves_all = false;
  lease.end = lease.exit = Due{};
}

/// R10.46: All that it gets are coming, the last at `up`.
void Run::set_join(Lease& lease, SimTime up) {
  if (machines_at_work(lease) == machines_of(lease)) return note("partial: nobody joins");
  const Law& start_up = leg_of(lease).policy.start_up;
  lease.joins = set_for(up + drawn_length(lease, Purpose::start_up, start_up) + health_test(lease));
  lease.tested = lease.machines.size();
}

/// R10.46: Phase 1.
void Run::machines_join(Lease& lease) {
  const auto leaves = [](const Machine& machine) { return machine.leaving && machine.gone == kNever; };
  if (lease.leaving || std::ranges::any_of(lease.machines, leaves) || lease.stops <= now_)
    return note("partial: machines do not join");
  note("partial: machines join");
  settle(lease, /*keeps_all=*/false);
  for (Machine& machine : lease.machines) machine.waits = false;
  const bool reloads = lease.job->work_left < lease.job->job.work;
  lease.works = reloads ? now_ + lease.job->job_class->reload : now_;
  set_own_end(lease);
}

}  // namespace stockout::reference
