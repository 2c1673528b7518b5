#include <algorithm>

#include "tests/support/reference/run.h"

// Section 8: workers that exit, since the code of their job fails.
namespace stockout::reference {
namespace {

/// R8.20: kForever: to the end.
SimDuration runs_for(const WorkerExits& rule, Draw& draw) {
  if (rule.share_ppm != 1'000'000 && !(uniform01(draw) * 1e6 < rule.share_ppm)) return kForever;
  return std::max(rule.after.sample(draw), SimDuration{1'000});
}

}  // namespace

/// R8.20: Work begins, or goes on: when the first worker exits.
void Run::set_exit(Lease& lease) {
  const WorkerExits& rule = lease.job->job_class->exits;
  lease.exit = Due{};
  if (!rule.any() || lease.is_led || lease.works == kNever) return;
  SimDuration least = kForever;
  for (Lease* each : leases_of_gang(lease)) {
    for (std::size_t i = 0; i < each->machines.size(); ++i) {
      Machine& machine = each->machines[i];
      if (machine.gone != kNever || machine.waits) continue;
      if (!machine.worker) machine.worker = draw_of_machine(Purpose::worker_exit, *each, i);
      const SimDuration runs = runs_for(rule, *machine.worker);
      if (runs == kForever) note("workers: one runs to the end");
      if (runs >= least) continue;
      least = runs;
      lease.first_out = {each, i};
    }
  }
  if (least != kForever) lease.exit = set_for(lease.works + least);
}

/// R8.21, R8.22, R8.24: Phase 2.
void Run::worker_exits(Lease& lease) {
  JobState& job = *lease.job;
  const WorkerExits& rule = job.job_class->exits;
  const auto leaves = [](const Machine& machine) { return machine.leaving && machine.gone == kNever; };
  if (lease.leaving || std::ranges::any_of(lease.machines, leaves) || lease.stops <= now_)
    return note("workers: an exit passes by");
  ++job.exits;
  Machine& machine = lease.first_out.first->machines[lease.first_out.second];
  const Tries allowed = leg_of(lease).policy.worker_restarts;
  const bool is_sure = rule.permanent_ppm == 0 || rule.permanent_ppm == 1'000'000;
  const bool is_permanent =
      is_sure ? rule.permanent_ppm != 0 : uniform01(*machine.worker) * 1e6 < rule.permanent_ppm;
  if (!is_permanent && (allowed == kUnlimited || machine.worker_restarts < allowed)) {
    ++machine.worker_restarts;
    return work_on(lease);
  }
  note(is_permanent ? "workers: a job fails" : "workers: an attempt ends");
  touch(lease.pool);
  leave(lease);
  leave_along_with(lease);
  stop_asking(lease);
  for (Lease* each : leases_of_gang(lease)) {
    each->ending = is_permanent ? Ending::fails : Ending::exits;
    each->saves_all = false;
  }
  lease.end = from_now(SimDuration::zero());
}

/// R8.23.
void Run::work_on(Lease& lease) {
  note(is_partial(lease) ? "workers: one is restarted in a partial gang"
       : lease.gang >= 0 ? "workers: one is restarted in a gang over places"
                         : "workers: one is restarted");
  const std::vector<Lease*> leases = leases_of_gang(lease);
  for (Lease* each : leases) settle(*each, /*keeps_all=*/false);
  const bool reloads = lease.job->work_left < lease.job->job.work;
  for (Lease* each : leases) each->works = reloads ? now_ + lease.job->job_class->reload : now_;
  for (Lease* each : leases) set_own_end(*each);
}

/// R8.24: The lease has ended.
void Run::after_exit(const Lease& lease) {
  JobState& job = *lease.job;
  const Tries allowed = leg_of(lease).policy.exit_restarts;
  if (job.is_suspended() || (follows_rule(job) && lease.ending == Ending::exits)) return attempt_again(job);
  if (lease.ending == Ending::exits && (allowed == kUnlimited || job.exit_restarts[lease.leg] < allowed)) {
    ++job.exit_restarts[lease.leg];
    note("workers: a job restarts");
    return attempt_again(job);
  }
  would_be_final(job, FinalState::failed);
}

}  // namespace stockout::reference
