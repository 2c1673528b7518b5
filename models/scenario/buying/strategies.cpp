#include "models/scenario/buying/strategies.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/buying/candidates.h"
#include "models/scenario/buying/job_sets.h"
#include "models/scenario/buying/kueue.h"
#include "models/scenario/buying/node_groups.h"
#include "models/scenario/buying/partial.h"
#include "models/scenario/buying/policies.h"
#include "models/scenario/buying/provisioning_requests.h"
#include "models/scenario/buying/quota.h"
#include "models/scenario/buying/slurm.h"
#include "models/scenario/buying/spread.h"
#include "models/scenario/buying/validity.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/supply/placement.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/duration_text.h"
#include "sim/core/error_list.h"

namespace stockout {
namespace {

PoolId pool_id(std::size_t number) { return PoolId{static_cast<std::uint16_t>(number)}; }

// The pools of one place: those of the zone, or of all the region.
void add_pools_of(const Draft& draft, const Node& node, std::vector<PoolId>& pools) {
  const Place& place = find_place(draft, node);
  const auto& all = draft.scenario.world.pools;
  const std::size_t before = pools.size();
  bool known = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].place != place.name && !(place.name == place.region && region_of(draft, all[i]) == place.name))
      continue;
    known = true;
    if (std::ranges::find(pools, pool_id(i)) == pools.end()) pools.push_back(pool_id(i));
  }
  if (known && pools.size() == before) node.fail(fmt::format("\"{}\" is in the list already", place.name));
  if (known) return;
  std::set<std::string> places;
  for (const Pool& pool : all) places.insert(pool.place);
  node.fail(
      fmt::format("no pool is in \"{}\"; pools are in \"{}\"", place.name, fmt::join(places, "\", \"")));
}

std::vector<PoolId> zone_pools(const Draft& draft, const Node& leg) {
  std::vector<PoolId> pools;
  if (leg.has("places")) {
    for (const Node& place : leg.list("places")) add_pools_of(draft, place, pools);
    return pools;
  }
  for (std::size_t i = 0; i < draft.scenario.world.pools.size(); ++i) pools.push_back(pool_id(i));
  return pools;
}

// The leg's model is the one by which the capacity is held.
PoolId held_pool(const Draft& draft, const Node& node, const Node& leg) {
  const PoolId id = draft.find_reservation(node);
  const auto model = draft.held_models[index(id) - draft.scenario.world.pools.size()];
  const std::string_view name = kHeldModelNames[static_cast<std::size_t>(model)];
  if (leg.text("model") != name) node.fail(fmt::format("is held with model \"{}\": say so in the leg", name));
  return id;
}

std::vector<PoolId> held_pools(const Draft& draft, const Node& leg) {
  const Node named = leg.at("reservation");
  if (named.kind() == ValueKind::text) return {held_pool(draft, named, leg)};
  std::vector<PoolId> pools;
  for (const Node& node : named.items()) pools.push_back(held_pool(draft, node, leg));
  return pools;
}

std::vector<bool> read_classes(const Draft& draft, const Node& leg) {
  if (!leg.has("classes")) return {};
  std::vector<bool> open(draft.classes.names().size());
  for (const Node& node : leg.list("classes")) {
    open[find_name(node, "job class", draft.classes.names())] = true;
  }
  return open;
}

// The GPU types that a leg is limited to.
std::vector<std::string> read_gpus(const Draft& draft, const Node& leg) {
  std::vector<std::string> gpus;
  for (const Node& node : leg.list("gpus")) {
    check_gpu(draft, node, node.as_text());
    gpus.push_back(node.as_text());
  }
  return gpus;
}

bool holds_none(const World& world, PoolId id) {
  return world.is_held(id) && world.held_pool(id).machines == MachineCount{};
}

std::string label_of(const Draft& draft, const Leg& leg, const std::vector<PoolId>& pools, bool every_pool) {
  if (every_pool) return leg.policy.name;
  std::vector<std::string> places;
  for (const PoolId id : pools) {
    const Pool& pool = draft.scenario.world.pool(id);
    const std::string& place = leg.policy.held ? pool.name : pool.place;
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  }
  if (places.size() > 3) return fmt::format("{} {} places", leg.policy.name, places.size());
  return fmt::format("{} {}", leg.policy.name, fmt::join(places, ", "));
}

// A race that could never be run, and a bound that differs between legs, though it is the project's.
void check_open(const Node& node, const Leg& leg, const Strategy& strategy) {
  const std::int32_t most = leg.policy.open_max;
  const Node& where = node.has("places") ? node.at("places") : node;
  for (const auto& candidates : leg.candidates) {
    if (most == 0 || candidates.size() <= static_cast<std::size_t>(most)) continue;
    where.fail(
        fmt::format("a job would ask in {} places at once, but {} has at most {} {} open (\"open_max\")",
                    candidates.size(), leg.policy.name, most, most == 1 ? "request" : "requests"));
  }
  for (const Leg& other : strategy.legs) {
    if (other.policy.name != leg.policy.name || other.policy.open_max == most) continue;
    node.fail(fmt::format(
        "\"open_max\" is {} here and {} in another leg of {}: it is one bound over all of them; say it once, "
        "under /models/{}",
        most, other.policy.open_max, leg.policy.name, leg.policy.name));
  }
}

// Rivals are told apart in the draws of their start-up by eight bits.
void check_race(const Node& node, const Leg& leg) {
  constexpr std::size_t kMostRivals = 256;
  if (leg.race != Race::first_boot) return;
  for (const auto& candidates : leg.candidates) {
    if (candidates.size() > kMostRivals)
      node.at("race").fail(fmt::format("takes at most {} places, not {}", kMostRivals, candidates.size()));
  }
}

std::string flavor_of(const Node& leg) { return leg.has("flavor") ? leg.text("flavor") : std::string{}; }

// Whether jobs that may use the leg may pass on to another: under Kueue one of its flavor.
bool is_followed(const Draft& draft, const std::vector<Node>& legs, std::size_t number) {
  const std::vector<bool> classes = read_classes(draft, legs[number]);
  for (std::size_t later = number + 1; later < legs.size(); ++later) {
    const bool is_open = flavor_of(legs[later]) == flavor_of(legs[number]);
    if (is_open && serve_one_job(classes, read_classes(draft, legs[later]))) return true;
  }
  return false;
}

Leg read_leg(Draft& draft, const Node& strategy_node, std::size_t number, const PolicyRows& rows,
             Strategy& strategy) {
  const std::vector<Node> legs = strategy_node.list("legs");
  const Node& node = legs[number];
  Leg leg;
  leg.orchestrator = orchestrator_of(strategy_node, node);
  leg.policy = rows.of_leg(node, leg.orchestrator, is_followed(draft, legs, number));
  auto pools = leg.policy.held ? held_pools(draft, node) : zone_pools(draft, node);
  leg.label = label_of(draft, leg, pools, !leg.policy.held && !node.has("places"));
  std::erase_if(pools, [&](PoolId id) { return holds_none(draft.scenario.world, id); });
  fill(leg, node);
  leg.compact = read_compact(draft, node, pools);
  leg.race = node.choice<Race>("race");
  leg.classes = read_classes(draft, node);
  std::string machine = machine_of_partition(draft, node);
  if (node.has("machine")) {
    machine = node.text("machine");
    static_cast<void>(find_machine(draft, node.at("machine"), machine));
  }
  leg.candidates = CandidateFinder{draft, node, leg, pools, machine, read_gpus(draft, node)}.all();
  read_partial(draft, node, pools, leg);
  read_spread(draft, node, pools, leg);
  check_open(node, leg, strategy);
  check_race(node, leg);
  if (leg.policy.held) {
    for (const PoolId id : pools) {
      if (std::ranges::find(strategy.held, id) == strategy.held.end()) strategy.held.push_back(id);
    }
  }
  return leg;
}

Resubmission read_resubmission(const Node& node) {
  Resubmission rule;
  fill(rule, node);
  if (node.has("office_hours")) {
    const ClockSpan span = node.at("office_hours").as_clock_span();
    rule.office_from = span.from;
    rule.office_to = span.to;
  }
  return rule;
}

DeadlineRule read_deadline_rule(const Node& node, const Strategy& strategy) {
  const Node rule = node.at("deadline_rule");
  if (strategy.legs.size() != 2) {
    rule.fail("requires two legs: the first cheap, such as spot, the second safe, such as on_demand");
  }
  for (const Node& leg : node.list("legs")) {
    if (leg.has("retry_interval") && orchestrator_of(node, leg) != OrchestratorName::gke)
      leg.at("retry_interval").fail("has no effect under a \"deadline_rule\", which decides at every tick");
  }
  DeadlineRule read;
  fill(read, rule);
  return read;
}

// Jobs that will be cut off although the leg chains, and runs that nobody sells.
void warn_of_runs(Draft& draft, const Strategy& strategy, const Leg& leg) {
  const Policy& policy = leg.policy;
  const PolicyBounds& bounds = policy.bounds;
  if (!bounds.runs(policy.run_max)) {
    draft.warn(fmt::format("strategy \"{}\": {} runs for at most {}; {} runs for {} to {}", strategy.name,
                           policy.name, format_duration(policy.run_max), bounds.product,
                           format_duration(bounds.run_least), format_duration(bounds.run_most)));
  }
  if (!policy.chains) return;
  std::vector<std::string> cut;
  for (std::size_t i = 0; i < draft.world().classes.size(); ++i) {
    const bool saves = draft.world().classes[i].checkpoint_every > SimDuration::zero();
    if (!saves && leg.open_to(ClassId{static_cast<std::uint16_t>(i)}))
      cut.push_back(draft.classes.names()[i]);
  }
  if (cut.empty()) return;
  draft.warn(fmt::format(
      "strategy \"{}\": {} chains runs, but jobs of {} write no checkpoint: they are cut off at run_max",
      strategy.name, leg.label, fmt::join(cut, ", ")));
}

// Short of quota, in a leg without node groups.
bool backs_off_by_job(const Strategy& strategy) {
  return strategy.quota.when_short == WhenShort::back_off &&
         std::ranges::any_of(strategy.legs,
                             [](const Leg& leg) { return !leg.node_group && !leg.policy.held; });
}

}  // namespace

void build_strategies(Draft& draft) {
  const PolicyRows rows{draft.root, draft.catalog};
  std::set<std::string> names;
  bool cold = false;
  bool backs_off = false;
  attempt_each(draft.root.list("strategies"), [&](const Node& node) {
    Strategy strategy;
    strategy.name = node.text("name");
    if (!names.insert(strategy.name).second) {
      node.at("name").fail(fmt::format("there is a strategy \"{}\" already", strategy.name));
    }
    for (std::size_t leg = 0; leg < node.list("legs").size(); ++leg) {
      strategy.legs.push_back(read_leg(draft, node, leg, rows, strategy));
      const Policy& policy = strategy.legs.back().policy;
      cold = cold || policy.start_up.is_random() || policy.start_up.a > SimDuration::zero();
    }
    check_orchestrators(draft, node, strategy);
    read_node_groups(node, strategy);
    read_provisioning_requests(draft, node, strategy);
    read_flavors(draft, node, strategy);
    read_partitions(draft, node, strategy);
    strategy.quota = read_quota_rule(draft, node, strategy);
    check_held_quota(draft, strategy);
    backs_off = backs_off || backs_off_by_job(strategy);
    strategy.cheapest_first = node.text("order") == "cheapest_first";
    if (node.has("deadline_rule")) strategy.deadline_rule = read_deadline_rule(node, strategy);
    if (node.has("resubmit")) strategy.resubmission = read_resubmission(node.at("resubmit"));
    check_job_sets(draft, node, strategy);
    for (const Leg& leg : strategy.legs) warn_of_runs(draft, strategy, leg);
    warn_of_orchestrators(draft, strategy);
    draft.world().strategies.push_back(std::move(strategy));
  });
  check_kueue_use(draft);
  check_slurm_use(draft);
  assume_of_orchestrators(draft);
  assume_of_node_groups(draft);
  if (backs_off && draft.root.has("quota"))
    draft.assume(
        "quota: a job that is short of it in a leg that waits, such as flex_start_mig, asks again by itself");
  if (!cold) draft.warn("start_up is 0 in every leg: no cold start (Vertex AI takes 5 to 10 minutes)");
}

}  // namespace stockout
