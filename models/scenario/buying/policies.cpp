#include "models/scenario/buying/policies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "models/consumption/orchestrator_rules.h"
#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/format/known_names.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr SimDuration kShortestLinkOfChain = std::chrono::minutes{1};

// Machines that live for no time would be taken and granted again for ever.
Law read_lifetime(const Node& node) {
  constexpr double kLeastMs = 60'000;
  Law law = to_law(node, {.may_last = true});
  if (cut_mean_ms(law) < kLeastMs) node.fail("must be at least 1min on the average");
  return law;
}

SimDuration read_max_wait(const Policy& row, const Node& node) {
  const SimDuration wait = node.duration("max_wait");
  return row.zero_wait_is_forever && wait == SimDuration::zero() ? kForever : wait;
}

// A start so long that no run would see its end is a mistake in the unit.
Law read_start(const Node& node) {
  constexpr double kMostMs = 30 * 24 * kMsPerHour;
  Law law = to_law(node, {});
  if (cut_mean_ms(law) > kMostMs) node.fail("must be at most 30d on the average");
  return law;
}

HealthTest read_health(const Node& node) {
  return {.takes = node.duration("takes"),
          .fails_ppm = static_cast<std::int32_t>(std::llround(node.number("fails") * 1e6)),
          .replace = node.duration("replace")};
}

// Changes what `node`, a model or a leg, names.
void change(Policy& row, const Node& node) {
  fill(row, node);
  if (node.has("max_wait")) row.max_wait = read_max_wait(row, node);
  if (node.has("retries")) row.retries = read_tries(node.at("retries"));
  if (node.has("restarts")) row.restarts = read_tries(node.at("restarts"));
  if (node.has("fault_restarts")) row.fault_restarts = read_tries(node.at("fault_restarts"));
  if (node.has("worker_restarts")) row.worker_restarts = read_tries(node.at("worker_restarts"));
  if (node.has("exit_restarts")) row.exit_restarts = read_tries(node.at("exit_restarts"));
  if (node.has("lifetime")) row.lifetime = read_lifetime(node.at("lifetime"));
  if (node.has("provisioning")) row.provisioning = read_start(node.at("provisioning"));
  if (node.has("start_up")) row.start_up = read_start(node.at("start_up"));
  if (node.has("health")) row.health = read_health(node.at("health"));
  if (node.has("price")) {
    if (row.held) node.at("price").fail("a reservation's price follows from its commitment");
    row.price = node.choice<PriceModel>("price");
  }
}

Node named_or_all(const Node& node, std::string_view key) { return node.has(key) ? node.at(key) : node; }

// What would make a run go round for ever in one instant, or end before it began.
void check(const Policy& row, const Node& node) {
  if (!row.held && row.retries != 0 && row.retry_interval < kShortestPause) {
    named_or_all(node, "retry_interval")
        .fail(fmt::format("{} tries again after {}: \"retry_interval\" must be at least {}, or \"retries\" 0",
                          row.name, format_duration(row.retry_interval), format_duration(kShortestPause)));
  }
  if (row.run_max <= SimDuration::zero()) node.at("run_max").fail("must be more than 0s");
}

// " (Vertex AI training documentation ...)", for the end of a sentence.
std::string source_text(const Catalog& catalog, std::string_view key) {
  const auto found = catalog.sources().find(key);
  return found == catalog.sources().end() ? "" : fmt::format(" ({})", found->second);
}

void check_chains(const Policy& row, const Node& leg) {
  if (!row.chains) return;
  if (row.run_max == kForever)
    leg.fail(fmt::format("{} chains runs that have no end: \"chains\" requires \"run_max\"", row.name));
  if (row.run_max < kShortestLinkOfChain) {
    named_or_all(leg, "run_max")
        .fail(fmt::format("a chain of runs of {}: with \"chains\" it must be at least {}",
                          format_duration(row.run_max), format_duration(kShortestLinkOfChain)));
  }
}

}  // namespace

Tries read_tries(const Node& node) {
  return node.kind() == ValueKind::choice ? kUnlimited : static_cast<Tries>(node.as_integer());
}

PolicyRows::PolicyRows(const Node& root, const Catalog& catalog) : root_{root}, catalog_{&catalog} {
  auto known = model_names();
  known.emplace_back("all");
  if (root.has("models")) {
    for (const auto& [name, node] : root.at("models").entries())
      static_cast<void>(find_name(node, "consumption model", name, known, known.size()));
  }
  for (const Policy& row : policy_table()) rows_.emplace(row.name, changed(row));
}

// What `models` says of all, or of one.
std::optional<Node> PolicyRows::entry(std::string_view name) const {
  if (!root_.has("models")) return std::nullopt;
  for (const auto& [known, node] : root_.at("models").entries()) {
    if (known == name) return node;
  }
  return std::nullopt;
}

Policy PolicyRows::changed(Policy row) const {
  if (const auto all = entry("all")) {
    change(row, *all);
    check(row, *all);
  }
  if (const auto own = entry(row.name)) {
    change(row, *own);
    check(row, *own);
    check_bounds(row, *own);
  }
  return row;
}

// Where a value of a leg comes from; the leg itself if the scenario does not say it.
Node PolicyRows::said(const Node& leg, std::string_view key) const {
  if (leg.has(key) || !leg.has("model")) return named_or_all(leg, key);
  for (const std::string& name : {leg.text("model"), std::string{"all"}}) {
    if (const auto node = entry(name); node && node->has(key)) return node->at(key);
  }
  return leg;
}

// What a scenario may narrow, but not leave.
void PolicyRows::check_bounds(const Policy& row, const Node& node) const {
  const PolicyBounds& bounds = row.bounds;
  const std::string source = source_text(*catalog_, bounds.source);
  if (!bounds.waits(row.max_wait)) {
    said(node, "max_wait")
        .fail(fmt::format("{}, not {}{}", bounds.wait_rule, format_duration(row.max_wait), source));
  }
  if (bounds.refuses(row.run_max)) {
    said(node, "run_max")
        .fail(fmt::format("{} runs for {} to {}, not {}{}", bounds.product, format_duration(bounds.run_least),
                          format_duration(bounds.run_most), format_duration(row.run_max), source));
  }
  const std::int32_t most = bounds.machines_most;
  if (most != 0 && (row.machines_max == 0 || row.machines_max > most)) {
    said(node, "machines_max")
        .fail(fmt::format("one request of {} is for at most {} {}{}", row.name, most,
                          most == 1 ? "VM" : "VMs", source));
  }
}

// Each attempt starts at the first leg, so that the tries of the last are tries of all.
Policy PolicyRows::ruled(const std::string& model, OrchestratorName orchestrator, bool is_followed) const {
  Policy row = under(orchestrator, *find_policy(model));
  if (is_followed && row.retries == kUnlimited) row.retries = 0;
  return changed(std::move(row));
}

Policy PolicyRows::of_leg(const Node& leg, std::optional<OrchestratorName> orchestrator,
                          bool is_followed) const {
  const std::string model = leg.text("model");
  Policy policy = orchestrator ? ruled(model, *orchestrator, is_followed) : rows_.at(model);
  change(policy, leg);
  check(policy, leg);
  check_bounds(policy, leg);
  check_chains(policy, leg);
  return policy;
}

}  // namespace stockout
