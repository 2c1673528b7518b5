#include "models/recommend/hindsight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/recommend/goals_of.h"
#include "models/recommend/selection.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

// The runs of one way to buy after the split, in the order of the replications.
struct Ledger {
  std::vector<double> costs;
  bool draws = false;
};

// Without draws the mean over worlds is exact.
Estimate exact_unless(bool draws, Estimate found) {
  if (!draws) found.half_width.reset();
  return found;
}

/// The ways to buy on the part after the split, replication by replication.
class PartAfter {
 public:
  /// `goals`: as asked of the purchases of that part.
  PartAfter(const HindsightQuestion& question, const std::vector<Recommendation::Asked>& goals,
            std::size_t replications, int threads)
      : terms_{question.after.written.decide},
        goals_{goals},
        asked_{goals_of(question.after.written)},
        replications_{replications},
        threads_{threads} {}

  // Adds its runs to the ledger.
  PaidWay pay(const Purchases& purchases, std::size_t who, Ledger& ledger) {
    PurchaseRuns runs{purchases, asked_};
    runs.run(std::array{who}, replications_, threads_);
    simulated_ += runs.simulated();
    ledger.draws = runs.draws(who);
    RunningEstimate obligation;
    std::vector<RunningEstimate> met(goals_.size());
    for (std::size_t r = 0; r < replications_; ++r) {
      const PurchaseRun& run = runs.at(who, r);
      ledger.costs.push_back(cost_of(terms_, run));
      obligation.add(run[Measure::commitment].value);
      for (std::size_t i = 0; i < goals_.size(); ++i) {
        if (const auto value = value_of(goals_, i, run)) met[i].add(*value);
      }
    }
    return way_of(ledger, obligation.mean(), met);
  }

  [[nodiscard]] std::size_t simulated() const { return simulated_; }

 private:
  [[nodiscard]] PaidWay way_of(const Ledger& ledger, double obligation,
                               const std::vector<RunningEstimate>& met) const {
    PaidWay way{.cost = exact_unless(ledger.draws, estimate(ledger.costs)),
                .obligation = obligation,
                .goals = {},
                .missed = {}};
    for (std::size_t i = 0; i < goals_.size(); ++i) {
      auto& goal = way.goals.emplace_back();
      if (met[i].count() == 0) continue;
      goal = exact_unless(ledger.draws, met[i].result());
      if (goals_[i].is_missed_by(goal->mean)) way.missed.push_back(i);
    }
    return way;
  }

  const DecisionTerms& terms_;
  const std::vector<Recommendation::Asked>& goals_;
  std::vector<Goal> asked_;
  std::size_t replications_;
  int threads_;
  std::size_t simulated_ = 0;
};

Estimate more_than(const Ledger& one, const Ledger& other) {
  return exact_unless(one.draws || other.draws, estimate_difference(one.costs, other.costs));
}

// A ratio of means, by the delta method.
Estimate share_of(const Ledger& baseline, const Ledger& advice, const Ledger& best) {
  const double gained = estimate_difference(baseline.costs, advice.costs).mean;
  const double to_gain = estimate_difference(baseline.costs, best.costs).mean;
  const double share = gained / to_gain;
  RunningEstimate rest;
  for (std::size_t r = 0; r < baseline.costs.size(); ++r) {
    const double cost = baseline.costs[r];
    rest.add(cost - advice.costs[r] - share * (cost - best.costs[r]), cost);
  }
  Estimate result{.mean = share, .half_width = rest.result().half_width, .count = rest.count()};
  if (result.half_width) *result.half_width /= std::abs(to_gain);
  return exact_unless(baseline.draws || advice.draws || best.draws, result);
}

std::size_t place_of_strategy(const Purchases& purchases, std::size_t strategy) {
  const auto found = std::ranges::find(purchases.all(), strategy, &Purchase::strategy);
  STOCKOUT_CHECK(found != purchases.all().end());
  return static_cast<std::size_t>(found - purchases.all().begin());
}

const PurchaseStanding& best_of(const Recommendation& found) { return found.standings[found.best]; }

// As many as tell the best from the others.
std::size_t replications_of(const Recommendation& best, const PurchaseWorlds& worlds) {
  return std::max(best_of(best).standing.replications, first_look(worlds.round()));
}

// A goal that the search after the split knows to be missed, be it by less than the tolerance: else a way
// that misses could be cheaper than the best.
void add_known_miss(const Recommendation& best, std::size_t who, PaidWay& paid) {
  const auto found = std::ranges::find(best.standings, who, &PurchaseStanding::purchase);
  if (found == best.standings.end() || found->standing.kind != CandidateStanding::Kind::misses) return;
  const std::size_t goal = found->standing.by;
  if (std::ranges::find(paid.missed, goal) != paid.missed.end() || !paid.goals[goal]) return;
  paid.missed.insert(std::ranges::lower_bound(paid.missed, goal), goal);
}

// Something was advised.
Hindsight::Kind kind_of(const Hindsight& result) {
  if (!result.paid) return Hindsight::Kind::not_for_sale;
  if (!result.paid->missed.empty()) return Hindsight::Kind::misses_goal;
  return result.regret ? Hindsight::Kind::regret : Hindsight::Kind::nothing_meets_goals;
}

void pay(const HindsightQuestion& question, const RecommendationRules& rules, Hindsight& result) {
  const Purchases& after = question.after.purchases;
  result.replications = replications_of(*result.best, after.worlds());
  PartAfter part{question, result.best->goals, result.replications, rules.threads};
  Ledger advice;
  Ledger best;
  Ledger baseline;
  const Purchase& advised = question.before.purchases.all()[best_of(result.advice).purchase];
  const auto who = find_same(advised, question.before.purchases, after);
  const std::size_t in_hindsight = best_of(*result.best).purchase;
  result.is_best = who == in_hindsight;
  if (who) {
    result.paid = part.pay(after, *who, advice);
    add_known_miss(*result.best, *who, *result.paid);
  }
  result.baseline_paid =
      part.pay(question.as_written, place_of_strategy(question.as_written, question.baseline), baseline);
  if (who && result.paid->missed.empty()) result.gained = more_than(baseline, advice);
  if (result.best->kind != Recommendation::Kind::none_meets_goals) {
    result.best_paid = part.pay(after, in_hindsight, best);
    result.to_gain = more_than(baseline, best);
    if (result.gained) result.regret = more_than(advice, best);
    const bool is_worth_it = result.to_gain->low() > result.best->indifference_usd;
    if (result.gained && is_worth_it) result.captured = share_of(baseline, advice, best);
  }
  result.simulated += part.simulated();
  result.kind = kind_of(result);
}

}  // namespace

std::optional<std::size_t> find_same(const Purchase& one, const Purchases& of, const Purchases& among) {
  const std::vector<std::size_t> chosen = of.grid().choices(one.point);
  const auto is_same = [&](const Purchase& other) {
    const std::vector<std::size_t> theirs = among.grid().choices(other.point);
    return other.strategy == one.strategy && other.decided == one.decided &&
           std::ranges::all_of(one.decided, [&](std::size_t i) { return theirs[i] == chosen[i]; });
  };
  const auto found = std::ranges::find_if(among.all(), is_same);
  if (found == among.all().end()) return std::nullopt;
  return static_cast<std::size_t>(found - among.all().begin());
}

Hindsight look_back(const HindsightQuestion& question, const RecommendationRules& rules,
                    const std::function<void(std::size_t)>& done) {
  RecommendationRules of_whole = rules;
  of_whole.longest_obligation = longest_obligation(question.whole, rules);
  Hindsight result;
  result.advice = recommend(question.before.written, question.before.purchases, of_whole, done);
  result.simulated = result.advice.simulated;
  if (result.advice.kind != Recommendation::Kind::recommended) return result;
  const std::size_t before = result.simulated;
  result.best = recommend(question.after.written, question.after.purchases, of_whole, [&](std::size_t runs) {
    if (done) done(before + runs);
  });
  result.simulated += result.best->simulated;
  pay(question, of_whole, result);
  return result;
}

}  // namespace stockout
