#pragma once

#include <string>
#include <vector>

#include "tests/support/scenarios/random_scenario_plan.h"

namespace stockout::test {

/// A consumption model as a planner knows it.
struct ModelRow {
  std::string name;
  Offer offer = Offer::on_demand;
  bool is_at_once = false;
  bool is_held = false;
};

/// Every model of the policy table.
[[nodiscard]] const std::vector<ModelRow>& model_rows();

/// Some changes to the model, under `models` or in a leg.
void put_policy(ScenarioPlan& plan, Json& node, const ModelRow& row);

}  // namespace stockout::test
