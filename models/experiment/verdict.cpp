#include "models/experiment/verdict.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

// Shares are sums of ratios: a goal that is met exactly must not be missed by the last bit.
constexpr double kSlack = 1e-12;

/// A strategy under the wait goal.
struct Standing {
  bool meets = false;   // on average
  bool surely = false;  // the whole interval
  bool may = false;     // some of the interval
  std::optional<Estimate> attained;
};

std::vector<double> repeat_to(std::vector<double> values, std::size_t count) {
  if (values.size() == 1) values.resize(count, values.front());  // draws nothing: the same every time
  return values;
}

std::string with_noise(const std::string& text, const std::optional<double>& half_width,
                       const std::string& noise) {
  return half_width && *half_width > 0 ? fmt::format("{} ± {}", text, noise) : text;
}

class Judge {
 public:
  Judge(const Comparison& comparison, const std::optional<WaitGoal>& goal, const std::string& goal_text)
      : comparison_{comparison}, goal_{goal}, goal_text_{goal_text} {
    for (const StrategyResult& strategy : comparison.strategies) standings_.push_back(standing(strategy));
  }

  [[nodiscard]] Verdict decide() const;

 private:
  [[nodiscard]] const StrategyResult& at(std::size_t i) const { return comparison_.strategies[i]; }
  [[nodiscard]] std::string name(std::size_t i) const { return fmt::format("\"{}\"", at(i).name); }
  [[nodiscard]] std::size_t count() const { return comparison_.strategies.size(); }
  [[nodiscard]] double cost(std::size_t i) const { return at(i).total[Measure::cost].mean; }

  [[nodiscard]] Standing standing(const StrategyResult& strategy) const;
  [[nodiscard]] Estimate extra_cost(std::size_t other, std::size_t than) const;
  [[nodiscard]] bool cost_the_same(std::size_t a, std::size_t b) const;
  [[nodiscard]] bool waits_less(std::size_t a, std::size_t b) const;
  [[nodiscard]] std::vector<std::size_t> by_cost() const;
  [[nodiscard]] Verdict none_meets() const;
  [[nodiscard]] std::vector<std::string> doubts(std::size_t winner) const;
  [[nodiscard]] std::string doubt_about(std::size_t other, std::size_t winner) const;

  [[nodiscard]] std::string attained_text(std::size_t i) const;
  [[nodiscard]] std::string describe(std::size_t i) const;
  [[nodiscard]] std::string others_text(std::size_t winner) const;
  [[nodiscard]] std::string caveat() const;
  [[nodiscard]] std::string opening() const;

  const Comparison& comparison_;
  const std::optional<WaitGoal>& goal_;
  const std::string& goal_text_;
  std::vector<Standing> standings_;
};

Standing Judge::standing(const StrategyResult& strategy) const {
  if (!goal_) return {.meets = true, .surely = true, .may = true, .attained = std::nullopt};
  if (strategy.attained.empty()) return {};
  const Estimate attained = estimate(strategy.attained);
  const double asked = goal_->quantile - kSlack;
  return {.meets = attained.mean >= asked,
          .surely = attained.low() >= asked,
          .may = attained.high() >= asked,
          .attained = attained};
}

Estimate Judge::extra_cost(std::size_t other, std::size_t than) const {
  const std::size_t replications = std::max(at(other).costs.size(), at(than).costs.size());
  return estimate_difference(repeat_to(at(other).costs, replications),
                             repeat_to(at(than).costs, replications));
}

// The same cost in every replication: then it is no question of noise which to buy.
bool Judge::cost_the_same(std::size_t a, std::size_t b) const {
  const Estimate extra = extra_cost(a, b);
  return extra.mean == 0 && extra.half_width.value_or(0) == 0;
}

// Whether `a` is the better buy of two that cost the same: more jobs in time, then a shorter wait.
bool Judge::waits_less(std::size_t a, std::size_t b) const {
  const double in_time_a = standings_[a].attained ? standings_[a].attained->mean : 0;
  const double in_time_b = standings_[b].attained ? standings_[b].attained->mean : 0;
  if (in_time_a != in_time_b) return in_time_a > in_time_b;
  return at(a).total[Measure::wait_mean].mean < at(b).total[Measure::wait_mean].mean;
}

// Places of all strategies, the cheapest first; of those with equal cost the shorter wait, then the first in
// the scenario.
std::vector<std::size_t> Judge::by_cost() const {
  std::vector<std::size_t> order(count());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : waits_less(a, b);
  });
  return order;
}

std::string Judge::attained_text(std::size_t i) const {
  const auto& attained = standings_[i].attained;
  if (!attained) return "no job";
  return with_noise(share_text(attained->mean), attained->half_width,
                    number_text(100 * attained->half_width.value_or(0), 1));
}

// What a strategy costs and, beside it, what it gives for that.
std::string Judge::describe(std::size_t i) const {
  const Summaries& total = at(i).total;
  const Summary& paid = total[Measure::cost];
  std::string text =
      with_noise(dollar_text(paid.mean), paid.half_width, number_text(paid.half_width.value_or(0)));
  if (goal_) {
    text += fmt::format(", {} start in time", attained_text(i));
  } else if (!total[Measure::wait_p95].is_absent()) {
    const Summary& wait = total[Measure::wait_p95];
    text += fmt::format(", 95 % of jobs start within {}{} h",
                        wait.known == Value::Known::at_least ? "> " : "", number_text(wait.mean, 1));
  }
  const double jobs = total[Measure::jobs].mean;
  const double completed = total[Measure::completed].mean;
  if (completed < jobs) text += fmt::format(", {} of jobs complete", share_text(completed / jobs));
  return text;
}

// What the winner was measured against: those that cost the same, and the next dearer one.
std::string Judge::others_text(std::size_t winner) const {
  std::string same;
  for (const std::size_t other : by_cost()) {
    if (other == winner || !standings_[other].meets) continue;
    if (cost_the_same(other, winner)) {
      same += fmt::format(" {} costs the same{}.", name(other),
                          goal_ ? fmt::format(", {} start in time", attained_text(other)) : "");
      continue;
    }
    const Estimate extra = extra_cost(other, winner);
    return same + fmt::format(" Next: {}, {} more.", name(other),
                              with_noise(dollar_text(extra.mean), extra.half_width,
                                         number_text(extra.half_width.value_or(0))));
  }
  if (!same.empty() || count() == 1) return same;
  return goal_ ? " No other strategy meets the goal." : "";
}

// What one replication cannot tell.
std::string Judge::caveat() const {
  const bool drew = std::any_of(comparison_.strategies.begin(), comparison_.strategies.end(),
                                [](const StrategyResult& strategy) { return strategy.drew; });
  return drew && comparison_.replications == 1
             ? " One replication only: no interval, chance may have decided."
             : "";
}

// Why `other` may be the cheaper buy, if it may.
std::string Judge::doubt_about(std::size_t other, std::size_t winner) const {
  if (!standings_[other].may || (standings_[other].meets && cost_the_same(other, winner))) return {};
  const Estimate extra = extra_cost(other, winner);
  if (extra.low() > 0) return {};
  const std::string noise = extra.half_width ? fmt::format(" ± {}", number_text(*extra.half_width)) : "";
  std::string text = fmt::format("{} costs {}{} {}", name(other), dollar_text(std::abs(extra.mean)), noise,
                                 extra.mean < 0 ? "less" : "more");
  if (!standings_[other].meets) text += fmt::format(" and may meet it too ({})", attained_text(other));
  return text;
}

std::vector<std::string> Judge::doubts(std::size_t winner) const {
  std::vector<std::string> found;
  if (!standings_[winner].surely) found.push_back("it meets the goal only within the noise");
  for (const std::size_t other : by_cost()) {
    if (other == winner) continue;
    std::string doubt = doubt_about(other, winner);
    if (!doubt.empty()) found.push_back(std::move(doubt));
  }
  return found;
}

Verdict Judge::none_meets() const {
  std::size_t nearest = by_cost().front();
  for (const std::size_t i : by_cost()) {
    const auto share = [&](std::size_t s) {
      return standings_[s].attained ? standings_[s].attained->mean : -1.0;
    };
    if (share(i) > share(nearest)) nearest = i;
  }
  if (!standings_[nearest].attained) {
    return {.kind = Verdict::Kind::undecided,
            .strategy = nearest,
            .sentence = fmt::format("Undecided: the goal ({}) is about no job of this run.", goal_text_)};
  }
  const bool may = std::any_of(standings_.begin(), standings_.end(), [](const Standing& s) { return s.may; });
  if (may) {
    return {.kind = Verdict::Kind::undecided,
            .strategy = nearest,
            .sentence =
                fmt::format("Undecided: on average no strategy meets the goal ({}), but the noise leaves it "
                            "open. Nearest: {} ({}).",
                            goal_text_, name(nearest), describe(nearest))};
  }
  return {.kind = Verdict::Kind::none_meets_goal,
          .strategy = nearest,
          .sentence = fmt::format("No strategy meets the goal ({}). Nearest: {} ({}).{}", goal_text_,
                                  name(nearest), describe(nearest), caveat())};
}

std::string Judge::opening() const {
  if (count() == 1) return goal_ ? fmt::format("Meets the goal ({})", goal_text_) : "The only strategy";
  return goal_ ? fmt::format("Cheapest under the goal ({})", goal_text_) : "Cheapest";
}

Verdict Judge::decide() const {
  const std::vector<std::size_t> order = by_cost();
  const auto found =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) { return standings_[i].meets; });
  if (found == order.end()) return none_meets();
  const std::size_t winner = *found;
  const std::string under = goal_ ? fmt::format(" under the goal ({})", goal_text_) : "";
  std::vector<std::string> against = doubts(winner);
  if (!against.empty()) {
    if (against.size() > 2) against.resize(2);
    return {.kind = Verdict::Kind::undecided,
            .strategy = winner,
            .sentence = fmt::format("Undecided{}: {} is cheapest on average ({}), but {}.{}", under,
                                    name(winner), describe(winner), fmt::join(against, ", and "), caveat())};
  }
  const std::string note =
      goal_ || count() == 1 ? "" : " There is no wait goal, so that the wait does not count here.";
  return {.kind = goal_ ? Verdict::Kind::cheapest_within_goal : Verdict::Kind::cheapest,
          .strategy = winner,
          .sentence = fmt::format("{}: {} ({}).{}{}{}", opening(), name(winner), describe(winner),
                                  others_text(winner), note, caveat())};
}

}  // namespace

Verdict judge(const Comparison& comparison, const std::optional<WaitGoal>& goal,
              const std::string& goal_text) {
  STOCKOUT_CHECK(!comparison.strategies.empty());
  return Judge{comparison, goal, goal_text}.decide();
}

}  // namespace stockout
