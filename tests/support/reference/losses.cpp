#include <algorithm>

#include "tests/support/reference/run.h"

// Machines that a partial lease loses before it ends.
namespace stockout::reference {

std::int64_t Run::machines_leaving(const Lease& lease) const {
  return std::count_if(lease.machines.begin(), lease.machines.end(),
                       [](const Machine& machine) { return machine.leaving && machine.gone == kNever; });
}

std::int64_t Run::machines_staying(const Lease& lease) const {
  return lease.candidate.parts[0].machines - machines_leaving(lease);
}

/// Of a lease that is not leaving as a whole.
std::int64_t Run::gpus_staying(const Lease& lease) const {
  if (!lease.partial) return lease.candidate.gpus.count();
  return machines_staying(lease) * gpus_of_one(lease.asked);
}

/// Whether the lease may go on with so many machines less.
bool Run::can_lose(const Lease& lease, std::int64_t machines) const {
  return lease.partial && lease.works != kNever && machines_staying(lease) - machines >= lease.asked.least;
}

/// As a victim, when so many GPUs are to be freed.
std::int64_t Run::gpus_to_give(const Lease& lease, std::int64_t needed) const {
  if (!lease.partial) return lease.candidate.gpus.count();
  const std::int64_t gpus = gpus_of_one(lease.asked);
  std::int64_t machines = 0;
  while (machines < machines_staying(lease) && machines * gpus < needed) ++machines;
  return can_lose(lease, machines) ? machines * gpus : gpus_staying(lease);
}

/// A victim gives what was said: all, or its last machines.
void Run::give_back(std::size_t l, std::int64_t gpus) {
  Lease& lease = leases_[l];
  if (!lease.partial || gpus == gpus_staying(lease)) {
    if (lease.partial) note("partial: taken back as a whole");
    set_leaving(l);
    return;
  }
  note("partial: gives machines");
  for (std::size_t i = lease.machines.size(); i-- > 0 && gpus > 0;) {
    Machine& machine = lease.machines[i];
    if (machine.leaving) continue;
    gpus -= gpus_of_one(lease.asked);
    lose_machine(l, i, /*broke=*/false);
  }
  set_loss(lease, lease.notice);
}

void Run::lose_machine(std::size_t l, std::size_t machine, bool broke) {
  leases_[l].machines[machine].leaving = true;
  leases_[l].machines[machine].broke = broke;
}

/// When the machines that have just become leaving go, and all that were leaving before with them.
void Run::set_loss(Lease& lease, SimDuration notice) {
  const JobClass& job_class = world_.classes[index(jobs_[lease.job].job.job_class)];
  const bool is_first = lease.loss.at == kNever;  // others that are leaving end with the lease
  const bool fits = is_first && last_checkpoint_fits(lease, notice);
  const SimDuration until_loss = fits ? job_class.checkpoint_cost : notice;
  if (std::min(lease.own_end, lease.loss.at) <= later(now_, until_loss)) {
    note(lease.loss.at == kNever ? "partial: machines end with the lease" : "partial: leave with others");
    return;
  }
  if (!is_first) note("partial: leave before others");
  if (lease.loss_saves) note("partial: last checkpoint is not written");
  if (fits) note("partial: last checkpoint");
  if (fits) lease.stops = std::min(lease.stops, now_);
  lease.loss_saves = fits;
  lease.loss = from_now(until_loss);
}

/// The whole lease is taken back while machines are leaving.
void Run::leave_with_machines(Lease& lease) {
  note("partial: taken back while machines leave");
  const SimTime last = later(now_, lease.notice);
  const bool loss_is_first = lease.loss.at <= last;
  if (lease.own_end <= last && !loss_is_first) return;
  lease.ending = Ending::taken_back;
  lease.saves_all = loss_is_first && lease.loss_saves;
  lease.end = loss_is_first ? lease.loss : from_now(lease.notice);
  lease.loss = Due{};
}

/// Phase 1: the machines that are leaving go, and the lease goes on without them.
void Run::machines_go(std::size_t l) {
  Lease& lease = leases_[l];
  JobState& job = jobs_[lease.job];
  Progress progress = progress_until(lease, now_);
  if (lease.loss_saves) {
    progress.saved += progress.unsaved;
    progress.unsaved = SimDuration::zero();
  }
  if (lease.works < now_) {
    lease.ran = true;
    job.first_running = std::min(job.first_running, lease.works);
  }
  if (progress.saved > SimDuration::zero()) note("partial: saved at a loss");
  if (progress.unsaved > SimDuration::zero()) note("partial: lost at a loss");
  const std::int64_t gpus = lease.candidate.gpus.count() - lease.candidate.unused.count();
  lease.useful += gpus * progress.saved.count();
  lease.redone += gpus * progress.unsaved.count();
  job.work_left -= work_in(progress.saved, lease.rate, job.work_left);
  job.lost += progress.unsaved;
  lease.lost += progress.unsaved;
  for (Machine& machine : lease.machines) {
    if (machine.leaving && machine.gone == kNever) machine.gone = now_;
  }
  count_machines(lease);
  lease.loss = Due{};
  lease.loss_saves = false;
  if (lease.works <= now_) {
    lease.works = now_ + world_.classes[index(job.job.job_class)].reload;
  } else {
    note("partial: lost machines before work began");
  }
  if (!lease.ran) lease.first_works = lease.works;
  set_own_end(lease);
  touch(lease.pool);
  const std::size_t source = source_of(lease.pool, lease.lease_class);
  if (source != kNone) start_delayed(lease.pool, source);
}

}  // namespace stockout::reference
