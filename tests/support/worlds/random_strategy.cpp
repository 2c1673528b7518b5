#include "tests/support/worlds/random_strategy.h"

#include <algorithm>

#include <fmt/format.h>

namespace stockout::test {

using namespace std::chrono_literals;

Strategy StrategyMaker::make(bool tenant, Theme theme) {
  Strategy strategy;
  is_tenant_ = tenant;
  strategy.name = tenant ? "tenant" : "tested";
  std::vector<PoolId> zones;
  for (std::size_t p = 0; p < world_.pools.size(); ++p)
    zones.push_back(PoolId{static_cast<std::uint16_t>(p)});
  for (std::size_t p = world_.pools.size(); !tenant && p < world_.pool_count(); ++p) {
    if (choice_.chance(90)) strategy.held.push_back(PoolId{static_cast<std::uint16_t>(p)});
  }
  const auto holding = [&strategy](Strategy chosen) {
    chosen.held = strategy.held;
    return chosen;
  };
  if (theme == Theme::deadline || choice_.chance(5)) return holding(by_deadline(zones));
  if (theme == Theme::keep) return holding(kept_and_retried(zones));
  if (theme == Theme::held && !strategy.held.empty()) return held_first(strategy.held, zones);
  if (choice_.chance(20)) return holding(spot_among_others(zones));
  const std::int64_t legs = choice_.one_of<std::int64_t>({1, 1, 2, 2, 3, 4});
  for (std::int64_t i = 0; i < legs; ++i) {
    const bool held = !strategy.held.empty() && choice_.chance(i == 0 ? 70 : 25);
    strategy.legs.push_back(leg(held ? strategy.held : zones, held));
    strategy.legs.back().label = fmt::format("leg {}", i);
  }
  if (choice_.chance(20)) strategy.resubmission = resubmission();
  return strategy;
}

/// Some job classes on spot, with room to be reclaimed in parts, the others on what reclaims it.
Strategy StrategyMaker::spot_among_others(const std::vector<PoolId>& zones) {
  Strategy strategy;
  strategy.name = "spot among others";
  for (const LeaseClass lease_class :
       {LeaseClass::spot, LeaseClass::spot, LeaseClass::on_demand, LeaseClass::flex}) {
    Leg added = leg(zones, /*held=*/false);
    added.label = fmt::format("leg {}", strategy.legs.size());
    added.policy.lease_class = lease_class;
    added.policy.admission = lease_class == LeaseClass::flex ? Admission::queue : Admission::at_once;
    added.policy.run_max = kForever;
    added.keep = false;
    added.classes.clear();
    for (std::size_t c = 0; c < world_.classes.size(); ++c) added.classes.push_back(choice_.chance(50));
    strategy.legs.push_back(added);
  }
  return strategy;
}

/// Cheap and safe, and a rule that chooses.
Strategy StrategyMaker::by_deadline(const std::vector<PoolId>& zones) {
  Strategy strategy;
  strategy.name = "by deadline";
  for (const LeaseClass lease_class : {LeaseClass::spot, LeaseClass::on_demand}) {
    Leg added = leg(zones, /*held=*/false);
    added.label = fmt::format("leg {}", strategy.legs.size());
    if (choice_.chance(85)) added.policy.lease_class = lease_class;
    added.policy.admission = Admission::at_once;
    if (choice_.chance(80)) added.policy.run_max = kForever;
    if (choice_.chance(80)) added.policy.machines_max = 0;
    added.keep = false;
    if (choice_.chance(80)) added.classes.clear();
    strategy.legs.push_back(added);
  }
  strategy.deadline_rule = {.tick = choice_.one_of<SimDuration>({unit_, unit_, 2 * unit_, 3 * unit_}),
                            .overhead = choice_.one_of<SimDuration>({0ms, unit_ / 2, unit_})};
  return strategy;
}

/// A queue whose requests are kept while spot is tried again and again.
Strategy StrategyMaker::kept_and_retried(const std::vector<PoolId>& zones) {
  Strategy strategy;
  strategy.name = "kept and retried";
  for (const Admission admission : {Admission::queue, Admission::at_once}) {
    Leg added = leg(zones, /*held=*/false);
    added.label = fmt::format("leg {}", strategy.legs.size());
    added.policy.admission = admission;
    added.policy.lease_class = admission == Admission::queue ? LeaseClass::flex : LeaseClass::spot;
    added.keep = admission == Admission::queue;
    added.limit = units(1, 4);
    added.policy.max_wait = units(2, 12);
    added.policy.retries = kUnlimited;
    added.policy.retry_interval = units(1, 2);
    added.classes.clear();
    strategy.legs.push_back(added);
  }
  return strategy;
}

/// Held pools, waited for with patience, and something else behind them.
Strategy StrategyMaker::held_first(const std::vector<PoolId>& held, const std::vector<PoolId>& zones) {
  Strategy strategy;
  strategy.name = "held first";
  strategy.held = held;
  const std::int64_t legs = choice_.number(1, 3);
  for (std::int64_t i = 0; i < legs; ++i) {
    const bool here = i == 0 || choice_.chance(40);
    Leg added = leg(here ? held : zones, here);
    added.label = fmt::format("leg {}", i);
    if (choice_.chance(70)) added.policy.run_max = kForever;
    if (choice_.chance(70)) added.policy.max_wait = kForever;
    if (choice_.chance(60)) added.limit = kForever;
    if (i == 0) added.policy.machines_max = 0;
    if (i == 0) added.classes.clear();
    strategy.legs.push_back(added);
  }
  if (choice_.chance(20)) strategy.resubmission = resubmission();
  return strategy;
}

HealthTest StrategyMaker::health() {
  return {.takes = choice_.one_of<SimDuration>({0ms, unit_ / 2, unit_}),
          .fails_ppm = choice_.one_of<std::int32_t>({0, 200'000, 500'000}),
          .replace = units(0, 2)};
}

Law StrategyMaker::law() {
  switch (choice_.number(0, 10)) {
    case 0:
      return {.kind = Law::Kind::uniform, .a = unit_, .b = 3 * unit_};
    case 1:
      return {.kind = Law::Kind::exponential, .a = 2 * unit_, .most = 20 * unit_};
    case 2:
      return {.kind = Law::Kind::lognormal, .a = 2 * unit_, .sigma = 0.5};
    case 3:
      return {.kind = Law::Kind::weibull, .a = 2 * unit_, .sigma = 1.5};
    case 4:
    case 5:
      return {.a = units(1, 2)};
    default:
      return {};
  }
}

/// Of machines: of the length of a few jobs.
Law StrategyMaker::lifetime() {
  switch (choice_.number(0, 5)) {
    case 0:
    case 1:
      return {.a = units(1, 8)};
    case 2:
      return {.kind = Law::Kind::uniform, .a = unit_, .b = 9 * unit_};
    case 3:
      return {.kind = Law::Kind::exponential, .a = 6 * unit_};
    case 4:
      return {.kind = Law::Kind::weibull, .a = 6 * unit_, .sigma = choice_.chance(50) ? 0.7 : 2.0};
    default:
      return {.kind = Law::Kind::lognormal, .a = 4 * unit_, .sigma = 0.8, .most = 10 * unit_};
  }
}

Policy StrategyMaker::policy(bool held) {
  using enum LeaseClass;
  Policy policy;
  policy.held = held;
  policy.lease_class =
      held ? reserved : choice_.one_of<LeaseClass>({on_demand, on_demand, flex, flex, spot, spot, spot});
  if (!held && choice_.chance(4)) policy.lease_class = reserved;
  policy.admission =
      held || (policy.lease_class == flex && choice_.chance(85)) ? Admission::queue : Admission::at_once;
  policy.name = std::string{kLeaseClassNames[static_cast<std::size_t>(policy.lease_class)]};
  if (policy.admission == Admission::queue && choice_.chance(50)) policy.max_wait = units(0, 8);
  policy.notice = choice_.one_of<SimDuration>({0ms, 0ms, 30s, 3 * unit_, unit_, 100 * unit_});
  if (policy.admission == Admission::at_once) {
    policy.retries = choice_.one_of<Tries>({0, 0, 1, 3, kUnlimited});
    policy.retry_interval = units(1, 4);
  }
  policy.restarts = choice_.one_of<Tries>({kUnlimited, kUnlimited, 0, 1});
  if (choice_.chance(35)) policy.run_max = units(1, 9);
  policy.chains = choice_.chance(60);
  if (choice_.chance(10)) policy.machines_max = static_cast<std::int32_t>(choice_.number(1, 2));
  if (choice_.chance(25)) policy.lifetime = lifetime();
  const bool chained = policy.chains && policy.run_max != kForever;
  if (chained && choice_.chance(30))
    policy.lifetime = {.a = policy.run_max - unit_ / 2};  // in the last checkpoint
  if (choice_.chance(20)) policy.health = health();
  policy.provisioning = law();
  policy.start_up = law();
  return policy;
}

std::vector<PoolId> StrategyMaker::some_of(std::vector<PoolId> pools) {
  for (std::size_t i = pools.size(); i > 1; --i) {
    std::swap(pools[i - 1],
              pools[static_cast<std::size_t>(choice_.number(0, static_cast<std::int64_t>(i) - 1))]);
  }
  pools.resize(static_cast<std::size_t>(choice_.number(1, static_cast<std::int64_t>(pools.size()))));
  return pools;
}

/// Machines of that type in a zone pool. Nobody is billed for those of tenants.
Part StrategyMaker::part(PoolId pool, std::int32_t machines, std::size_t type) const {
  return {.line = is_tenant_ ? BilledLine{} : lines_[index(pool)][type],
          .machines = machines,
          .gpus = static_cast<std::int32_t>(kMachineGpus[type]),
          .machine = MachineId{static_cast<std::uint16_t>(type)}};
}

/// In a zone pool: a machine for each node, of its GPUs or more, and one of one GPU for the tail.
std::optional<Candidate> StrategyMaker::candidate(PoolId pool, const Shape& shape) {
  if (world_.is_held(pool)) return held_candidate(pool, shape);
  std::size_t machine = static_cast<std::size_t>(choice_.one_of<int>({0, 0, 1, 2}));
  while (kMachineGpus[machine] < shape.gpus_per_node) ++machine;
  Candidate candidate{.pool = pool};
  candidate.parts[0] = part(pool, shape.nodes, machine);
  std::int64_t gpus = shape.nodes * kMachineGpus[machine];
  if (shape.tail_gpus > 0) {
    candidate.parts[1] = part(pool, 1, 0);
    gpus += shape.tail_gpus;
  }
  candidate.gpus = GpuCount{gpus};
  candidate.unused = candidate.gpus - shape.gpus();
  return candidate;
}

/// A held machine for each node, if it holds one; of a shared pool GPU by GPU.
std::optional<Candidate> StrategyMaker::held_candidate(PoolId pool, const Shape& shape) {
  const HeldPool& held = world_.held_pool(pool);
  const std::int64_t machine_gpus = kMachineGpus[index(held.machine)];
  if (shape.gpus_per_node > machine_gpus) return std::nullopt;
  const bool has_tail = shape.tail_gpus > 0;
  Candidate candidate{.pool = pool};
  const auto part = [&](std::int32_t machines) {
    return Part{.line = lines_[index(pool)][0],
                .machines = machines,
                .gpus = held.share ? 1 : static_cast<std::int32_t>(machine_gpus),
                .machine = held.machine};
  };
  if (held.share) {
    candidate.parts[0] = part(shape.nodes * shape.gpus_per_node);
    if (has_tail) candidate.parts[1] = part(shape.tail_gpus);
    candidate.gpus = shape.gpus();
    return candidate;
  }
  candidate.parts[0] = part(shape.nodes);
  if (has_tail) candidate.parts[1] = part(1);
  candidate.gpus = GpuCount{(shape.nodes + (has_tail ? 1 : 0)) * machine_gpus};
  candidate.unused = candidate.gpus - shape.gpus();
  return candidate;
}

Leg StrategyMaker::leg(const std::vector<PoolId>& pools, bool held) {
  Leg leg;
  leg.policy = policy(held);
  if (choice_.chance(60)) leg.limit = units(0, 6);
  if (choice_.chance(15)) leg.limit = SimDuration::zero();
  leg.keep = leg.policy.admission == Admission::queue && choice_.chance(50);
  if (choice_.chance(35)) {
    for (std::size_t c = 0; c < world_.classes.size(); ++c) leg.classes.push_back(choice_.chance(70));
  }
  const std::vector<PoolId> places = some_of(pools);
  for (const Shape& shape : world_.shapes) {
    leg.candidates.emplace_back();
    for (const PoolId pool : places) {
      const auto possible = candidate(pool, shape);
      if (possible && choice_.chance(95)) leg.candidates.back().push_back(*possible);
    }
  }
  return leg;
}

Resubmission StrategyMaker::resubmission() {
  Resubmission resubmission;
  resubmission.after = units(1, 5);
  if (choice_.chance(60)) resubmission.give_up_after = units(0, 60);
  if (choice_.chance(50)) {
    const SimDuration opens = 9h + units(0, 10);
    resubmission.office_from = opens;
    resubmission.office_to = opens + units(1, 20);
  }
  return resubmission;
}

}  // namespace stockout::test
