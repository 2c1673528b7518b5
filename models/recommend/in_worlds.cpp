#include "models/recommend/in_worlds.h"

namespace stockout {

void RunningInWorlds::add(std::size_t world, double cost, std::span<const std::optional<double>> goals) {
  costs_[world].add(cost);
  for (std::size_t i = 0; i < goals.size(); ++i) {
    if (goals[i]) goals_[world][i].add(*goals[i]);
  }
}

std::vector<InWorld> RunningInWorlds::result() const {
  std::vector<InWorld> all;
  for (std::size_t world = 0; world < costs_.size(); ++world) {
    InWorld& own = all.emplace_back(InWorld{.cost = costs_[world].mean(), .goals = {}});
    for (const RunningEstimate& goal : goals_[world])
      own.goals.push_back(goal.count() > 0 ? std::optional{goal.mean()} : std::nullopt);
  }
  return all;
}

}  // namespace stockout
