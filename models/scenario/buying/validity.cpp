#include "models/scenario/buying/validity.h"

#include <algorithm>

#include <fmt/format.h>

#include "models/catalog/orchestrators.h"
#include "models/consumption/orchestrator_rules.h"

namespace stockout {
namespace {

void fail_if(const Node& leg, std::string_view key, const std::string& why) {
  if (!why.empty()) leg.at(key).fail(why);
}

void check_pairs(const Draft& draft, const Node& node, const Strategy& strategy, std::size_t number) {
  const Leg& leg = strategy.legs[number];
  for (std::size_t before = 0; before < number; ++before) {
    const Leg& other = strategy.legs[before];
    if (other.orchestrator != leg.orchestrator || !serve_one_job(leg.classes, other.classes)) continue;
    fail_if(node, "model",
            why_not_together(draft.catalog, *leg.orchestrator, leg.policy.name, other.policy.name, false,
                             draft.root.date("start")));
  }
}

void warn_of_tries(Draft& draft, const Strategy& strategy, const Leg& leg) {
  for (const OrchestratorRule& rule : orchestrator_rules()) {
    const bool is_own = rule.is_about(*leg.orchestrator, leg.policy.name) && rule.kind == RuleKind::own;
    if (!is_own || !exceeds(leg.policy, rule)) continue;
    draft.warn(fmt::format(
        "strategy \"{}\", {}: \"{}\" is more than {}'s own, {}: the rest is a script or a person of yours",
        strategy.name, leg.label, rule.sets.key, title_of(rule.orchestrator), value_text(rule)));
  }
}

bool holds_reservation(const Leg& leg) {
  return leg.policy.held && leg.policy.offer == Offer::reservation &&
         leg.orchestrator == OrchestratorName::vertex;
}

// Whether the leg asks for machines of the reservation's kind in another zone.
bool asks_elsewhere(const World& world, const Leg& leg, const HeldPool& held) {
  return std::ranges::any_of(leg.candidates, [&](const std::vector<Candidate>& candidates) {
    return std::ranges::any_of(candidates, [&](const Candidate& candidate) {
      return candidate.pool != held.landlord && world.pool(candidate.pool).family == held.pool.family;
    });
  });
}

// Vertex AI tries what a reservation cannot hold as on-demand in the reservation's zone, and nowhere else.
void warn_of_overflow(Draft& draft, const Strategy& strategy, std::size_t number) {
  const Leg& leg = strategy.legs[number];
  if (leg.orchestrator != OrchestratorName::vertex || leg.policy.lease_class != LeaseClass::on_demand) return;
  for (std::size_t before = 0; before < number; ++before) {
    const Leg& held_leg = strategy.legs[before];
    if (!holds_reservation(held_leg) || !serve_one_job(leg.classes, held_leg.classes)) continue;
    for (const PoolId id : strategy.held) {
      const HeldPool& held = draft.world().held_pool(id);
      if (!asks_elsewhere(draft.world(), leg, held)) continue;
      draft.warn(fmt::format(
          "strategy \"{}\": Vertex AI tries what a reservation cannot hold on demand in its zone, {}, and "
          "nowhere else; {} asks elsewhere",
          strategy.name, held.pool.place, leg.label));
      return;
    }
  }
}

std::string fee_text(const BillingRule& billing) {
  return fmt::format(
      "Vertex AI's management fee is in the cost: {:.10g} % of the machine's on-demand list price for each "
      "hour that is billed (\"management_fee\" of \"billing\"). One bill has 15 % for on-demand and Flex "
      "Start, $1.65 for a GPU-hour of H100 (2025-08). The same share for Spot, reservations in use and "
      "persistent resources is an assumption",
      static_cast<double>(billing.fee_ppm) / 1e4);
}

}  // namespace

bool serve_one_job(const std::vector<bool>& a, const std::vector<bool>& b) {
  if (a.empty() || b.empty()) return true;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) return true;
  }
  return false;
}

std::optional<OrchestratorName> orchestrator_of(const Node& strategy, const Node& leg) {
  for (const Node* node : {&leg, &strategy}) {
    if (node->has("orchestrator")) return node->choice<OrchestratorName>("orchestrator");
  }
  return std::nullopt;
}

void check_orchestrator(const Draft& draft, const Node& node, const Leg& leg) {
  const Date day = draft.root.date("start");
  const std::string& model = leg.policy.name;
  fail_if(node, "model", why_not(draft.catalog, *leg.orchestrator, model, day));
  if (!node.has("price")) return;
  const auto price = kPriceModelNames[static_cast<std::size_t>(leg.policy.price)];
  fail_if(node, "price", why_not_together(draft.catalog, *leg.orchestrator, model, price, true, day));
}

void check_orchestrators(const Draft& draft, const Node& node, const Strategy& strategy) {
  const auto legs = node.list("legs");
  for (std::size_t i = 0; i < legs.size(); ++i) {
    if (!strategy.legs[i].orchestrator) continue;
    check_orchestrator(draft, legs[i], strategy.legs[i]);
    check_pairs(draft, legs[i], strategy, i);
  }
}

void warn_of_orchestrators(Draft& draft, const Strategy& strategy) {
  for (std::size_t i = 0; i < strategy.legs.size(); ++i) {
    const Leg& leg = strategy.legs[i];
    if (!leg.orchestrator) continue;
    if (!strategy.deadline_rule) warn_of_tries(draft, strategy, leg);
    warn_of_overflow(draft, strategy, i);
  }
}

void assume_of_orchestrators(Draft& draft) {
  const World& world = draft.world();
  if (std::ranges::any_of(world.price_lines, [](const PriceLine& line) { return line.fee.has_value(); }))
    draft.assume(fee_text(world.billing));
}

}  // namespace stockout
