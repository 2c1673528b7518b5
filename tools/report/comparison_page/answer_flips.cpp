#include "tools/report/comparison_page/answer_flips.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/standing.h"
#include "models/measures/number_text.h"
#include "sim/core/hours.h"
#include "tools/page/choice_text.h"
#include "tools/report/prices/price_flips.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

// The share of the goal, or the usual one.
double share_asked(const PageStory& story) {
  const auto& goal = story.report.scenario.goal;
  return goal ? goal->quantile : 0.95;
}

class FlipFinder {
 public:
  explicit FlipFinder(const PageStory& story)
      : story_{story},
        comparison_{story.report.comparison},
        verdict_{*story.report.verdict},
        standings_{comparison_, story.report.scenario.goal} {}

  AnswerFlips find();

 private:
  [[nodiscard]] std::string name(std::size_t strategy) const {
    return fmt::format("\"{}\"", comparison_.strategies[strategy].name);
  }
  [[nodiscard]] std::string cost(std::size_t strategy) const {
    return dollar_text(comparison_.strategies[strategy].total[Measure::cost].mean);
  }
  [[nodiscard]] bool is_answer(std::size_t strategy) const {
    return strategy == verdict_.strategy || standings_.cost_the_same(strategy, verdict_.strategy);
  }
  [[nodiscard]] bool has_winner() const {
    return !verdict_.finds_none() && standings_[verdict_.strategy].qualifies();
  }

  void add(std::string what, std::string sentence, AnswerFlip::Rank rank, double size = 0);
  void tried(std::string line) { found_.tried.push_back(std::move(line)); }

  void try_chance();
  void try_assumptions();
  void try_prices();
  void try_prices_for_budget();
  bool try_price(const BreakEven& model);
  void try_limits();
  void add_limits(const std::vector<std::optional<std::size_t>>& cheapest, std::size_t now);
  bool add_limit(const std::vector<std::optional<std::size_t>>& cheapest, std::size_t now, std::size_t then);
  [[nodiscard]] std::string limit_text(std::size_t wait) const {
    const double hours = to_hours(story_.waits.waits[wait]);
    return hours == 0 ? std::string{"no time at all"} : wait_limit_text(hours);
  }

  const PageStory& story_;
  const Comparison& comparison_;
  const Verdict& verdict_;
  Standings standings_;
  AnswerFlips found_;
};

void FlipFinder::add(std::string what, std::string sentence, AnswerFlip::Rank rank, double size) {
  found_.flips.push_back(
      {.what = std::move(what), .sentence = std::move(sentence), .rank = rank, .size = size});
}

void FlipFinder::try_chance() {
  if (const std::vector<std::string>& doubts = verdict_.doubts; !doubts.empty()) {
    const std::size_t told = std::min<std::size_t>(2, doubts.size());
    const std::size_t more = doubts.size() - told;
    add("chance",
        fmt::format("Chance: {}{}. More replications would tell.",
                    fmt::join(doubts.begin(), doubts.begin() + static_cast<std::ptrdiff_t>(told), "; "),
                    more > 0 ? fmt::format("; and {} more like this", more) : ""),
        AnswerFlip::Rank::chance);
  }
  const bool drew = std::ranges::any_of(comparison_.strategies, &StrategyResult::drew);
  if (!drew) return tried("Chance: nothing is drawn in this scenario, so that chance decides nothing.");
  if (comparison_.replications == 1) {
    add("chance", "Chance: there is one replication only, so that any of it may be chance.",
        AnswerFlip::Rank::chance);
  }
  tried(
      fmt::format("Chance: differences of cost over {} replications, with the same random numbers "
                  "for every strategy.",
                  comparison_.replications));
}

void FlipFinder::try_assumptions() {
  if (story_.report.band == nullptr) {
    return tried(
        "Assumptions: the scenario lists no `alternatives` to what it assumes, so that none was tried.");
  }
  for (const AlternativeResult& one : story_.report.band->alternatives) {
    if (one.outcome == AnswerOutcome::same) continue;
    const std::string under = fmt::format("Assumption: under \"{}\" ({})", one.name, one.rule);
    const StrategyResult& then = one.comparison.strategies[one.verdict.strategy];
    std::string sentence;
    if (one.outcome == AnswerOutcome::other_winner) {
      sentence = fmt::format("{}, \"{}\" is the one to buy, for {}.", under, then.name,
                             dollar_text(then.total[Measure::cost].mean));
    } else if (one.outcome == AnswerOutcome::none) {
      sentence = fmt::format("{}, no strategy meets the goal; the nearest is \"{}\", with {} of the jobs.",
                             under, then.name, share_text(then.total[Measure::goal_met_share].mean));
    } else if (!one.verdict.doubts.empty()) {
      sentence = fmt::format("{}, chance may decide: {}.", under, one.verdict.doubts.front());
    } else {
      sentence = fmt::format("{}, chance may decide which strategy to buy.", under);
    }
    add("assumption", std::move(sentence), AnswerFlip::Rank::assumption);
  }
  tried(fmt::format("Assumptions: {} alternatives of the scenario, one at a time.",
                    story_.report.band->alternatives.size()));
}

// False: at the prices of now another strategy is the cheapest than the verdict's, so that they do not
// compare.
bool FlipFinder::try_price(const BreakEven& model) {
  const WinningRange* now = range_now(model);
  if (now == nullptr || !is_answer(now->strategy)) return false;
  for (PriceFlip& flip : price_flips(model, comparison_, [&](std::size_t one) { return is_answer(one); }))
    add(fmt::format("price of {}", price_words(model.model)), std::move(flip.sentence),
        AnswerFlip::Rank::change, flip.change);
  return true;
}

// Strategies that qualify but for a budget may keep to it at lower prices.
void FlipFinder::try_prices_for_budget() {
  for (const BreakEven& model : story_.break_evens.models) {
    if (std::optional<PriceFlip> flip = flip_into_budget(model, comparison_))
      add(fmt::format("price of {}", price_words(model.model)), std::move(flip->sentence),
          AnswerFlip::Rank::change, flip->change);
  }
  tried(fmt::format(
      "Prices: {} price {} moved down to nothing, one at a time, since no strategy keeps to the budget.",
      story_.break_evens.models.size(), story_.break_evens.models.size() == 1 ? "model" : "models"));
}

void FlipFinder::try_prices() {
  const BreakEvens& all = story_.break_evens;
  if (all.models.empty())
    return tried("Prices: none was moved, since no price decides while no strategy qualifies.");
  if (!has_winner()) return try_prices_for_budget();
  const bool compared =
      std::ranges::all_of(all.models, [&](const BreakEven& model) { return try_price(model); });
  if (!compared) {
    return tried(
        "Prices: some were not moved, since the answer depends on more than costs at other prices. It looks "
        "at prices, or means are adjusted by control variates.");
  }
  tried(
      fmt::format("Prices: {} price {} moved, one at a time, up and down to nothing; waits stay as they are.",
                  all.models.size(), all.models.size() == 1 ? "model" : "models"));
}

// Whether the answer at `then` is another one than at `now`.
bool FlipFinder::add_limit(const std::vector<std::optional<std::size_t>>& cheapest, std::size_t now,
                           std::size_t then) {
  const std::optional<std::size_t>& winner = cheapest[then];
  if (winner && is_answer(*winner) && has_winner()) return false;
  if (!winner && !has_winner()) return false;
  const std::string asked =
      fmt::format("Wait limit: if {} of jobs had to start within {} instead of {}",
                  wanted_share_text(share_asked(story_)), limit_text(then), limit_text(now));
  const double ratio = std::max(to_hours(story_.waits.waits[then]), 1.0 / 60) /
                       std::max(to_hours(story_.waits.waits[now]), 1.0 / 60);
  add("wait limit",
      winner ? fmt::format("{}, {} would be the cheapest, for {}.", asked, name(*winner), cost(*winner))
             : fmt::format("{}, no strategy would do.", asked),
      AnswerFlip::Rank::change, std::abs(std::log(ratio)));
  return true;
}

void FlipFinder::add_limits(const std::vector<std::optional<std::size_t>>& cheapest, std::size_t now) {
  for (std::size_t up = now + 1; up < cheapest.size(); ++up) {
    if (add_limit(cheapest, now, up)) break;
  }
  for (std::size_t down = now; down-- > 0;) {
    if (add_limit(cheapest, now, down)) break;
  }
}

void FlipFinder::try_limits() {
  const WaitCurves& waits = story_.waits;
  if (waits.curves.empty()) return tried("Wait limit: there is no job to start.");
  const auto cheapest = cheapest_by_wait(story_, share_asked(story_));
  if (waits.goal) {
    add_limits(cheapest, *waits.goal);
    return tried(fmt::format("Wait limit: {} limits up to {}.", waits.waits.size(),
                             limit_text(waits.waits.size() - 1)));
  }
  // Without a goal any wait will do: the first limit, from the longest down, that asks for another strategy.
  for (std::size_t down = cheapest.size(); down-- > 0;) {
    if (cheapest[down] && is_answer(*cheapest[down])) continue;
    const std::string asked = fmt::format("Wait limit: there is none; if {} of jobs had to start within {}",
                                          wanted_share_text(share_asked(story_)), limit_text(down));
    add("wait limit",
        cheapest[down] ? fmt::format("{}, {} would be the cheapest, for {}.", asked, name(*cheapest[down]),
                                     cost(*cheapest[down]))
                       : fmt::format("{}, no strategy would do.", asked),
        AnswerFlip::Rank::change, std::numeric_limits<double>::infinity());
    break;
  }
  tried(
      fmt::format("Wait limit: there is none, so that the wait does not count; {} limits up to "
                  "{} were tried.",
                  waits.waits.size(), limit_text(waits.waits.size() - 1)));
}

AnswerFlips FlipFinder::find() {
  try_chance();
  try_assumptions();
  if (comparison_.strategies.size() > 1) {
    try_prices();
  } else {
    tried("Prices: there is no other strategy that could be cheaper.");
  }
  try_limits();
  std::ranges::stable_sort(found_.flips, [](const AnswerFlip& a, const AnswerFlip& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.size < b.size;
  });
  return std::move(found_);
}

}  // namespace

AnswerFlips find_flips(const PageStory& story) { return FlipFinder{story}.find(); }

std::vector<std::optional<std::size_t>> cheapest_by_wait(const PageStory& story, double share) {
  constexpr double kLastBit = 1e-12;  // as the verdict forgives
  const Standings standings{story.report.comparison, story.report.scenario.goal};
  std::vector<std::optional<std::size_t>> cheapest(story.waits.waits.size());
  for (const std::size_t strategy : standings.by_cost()) {
    const auto curve = std::ranges::find(story.waits.curves, strategy, &WaitCurve::strategy);
    if (curve == story.waits.curves.end() || !standings[strategy].qualifies_but_for_waits()) continue;
    for (std::size_t w = 0; w < cheapest.size(); ++w) {
      if (!cheapest[w] && curve->completed[w].mean >= share - kLastBit) cheapest[w] = strategy;
    }
  }
  return cheapest;
}

}  // namespace stockout
