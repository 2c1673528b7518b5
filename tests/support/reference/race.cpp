#include <algorithm>

#include "tests/support/reference/run.h"

// Several leases of one job, of which the first at work goes on.
namespace stockout::reference {

/// What stands for the attempt in the draws of a lease: rivals of one attempt draw apart, by their places.
std::uint64_t Run::draws_of(const Request& request) const {
  constexpr std::uint64_t kPlaces = std::uint64_t{1} << 24;
  const JobState& job = jobs_[request.job];
  const Leg& leg = leg_of(job, request.leg);
  const auto attempt = static_cast<std::uint64_t>(job.attempt);
  if (!request.queues || leg.race != Race::first_boot) return attempt;
  const auto& places = leg.candidates[index(job.job.shape)];
  std::uint64_t place = 0;
  while (places[place].pool != request.candidate.pool) ++place;
  return attempt + place * kPlaces;
}

/// Phase 1: the work of the lease begins, before that of its rivals.
void Run::win_race(std::size_t winner) {
  const std::size_t j = leases_[winner].job;
  note("first boot: won");
  if (leases_[winner].leaving) note("first boot: won while leaving");
  jobs_[j].races = false;
  leases_[winner].first_work = Due{};
  for (std::size_t l = leases_.size(); l-- > 0;) {
    if (leases_[l].open && leases_[l].job == j && l != winner) lose_race(leases_[l]);
  }
  if (leases_[winner].end.at == now_) {
    note("first boot: won at its end");
    leases_[winner].leaving = true;
    leases_[winner].end = from_now(SimDuration::zero());
  }
  if (has_open_request(j)) note("first boot: won against open requests");
  withdraw_siblings(j, kNone);
}

/// It ends in the next round, whatever else was to become of it.
void Run::lose_race(Lease& lease) {
  note("first boot: lost");
  if (lease.delayed) note("first boot: lost while delayed");
  if (lease.leaving) note("first boot: lost while leaving");
  lease.delayed = false;
  lease.leaving = true;
  lease.saves_all = false;
  lease.ending = Ending::lost_race;
  lease.own_end = now_;
  lease.stops = std::min(lease.stops, now_);
  lease.first_work = Due{};
  lease.end = from_now(SimDuration::zero());
}

/// Whether the job of a lease that has ended may still begin in another place of the same race.
bool Run::race_goes_on(const Lease& ended) const {
  if (!jobs_[ended.job].races) return false;
  return lease_of(ended.job) != kNone || has_open_request(ended.job, ended.leg);
}

}  // namespace stockout::reference
