#include "models/scenario/supply/capacity.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/scenario/supply/growth.h"
#include "models/scenario/supply/markov_source.h"
#include "models/scenario/supply/placement.h"
#include "models/scenario/supply/pools.h"
#include "models/supply/capacity_steps.h"
#include "sim/io/time_stamp.h"

namespace stockout {
namespace {

// A host or machine count times its GPUs, checked against the largest pool.
GpuCount whole(const Node& count, GpuCount each) {
  const GpuCount gpus = each * count.as_integer();
  if (gpus > kUnlimitedGpus) {
    count.fail(
        fmt::format("{} GPUs are more than the {} a pool may have", gpus.count(), kUnlimitedGpus.count()));
  }
  return gpus;
}

std::vector<CapacityStep> read_steps(const Draft& draft, const Node& node) {
  std::vector<CapacityStep> steps;
  for (const Node& step : node.items()) {
    const SimTime at = draft.calendar.origin() + step.duration("at");
    if (!steps.empty() && at <= steps.back().at) step.at("at").fail("must be later than the step before");
    steps.push_back({.at = at, .gpus = GpuCount{step.integer("gpus")}});
  }
  const SimTime begin = draft.scenario.world.begin;
  const auto later = std::ranges::upper_bound(steps, begin, {}, &CapacityStep::at);
  if (later - steps.begin() > 1) steps.erase(steps.begin(), later - 1);
  steps.front().at = begin;
  return steps;
}

AvailabilityOptions availability_options(const Node& node) {
  AvailabilityOptions options;
  if (node.has("zone")) options.zone = node.text("zone");
  options.asked_at = node.has("zone") ? node.at("zone").where() : node.where();
  options.time_zone = node.text("time_zone");
  check_time_zone(options.time_zone, node.at("time_zone").where());
  if (node.has("inverted")) options.inverted = node.flag("inverted");
  return options;
}

CapacityRules read_rules(const Draft& draft, const Node& node, const AvailabilitySeries& series,
                         const Pool& pool) {
  CapacityRules rules = read_scale(draft, node, pool);
  if (node.has("cap")) rules.cap = static_cast<std::int32_t>(node.integer("cap"));
  rules.holes = node.choice<Holes>("holes");
  const SimDuration origin = draft.calendar.origin() - kStart;
  if (!series.absolute) rules.shift = origin;
  if (node.text("shift") == "to_start" && series.absolute) {
    rules.shift = draft.calendar.start().time_since_epoch() + origin - SimDuration{series.at_ms.front()};
  }
  return rules;
}

CapacitySource read_availability_source(Draft& draft, const Node& node, const Pool& pool) {
  const AvailabilityOptions options = availability_options(node);
  const AvailabilitySeries series =
      node.at("file").read_file([&](const std::string& path) { return read_availability(path, options); });
  const CapacityRules rules = read_rules(draft, node, series, pool);
  const World& world = draft.world();
  const CapacitySpan span{
      .start_date = draft.calendar.start(), .begin = world.begin, .end = world.window_end};
  CapacitySource source = to_capacity(series, rules, span);
  const auto censored = std::ranges::count_if(source.censored, [](std::uint8_t flag) { return flag != 0; });
  if (censored > 0) {
    draft.warn(fmt::format(
        "{}: {} of {} capacity steps are values at the cap of the probe, which mean \"at least\"; at_cap "
        "says what they are taken for",
        pool.name, censored, source.steps.size()));
  }
  assume_small_probes(draft, node, rules, pool);
  return source;
}

// What `hosts`, `machines` or `gpus` of a capacity or its growth counts.
GpuCount unit_of(const Draft& draft, const Node& node, const Node& pool_node, const Pool& pool) {
  if (node.has("hosts")) return host_gpus(draft, pool.family);
  if (!node.has("machines")) return GpuCount{1};
  return draft.catalog.machine(pool_machine(draft, pool_node, pool)).gpus;
}

Node count_of(const Node& node) {
  return node.at(node.has("hosts") ? "hosts" : node.has("machines") ? "machines" : "gpus");
}

std::vector<CapacityStep> read_fixed(const Draft& draft, const Node& node, const Node& pool_node,
                                     const Pool& pool) {
  const World& world = draft.scenario.world;
  CapacityGrowth growth;
  growth.unit = unit_of(draft, node, pool_node, pool);
  growth.start = whole(count_of(node), growth.unit);
  if (!node.has("growth")) return {{.at = world.begin, .gpus = growth.start}};
  constexpr double kPerCent = 100;
  const Node rate = node.at("growth");
  if (rate.has("percent")) {
    growth.factor = 1 + rate.number("percent") / kPerCent;
  } else {
    growth.added = unit_of(draft, rate, pool_node, pool) * count_of(rate).as_integer();
  }
  growth.every = rate.duration("every");
  growth.origin = draft.calendar.origin();
  const SimDuration drain = world.end == RunEnd::drain ? world.drain_limit : SimDuration::zero();
  return grow(rate, growth, world.begin, world.window_end + drain);
}

std::string class_names(const Node& node) {
  std::vector<std::string> names;
  for (const Node& name : node.list("classes")) names.push_back(name.as_text());
  std::ranges::sort(names);
  return fmt::format("{}", fmt::join(names, ","));
}

CapacitySource read_source(Draft& draft, const Node& node, const Node& pool_node, const Pool& pool) {
  const bool is_stepped = node.has("gpus") && node.at("gpus").kind() == ValueKind::list;
  if (node.has("availability")) return read_availability_source(draft, node.at("availability"), pool);
  if (node.has("markov")) return read_markov(draft, node.at("markov"), pool, class_names(node));
  CapacitySource source;
  source.steps = is_stepped ? read_steps(draft, node.at("gpus")) : read_fixed(draft, node, pool_node, pool);
  return source;
}

void read_capacity_list(Draft& draft, const Node& node, Pool& pool) {
  std::array<bool, kLeaseClasses> taken{};
  for (const Node& part : node.list("capacity")) {
    CapacitySource source = read_source(draft, part, node, pool);
    for (const Node& name : part.list("classes")) {
      const std::size_t lease_class = name.choice_index();
      if (taken[lease_class]) name.fail(fmt::format("\"{}\" has capacity already", name.as_text()));
      taken[lease_class] = source.classes[lease_class] = true;
    }
    pool.capacity.push_back(std::move(source));
  }
  std::vector<std::string_view> unlimited;
  for (std::size_t i = 0; i < kLeaseClasses; ++i) {
    if (!taken[i]) unlimited.push_back(kLeaseClassNames[i]);
  }
  if (!unlimited.empty()) {
    draft.warn(fmt::format("{}: no capacity is given for {}: unlimited there", pool.name,
                           fmt::join(unlimited, ", ")));
  }
}

}  // namespace

CapacityRules read_scale(const Draft& draft, const Node& node, const Pool& pool) {
  CapacityRules rules;
  const Node shape = node.at("shape");
  const auto machine = draft.catalog.find_machine(shape.as_text());
  if (!machine || draft.catalog.machine(*machine).family != pool.family) {
    shape.fail(fmt::format("the pool's family {} has no machine \"{}\"", pool.family,
                           shape.as_text().substr(0, 60)));
  }
  rules.shape_gpus = draft.catalog.machine(*machine).gpus;
  rules.means = node.choice<Means>("means");
  const Node at_cap = node.at("at_cap");
  if (at_cap.kind() == ValueKind::choice) {
    rules.at_cap = at_cap.as_text() == "cap" ? AtCap::cap : AtCap::unlimited;
  } else {
    rules.at_cap = AtCap::machines;
    rules.at_cap_machines = static_cast<std::int32_t>(at_cap.as_integer());
  }
  if (node.has("fleet_gpus")) rules.fleet = GpuCount{node.integer("fleet_gpus")};
  return rules;
}

void assume_small_probes(Draft& draft, const Node& node, const CapacityRules& rules, const Pool& pool) {
  if (rules.means != Means::machines || rules.shape_gpus >= host_gpus(draft, pool.family)) return;
  draft.assume(
      fmt::format("{}: what was probed with {} machines holds for larger machines and gangs, by GPUs",
                  pool.name, node.text("shape")));
}

void build_capacity(Draft& draft) {
  const auto nodes = draft.root.list("pools");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    Pool& pool = draft.world().pools[i];
    if (node.has("unlimited")) {
      if (!node.flag("unlimited"))
        node.at("unlimited").fail("must be true, or left out for a number of hosts, machines or gpus");
      draft.warn(fmt::format("{}: every request is granted at once (unlimited)", pool.name));
    } else if (node.has("capacity")) {
      read_capacity_list(draft, node, pool);
    } else {
      CapacitySource source = read_source(draft, node, node, pool);
      source.classes.fill(true);
      pool.capacity.push_back(std::move(source));
    }
    pool.placement = read_placement(draft, node, pool);
  }
}

}  // namespace stockout
