#include "models/scenario/buying/quota.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/catalog/validity.h"
#include "models/scenario/format/known_names.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

enum class Kind : std::uint8_t { any, on_demand, preemptible };

WhenShort default_of(OrchestratorName orchestrator) {
  switch (orchestrator) {
    case OrchestratorName::vertex:
      return WhenShort::wait;
    case OrchestratorName::gke:
      return WhenShort::back_off;
    case OrchestratorName::compute_engine:
    case OrchestratorName::slurm:
      break;
  }
  return WhenShort::refuse;
}

/// A limit as it is written.
struct Limit {
  Node node;
  Kind kind{};
  std::vector<bool> pools;  // by PoolId: whose machines count, of leases of its kind

  [[nodiscard]] bool is_of_cpus() const { return node.has("cpus"); }
};

// What the limit is about, beside the kind of machine.
std::string scope_of(const Node& node) {
  const std::string place = node.has("region") ? node.text("region") : "all regions";
  if (node.has("cpus")) return fmt::format("{}, vCPUs of {}", place, node.text("cpus"));
  return fmt::format("{}, {}", place, node.has("gpu") ? node.text("gpu") : "GPUs");
}

std::vector<bool> pools_in_region(const Draft& draft, const Node& node) {
  const auto& pools = draft.scenario.world.pools;
  if (!node.has("region")) return std::vector<bool>(pools.size(), true);
  std::vector<bool> counted;
  std::set<std::string> regions;
  for (const Pool& pool : pools) {
    regions.insert(region_of(draft, pool));
    counted.push_back(region_of(draft, pool) == node.text("region"));
  }
  if (std::ranges::find(counted, true) == counted.end()) {
    const std::vector<std::string> known{regions.begin(), regions.end()};
    fail_unknown(node.at("region"), "region with a pool", node.text("region"), known);
  }
  return counted;
}

void check_family(const Draft& draft, const Node& node) {
  const auto families = draft.catalog.families();
  std::vector<std::string> known{families.begin(), families.end()};
  known.emplace_back("all");
  static_cast<void>(find_name(node, "machine family", known, known.size()));
}

// Of the pools in its region those whose machines the limit names: by their GPU type or their family.
std::vector<bool> read_pools(const Draft& draft, const Node& node) {
  std::vector<bool> counted = pools_in_region(draft, node);
  const bool of_cpus = node.has("cpus");
  if (of_cpus) check_family(draft, node.at("cpus"));
  if (node.has("gpu")) check_gpu(draft, node.at("gpu"), node.text("gpu"));
  if (!node.has("gpu") && (!of_cpus || node.text("cpus") == "all")) return counted;
  const Node named = node.at(of_cpus ? "cpus" : "gpu");
  std::set<std::string> there;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (!counted[i]) continue;
    const std::string& family = draft.scenario.world.pools[i].family;
    const std::string& name = of_cpus ? family : gpu_of_family(draft, family);
    there.insert(name);
    counted[i] = name == named.as_text();
  }
  if (std::ranges::find(counted, true) == counted.end()) {
    named.fail(fmt::format("has no effect: no pool {} has \"{}\"; there is \"{}\"",
                           node.has("region") ? "of the region" : "of the scenario", named.as_text(),
                           fmt::join(there, "\", \"")));
  }
  return counted;
}

std::vector<Limit> read_limits(const Draft& draft, const Node& quota) {
  std::vector<Limit> limits;
  for (const Node& node : quota.list("limits")) {
    limits.push_back({.node = node, .kind = node.choice<Kind>("kind"), .pools = read_pools(draft, node)});
  }
  return limits;
}

bool is_preemptible(LeaseClass lease_class) {
  return lease_class == LeaseClass::spot || lease_class == LeaseClass::flex;
}

// On limits for on-demand machines fall back, pool by pool, preemptible ones for which there is no limit.
bool falls_back(const Limit& limit, const std::vector<Limit>& all, std::size_t pool) {
  return limit.kind == Kind::on_demand && std::ranges::none_of(all, [&](const Limit& other) {
           return other.kind == Kind::preemptible && other.is_of_cpus() == limit.is_of_cpus() &&
                  other.pools[pool];
         });
}

std::vector<bool> pools_for(LeaseClass lease_class, const Limit& limit, const std::vector<Limit>& all,
                            bool has_fallback) {
  const bool preemptible = is_preemptible(lease_class);
  if (limit.kind == Kind::any || preemptible == (limit.kind == Kind::preemptible)) return limit.pools;
  std::vector<bool> counted(limit.pools.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    counted[i] = limit.pools[i] && preemptible && has_fallback && falls_back(limit, all, i);
  }
  return counted;
}

// What a machine of each type counts for.
std::vector<std::int64_t> read_units(const World& world, const Limit& limit) {
  std::vector<std::int64_t> units;
  for (const MachineType& machine : world.machines) {
    const std::int64_t gpus = machine.has_gpus ? machine.gpus.count() : 0;
    units.push_back(limit.is_of_cpus() ? machine.vcpus : gpus);
  }
  return units;
}

/// Monday to Friday, but for holidays.
class BusinessDays {
 public:
  explicit BusinessDays(const Node& quota) {
    for (const Node& day : quota.list("holidays")) holidays_.insert(day.as_date());
  }
  /// The day that is so many business days after `from`; for 0 that day itself.
  [[nodiscard]] Date after(Date from, std::int64_t days) const {
    while (days > 0) {
      from += std::chrono::days{1};
      if (is_one(from)) --days;
    }
    return from;
  }

 private:
  [[nodiscard]] bool is_one(Date day) const {
    constexpr unsigned kFriday = 5;
    return std::chrono::weekday{day}.iso_encoding() <= kFriday && !holidays_.contains(day);
  }
  std::set<Date> holidays_;
};

// An increase never lowers what is granted already.
std::vector<QuotaStep> read_steps(const Draft& draft, const Node& quota, const Node& node) {
  const BusinessDays business_days{quota};
  std::vector<QuotaStep> granted;
  for (const Node& increase : node.list("increases")) {
    const std::int64_t to = increase.integer("to");
    if (to <= node.integer("limit"))
      increase.at("to").fail(fmt::format("is no increase: the limit is {}", node.integer("limit")));
    const std::int64_t limit = increase.has("granted") ? increase.integer("granted") : to;
    if (limit > to) increase.at("granted").fail(fmt::format("is more than the {} that are asked for", to));
    const Node& said = increase.has("business_days") ? increase : quota;
    const Date day = business_days.after(increase.date("requested"), said.integer("business_days"));
    granted.push_back({.at = draft.calendar.time(day, SimDuration::zero()), .limit = limit});
  }
  std::ranges::stable_sort(granted, {}, &QuotaStep::at);
  std::vector<QuotaStep> steps{{.at = draft.scenario.world.begin, .limit = node.integer("limit")}};
  for (const QuotaStep& step : granted) {
    if (step.limit <= steps.back().limit) continue;
    if (step.at > steps.back().at) steps.push_back(step);
    steps.back().limit = step.limit;
  }
  return steps;
}

std::int64_t limit_at(const QuotaBucket& quota, SimTime at) {
  return std::prev(std::ranges::upper_bound(quota.steps, at, {}, &QuotaStep::at))->limit;
}

// Of the quota, while it is held.
std::int64_t units_of(const QuotaBucket& quota, const HeldPool& held) {
  const LeaseClass lease_class = held.scaling ? held.scaling->lease_class : LeaseClass::reserved;
  if (held.booking || held.added_supply || !quota.counts(held.landlord, lease_class)) return 0;
  return held.machines.count() * quota.units[index(held.machine)];
}

std::int64_t held_at(const World& world, const Strategy& strategy, const QuotaBucket& quota, SimTime at) {
  std::int64_t units = 0;
  for (const PoolId id : strategy.held) {
    const HeldPool& held = world.held_pool(id);
    if (at >= held.from && at < held.until) units += units_of(quota, held);
  }
  return units;
}

// "us-central1, H100-80GB, any: 16, 64 from 2026-11-25"
std::string line_of(const Draft& draft, const QuotaBucket& quota) {
  std::string line = fmt::format("{}: {}", quota.name, quota.steps.front().limit);
  for (std::size_t i = 1; i < quota.steps.size(); ++i) {
    const QuotaStep& step = quota.steps[i];
    line += fmt::format(", {} from {}", step.limit, to_text(draft.calendar.local_day(step.at)));
  }
  return line;
}

// The pauses of a strategy whose jobs ask again and again, where node groups do not.
void read_back_off(const Node& node, const Strategy& strategy, QuotaRule& rule) {
  const auto is_by_group = [](const Leg& leg) { return leg.node_group || leg.policy.held; };
  for (const char* key : {"back_off", "back_off_most"}) {
    if (node.has(key) && std::ranges::all_of(strategy.legs, is_by_group))
      node.at(key).fail("has no effect: node groups back off, by \"retry_interval\" and \"node_groups\"");
  }
  rule.back_off_first = node.duration("back_off");
  rule.back_off_most = node.duration("back_off_most");
  if (rule.back_off_first <= rule.back_off_most) return;
  if (node.has("back_off_most")) {
    node.at("back_off_most")
        .fail(fmt::format("is less than the first pause, {}", format_duration(rule.back_off_first)));
  }
  rule.back_off_most = rule.back_off_first;
}

// What the orchestrators of the legs do. Quota has one rule for a strategy, so they must agree.
WhenShort when_short_by_default(const Draft& draft, const Node& node, const Strategy& strategy) {
  const auto rule_of = [](const Leg& leg) {
    return leg.orchestrator ? default_of(*leg.orchestrator) : WhenShort::refuse;
  };
  const WhenShort rule = rule_of(strategy.legs.front());
  const auto differs = [&](const Leg& leg) { return rule_of(leg) != rule; };
  if (draft.root.has("quota") && std::ranges::any_of(strategy.legs, differs)) {
    node.at("legs").fail(
        "the orchestrators of the legs differ in what becomes of a job that is short of quota: say "
        "\"when_short\" in the strategy's \"quota\"");
  }
  return rule;
}

}  // namespace

QuotaRule read_quota_rule(const Draft& draft, const Node& node_of_strategy, const Strategy& strategy) {
  const bool is_said = node_of_strategy.has("quota") && node_of_strategy.at("quota").has("when_short");
  QuotaRule rule;
  if (!is_said) rule.when_short = when_short_by_default(draft, node_of_strategy, strategy);
  if (!node_of_strategy.has("quota")) return rule;
  const Node node = node_of_strategy.at("quota");
  if (is_said) rule.when_short = node.choice<WhenShort>("when_short");
  rule.taken_at = node.choice<QuotaTaken>("taken_at");
  if (rule.when_short == WhenShort::back_off) {
    read_back_off(node, strategy, rule);
    return rule;
  }
  for (const char* key : {"back_off", "back_off_most"}) {
    if (node.has(key))
      node.at(key).fail(fmt::format("has no effect with \"when_short\": \"{}\"",
                                    kWhenShortNames[static_cast<std::size_t>(rule.when_short)]));
  }
  return rule;
}

// Capacity that is reserved takes its quota when it is created. Limits never fall, so that a strategy holds
// the most of one when a reservation begins.
void check_held_quota(const Draft& draft, const Strategy& strategy) {
  const World& world = draft.scenario.world;
  const auto nodes = draft.root.list("reservations");
  for (const QuotaBucket& quota : world.quotas) {
    for (const PoolId id : strategy.held) {
      const HeldPool& held = world.held_pool(id);
      const SimTime from = std::max(held.from, world.begin);
      const std::int64_t units = held_at(world, strategy, quota, from);
      if (units_of(quota, held) == 0 || units <= limit_at(quota, from)) continue;
      nodes[index(id) - world.pools.size()].fail(
          fmt::format("with it, strategy \"{}\" holds {} of the quota of {}, which has {} when it begins",
                      strategy.name, units, quota.name, limit_at(quota, from)));
    }
  }
}

void build_quotas(Draft& draft) {
  if (!draft.root.has("quota")) return;
  const Node quota = draft.root.at("quota");
  const std::vector<Limit> limits = read_limits(draft, quota);
  std::set<std::string> names;
  for (const Limit& limit : limits) {
    QuotaBucket bucket;
    bucket.name = fmt::format("{}, {}", scope_of(limit.node), limit.node.text("kind"));
    if (!names.insert(bucket.name).second)
      limit.node.fail(fmt::format("there is a limit for {} already", bucket.name));
    for (std::size_t i = 0; i < kLeaseClasses; ++i) {
      bucket.pools[i] = pools_for(static_cast<LeaseClass>(i), limit, limits, quota.flag("fallback"));
    }
    bucket.units = read_units(draft.scenario.world, limit);
    bucket.steps = read_steps(draft, quota, limit.node);
    draft.scenario.quotas.push_back(line_of(draft, bucket));
    draft.world().quotas.push_back(std::move(bucket));
  }
  draft.assume("increases of quota come after whole business days; how long that takes is not public");
  draft.assume("quota: what is refused, held or asked for again goes by the orchestrator of a strategy");
}

}  // namespace stockout
