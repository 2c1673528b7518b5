#include "models/launch/ready_to_run.h"

#include <utility>

#include <fmt/format.h>

#include "models/experiment/warm_up.h"

namespace stockout {

Scenario ready_to_run(ScenarioOptions options, const std::function<Scenario(const ScenarioOptions&)>& read) {
  Scenario longest = read(options);
  if (!longest.warm_up_to_find) return longest;
  options.warm_up = find_warm_up(longest.world, *longest.warm_up_to_find);
  Scenario scenario = read(options);
  scenario.warm_up_rule = fmt::format("found by MSER-5 in a pilot of the tenants alone, {} runs", kPilotRuns);
  return scenario;
}

}  // namespace stockout
