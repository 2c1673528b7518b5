#include "models/scenario/buying/validity.h"

namespace stockout {
namespace {

bool serve_one_job(const Draft& draft, const Leg& a, const Leg& b) {
  for (std::size_t i = 0; i < draft.classes.names().size(); ++i) {
    const ClassId id{static_cast<std::uint16_t>(i)};
    if (a.open_to(id) && b.open_to(id)) return true;
  }
  return false;
}

void fail_if(const Node& leg, std::string_view key, const std::string& why) {
  if (!why.empty()) leg.at(key).fail(why);
}

}  // namespace

void check_orchestrator(const Draft& draft, const Node& node, const Strategy& strategy) {
  if (!node.has("orchestrator")) return;
  const auto orchestrator = node.choice<OrchestratorName>("orchestrator");
  const Date day = draft.root.date("start");
  const Catalog& catalog = draft.catalog;
  const auto legs = node.list("legs");
  for (std::size_t i = 0; i < legs.size(); ++i) {
    const Leg& leg = strategy.legs[i];
    const std::string& model = leg.policy.name;
    fail_if(legs[i], "model", why_not(catalog, orchestrator, model, day));
    const auto price = kPriceModelNames[static_cast<std::size_t>(leg.policy.price)];
    if (legs[i].has("price"))
      fail_if(legs[i], "price", why_not_together(catalog, orchestrator, model, price, true, day));
    for (std::size_t j = 0; j < i; ++j) {
      if (!serve_one_job(draft, leg, strategy.legs[j])) continue;
      fail_if(legs[i], "model",
              why_not_together(catalog, orchestrator, model, strategy.legs[j].policy.name, false, day));
    }
  }
}

}  // namespace stockout
