#include <algorithm>
#include <numeric>

#include "tests/support/reference/run.h"

// Section 10: gangs that are placed in several pools.
namespace stockout::reference {

/// R10.33: So many machines will do.
static std::int64_t least_of_gang(const Candidate& candidate) {
  return candidate.least > 0 ? candidate.least : candidate.machines();
}

/// R10.33: All of it in all of them, at the best of times.
bool Run::could_ever_spread(const Leg& leg, const std::vector<Candidate>& places) const {
  std::int64_t left = least_of_gang(places.front());
  for (const Candidate& place : places) {
    std::int64_t gpus = most_ever(leg, index(place.pool));
    for (; left > 0 && gpus >= place.gpus_of_each().count(); gpus -= place.gpus_of_each().count()) --left;
  }
  return left == 0;
}

/// R10.34, R10.35: Machines for each of the places; nothing: there are too few.
std::vector<std::int64_t> Run::spread_over(const Request& request, const std::vector<Candidate>& places) {
  const std::int64_t all = request.candidate.machines();
  std::vector<std::int64_t> free;
  for (const Candidate& place : places) {
    const std::int64_t room = room_for(request_for(*request.job, request.leg, place));
    free.push_back(std::clamp(room / place.gpus_of_each().count(), std::int64_t{0}, all));
  }
  const std::int64_t found = std::reduce(free.begin(), free.end());
  if (found < least_of_gang(request.candidate)) return {};
  if (found < all) note("spread: with fewer machines");
  std::vector<std::int64_t> taken(places.size());
  std::int64_t left = std::min(all, found);
  if (leg_of(request).spread == Spread::balanced) {
    for (std::int64_t layer = 1; left > 0; ++layer) {  // of one machine in each place that has so many
      for (std::size_t i = 0; i < places.size() && left > 0; ++i) {
        if (free[i] >= layer) taken[i] += std::min<std::int64_t>(left--, 1);
      }
    }
    return taken;
  }
  std::vector<std::size_t> roomiest(places.size());
  std::iota(roomiest.begin(), roomiest.end(), std::size_t{0});
  std::ranges::stable_sort(roomiest, std::ranges::greater{}, [&](std::size_t i) { return free[i]; });
  for (const std::size_t i : roomiest) {
    taken[i] = std::min(left, free[i]);
    left -= taken[i];
  }
  return taken;
}

/// R10.34, R10.36: False: it is refused.
bool Run::grant_spread(Request& request) {
  const std::vector<Candidate> places = possible(*request.job, request.leg);
  const std::vector<std::int64_t> taken = spread_over(request, places);
  if (taken.empty()) return false;
  request.close(Fate::granted, now_);
  std::int64_t slowest = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const std::int64_t rate = places[i].rate_ppm;
    if (taken[i] > 0) slowest = slowest == 0 ? rate : std::min(slowest, rate);
  }
  const std::int64_t machines = std::reduce(taken.begin(), taken.end());
  slowest = std::max<std::int64_t>(1, slowest * machines / request.candidate.machines());
  const std::int64_t gang = gangs_++;
  std::uint64_t before = 0;
  std::vector<Lease*> shares;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (taken[i] == 0) continue;
    Lease& lease = leases_.emplace_back();
    static_cast<Asked&>(lease) = request_for(*request.job, request.leg, places[i]);
    Candidate& share = lease.candidate;
    share.gpus = share.gpus_of_each() * taken[i];
    share.unused = GpuCount{share.unused.count() / share.machines() * taken[i]};
    share.parts[0].machines = static_cast<std::int32_t>(taken[i]);
    share.rate_ppm = static_cast<Rate>(slowest);
    lease.granted = now_;
    lease.gang = gang;
    lease.is_led = before > 0;
    lease.machines_before = before;
    before += static_cast<std::uint64_t>(taken[i]);
    job_is_granted(request, lease);
    shares.push_back(&lease);
  }
  note(shares.size() > 1 ? "spread: over several places" : "spread: in one place");
  if (shares.size() > 1 && leg_of(request).spread == Spread::balanced) note("spread: balanced");
  for (Lease* share : shares) add_batch(*share, share->candidate.machines());
  return true;
}

/// In order of places: itself, if it belongs to none.
std::vector<Lease*> Run::leases_of_gang(Lease& of) {
  if (of.gang < 0) return {&of};
  std::vector<Lease*> leases;
  for (Lease& lease : leases_) {
    if (lease.gang == of.gang) leases.push_back(&lease);
  }
  return leases;
}

std::vector<const Lease*> Run::leases_of_gang(const Lease& of) const {
  if (of.gang < 0) return {&of};
  std::vector<const Lease*> leases;
  for (const Lease& lease : leases_) {
    if (lease.gang == of.gang) leases.push_back(&lease);
  }
  return leases;
}

/// R10.38: It has been reclaimed, and the others go with it.
void Run::leave_along_with(Lease& lease) {
  for (Lease* other : leases_of_gang(lease)) {
    if (other == &lease) continue;
    note("spread: leaves along with another");
    if (other->batches.front().delayed) note("spread: leaves along while delayed");
    leave(*other);
    other->goes_along = true;
    touch(other->pool);
  }
}

}  // namespace stockout::reference
