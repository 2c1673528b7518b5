#include <algorithm>

#include "tests/support/reference/run.h"

// Section 3: which legs a job may use, which of a leg's places could ever hold it, and in which order it
// asks them.
namespace stockout::reference {
namespace {

bool cheaper(const PriceForWork& a, const PriceForWork& b) { return a.an_hour * b.rate < b.an_hour * a.rate; }

}  // namespace

/// R3.1, R17.7: Those open to the job, as listed.
std::vector<std::size_t> Run::open_legs(const JobState& job) const {
  std::vector<std::size_t> legs;
  for (std::size_t l = 0; l < job.strategy->legs.size(); ++l) {
    const bool is_of_flavor = job.flavor_legs.empty() || std::ranges::count(job.flavor_legs, l) > 0;
    if (is_of_flavor && job.strategy->legs[l].open_to(job.job.job_class)) legs.push_back(l);
  }
  return legs;
}

/// R3.6, R3.7, R3.10: An attempt begins at the first leg: the order of legs is settled.
void Run::order_legs(JobState& job) {
  job.legs = open_legs(job);
  if (!job.strategy->cheapest_first) return;
  std::ranges::stable_sort(job.legs, [&](std::size_t a, std::size_t b) {
    const auto price_a = least_price(job, a);
    const auto price_b = least_price(job, b);
    if (!price_a || !price_b) return price_a && !price_b;
    return cheaper(*price_a, *price_b);
  });
  if (job.legs != open_legs(job)) note("price: legs in another order");
}

/// R3.10, R13.11: The next in the attempt's order, or kNone.
std::size_t Run::leg_after(const JobState& job, std::size_t leg) const {
  const auto here = std::ranges::find(job.legs, leg);
  return here == job.legs.end() || here + 1 == job.legs.end() ? kNone : *(here + 1);
}

/// R3.12: What is paid now for an hour of a use of the line; nothing if it is paid for anyway.
std::int64_t Run::paid_now(const PriceLine& line) const {
  std::int64_t price = 0;
  for (const PriceStep& step : line.steps) {
    if (step.from <= now_) price = step.contracted.count();
  }
  return line.charge == Charge::direct ? price : 0;
}

/// R3.8: What the candidate's machines cost now, for the work that they do. Held ones cost nothing but a
/// fee for their use.
PriceForWork Run::price_of(const Candidate& candidate) const {
  PriceForWork price{.an_hour = 0, .rate = candidate.rate_ppm};
  for (const Part& part : candidate.parts) {
    if (part.machines == 0) continue;
    const PriceLine& line = world_.price_lines[index(part.line.value())];
    price.an_hour += part.machines * paid_now(line);
    if (line.fee) price.an_hour += part.machines * paid_now(world_.price_lines[index(*line.fee)]);
  }
  return price;
}

/// R3.6, R3.9: The price of the leg, if it has a usable candidate.
std::optional<PriceForWork> Run::least_price(const JobState& job, std::size_t leg) const {
  std::optional<PriceForWork> least;
  for (const Candidate& candidate : possible(job, leg)) {
    const PriceForWork price = price_of(candidate);
    if (!least || cheaper(price, *least)) least = price;
  }
  return least;
}

/// R3.11: The leg's candidates that could ever hold the job, in the order in which an at-once leg asks
/// them.
std::vector<Candidate> Run::places_in_order(const JobState& job, std::size_t leg) {
  std::vector<Candidate> places = possible(job, leg);
  // R10.32: the first stands for all.
  if (!places.empty() && may_spread(job.strategy->legs[leg], places.front())) return {places.front()};
  if (!job.strategy->cheapest_first || places.empty()) return places;
  const PoolId first_listed = places.front().pool;
  std::ranges::stable_sort(places, cheaper, [this](const Candidate& place) { return price_of(place); });
  if (places.front().pool != first_listed) note("price: places in another order");
  return places;
}

/// R3.2, R3.5: The leg's candidates that could ever hold the job, as listed.
std::vector<Candidate> Run::possible(const JobState& job, std::size_t l) const {
  const Leg& leg = job.strategy->legs[l];
  std::vector<Candidate> candidates;
  for (const Candidate& candidate : leg.candidates[index(job.job.shape)]) {
    if (has_too_many_machines(leg, candidate) || !could_ever_hold(leg, candidate)) continue;
    if (job.recorded && !could_ever_have_quota(candidate, leg.policy.lease_class)) continue;
    candidates.push_back(candidate);
  }
  const bool spreads = !candidates.empty() && may_spread(leg, candidates.front());
  if (spreads && !could_ever_spread(leg, candidates)) candidates.clear();
  return candidates;
}

/// R3.2: GPUs of a zone pool for the leg's class.
std::int64_t Run::most_ever(const Leg& leg, std::size_t p) const {
  const std::size_t source = source_of(p, leg.policy.lease_class);
  if (source == kNone) return kNoLimit;
  const CapacitySource& capacity = pool_of(p).capacity[source];
  GpuCount most = capacity.chain == nullptr ? GpuCount{} : capacity.chain->levels.back().gpus;
  for (const CapacityStep& step : capacity.steps) most = std::max(most, step.gpus);
  return most.count();
}

/// R3.2.
bool Run::could_ever_hold(const Leg& leg, const Candidate& candidate) const {
  const std::size_t p = index(candidate.pool);
  if (is_held(p)) return is_bought(p) && !is_over(p) && candidate.gpus <= held_pool(p).gpus;
  GpuCount wanted = is_partial(leg, candidate) ? candidate.gpus_of_each() * candidate.least : candidate.gpus;
  if (may_spread(leg, candidate)) wanted = candidate.gpus_of_each();
  if (wanted.count() > most_ever(leg, p)) return false;
  const auto& hosts = pool_of(p).placement;
  return !hosts || put_on_hosts(*hosts, leg.compact, empty_hosts(*hosts), candidate);
}

}  // namespace stockout::reference
