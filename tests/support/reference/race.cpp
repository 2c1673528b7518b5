#include <algorithm>

#include "tests/support/reference/run.h"

// Section 11: several leases of one job, of which the first at work goes on.
namespace stockout::reference {

/// R11.3, R11.4: What stands for the attempt in the draws of a lease: rivals of one attempt draw apart,
/// by their places.
std::uint64_t Run::draws_of(const Request& request) const {
  constexpr std::uint64_t kPlaces = std::uint64_t{1} << 24;
  const Leg& leg = leg_of(request);
  const auto attempt = static_cast<std::uint64_t>(request.job->attempt);
  if (!request.queues() || leg.race != Race::first_boot) return attempt;
  const auto& places = leg.candidates[index(request.job->job.shape)];
  const auto place = std::ranges::find(places, request.candidate.pool, &Candidate::pool) - places.begin();
  return attempt + static_cast<std::uint64_t>(place) * kPlaces;
}

/// R11.5, R11.8, R11.9: Phase 1: the work of the lease begins, before that of its rivals.
void Run::win_race(Lease& winner) {
  JobState& job = *winner.job;
  note("first boot: won");
  if (winner.leaving) note("first boot: won while leaving");
  job.races = false;
  for (auto lease = leases_.rbegin(); lease != leases_.rend(); ++lease) {
    if (lease->open() && lease->job == &job && &*lease != &winner) lose_race(*lease);
  }
  if (winner.end.at == now_) {
    note("first boot: won at its end");
    winner.leaving = true;
    winner.end = from_now(SimDuration::zero());
  }
  if (has_open_request(job)) note("first boot: won against open requests");
  withdraw(Fate::lost, [&](const Request& one) { return one.job == &job; });
}

/// R11.7: It ends in the next round, whatever else was to become of it.
void Run::lose_race(Lease& lease) {
  note("first boot: lost");
  if (lease.batches.front().delayed) note("first boot: lost while delayed");
  if (lease.leaving) note("first boot: lost while leaving");
  leave(lease);
  lease.saves_all = false;
  lease.ending = Ending::lost_race;
  lease.own_end = now_;
  lease.stops = std::min(lease.stops, now_);
  lease.first_work = Due{};
  lease.end = from_now(SimDuration::zero());
}

}  // namespace stockout::reference
