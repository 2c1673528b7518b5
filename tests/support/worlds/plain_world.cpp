#include "tests/support/worlds/plain_world.h"

#include <algorithm>
#include <memory>

#include "tests/support/random_choice.h"
#include "tests/support/worlds/random_world.h"

namespace stockout::test {
namespace {

bool is_zone_leg(const World& world, const Leg& leg) {
  return !leg.policy.held && std::ranges::all_of(leg.candidates, [&](const auto& places) {
    return std::ranges::none_of(places, [&](const Candidate& place) { return world.is_held(place.pool); });
  });
}

void make_plain(const World& world, Leg& leg, Choice& choose) {
  if (!is_zone_leg(world, leg)) return;
  Policy& policy = leg.policy;
  const bool waits = policy.admission == Admission::queue && policy.lease_class != LeaseClass::spot;
  if (!waits) policy.lease_class = LeaseClass::flex;  // what queues of zone pools grant
  policy.admission = Admission::queue;
  policy.name = "plain";  // rows of one name have the same bound on open requests
  policy.max_wait = kForever;
  policy.open_max = 0;
  policy.lifetime = {.a = kForever};
  policy.provisioning = {.a = SimDuration{choose.number(0, 2) * 600'000}};
  policy.start_up = {.a = SimDuration{choose.number(0, 2) * 300'000}};
  policy.health = {};
  leg.limit = kForever;
  leg.keep = false;
  leg.race = Race::first_grant;
  leg.partial.reset();
  leg.node_group.reset();
  leg.spread = Spread::any_single_zone;
  const auto place = static_cast<std::size_t>(choose.number(0, 1));
  for (auto& places : leg.candidates) {
    if (places.size() > 1) places = {places[std::min(place, places.size() - 1)]};
    for (Candidate& candidate : places) candidate.least = 0;
  }
}

void make_plain(const World& world, Strategy& strategy, Choice& choose) {
  if (!choose.chance(80)) return;
  strategy.cheapest_first = false;
  strategy.deadline_rule.reset();
  make_plain(world, strategy.legs.front(), choose);
}

// Nobody gives up of himself.
void make_patient(Demand& demand) {
  if (auto* trace = std::get_if<TraceDemand>(&demand)) {
    auto jobs = std::make_shared<JobColumns>(*trace->jobs);
    jobs->max_wait.clear();
    trace->jobs = jobs;
  } else {
    std::get<SyntheticDemand>(demand).max_wait = {.a = kForever};
  }
}

}  // namespace

World plain_world(std::uint64_t seed) {
  World world = random_world(seed);
  Choice choose{seed ^ 0x9e3779b97f4a7c15ULL};
  for (Pool& pool : world.pools) {
    if (choose.chance(80)) pool.hold_for_head = false;
    if (choose.chance(80)) pool.faults.clear();
  }
  for (Source& source : world.sources) {
    if (choose.chance(80)) make_patient(source.demand);
    for (Strategy& tenant : source.tenants) make_plain(world, tenant, choose);
  }
  for (Strategy& strategy : world.strategies) make_plain(world, strategy, choose);
  return world;
}

}  // namespace stockout::test
