#include "models/experiment/recommended.h"

#include "models/experiment/standing.h"
#include "models/experiment/verdict.h"

namespace stockout {
namespace {

bool may_replace(const Standings& standings, std::size_t other, const std::optional<std::size_t>& winner) {
  if (!winner || !standings[*winner].surely_qualifies()) return standings[other].may_qualify();
  return standings.may_beat(other, *winner) ||
         (standings[other].qualifies() && standings.cost_the_same(other, *winner));
}

}  // namespace

Recommended recommended(const Comparison& comparison, const std::optional<WaitGoal>& goal) {
  const Standings standings{comparison, goal};
  Recommended found{.strategy = standings.recommended(),
                    .is_sure = judge(comparison, goal, "").kind != Verdict::Kind::undecided,
                    .may_be = {}};
  for (std::size_t i = 0; i < comparison.strategies.size(); ++i)
    if (i != found.strategy && may_replace(standings, i, found.strategy)) found.may_be.push_back(i);
  found.may_be_none = found.strategy && !standings[*found.strategy].surely_qualifies();
  return found;
}

}  // namespace stockout
