#include "models/simulation/lives/spreads.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/consumption/zone_spread.h"
#include "models/simulation/lives/partial_state.h"

namespace stockout {
namespace {

// `machines` of those of the place.
Candidate share_of(const Candidate& place, std::int64_t machines, Rate rate) {
  Candidate share = place;
  share.gpus = place.gpus_of_each() * machines;
  share.unused = GpuCount{place.unused.count() / place.machines() * machines};
  share.parts[0].machines = static_cast<std::int32_t>(machines);
  share.least = 0;
  share.rate_ppm = rate;
  return share;
}

// All work at the pace of the slowest; fewer machines do their part of it.
Rate rate_of(const std::vector<const Candidate*>& places, const std::vector<std::int64_t>& taken) {
  Rate slowest = std::numeric_limits<Rate>::max();
  std::int64_t machines = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] > 0) slowest = std::min(slowest, places[i]->rate_ppm);
    machines += taken[i];
  }
  const std::int64_t part = std::int64_t{slowest} * machines / places.front()->machines();
  return static_cast<Rate>(std::max(std::int64_t{1}, part));
}

}  // namespace

std::vector<Candidate> Spreads::shares_of(const Request& request,
                                          const std::function<GpuCount(const PoolState&)>& room) const {
  const auto& places = route_.usable(tables_.jobs[request.job], request.leg_number);
  const std::int64_t machines = request.candidate->machines();
  std::vector<std::int64_t> free;
  for (const Candidate* place : places) {
    const GpuCount gpus = std::max(GpuCount{0}, room(books_.pool(place->pool)));
    free.push_back(machines_that_fit(gpus, place->gpus_of_each(), machines, 1));
  }
  const std::vector<std::int64_t> taken =
      spread_machines(request.leg->spread, free, request.candidate->least_machines(), machines);
  if (taken.empty()) return {};
  const Rate rate = rate_of(places, taken);
  std::vector<Candidate> shares;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] > 0) shares.push_back(share_of(*places[i], taken[i], rate));
  }
  return shares;
}

SpreadSlot Spreads::add(std::vector<Candidate> shares) {
  const SpreadSlot slot = gangs_.add();
  gangs_[slot].shares = std::move(shares);
  return slot;
}

void Spreads::join(SpreadSlot slot, LeaseSlot entered) {
  SpreadGang& gang = gangs_[slot];
  Lease& lease = books_.leases()[entered];
  lease.parts.spread = slot;
  lease.asked.first_machine = static_cast<std::uint32_t>(gang.machines);
  gang.machines += lease.asked.candidate->machines();
  gang.leases.push_back(entered);
  ++gang.open;
}

void Spreads::leave(SpreadSlot slot) {
  if (--gangs_[slot].open == 0) gangs_.remove(slot);
}

bool Spreads::note_started(SpreadSlot slot, SimTime up) {
  SpreadGang& gang = gangs_[slot];
  gang.up = gang.started == 0 ? up : std::max(gang.up, up);
  return ++gang.started == gang.leases.size();
}

GpuCount Spreads::gpus_used(SpreadSlot slot) const {
  GpuCount gpus{};
  for (const Candidate& share : gangs_[slot].shares) gpus += share.gpus - share.unused;
  return gpus;
}

void Spreads::follow_leader(SpreadSlot slot) {
  const std::vector<LeaseSlot>& leases = gangs_[slot].leases;
  const Lease& leader = books_.leases()[leases.front()];
  for (const LeaseSlot each : leases) {
    Lease& lease = books_.leases()[each];
    lease.times.working = leader.times.working;
    lease.times.ends = leader.times.ends;
    lease.times.stops = leader.times.stops;
    lease.ending.by = leader.ending.by;
    lease.ending.saves = leader.ending.saves;
    lease.ending.interrupted = leader.ending.interrupted;
  }
}

}  // namespace stockout
