#include "tests/support/worlds/random_rules.h"

#include <algorithm>
#include <vector>

#include "tests/support/random_choice.h"
#include "tests/support/worlds/random_kueue.h"
#include "tests/support/worlds/random_pipelines.h"
#include "tests/support/worlds/random_quotas.h"
#include "tests/support/worlds/random_sets.h"
#include "tests/support/worlds/random_slurm.h"
#include "tests/support/worlds/random_strategy.h"

namespace stockout::test {
namespace {

class RuleAdder {
 public:
  RuleAdder(World& world, SimDuration unit)
      : choice_{world.seed + 2'000'003}, world_{world}, unit_{unit}, tested_{world.strategies.back()} {}

  void add_rates() {
    std::vector<Rate> of_pool;
    for (std::size_t p = 0; p < world_.pool_count(); ++p) of_pool.push_back(rate());
    for_each_leg([&](Leg& leg) {
      for (auto& candidates : leg.candidates) {
        for (Candidate& candidate : candidates) {
          candidate.rate_ppm =
              static_cast<Rate>(choice_.chance(70) ? of_pool[index(candidate.pool)] : rate());
        }
      }
    });
  }

  void add_queue_order() {
    for (Pool& pool : world_.pools) {
      pool.flex_before_on_demand = choice_.chance(50);
      pool.hold_for_head = choice_.chance(60);
    }
  }

  /// One number for all legs of a row, and room for the places of each. At-once legs and held ones have rows
  /// of their own.
  void add_open_limits() {
    const auto extra = choice_.one_of<std::int32_t>({0, 0, 1, 2});
    const bool two_rows = choice_.chance(30);
    std::int32_t most = 1;
    std::vector<Leg*> bounded;
    for (Leg& leg : tested_.legs) {
      if (leg.policy.admission == Admission::at_once) leg.policy.name += " at once";
      if (leg.policy.held) leg.policy.name += " held";
      if (leg.policy.admission == Admission::at_once || leg.policy.held) continue;
      if (two_rows && choice_.chance(50)) leg.policy.name += " b";
      for (const auto& candidates : leg.candidates) {
        most = std::max(most, static_cast<std::int32_t>(candidates.size()));
      }
      bounded.push_back(&leg);
    }
    for (Leg* leg : bounded) leg->policy.open_max = most + extra;
  }

  /// Some held pools are committed for longer than they are held.
  void add_commitments() {
    for (HeldPool& held : world_.held) {
      if (!held.scaling && choice_.chance(30)) held.committed = unit_ * choice_.number(1, 30);
    }
  }

  /// Some minimums of elastic pools change, also before the pool is there or when it is over.
  void add_raised_least() {
    Choice choice{world_.seed + 9'000'011};
    for (HeldPool& held : world_.held) {
      if (!held.scaling || !choice.chance(40)) continue;
      SimTime at = world_.begin;
      for (std::int64_t steps = choice.number(1, 4); steps > 0; --steps) {
        at += unit_ * choice.number(1, 10);
        held.scaling->steps.push_back(
            {.at = at, .least = MachineCount{choice.number(0, held.machines.count())}});
      }
    }
  }

  /// Seldom for ever.
  void add_stays_after_growth() {
    Choice choice{world_.seed + 13'000'027};
    for (HeldPool& held : world_.held) {
      if (held.scaling && choice.chance(40))
        held.scaling->after_add = choice.one_of<SimDuration>({unit_, 3 * unit_, 6 * unit_, kForever});
    }
  }

  void add_priorities() {
    if (!choice_.chance(40)) return;
    for (JobClass& job_class : world_.classes)
      job_class.priority = static_cast<std::int32_t>(choice_.number(-1, 1));
  }

  /// Seldom: what is taken together looks like many lifetimes.
  void add_mass_reclaims() {
    for (Pool& pool : world_.pools) {
      if (!choice_.chance(15)) continue;
      pool.mass_reclaim =
          MassReclaim{.every = {.kind = Law::Kind::exponential, .a = 8 * unit_},
                      .share_ppm = choice_.one_of<std::int32_t>({1'000'000, 500'000, 920'000}),
                      .spread = start()};
    }
  }

  /// Where a refusal has no retry, the group only holds up others.
  void add_node_groups() {
    Choice choice{world_.seed + 8'000'009};
    if (!choice.chance(30)) return;
    for (Leg& leg : tested_.legs) {
      if (leg.policy.held || leg.policy.waits() || !choice.chance(85)) continue;
      if (choice.chance(60)) leg.policy.retries = choice.one_of<Tries>({1, 4, kUnlimited});
      leg.policy.retry_interval = unit_ * choice.number(1, 3);
      leg.node_group = NodeGroupRule{.most = leg.policy.retry_interval * choice.number(1, 6),
                                     .forget_after = unit_ * choice.number(0, 20)};
    }
  }

  /// The code of some jobs fails. Faults have restarts of their own in some legs.
  void add_exits() {
    Choice choice{world_.seed + 13'000'027};
    const bool has_exits = choice.chance(12) && !world_.has_sets();
    for (JobClass& job_class : world_.classes) {
      if (!has_exits || choice.chance(30)) continue;
      job_class.exits = {.after = running_time(choice),
                         .share_ppm = choice.one_of<std::int32_t>({1'000'000, 1'000'000, 600'000}),
                         .permanent_ppm = choice.one_of<std::int32_t>({0, 0, 300'000, 1'000'000})};
    }
    for_each_leg([&](Leg& leg) {
      if (choice.chance(20)) leg.policy.fault_restarts = choice.one_of<Tries>({0, 1, 3, kUnlimited});
      if (!has_exits) return;
      leg.policy.worker_restarts = choice.one_of<Tries>({0, 1, 5, kUnlimited});
      leg.policy.exit_restarts = choice.one_of<Tries>({0, 1, 3, kUnlimited});
    });
  }

  /// Where requests wait in the queues of zones, and the first grant counts.
  void add_late_pods() {
    Choice choice{world_.seed + 12'000'017};
    if (!choice.chance(20)) return;
    for (Leg& leg : tested_.legs) {
      if (leg.policy.held || !leg.policy.waits() || leg.race == Race::first_boot || !choice.chance(85))
        continue;
      leg.pods = PodRule{.after = {.kind = Law::Kind::uniform, .a = SimDuration::zero(), .b = 6 * unit_},
                         .hold = unit_ * choice.number(1, 5),
                         .again = unit_ * choice.number(0, 2)};
      if (choice.chance(30)) leg.pods->after = {.a = unit_ * choice.number(0, 3)};
      leg.policy.restarts = choice.one_of<Tries>({0, 1, 3, 50});
    }
  }

  /// Gangs of several machines on several pools without hosts.
  void add_spread() {
    if (std::ranges::any_of(world_.pools, [](const Pool& pool) { return pool.placement.has_value(); }))
      return;
    for_each_strategy([&](Strategy& strategy) {
      for (Leg& leg : strategy.legs) {
        const bool may = !strategy.deadline_rule && leg.policy.admission == Admission::at_once;
        if (!may || leg.policy.held || leg.partial || leg.node_group || !choice_.chance(85)) continue;
        complete_places(leg);
        leg.spread = choice_.one_of<Spread>({Spread::balanced, Spread::any});
        set_least_of_spread(leg);
        if (choice_.chance(40)) leg.policy.lease_class = LeaseClass::spot;
        if (choice_.chance(70)) leg.policy.machines_max = 0;
        if (choice_.chance(60)) leg.policy.notice = unit_ * choice_.number(1, 4);
      }
    });
  }

  void add_prices() {
    for (PriceLine& line : world_.price_lines) {
      line.steps[0].contracted = price();
      SimTime at = world_.begin;
      while (choice_.chance(40)) {
        at += unit_ * choice_.number(1, 8);
        line.steps.push_back({.from = at, .list = price(), .contracted = price()});
      }
    }
    add_fees();
    tested_.cheapest_first = !tested_.deadline_rule && choice_.chance(90);  // tenants pay no prices
  }

  /// On top of what is leased, and of what is used of held capacity.
  void add_fees() {
    const std::size_t lines = world_.price_lines.size();
    for (std::size_t i = 0; i < lines; ++i) {
      PriceLine fee = world_.price_lines[i];
      if (fee.charge == Charge::held || !choice_.chance(20)) continue;
      fee.charge = Charge::direct;
      fee.model = PriceModel::management_fee;
      fee.steps.resize(1);
      fee.steps[0].contracted = price();
      world_.price_lines[i].fee = PriceLineId{static_cast<std::uint32_t>(world_.price_lines.size())};
      world_.price_lines.push_back(std::move(fee));
    }
  }

  /// In several places, if there are any, with machines that come up early and late.
  void add_first_boot() {
    for_each_strategy([&](Strategy& strategy) {
      for (Leg& leg : strategy.legs) {
        if (strategy.deadline_rule || !choice_.chance(leg.policy.held ? 30 : 80)) continue;
        leg.race = Race::first_boot;
        if (leg.policy.held) continue;
        leg.policy.admission = Admission::queue;
        leg.policy.retries = 0;
        if (leg.policy.lease_class != LeaseClass::flex) leg.policy.lease_class = LeaseClass::flex;
        if (choice_.chance(70)) leg.policy.provisioning = start();
        if (choice_.chance(50)) leg.policy.start_up = start();
      }
    });
  }

  void add_hosts() {
    for (Pool& pool : world_.pools) {
      if (!choice_.chance(80)) continue;
      Placement placement;
      placement.hosts = static_cast<std::int32_t>(choice_.number(1, 4));
      placement.host_gpus = choice_.one_of<std::int32_t>({2, 4, 4, 4, 8});
      placement.block_hosts = static_cast<std::int32_t>(choice_.number(1, 3));
      placement.fill = choice_.one_of<Fill>({Fill::best_fit, Fill::first_fit, Fill::worst_fit});
      CapacitySource source;
      source.classes.fill(true);
      source.steps = {{.at = world_.begin, .gpus = GpuCount{placement.hosts * placement.host_gpus}}};
      pool.capacity = {source};
      pool.faults.clear();
      pool.placement = placement;
    }
    for_each_leg([&](Leg& leg) {
      leg.compact = choice_.one_of<Compact>({Compact::no, Compact::no, Compact::block, Compact::neighbours});
      if (choice_.chance(70)) leg.policy.machines_max = 0;
    });
  }

  /// For jobs of equal nodes, on pools without hosts.
  void add_partial() {
    for_each_strategy([&](Strategy& strategy) {
      for (Leg& leg : strategy.legs) {
        const bool may = !strategy.deadline_rule && leg.policy.admission == Admission::at_once;
        if (!may || leg.policy.held || !choice_.chance(85)) continue;
        leg.partial = Partial{};
        if (choice_.chance(70)) leg.policy.machines_max = 0;
        if (choice_.chance(40)) leg.policy.notice = unit_ * choice_.number(0, 4);
        if (choice_.chance(25)) leg.policy.lifetime = {.kind = Law::Kind::exponential, .a = 6 * unit_};
        if (choice_.chance(60)) {
          leg.partial =
              Partial{.gather = unit_ * choice_.number(1, 6), .interval = unit_ * choice_.number(1, 2)};
          leg.partial->recreates = Choice{world_.seed + 5'000'011}.chance(40);
          leg.partial->works_on = Choice{world_.seed + 17'000'023}.chance(50);
        }
        for (auto& candidates : leg.candidates) {
          for (Candidate& candidate : candidates) set_least(candidate);
        }
      }
    });
  }

 private:
  /// The same machines in every zone pool.
  void complete_places(Leg& leg) const {
    for (auto& places : leg.candidates) {
      for (std::size_t p = 0; p < world_.pools.size() && !places.empty(); ++p) {
        const PoolId id{static_cast<std::uint16_t>(p)};
        if (std::ranges::find(places, id, &Candidate::pool) != places.end()) continue;
        Candidate more = places.front();
        more.pool = id;
        for (Part& part : more.parts) {
          if (part.machines > 0 && !part.line.is_none()) part.line = line_of(id, part.machine);
        }
        places.push_back(more);
      }
    }
  }

  PriceLineId line_of(PoolId pool, MachineId machine) const {
    const auto line = std::ranges::find_if(world_.price_lines, [&](const PriceLine& one) {
      return one.pool == pool && one.machine == machine && one.charge == Charge::direct;
    });
    return PriceLineId{static_cast<std::uint32_t>(line - world_.price_lines.begin())};
  }

  template <typename Visit>
  void for_each_strategy(Visit visit) {
    visit(tested_);
    for (Source& source : world_.sources) {
      for (Strategy& strategy : source.tenants) visit(strategy);
    }
  }

  template <typename Visit>
  void for_each_leg(Visit visit) {
    for_each_strategy([&](Strategy& strategy) {
      for (Leg& leg : strategy.legs) visit(leg);
    });
  }

  /// Of a shape, one for all places.
  void set_least_of_spread(Leg& leg) {
    Choice choice{world_.seed + 11'000'027};
    if (!choice.chance(50)) return;
    for (auto& places : leg.candidates) {
      const std::int64_t machines = places.empty() ? 0 : places.front().machines();
      if (machines < 2 || places.front().parts[1].machines > 0) continue;
      const std::int64_t least = choice.number(1, machines);
      for (Candidate& place : places) place.least = static_cast<std::int32_t>(least);
    }
  }

  void set_least(Candidate& candidate) {
    const bool has_hosts = world_.pools[index(candidate.pool)].placement.has_value();
    if (has_hosts || candidate.parts[1].machines > 0) return;
    candidate.least = static_cast<std::int32_t>(choice_.number(1, candidate.parts[0].machines));
    if (choice_.chance(60)) candidate.least = 1;
  }

  Law running_time(Choice& choice) const {
    switch (choice.number(0, 3)) {
      case 0:
        return {.a = unit_ * choice.number(1, 6)};
      case 1:
        return {.kind = Law::Kind::uniform, .a = unit_, .b = 9 * unit_};
      default:
        return {.kind = Law::Kind::exponential, .a = 5 * unit_};
    }
  }

  Rate rate() {
    return choice_.one_of<Rate>(
        {1'000'000, 1'000'000, 500'000, 2'000'000, 3'000'000, 333'333, 700'001, 1'000});
  }

  MachineHourPrice price() { return MachineHourPrice{choice_.number(0, 4) * 1'000'000'000}; }

  Law start() {
    if (choice_.chance(40)) return {.a = unit_ * choice_.number(0, 4)};
    return {.kind = Law::Kind::uniform, .a = SimDuration::zero(), .b = 5 * unit_};
  }

  Choice choice_;
  World& world_;
  SimDuration unit_;
  Strategy& tested_;
};

}  // namespace

Rules drawn_rules(std::uint64_t seed) {
  Choice choice{seed + 3'000'017};
  Rules rules;
  rules.spread = Choice{seed + 4'000'037}.chance(10);
  if (choice.chance(30)) return rules;
  const auto first = choice.one_of<std::int64_t>({0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6});
  std::int64_t i = 0;
  for (bool Rules::*rule : {&Rules::rates, &Rules::queue_order, &Rules::open_limits, &Rules::prices,
                            &Rules::first_boot, &Rules::hosts, &Rules::partial}) {
    const bool together = choice.chance(15);
    rules.*rule = i++ == first || together;
  }
  rules.spread = rules.spread && !rules.hosts;
  return rules;
}

void add_rules(World& world, const Rules& rules, SimDuration unit) {
  RuleAdder adder{world, unit};
  if (rules.first_boot) adder.add_first_boot();
  if (rules.rates) adder.add_rates();
  if (rules.queue_order) adder.add_queue_order();
  if (rules.open_limits) adder.add_open_limits();
  if (rules.prices) adder.add_prices();
  if (rules.hosts) adder.add_hosts();
  if (rules.partial) adder.add_partial();
  adder.add_commitments();
  adder.add_raised_least();
  adder.add_stays_after_growth();
  adder.add_mass_reclaims();
  adder.add_priorities();
  adder.add_node_groups();
  if (rules.spread) adder.add_spread();
  if (has_pipelines(world.seed)) add_pipelines(world, unit);
  add_sets(world, unit);
  adder.add_exits();
  add_quotas(world, unit);
  add_kueue(world, unit);
  add_slurm(world, unit);
  if (!world.has_sets() && !world.slurm) adder.add_late_pods();
}

}  // namespace stockout::test
