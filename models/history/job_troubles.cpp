#include "models/history/job_troubles.h"

#include <algorithm>

namespace stockout {
namespace {

JobFate open_fate(const JobOutcome& outcome, const JobTroubles& troubles) {
  if (troubles.lease_ended == outcome.finished) return troubles.ran ? JobFate::running : JobFate::starting;
  const bool was_short = outcome.quota.wait > SimDuration::zero() && outcome.first_grant == kNever &&
                         outcome.quota.wait == outcome.finished - outcome.released;
  return was_short ? JobFate::short_of_quota : JobFate::waiting;
}

// Running: its last request has come to no such end, or another was made since.
JobFate fate_of_last_request(const Leg& leg, const JobOutcome& outcome, const JobTroubles& troubles) {
  const bool asks_later = outcome.state == FinalState::unfinished && leg.pods &&
                          later(troubles.lease_ended, leg.pods->again) > outcome.finished;
  return outcome.state == FinalState::failed || asks_later ? troubles.last_lost : JobFate::running;
}

}  // namespace

JobFate lost_by(const LeaseRow& lease) {
  if (lease.expired) return JobFate::booking_expired;
  return lease.preempted && lease.running == lease.ended ? JobFate::revoked : JobFate::running;
}

// Leases of a race end in any order: the last one counts, and of those at one time one that ran.
void JobTroubles::add(const LeaseRow& lease) {
  const bool has_run = lease.running < lease.ended;
  ran = has_run || (ran && lease.ended == lease_ended);
  lease_ended = lease.ended;
  last_lost = lost_by(lease);
  if (last_lost == JobFate::booking_expired) ++bookings_expired;
  if (last_lost == JobFate::revoked) ++revoked;
}

void JobTroubles::add(const PoolChange& change) {
  if (change.what == PoolChange::What::refused) stock_outs += static_cast<std::uint64_t>(change.count);
  if (change.what == PoolChange::What::fault) faults += static_cast<std::uint64_t>(change.count);
}

JobFate fate_of(const JobOutcome& outcome, const JobTroubles& troubles) {
  switch (outcome.state) {
    case FinalState::completed:
      return JobFate::completed;
    case FinalState::expired:
      return JobFate::expired;
    case FinalState::refused:
      return JobFate::refused;
    case FinalState::failed:
      if (outcome.slurm_end == SlurmEnd::timed_out) return JobFate::timed_out;
      return outcome.slurm_end == SlurmEnd::preempted ? JobFate::preempted : JobFate::failed;
    case FinalState::cut_off:
      return JobFate::cut_off;
    case FinalState::skipped:
      return JobFate::skipped;
    case FinalState::unfinished:
      break;
  }
  return open_fate(outcome, troubles);
}

std::string_view orchestrator_state(const Strategy& strategy, const JobOutcome& outcome,
                                    const JobTroubles& troubles) {
  const Leg& leg = strategy.legs[outcome.leg];
  const bool has_asked = outcome.state != FinalState::unfinished || outcome.released < outcome.finished;
  if (!leg.orchestrator || !has_asked) return {};
  const auto name_of = [&](JobFate fate) { return state_name(*leg.orchestrator, leg.policy, fate); };
  const JobFate last = fate_of_last_request(leg, outcome, troubles);
  const std::string_view name = last == JobFate::running ? std::string_view{} : name_of(last);
  return name.empty() ? name_of(fate_of(outcome, troubles)) : name;
}

void JobTroublesBook::listen(Logs& logs) {
  also_hear(logs.on_lease, [this](const LeaseRow& lease) { at(lease.job).add(lease); });
  also_hear(logs.on_pool, [this](const PoolChange& change) {
    const bool is_trouble =
        change.what == PoolChange::What::refused || change.what == PoolChange::What::fault;
    if (is_trouble && change.holder == Holder::job) at(change.job).add(change);
  });
}

JobTroubles& JobTroublesBook::at(std::uint64_t job) {
  if (job >= jobs_.size()) jobs_.resize(std::max<std::size_t>(job + 1, 2 * jobs_.size()));
  return jobs_[job];
}

}  // namespace stockout
