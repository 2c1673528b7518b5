#include "tests/support/worlds/shrink_world.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace stockout::test {
namespace {

using Worlds = std::vector<World>;

template <typename T>
void drop(std::vector<T>& values, std::size_t i) {
  if (!values.empty()) values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
}

/// The world changed by `change`, put into `worlds` for a try.
template <typename Change>
void propose(Worlds& worlds, const World& world, Change change) {
  World changed = world;
  change(changed);
  worlds.push_back(changed);
}

JobColumns without_job(const JobColumns& columns, std::size_t i) {
  JobColumns fewer = columns;
  if (fewer.row.empty()) {  // rows are identities: the others keep theirs
    for (std::uint64_t row = 0; row < columns.size(); ++row) fewer.row.push_back(row);
  }
  drop(fewer.submit, i);
  drop(fewer.work, i);
  drop(fewer.shape, i);
  drop(fewer.job_class, i);
  drop(fewer.user, i);
  drop(fewer.row, i);
  drop(fewer.estimate, i);
  drop(fewer.max_wait, i);
  drop(fewer.deadline, i);
  drop(fewer.group, i);
  return fewer;
}

void propose_fewer_jobs(Worlds& worlds, const World& world) {
  for (std::size_t s = 0; s < world.sources.size(); ++s) {
    const auto jobs = std::get<TraceDemand>(world.sources[s].demand).jobs;
    const auto put = [&](const JobColumns& columns) {
      propose(worlds, world, [&](World& to) {
        to.sources[s].demand = TraceDemand{.jobs = std::make_shared<JobColumns>(columns)};
      });
    };
    for (std::size_t i = 0; i < jobs->size(); ++i) put(without_job(*jobs, i));
    const auto without_column = [&](auto column) {
      if (((*jobs).*column).empty()) return;
      JobColumns columns = *jobs;
      (columns.*column).clear();
      put(columns);
    };
    without_column(&JobColumns::estimate);
    without_column(&JobColumns::max_wait);
    without_column(&JobColumns::deadline);
    without_column(&JobColumns::links);
    without_column(&JobColumns::group);
  }
}

/// The tested strategy and those of tenants.
std::vector<Strategy*> strategies_of(World& world) {
  std::vector<Strategy*> strategies{&world.strategies.back()};
  for (Source& source : world.sources) {
    for (Strategy& strategy : source.tenants) strategies.push_back(&strategy);
  }
  return strategies;
}

template <typename Change>
void for_each_candidate(Leg& leg, Change change) {
  for (auto& candidates : leg.candidates) {
    for (Candidate& candidate : candidates) change(candidate);
  }
}

void propose_simpler_leg(Worlds& worlds, const World& world, std::size_t s, std::size_t l) {
  const auto change = [&](auto edit) {
    propose(worlds, world, [&](World& to) { edit(strategies_of(to)[s]->legs[l]); });
  };
  change([](Leg& leg) { leg.policy.provisioning = leg.policy.start_up = Law{}; });
  change([](Leg& leg) { leg.policy.provisioning = Law{}; });
  change([](Leg& leg) { leg.policy.start_up = Law{}; });
  change([](Leg& leg) { leg.policy.notice = SimDuration::zero(); });
  change([](Leg& leg) { leg.policy.run_max = kForever; });
  change([](Leg& leg) { leg.policy.chains = false; });
  change([](Leg& leg) { leg.policy.machines_max = 0; });
  change([](Leg& leg) { leg.policy.lifetime = Law{.a = kForever}; });
  change([](Leg& leg) { leg.policy.max_wait = kForever; });
  change([](Leg& leg) { leg.policy.health = HealthTest{}; });
  change([](Leg& leg) { leg.policy.health.fails_ppm = 0; });
  change([](Leg& leg) { leg.policy.retries = 0; });
  change([](Leg& leg) { leg.policy.restarts = kUnlimited; });
  change([](Leg& leg) { leg.policy.fault_restarts = std::nullopt; });
  change([](Leg& leg) { leg.policy.worker_restarts = kUnlimited; });
  change([](Leg& leg) { leg.policy.exit_restarts = kUnlimited; });
  change([](Leg& leg) { leg.limit = kForever; });
  change([](Leg& leg) { leg.keep = false; });
  change([](Leg& leg) { leg.classes.clear(); });
  change([](Leg& leg) { leg.policy.open_max = 0; });
  change([](Leg& leg) { leg.race = Race::first_grant; });
  change([](Leg& leg) { leg.node_group.reset(); });
  change([](Leg& leg) { leg.pods.reset(); });
  change([](Leg& leg) { leg.compact = Compact::no; });
  change([](Leg& leg) { leg.spread = Spread::any_single_zone; });
  change([](Leg& leg) {
    leg.partial.reset();
    for_each_candidate(leg, [](Candidate& candidate) { candidate.least = 0; });
  });
  change([](Leg& leg) {
    if (leg.partial) *leg.partial = Partial{};
  });
  change([](Leg& leg) {
    if (leg.partial) leg.partial->recreates = false;
  });
  change([](Leg& leg) {
    if (leg.partial) leg.partial->works_on = false;
  });
  change([](Leg& leg) {
    for_each_candidate(leg, [](Candidate& candidate) { candidate.rate_ppm = 1'000'000; });
  });
  change([](Leg& leg) {
    for (auto& candidates : leg.candidates) {
      if (!candidates.empty()) candidates.pop_back();
    }
  });
  change([](Leg& leg) {
    for (auto& candidates : leg.candidates) {
      if (!candidates.empty()) candidates.erase(candidates.begin());
    }
  });
}

void propose_simpler_strategies(Worlds& worlds, const World& world) {
  World copy = world;
  const std::vector<Strategy*> strategies = strategies_of(copy);
  for (std::size_t s = 0; s < strategies.size(); ++s) {
    propose(worlds, world, [&](World& to) { strategies_of(to)[s]->resubmission.reset(); });
    propose(worlds, world, [&](World& to) { strategies_of(to)[s]->deadline_rule.reset(); });
    propose(worlds, world, [&](World& to) { strategies_of(to)[s]->cheapest_first = false; });
    if (strategies[s]->deadline_rule) {
      propose(worlds, world,
              [&](World& to) { strategies_of(to)[s]->deadline_rule->overhead = SimDuration::zero(); });
    }
    for (std::size_t l = 0; l < strategies[s]->legs.size(); ++l) {
      if (strategies[s]->legs.size() > 1 && !strategies[s]->deadline_rule) {
        propose(worlds, world, [&](World& to) { drop(strategies_of(to)[s]->legs, l); });
      }
      propose_simpler_leg(worlds, world, s, l);
    }
  }
}

void propose_fewer_faults(Worlds& worlds, const World& world) {
  const auto faults_of = [](World& to, std::size_t p) -> std::vector<FaultRule>& {
    return p < to.pools.size() ? to.pools[p].faults : to.held[p - to.pools.size()].pool.faults;
  };
  World copy = world;
  for (std::size_t p = 0; p < world.pool_count(); ++p) {
    for (std::size_t k = 0; k < faults_of(copy, p).size(); ++k) {
      propose(worlds, world, [&](World& to) { drop(faults_of(to, p), k); });
      propose(worlds, world, [&](World& to) { faults_of(to, p)[k].notice = SimDuration::zero(); });
      propose(worlds, world, [&](World& to) { faults_of(to, p)[k].repair = Law{}; });
    }
  }
}

void propose_simpler_held_pool(Worlds& worlds, const World& world, std::size_t h) {
  const auto change = [&](auto edit) { propose(worlds, world, [&](World& to) { edit(to.held[h]); }); };
  const HeldPool& held = world.held[h];
  if (!held.scaling) change([](HeldPool& to) { to.added_supply = true; });
  change([](HeldPool& to) { to.booking.reset(); });
  change([](HeldPool& to) { to.scaling.reset(); });
  change([](HeldPool& to) { to.committed = SimDuration::zero(); });
  if (!held.booking) {
    change([&world](HeldPool& to) { to.from = world.begin; });
    change([](HeldPool& to) { to.until = kNever; });
  } else {
    change([](HeldPool& to) { to.booking->decided = to.from; });
    change([](HeldPool& to) { to.booking->gather = SimDuration::zero(); });
    change([](HeldPool& to) { to.booking->accept_ppm = to.booking->bookable_ppm = 1'000'000; });
  }
  if (held.scaling) {
    change([](HeldPool& to) { to.scaling->least = MachineCount{0}; });
    for (std::size_t i = 0; i < held.scaling->steps.size(); ++i)
      change([i](HeldPool& to) { drop(to.scaling->steps, i); });
    change([](HeldPool& to) { to.scaling->cold_start = Law{}; });
    change([](HeldPool& to) { to.scaling->idle_after = kForever; });
    change([](HeldPool& to) { to.scaling->after_add = SimDuration::zero(); });
    change([](HeldPool& to) { to.scaling->lease_class = LeaseClass::on_demand; });
  }
}

void propose_simpler_quotas(Worlds& worlds, const World& world) {
  for (std::size_t q = 0; q < world.quotas.size(); ++q) {
    propose(worlds, world, [&](World& to) { drop(to.quotas, q); });
    for (std::size_t i = 1; i < world.quotas[q].steps.size(); ++i) {
      propose(worlds, world, [&](World& to) { drop(to.quotas[q].steps, i); });
    }
  }
  if (!world.quotas.empty()) propose(worlds, world, [](World& to) { to.strategies.back().quota = {}; });
}

void propose_simpler_pools(Worlds& worlds, const World& world) {
  for (std::size_t p = 0; p < world.pools.size(); ++p) {
    for (std::size_t s = 0; s < world.pools[p].capacity.size(); ++s) {
      propose(worlds, world, [&](World& to) {
        drop(to.pools[p].capacity, s);
        to.pools[p].placement.reset();  // which has a source
      });
      if (world.pools[p].capacity[s].chain != nullptr) {
        propose(worlds, world, [&](World& to) {
          CapacitySource& source = to.pools[p].capacity[s];
          source.steps = {{.at = to.begin, .gpus = most_gpus(source)}};
          source.chain.reset();
        });
      }
      for (std::size_t i = 1; i < world.pools[p].capacity[s].steps.size(); ++i) {
        propose(worlds, world, [&](World& to) { drop(to.pools[p].capacity[s].steps, i); });
      }
    }
    propose(worlds, world, [&](World& to) { to.pools[p].discipline = Discipline::first_fit; });
    propose(worlds, world, [&](World& to) { to.pools[p].reclaim = ReclaimRule::newest; });
    propose(worlds, world, [&](World& to) { to.pools[p].ageing_ppm = 0; });
    propose(worlds, world, [&](World& to) { to.pools[p].flex_before_on_demand = false; });
    propose(worlds, world, [&](World& to) { to.pools[p].hold_for_head = false; });
    propose(worlds, world, [&](World& to) { to.pools[p].placement.reset(); });
    propose(worlds, world, [&](World& to) { to.pools[p].mass_reclaim.reset(); });
  }
  for (std::size_t h = 0; h < world.held.size(); ++h) {
    const PoolId id{static_cast<std::uint16_t>(world.pools.size() + h)};
    propose(worlds, world, [&](World& to) { std::erase(to.strategies.back().held, id); });
    propose_simpler_held_pool(worlds, world, h);
  }
  propose_fewer_faults(worlds, world);
}

void propose_simpler_rules(Worlds& worlds, const World& world) {
  propose(worlds, world, [](World& to) { to.grid = SimDuration::zero(); });
  propose(worlds, world, [](World& to) { to.ties = Ties::releases_first; });
  propose(worlds, world, [](World& to) { to.hold_end = HoldEnd::run_end; });
  propose(worlds, world, [](World& to) { to.end = RunEnd::drain; });
  propose(worlds, world,
          [](World& to) { to.billing = BillingRule{.step = SimDuration{1}, .least = SimDuration{0}}; });
  propose(worlds, world, [](World& to) { to.utc_offsets.resize(1); });
  if (world.sources.size() > 1) {
    propose(worlds, world, [](World& to) { to.sources.pop_back(); });
  }
  for (std::size_t c = 0; c < world.classes.size(); ++c) {
    propose(worlds, world, [&](World& to) { to.classes[c].reload = SimDuration::zero(); });
    propose(worlds, world, [&](World& to) { to.classes[c].checkpoint_cost = SimDuration::zero(); });
    propose(worlds, world, [&](World& to) { to.classes[c].checkpoint_in_notice = false; });
    propose(worlds, world, [&](World& to) { to.classes[c].checkpoint_every = SimDuration::zero(); });
    propose(worlds, world, [&](World& to) { to.classes[c].parallel = 0; });
    propose(worlds, world, [&](World& to) { to.classes[c].priority = 0; });
    propose(worlds, world, [&](World& to) { to.classes[c].exits = WorkerExits{}; });
    propose(worlds, world, [&](World& to) { to.classes[c].exits.share_ppm = 1'000'000; });
    propose(worlds, world, [&](World& to) { to.classes[c].exits.permanent_ppm = 0; });
  }
}

}  // namespace

World shrink_world(World world, const std::function<bool(const World&)>& still_fails) {
  // A change that changes nothing would go on for ever: three passes are enough for worlds as small as these.
  for (int pass = 0; pass < 3; ++pass) {
    for (const auto propose_all : {propose_fewer_jobs, propose_simpler_strategies, propose_simpler_pools,
                                   propose_simpler_quotas, propose_simpler_rules}) {
      std::size_t next = 0;
      while (true) {
        Worlds worlds;
        propose_all(worlds, world);
        if (next >= worlds.size()) break;
        const bool smaller = still_fails(worlds[next]);
        const std::size_t before = worlds.size();
        if (smaller) {
          world = worlds[next];
          worlds.clear();
          propose_all(worlds, world);
        }
        // Where the proposal has dropped something, the next one stands in its place.
        if (!smaller || worlds.size() == before) ++next;
      }
    }
  }
  return world;
}

}  // namespace stockout::test
