#include "models/simulation/books/route.h"

#include <algorithm>
#include <array>
#include <map>

#include "models/orchestrators/quota_books.h"
#include "models/simulation/books/host_books.h"
#include "models/simulation/books/pool_state.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

using MostEver = std::array<GpuCount, kLeaseClasses>;  // by LeaseClass

// The most GPUs a pool ever has for each class; less than none for a held pool that is not in this run.
std::vector<MostEver> most_ever(const World& world, const Strategy& strategy) {
  std::vector<MostEver> most(world.pool_count());
  for (MostEver& of_pool : most) of_pool.fill(PoolState::kUnlimitedRoom);
  for (std::size_t i = 0; i < world.pools.size(); ++i) {
    for (const CapacitySource& source : world.pools[i].capacity) {
      const GpuCount gpus = most_gpus(source);
      for (std::size_t c = 0; c < kLeaseClasses; ++c) {
        if (source.classes[c]) most[i][c] = gpus;
      }
    }
  }
  for (std::size_t i = 0; i < world.held.size(); ++i) most[world.pools.size() + i].fill(GpuCount{-1});
  for (const PoolId id : strategy.held) most[index(id)].fill(world.held_pool(id).gpus);
  return most;
}

// The hosts of pools with placement, as long as nobody is placed on them.
class EmptyHosts {
 public:
  explicit EmptyHosts(const World& world) {
    for (std::size_t i = 0; i < world.pools.size(); ++i) {
      const auto& placement = world.pools[i].placement;
      if (placement) hosts_.try_emplace(PoolId{static_cast<std::uint16_t>(i)}, *placement, world.begin);
    }
  }
  bool fit(const Candidate& candidate, const Leg& leg) {
    const auto hosts = hosts_.find(candidate.pool);
    return hosts == hosts_.end() ||
           hosts->second.fits(leg.policy.lease_class, candidate.footprint(leg.compact));
  }

 private:
  std::map<PoolId, HostBooks> hosts_;
};

GpuCount least_gpus(const Leg& leg, const Candidate& candidate) {
  if (leg.spreads(candidate)) return candidate.gpus_of_each();
  if (!leg.partial || candidate.least == 0) return candidate.gpus;
  return candidate.gpus_of_each() * candidate.least;
}

// Whether the places together ever have the machines of a gang that may be spread.
bool could_spread(const std::vector<const Candidate*>& places, const std::vector<MostEver>& most,
                  std::size_t lease_class) {
  std::int64_t machines = 0;
  for (const Candidate* place : places) {
    const GpuCount room = most[index(place->pool)][lease_class];
    machines += std::min(place->machines(), room.count() / place->gpus_of_each().count());
  }
  return machines >= places.front()->least_machines();
}

// `quotas`: those that the leg's jobs take from; none: nullptr.
std::vector<std::vector<const Candidate*>> usable_of(const std::vector<MostEver>& most, const Leg& leg,
                                                     EmptyHosts& hosts, const QuotaBooks* quotas) {
  const auto lease_class = static_cast<std::size_t>(leg.policy.lease_class);
  std::vector<std::vector<const Candidate*>> usable(leg.candidates.size());
  for (std::size_t shape = 0; shape < leg.candidates.size(); ++shape) {
    for (const Candidate& candidate : leg.candidates[shape]) {
      const bool is_small = leg.policy.machines_max == 0 || candidate.machines() <= leg.policy.machines_max;
      const bool fits =
          least_gpus(leg, candidate) <= most[index(candidate.pool)][lease_class] && hosts.fit(candidate, leg);
      const bool is_allowed =
          quotas == nullptr || quotas->could_ever_have_room(candidate, leg.policy.lease_class);
      if (is_small && fits && is_allowed) usable[shape].push_back(&candidate);
    }
    auto& places = usable[shape];
    if (places.empty() || !leg.spreads(*places.front())) continue;
    if (!could_spread(places, most, lease_class)) places.clear();
  }
  return usable;
}

__extension__ using Wide = __int128;

/// Nano-dollars per hour on machines that do the job's work at `rate`.
struct WorkPrice {
  Wide per_hour = 0;
  Rate rate = kReferenceRate;

  // Rates are positive; with at most 2^31 machines at 2^50 each and rates below 2^32 nothing overflows.
  friend bool operator<(const WorkPrice& a, const WorkPrice& b) {
    return a.per_hour * b.rate < b.per_hour * a.rate;
  }
};

/// A leg of a job, as it is put in order.
struct PricedLeg {
  std::uint8_t leg = 0;
  bool is_usable = false;
  WorkPrice price{};

  friend bool operator<(const PricedLeg& a, const PricedLeg& b) {
    if (a.is_usable != b.is_usable) return a.is_usable;
    if (a.is_usable && (a.price < b.price || b.price < a.price)) return a.price < b.price;
    return a.leg < b.leg;
  }
};

/// A place in the order in which an at-once leg asks: the cheapest first, equal ones as listed.
struct PricedPlace {
  WorkPrice price{};
  std::size_t place = 0;

  friend bool operator<(const PricedPlace& a, const PricedPlace& b) {
    if (a.price < b.price || b.price < a.price) return a.price < b.price;
    return a.place < b.place;
  }
};

constexpr unsigned kLegBits = 4;
constexpr std::uint64_t kNoLeg = kMostLegs;  // fills the order behind the last leg

std::uint64_t leg_at(std::uint64_t order, unsigned number) { return order >> number * kLegBits & kNoLeg; }

MachineHourPrice price_of(const PriceLine& line, SimTime at) {
  const auto after = std::ranges::upper_bound(line.steps, at, {}, &PriceStep::from);
  STOCKOUT_CHECK(after != line.steps.begin());
  return std::prev(after)->contracted;
}

// What is held is paid for whether it is used or not; a fee may be paid for its use.
Wide price_of_use(const World& world, const PriceLine& line, SimTime at) {
  Wide price = 0;
  if (line.charge == Charge::direct) price += price_of(line, at).count();
  if (!line.fee) return price;
  const PriceLine& fee = world.price_lines[index(*line.fee)];
  if (fee.charge == Charge::direct) price += price_of(fee, at).count();
  return price;
}

WorkPrice price_at(const World& world, const Candidate& candidate, SimTime at) {
  WorkPrice price{.per_hour = 0, .rate = candidate.rate_ppm};
  for (const Part& part : candidate.parts) {
    if (part.machines == 0) continue;
    price.per_hour += price_of_use(world, world.price_lines[index(part.line.value())], at) * part.machines;
  }
  return price;
}

std::size_t next_open_leg(const JobState& job, std::size_t leg) {
  const std::size_t legs = job.route.strategy->legs.size();
  while (leg < legs && !job.may_use(leg)) ++leg;
  return leg;
}

}  // namespace

Route::Route(const World& world, const Strategy& strategy, const Agenda& agenda)
    : world_{world}, agenda_{agenda}, shapes_{world.shapes.size()}, is_closed_(world.pool_count()) {
  strategies_.push_back(&strategy);
  for (const Source& source : world.sources) {
    tenants_of_.push_back(static_cast<std::uint32_t>(strategies_.size()));
    for (const Strategy& tenant : source.tenants) strategies_.push_back(&tenant);
  }
  const std::vector<MostEver> most = most_ever(world, strategy);
  EmptyHosts hosts{world};
  const QuotaBooks quotas{world, strategy};
  for (const Strategy* each : strategies_) {
    first_usable_.push_back(static_cast<std::uint32_t>(usable_.size()));
    std::size_t places = 0;
    for (const Leg& leg : each->legs) {
      STOCKOUT_CHECK(leg.candidates.size() == world.shapes.size(), "a leg does not know every shape");
      std::size_t longest = 1;
      for (auto& candidates : usable_of(most, leg, hosts, each == &strategy ? &quotas : nullptr)) {
        longest = std::max(longest, candidates.size());
        usable_.push_back(std::move(candidates));
      }
      places += longest;
    }
    most_places_ = std::max(most_places_, places);
  }
}

void Route::assign(JobState& job, std::uint32_t strategy) const {
  job.route.number = strategy;
  job.route.strategy = strategies_[strategy];
  job.route.usable = first_usable_[strategy];
}

bool Route::is_usable(const JobState& job, std::size_t leg) const {
  if (world_.held.empty()) return !usable(job, leg).empty();
  return std::ranges::any_of(usable(job, leg),
                             [this](const Candidate* candidate) { return !is_over(candidate->pool); });
}

bool Route::is_possible(const JobState& job) const {
  for (std::size_t leg = 0; leg < job.route.strategy->legs.size(); ++leg) {
    if (job.may_use(leg) && is_usable(job, leg)) return true;
  }
  return false;
}

// Legs open to the job by the cheapest of their usable places, in four bits each; those without one last.
void Route::order_legs(JobState& job) const {
  if (!job.route.strategy->cheapest_first) return;
  std::array<PricedLeg, kMostLegs> legs;
  std::size_t count = 0;
  for (std::size_t leg = 0; leg < job.route.strategy->legs.size(); ++leg) {
    if (!job.may_use(leg)) continue;
    PricedLeg& priced = legs[count++];
    priced.leg = static_cast<std::uint8_t>(leg);
    for (const Candidate* candidate : usable(job, leg)) {
      if (is_over(candidate->pool)) continue;
      const WorkPrice price = price_at(world_, *candidate, agenda_.now());
      if (!priced.is_usable || price < priced.price) priced.price = price;
      priced.is_usable = true;
    }
  }
  std::sort(legs.begin(), legs.begin() + static_cast<std::ptrdiff_t>(count));
  job.route.leg_order = ~std::uint64_t{0};
  while (count-- > 0) job.route.leg_order = job.route.leg_order << kLegBits | legs[count].leg;
}

std::size_t Route::first_leg(const JobState& job) const {
  if (!job.route.strategy->cheapest_first) return next_open_leg(job, 0);
  const std::uint64_t first = leg_at(job.route.leg_order, 0);
  return first == kNoLeg ? job.route.strategy->legs.size() : first;
}

std::size_t Route::leg_after(const JobState& job) const {
  if (!job.route.strategy->cheapest_first) return next_open_leg(job, job.asks.leg + 1U);
  unsigned number = 0;
  while (leg_at(job.route.leg_order, number) != job.asks.leg) ++number;
  const std::uint64_t next = leg_at(job.route.leg_order, number + 1);
  return next == kNoLeg ? job.route.strategy->legs.size() : next;
}

std::size_t Route::first_place(const JobState& job) const {
  return job.route.strategy->cheapest_first && !is_spread(job) ? cheapest_place(job, true) : 0;
}

std::size_t Route::place_after(const JobState& job) const {
  if (is_spread(job)) return usable(job, job.asks.leg).size();
  return job.route.strategy->cheapest_first ? cheapest_place(job, false) : job.asks.place + std::size_t{1};
}

bool Route::is_spread(const JobState& job) const {
  return job.route.strategy->legs[job.asks.leg].spreads(*usable(job, job.asks.leg).front());
}

// The first of all, or the next after the job's place.
// There are few prices among many places: the next of the same price is looked for first.
std::size_t Route::cheapest_place(const JobState& job, bool is_first) const {
  const auto& places = usable(job, job.asks.leg);
  const auto priced = [&](std::size_t place) {
    return PricedPlace{.price = price_at(world_, *places[place], job.asks.entered), .place = place};
  };
  const PricedPlace last = is_first ? PricedPlace{} : priced(job.asks.place);
  for (std::size_t i = job.asks.place + std::size_t{1}; !is_first && i < places.size(); ++i) {
    const WorkPrice price = priced(i).price;
    if (!(price < last.price) && !(last.price < price)) return i;
  }
  std::size_t next = places.size();
  PricedPlace least;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const PricedPlace place = priced(i);
    if (!is_first && !(last < place)) continue;
    if (next != places.size() && !(place < least)) continue;
    next = i;
    least = place;
  }
  return next;
}

}  // namespace stockout
