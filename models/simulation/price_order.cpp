// Strategies that look at prices: legs, and places, by what the work costs there now.

#include <algorithm>
#include <array>

#include "models/simulation/run.h"

namespace stockout {
namespace {

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

// What is held is paid for whether it is used or not.
WorkPrice price_at(const World& world, const Candidate& candidate, SimTime at) {
  WorkPrice price{.per_hour = 0, .rate = candidate.rate_ppm};
  if (world.is_held(candidate.pool)) return price;
  for (const Part& part : candidate.parts) {
    if (part.machines == 0) continue;
    price.per_hour += Wide{price_of(world.price_lines[index(part.line.value())], at).count()} * part.machines;
  }
  return price;
}

}  // namespace

// Legs open to the job by the cheapest of their usable places, in four bits each; those without one last.
void Run::order_legs(JobSlot slot) {
  JobState& job = jobs_[slot];
  std::array<PricedLeg, kMostLegs> legs;
  std::size_t count = 0;
  for (std::size_t leg = 0; leg < job.strategy->legs.size(); ++leg) {
    if (!job.strategy->legs[leg].open_to(job.job.job_class)) continue;
    PricedLeg& priced = legs[count++];
    priced.leg = static_cast<std::uint8_t>(leg);
    for (const Candidate* candidate : usable(job, leg)) {
      if (is_over(candidate->pool)) continue;
      const WorkPrice price = price_at(world_, *candidate, now());
      if (!priced.is_usable || price < priced.price) priced.price = price;
      priced.is_usable = true;
    }
  }
  std::sort(legs.begin(), legs.begin() + static_cast<std::ptrdiff_t>(count));
  job.leg_order = ~std::uint64_t{0};
  while (count-- > 0) job.leg_order = job.leg_order << kLegBits | legs[count].leg;
}

std::size_t Run::first_leg(const JobState& job) const {
  if (!job.strategy->cheapest_first) return next_open_leg(job, 0);
  const std::uint64_t first = leg_at(job.leg_order, 0);
  return first == kNoLeg ? job.strategy->legs.size() : first;
}

// The leg to which the job passes on from the one it is in; as many as there are legs: none.
std::size_t Run::leg_after(const JobState& job) const {
  if (!job.strategy->cheapest_first) return next_open_leg(job, job.leg + 1U);
  unsigned number = 0;
  while (leg_at(job.leg_order, number) != job.leg) ++number;
  const std::uint64_t next = leg_at(job.leg_order, number + 1);
  return next == kNoLeg ? job.strategy->legs.size() : next;
}

std::size_t Run::next_open_leg(const JobState& job, std::size_t leg) {
  const std::vector<Leg>& legs = job.strategy->legs;
  while (leg < legs.size() && !legs[leg].open_to(job.job.job_class)) ++leg;
  return leg;
}

// The place of an at-once leg that is asked after `job.place`, or first; as many as there are places: none.
// There are few prices among many places: the next of the same price is looked for first.
std::size_t Run::next_place(const JobState& job, bool is_first) const {
  const auto& places = usable(job, job.leg);
  if (!job.strategy->cheapest_first) return is_first ? 0 : job.place + std::size_t{1};
  const auto priced = [&](std::size_t place) {
    return PricedPlace{.price = price_at(world_, *places[place], now()), .place = place};
  };
  const PricedPlace last = is_first ? PricedPlace{} : priced(job.place);
  for (std::size_t i = job.place + std::size_t{1}; !is_first && i < places.size(); ++i) {
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
