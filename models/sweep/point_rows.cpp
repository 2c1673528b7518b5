#include "models/sweep/point_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/goal_words.h"
#include "models/experiment/standing.h"
#include "models/measures/goal_text.h"

namespace stockout {

PointRows judged_rows(std::size_t point, const Comparison& comparison, const std::optional<WaitGoal>& goal,
                      const std::string& goal_text) {
  const Standings standings{comparison, goal};
  const GoalWords words{comparison, goal, goal_text, standings};
  PointRows rows{.point = point,
                 .error = {},
                 .fingerprint = fmt::format("{:016x}", comparison.fingerprint),
                 .goals = fmt::format("{}", fmt::join(goal_texts(goal_text, comparison.goals), "; ")),
                 .verdict = judge(comparison, goal, goal_text).kind,
                 .strategies = {}};
  const auto ranks = standings.ranks();
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i) {
    const StrategyResult& strategy = comparison.strategies[i];
    rows.strategies.push_back({.name = strategy.name,
                               .replications = strategy.replications,
                               .drew = strategy.drew,
                               .never_ran = fmt::format("{}", fmt::join(strategy.never_ran, ", ")),
                               .rank = ranks[i],
                               .goals_missed = fmt::format("{}", fmt::join(words.missed(i), "; ")),
                               .total = strategy.total});
  }
  return rows;
}

}  // namespace stockout
