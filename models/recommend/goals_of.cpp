#include "models/recommend/goals_of.h"

#include <cstddef>
#include <cstdint>

namespace stockout {

std::vector<Goal> goals_of(const Scenario& scenario) {
  std::vector<Goal> goals;
  if (const auto& goal = scenario.goal) {
    goals.push_back({.kind = Goal::Kind::starts,
                     .least = goal->quantile,
                     .at_most = goal->at_most,
                     .job_class = goal->job_class});
  }
  goals.insert(goals.end(), scenario.goals.begin(), scenario.goals.end());
  return goals;
}

std::span<const Goal> with_classes(const Scenario& scenario, std::vector<Goal>& goals) {
  const std::size_t asked = goals.size();
  const std::size_t classes = scenario.world.classes.size();
  for (std::size_t i = 0; i < asked; ++i) {
    if (goals[i].job_class || goals[i].kind == Goal::Kind::budget || classes < 2) continue;
    for (std::size_t job_class = 0; job_class < classes; ++job_class) {
      goals.push_back(goals[i]);
      goals.back().job_class = ClassId{static_cast<std::uint16_t>(job_class)};
    }
  }
  return goals;
}

}  // namespace stockout
