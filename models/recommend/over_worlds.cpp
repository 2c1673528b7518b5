#include "models/recommend/over_worlds.h"

#include <utility>

#include "sim/core/check.h"
#include "sim/stats/weighted_quantile.h"

namespace stockout {
namespace {

bool meets_in(const Recommendation& found, const InWorld& world, std::size_t goal) {
  return !world.goals[goal] || found.goals[goal].goal.margin(*world.goals[goal]) >= 0;
}

std::size_t turns_of_all(const Recommendation& found) {
  std::size_t turns = 0;
  for (const Recommendation::JudgedIn& world : found.worlds) turns += world.turns;
  return turns;
}

// Counted in turns, so that all of them are 1 and not nearly so.
template <typename Meets>
double weight_where(const Recommendation& found, const PurchaseStanding& one, Meets meets) {
  STOCKOUT_CHECK(!found.worlds.empty() && one.in_worlds.size() == found.worlds.size());
  std::size_t turns = 0;
  for (std::size_t i = 0; i < found.worlds.size(); ++i) {
    if (meets(one.in_worlds[i])) turns += found.worlds[i].turns;
  }
  return static_cast<double>(turns) / static_cast<double>(turns_of_all(found));
}

}  // namespace

double weight_of(const Recommendation& found, std::size_t world) {
  return static_cast<double>(found.worlds[world].turns) / static_cast<double>(turns_of_all(found));
}

double weight_that_meets(const Recommendation& found, const PurchaseStanding& one, std::size_t goal) {
  return weight_where(found, one, [&](const InWorld& world) { return meets_in(found, world, goal); });
}

double weight_that_meets_all(const Recommendation& found, const PurchaseStanding& one) {
  return weight_where(found, one, [&](const InWorld& world) {
    for (std::size_t goal = 0; goal < found.goals.size(); ++goal) {
      if (!meets_in(found, world, goal)) return false;
    }
    return true;
  });
}

double cost_quantile(const Recommendation& found, const PurchaseStanding& one, double weight) {
  STOCKOUT_CHECK(!found.worlds.empty() && one.in_worlds.size() == found.worlds.size());
  WeightedValues<double> costs;
  for (std::size_t i = 0; i < found.worlds.size(); ++i)
    costs.emplace_back(one.in_worlds[i].cost, static_cast<double>(found.worlds[i].turns));
  return weighted_quantile(std::move(costs), weight);
}

}  // namespace stockout
