#include "models/scenario/buying/quota.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "models/catalog/validity.h"
#include "models/scenario/draft/build.h"
#include "models/scenario/supply/pools.h"
#include "models/scenario/workload/workload.h"

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

// What the limit is about, beside the kind of machine.
std::string scope_of(const Node& node) {
  const std::string place = node.has("region") ? node.text("region") : "all regions";
  if (node.has("cpus")) return fmt::format("{}, vCPUs of {}", place, node.text("cpus"));
  return fmt::format("{}, {}", place, node.has("gpu") ? node.text("gpu") : "GPUs");
}

std::vector<bool> read_pools(const Draft& draft, const Node& node) {
  const auto& pools = draft.scenario.world.pools;
  if (!node.has("region")) return std::vector<bool>(pools.size(), true);
  std::vector<bool> counted;
  std::set<std::string> regions;
  for (const Pool& pool : pools) {
    regions.insert(region_of(draft, pool));
    counted.push_back(region_of(draft, pool) == node.text("region"));
  }
  if (std::ranges::find(counted, true) == counted.end()) {
    node.at("region").fail(
        fmt::format("no pool is in the region \"{}\"{}", node.text("region").substr(0, 60),
                    suggest(node.text("region"), std::vector<std::string>{regions.begin(), regions.end()})));
  }
  return counted;
}

void check_family(const Draft& draft, const Node& node) {
  const std::string family = node.as_text();
  if (family == "all" || draft.catalog.has_family(family)) return;
  const auto known = draft.catalog.families();
  node.fail(fmt::format("there is no machine family \"{}\"{}", family.substr(0, 60),
                        suggest(family, known, known.size())));
}

// What a machine of each type counts for.
std::vector<std::int64_t> read_units(const Draft& draft, const Node& node) {
  if (node.has("gpu")) check_gpu(draft, node.at("gpu"), node.text("gpu"));
  if (node.has("cpus")) check_family(draft, node.at("cpus"));
  const World& world = draft.scenario.world;
  const auto units_of = [&](const MachineType& machine) -> std::int64_t {
    if (node.has("cpus")) {
      return node.text("cpus") == "all" || node.text("cpus") == machine.family ? machine.vcpus : 0;
    }
    const bool counts = !node.has("gpu") || world.gpu_types[index(machine.gpu)] == node.text("gpu");
    return counts ? machine.gpus.count() : 0;
  };
  std::vector<std::int64_t> units;
  for (const MachineType& machine : world.machines) units.push_back(units_of(machine));
  return units;
}

bool is_preemptible(LeaseClass lease_class) {
  return lease_class == LeaseClass::spot || lease_class == LeaseClass::flex;
}

// Of limits for on-demand machines, those without one beside them for preemptible machines may count both.
std::array<bool, kLeaseClasses> read_classes(const Node& quota, const Node& node) {
  const auto kind = node.choice<Kind>("kind");
  const auto is_of_preemptible = [&](const Node& other) {
    return other.choice<Kind>("kind") == Kind::preemptible && scope_of(other) == scope_of(node);
  };
  const bool falls_back = kind == Kind::on_demand && quota.flag("fallback") &&
                          std::ranges::none_of(quota.list("limits"), is_of_preemptible);
  std::array<bool, kLeaseClasses> classes{};
  for (std::size_t i = 0; i < kLeaseClasses; ++i) {
    const bool preemptible = is_preemptible(static_cast<LeaseClass>(i));
    classes[i] = kind == Kind::any || falls_back || preemptible == (kind == Kind::preemptible);
  }
  return classes;
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

// Capacity that is reserved takes its quota when it is created.
void check_reservations(const Draft& draft, const QuotaBucket& quota) {
  const World& world = draft.scenario.world;
  const auto nodes = draft.root.list("reservations");
  for (std::size_t i = 0; i < world.held.size(); ++i) {
    const HeldPool& held = world.held[i];
    const LeaseClass lease_class = held.scaling ? held.scaling->lease_class : LeaseClass::reserved;
    const bool counts =
        quota.pools[index(held.landlord)] && quota.classes[static_cast<std::size_t>(lease_class)];
    if (held.booking || held.added_supply || !counts) continue;
    const std::int64_t units = held.machines.count() * quota.units[index(held.machine)];
    const SimTime from = std::max(held.from, world.begin);
    const auto step = std::ranges::upper_bound(quota.steps, from, {}, &QuotaStep::at);
    if (units <= std::prev(step)->limit) continue;
    nodes[i].fail(fmt::format("takes {} of the quota of {}, which has {} when it begins", units, quota.name,
                              std::prev(step)->limit));
  }
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
  if (!draft.root.has("quota")) node.fail("has no effect: the scenario has no \"quota\" with limits");
  if (is_said) rule.when_short = node.choice<WhenShort>("when_short");
  rule.taken_at = node.choice<QuotaTaken>("taken_at");
  rule.back_off_first = node.duration("back_off");
  rule.back_off_most = std::max(rule.back_off_first, node.duration("back_off_most"));
  return rule;
}

void build_quotas(Draft& draft) {
  if (!draft.root.has("quota")) return;
  const Node quota = draft.root.at("quota");
  std::set<std::string> names;
  for (const Node& node : quota.list("limits")) {
    QuotaBucket bucket;
    bucket.name = fmt::format("{}, {}", scope_of(node), node.text("kind"));
    if (!names.insert(bucket.name).second)
      node.fail(fmt::format("there is a limit for {} already", bucket.name));
    bucket.pools = read_pools(draft, node);
    bucket.units = read_units(draft, node);
    bucket.classes = read_classes(quota, node);
    bucket.steps = read_steps(draft, quota, node);
    check_reservations(draft, bucket);
    draft.world().quotas.push_back(std::move(bucket));
  }
  draft.assume("increases of quota come after whole business days; how long that takes is not public");
  draft.assume("quota: what is refused, held or asked for again goes by the orchestrator of a strategy");
}

}  // namespace stockout
