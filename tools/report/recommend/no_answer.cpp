#include "tools/report/recommend/no_answer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "models/scenario/format/keys.h"
#include "sim/core/counted.h"
#include "tools/report/recommend/answer_parts.h"
#include "tools/report/recommend/standing_words.h"
#include "tools/report/recommend/worlds_text.h"

namespace stockout {
namespace {

using StandingKind = CandidateStanding::Kind;

// Every goal that it misses on average, the first of which it was left for.
std::string all_missed_text(const RecommendationReport& report, const PurchaseStanding& one) {
  const auto first = missed_goal(report, one);
  std::vector<std::string> missed;
  if (first) missed.push_back(missed_text(report, one, *first));
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    const bool is_missed = one.goals[i] && report.found.goals[i].goal.margin(one.goals[i]->mean) < 0;
    if (is_missed && i != first) missed.push_back(missed_text(report, one, i));
  }
  return fmt::format("{}", fmt::join(missed, "; "));
}

// What may help, beside what the planner knows.
std::string help_text(const RecommendationReport& report) {
  std::string text = " Wider choices under `decide`, other strategies or lower goals may help.";
  const std::size_t left_out = report.found.obliging.size();
  if (left_out > 0) {
    text += fmt::format(" {} left out for the length of a commitment: --most-obligation allows it.",
                        left_out == 1 ? "One way was" : fmt::format("{} ways were", left_out));
  }
  return text;
}

// Of the best, where it is not known whether it meets them all.
std::string open_goals_text(const RecommendationReport& report) {
  const PurchaseStanding& best = report.best();
  if (best.standing.meets_all) return {};
  return missed_goal(report, best) ? fmt::format(" On average it misses: {}.", all_missed_text(report, best))
                                   : " That it meets the goals is not sure yet.";
}

std::string what_decides(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  // Where only costs are open, as many ways as cost the same for the planner's purpose need not be told
  // apart.
  const std::string sooner = report.best().standing.meets_all ? "A wider --indifference" : "A lower goal";
  const std::size_t runs = runs_to_decide(found);
  constexpr auto kMost = static_cast<std::size_t>(kMostReplications);
  if (runs > kMost) {
    return fmt::format(" By what is seen more than {} runs of each would be needed. {} is decided sooner.",
                       with_commas(std::to_string(kMost)), sooner);
  }
  if (runs <= found.most)
    return fmt::format(" More --most-replications would decide. {} is decided sooner.", sooner);
  return fmt::format(
      " By what is seen about {} runs of each would decide: --most-replications {}. {} is decided sooner.",
      with_commas(std::to_string(runs)), runs, sooner);
}

}  // namespace

std::string none_meets_text(const RecommendationReport& report) {
  const PurchaseStanding& best = report.best();
  const std::string rest =
      fmt::format("\"{}\" ({}) for {}. It misses: {}.{}{}{}", report.name(best), places_text(report, best),
                  cost_text(best), all_missed_text(report, best), worlds_sentence(report),
                  prices_text(report), help_text(report));
  if (report.found.standings.size() == 1) return "The only way to buy does not meet all goals: " + rest;
  return fmt::format("None of {} meets all goals. Nearest: {}", ways_text(report), rest);
}

std::string undecided_text(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const auto left = std::ranges::count(found.standings, StandingKind::undecided,
                                       [](const PurchaseStanding& one) { return one.standing.kind; });
  const PurchaseStanding& best = report.best();
  const std::string met = goals_met_text(report, best);
  return fmt::format(
      "Undecided after {} of each: {} left. {} \"{}\" ({}).{}{}{}{}{}{}",
      counted(best.standing.replications, "run"), left == 1 ? "one way is" : fmt::format("{} ways are", left),
      left == 1 ? "It is" : "The cheapest of them on average is", report.name(best), cost_text(best),
      met.empty() ? "" : fmt::format(" Goals: {}.", met), open_goals_text(report), worlds_sentence(report),
      obligation_text(report, best), prices_text(report), what_decides(report));
}

std::size_t runs_to_decide(const Recommendation& found) {
  std::size_t needs = 0;
  for (const PurchaseStanding& one : found.standings) {
    if (one.standing.kind == StandingKind::undecided) needs = std::max(needs, one.standing.needs);
  }
  if (needs < 10) return needs;
  const double unit = std::pow(10, std::floor(std::log10(static_cast<double>(needs))) - 1);
  return static_cast<std::size_t>(std::ceil(static_cast<double>(needs) / unit) * unit);
}

}  // namespace stockout
