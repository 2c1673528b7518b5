#include "models/scenario/buying/policies.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "models/scenario/draft/lengths.h"
#include "models/scenario/format/fill.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/format/known_names.h"
#include "sim/core/duration_text.h"
#include "sim/core/hours.h"

namespace stockout {
namespace {

constexpr SimDuration kShortestLinkOfChain = std::chrono::minutes{1};
Tries read_tries(const Node& node) {
  return node.kind() == ValueKind::choice ? kUnlimited : static_cast<Tries>(node.as_integer());
}

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
  const bool retries = !row.waits() && row.retries != 0;
  if (retries && row.retry_interval < kShortestPause) {
    named_or_all(node, "retry_interval")
        .fail(fmt::format("{} tries again after {}: \"retry_interval\" must be at least {}, or \"retries\" 0",
                          row.name, format_duration(row.retry_interval), format_duration(kShortestPause)));
  }
  if (row.run_max <= SimDuration::zero()) node.at("run_max").fail("must be more than 0s");
}

// What a scenario may narrow, but not leave.
void check_bounds(const Policy& row, const Node& node) {
  const PolicyBounds& bounds = row.bounds;
  if (bounds.may_be_left) return;
  if (!bounds.waits(row.max_wait)) {
    named_or_all(node, "max_wait")
        .fail(fmt::format("{}, not {}", bounds.wait_rule, format_duration(row.max_wait)));
  }
  if (!bounds.runs(row.run_max)) {
    named_or_all(node, "run_max")
        .fail(fmt::format("{} runs for {} to {}, not {}", bounds.product, format_duration(bounds.run_least),
                          format_duration(bounds.run_most), format_duration(row.run_max)));
  }
  const std::int32_t most = bounds.machines_most;
  if (most != 0 && (row.machines_max == 0 || row.machines_max > most)) {
    named_or_all(node, "machines_max")
        .fail(
            fmt::format("one request of {} is for at most {} {}", row.name, most, most == 1 ? "VM" : "VMs"));
  }
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

PolicyRows::PolicyRows(const Node& root) {
  for (const Policy& row : policy_table()) rows_.emplace(row.name, row);
  if (!root.has("models")) return;
  const auto entries = root.at("models").entries();
  auto known = model_names();
  known.emplace_back("all");
  for (const auto& [name, node] : entries) {
    static_cast<void>(find_name(node, "consumption model", name, known));
  }
  for (auto& [row_name, row] : rows_) {
    for (const std::string_view wanted : {std::string_view{"all"}, std::string_view{row_name}}) {
      const auto entry =
          std::ranges::find_if(entries, [&](const auto& candidate) { return candidate.first == wanted; });
      if (entry == entries.end()) continue;
      change(row, entry->second);
      check(row, entry->second);
      if (wanted == row_name) check_bounds(row, entry->second);
    }
  }
}

Policy PolicyRows::of_leg(const Node& leg) const {
  Policy policy = rows_.at(leg.text("model"));
  change(policy, leg);
  check(policy, leg);
  check_bounds(policy, leg);
  check_chains(policy, leg);
  return policy;
}

}  // namespace stockout
