#include <algorithm>
#include <optional>

#include "tests/support/reference/hosts.h"
#include "tests/support/reference/run.h"

// Which legs a job may use, which of a leg's places could ever hold it, and in which order it asks them.
namespace stockout::reference {
namespace {

std::int64_t machines_of(const Candidate& candidate) {
  return std::int64_t{candidate.parts[0].machines} + candidate.parts[1].machines;
}

bool too_many_machines(const Policy& policy, const Candidate& candidate) {
  return policy.machines_max != 0 && machines_of(candidate) > policy.machines_max;
}

bool cheaper(const PriceForWork& a, const PriceForWork& b) { return a.an_hour * b.rate < b.an_hour * a.rate; }

}  // namespace

/// Those open to the job's class, as listed.
std::vector<std::size_t> Run::open_legs(const JobState& job) const {
  std::vector<std::size_t> legs;
  for (std::size_t leg = 0; leg < job.strategy->legs.size(); ++leg) {
    if (leg_of(job, leg).open_to(job.job.job_class)) legs.push_back(leg);
  }
  return legs;
}

/// An attempt begins at the first leg: the order of legs is settled.
void Run::order_legs(JobState& job) {
  job.legs = open_legs(job);
  if (!job.strategy->cheapest_first) return;
  const std::vector<std::size_t> listed = job.legs;
  std::stable_sort(job.legs.begin(), job.legs.end(), [&](std::size_t a, std::size_t b) {
    const auto price_a = least_price(job, a);
    const auto price_b = least_price(job, b);
    if (!price_a || !price_b) return price_a && !price_b;
    return cheaper(*price_a, *price_b);
  });
  if (job.legs != listed) note("price: legs in another order");
}

/// kNone: none is open to the class.
std::size_t Run::first_leg(const JobState& job) const { return job.legs.empty() ? kNone : job.legs.front(); }

/// The next in the attempt's order, or kNone.
std::size_t Run::leg_after(const JobState& job, std::size_t leg) const {
  const auto here = std::find(job.legs.begin(), job.legs.end(), leg);
  return here == job.legs.end() || here + 1 == job.legs.end() ? kNone : *(here + 1);
}

/// What the candidate's machines cost now, for the work that they do. Held ones cost nothing.
PriceForWork Run::price_of(const Candidate& candidate) const {
  PriceForWork price{.an_hour = 0, .rate = candidate.rate_ppm};
  if (world_.is_held(candidate.pool)) return price;
  for (const Part& part : candidate.parts) {
    if (part.machines == 0) continue;
    std::int64_t of_one = 0;
    for (const PriceStep& step : world_.price_lines[index(part.line.value())].steps) {
      if (step.from <= now_) of_one = step.contracted.count();
    }
    price.an_hour += part.machines * of_one;
  }
  return price;
}

std::optional<PriceForWork> Run::least_price(const JobState& job, std::size_t leg) const {
  std::optional<PriceForWork> least;
  for (const Candidate& candidate : possible(job, leg)) {
    const PriceForWork price = price_of(candidate);
    if (!least || cheaper(price, *least)) least = price;
  }
  return least;
}

/// The leg's candidates that could ever hold the job, in the order in which an at-once leg asks them.
std::vector<Candidate> Run::places_in_order(const JobState& job, std::size_t leg) {
  std::vector<Candidate> places = possible(job, leg);
  if (!job.strategy->cheapest_first || places.empty()) return places;
  const PoolId first_listed = places.front().pool;
  std::stable_sort(places.begin(), places.end(), [this](const Candidate& a, const Candidate& b) {
    return cheaper(price_of(a), price_of(b));
  });
  if (places.front().pool != first_listed) note("price: places in another order");
  return places;
}

/// The leg's candidates that could ever hold the job.
std::vector<Candidate> Run::possible(const JobState& job, std::size_t leg) const {
  std::vector<Candidate> candidates;
  for (const Candidate& candidate : leg_of(job, leg).candidates[index(job.job.shape)]) {
    if (too_many_machines(leg_of(job, leg).policy, candidate)) continue;
    if (could_ever_hold(leg_of(job, leg), candidate)) candidates.push_back(candidate);
  }
  return candidates;
}

bool Run::could_ever_hold(const Leg& leg, const Candidate& candidate) const {
  const std::size_t p = index(candidate.pool);
  if (is_held(p)) {
    return pools_[p].bought && !is_over(p) && candidate.gpus.count() <= held_pool(p).gpus.count();
  }
  const Pool& pool = world_.pool(candidate.pool);
  const std::int64_t wanted =
      is_partial(leg, candidate) ? candidate.least * gpus_of_one(candidate) : candidate.gpus.count();
  const std::size_t source = source_of(p, leg.policy.lease_class);
  if (source != kNone) {
    std::int64_t most = 0;
    const CapacitySource& capacity = pool.capacity[source];
    for (const CapacityStep& step : capacity.steps) most = std::max(most, step.gpus.count());
    if (capacity.chain != nullptr) most = capacity.chain->levels.back().gpus.count();
    if (wanted > most) return false;
  }
  return !pool.placement ||
         put_on_hosts(*pool.placement, leg.compact, empty_hosts(*pool.placement), candidate);
}

bool Run::too_many_for_a_place(const JobState& job, std::size_t leg) const {
  const auto& wished = leg_of(job, leg).candidates[index(job.job.shape)];
  return std::any_of(wished.begin(), wished.end(), [&](const Candidate& candidate) {
    return too_many_machines(leg_of(job, leg).policy, candidate);
  });
}

bool Run::any_leg_possible(const JobState& job) const {
  const std::vector<std::size_t> legs = open_legs(job);
  return std::any_of(legs.begin(), legs.end(), [&](std::size_t leg) { return !possible(job, leg).empty(); });
}

}  // namespace stockout::reference
