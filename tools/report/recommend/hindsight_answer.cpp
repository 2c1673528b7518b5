#include "tools/report/recommend/hindsight_answer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/noise_text.h"
#include "models/measures/number_text.h"
#include "sim/core/duration_text.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/recommend/standing_words.h"

namespace stockout {
namespace {

std::string length_text(const Scenario& scenario) {
  const SimDuration length = scenario.world.window_end - kStart;
  return length % std::chrono::days{1} == SimDuration::zero() ? format_duration(length)
                                                              : fmt::format("{:.1f}d", days_of(scenario));
}

std::string dollars_text(const Estimate& usd) { return dollars_with_noise(usd.mean, usd.half_width); }

std::string a_day(const HindsightReport& report, const Estimate& usd) {
  return dollar_text(usd.mean / days_of(report.after->found.written)) + " a day";
}

std::string best_name(const RecommendationReport& found) { return found.name(found.best()); }

std::string advised_text(const HindsightReport& report) {
  return fmt::format("Advised on the {} before {}: buy \"{}\". ", length_text(report.before.found.written),
                     report.split, best_name(report.before.found));
}

std::string paid_text(const HindsightReport& report) {
  const Estimate& cost = report.result.paid->cost;
  return fmt::format("On the {} after it that costs {}, {}. ", length_text(report.after->found.written),
                     dollars_text(cost), a_day(report, cost));
}

std::string missed_after_text(const HindsightReport& report, std::size_t goal) {
  const Recommendation::Asked& asked = report.after->found.found.goals[goal];
  const auto& value = report.result.paid->goals[goal];
  return fmt::format("{} ({}), {}", value_text(asked, value), asked.text, short_of_text(asked, value->mean));
}

std::string misses_text(const HindsightReport& report) {
  return fmt::format("It misses {} there, so it has no regret in dollars: {}. ",
                     report.result.paid->missed.size() == 1 ? "a goal" : "goals",
                     fmt::join(missed_lines(report), "; "));
}

std::string best_text(const HindsightReport& report) {
  const Hindsight& result = report.result;
  if (!result.best_paid) return "In hindsight no way to buy meets all goals there. ";
  const bool is_undecided = result.best->kind == Recommendation::Kind::undecided;
  if (result.is_best)
    return is_undecided ? "In hindsight the best is undecided, and it is the cheapest on average. "
                        : "That is also the best in hindsight: no regret. ";
  return fmt::format(
      "{}: \"{}\" for {}, {}. ",
      is_undecided ? "In hindsight the best is undecided. The cheapest on average" : "Best in hindsight",
      best_name(report.after->found), dollars_text(result.best_paid->cost),
      a_day(report, result.best_paid->cost));
}

std::string regret_text(const HindsightReport& report) {
  const Hindsight& result = report.result;
  if (!result.regret || result.is_best) return {};
  const double least = result.best_paid->cost.mean;
  const std::string share =
      least > 0 ? fmt::format(", {:.3g} % of it", 100 * result.regret->mean / least) : "";
  return fmt::format("Regret: {}, {}{}. ", dollars_text(*result.regret), a_day(report, *result.regret),
                     share);
}

std::string captured_text(const HindsightReport& report) {
  const Hindsight& result = report.result;
  std::string text = fmt::format("As today (\"{}\" as written) it costs {}", report.baseline,
                                 dollars_text(result.baseline_paid->cost));
  if (!result.baseline_paid->missed.empty()) text += " and misses a goal";
  if (!result.to_gain) return text + '.';
  if (!(result.to_gain->high() > 0)) return text + ": nothing could be saved.";
  text += fmt::format(": {} could be saved", dollars_text(*result.to_gain));
  const double indifference = result.best->indifference_usd;
  if (!(result.to_gain->low() > indifference))
    return text + fmt::format(". That may be no more than the {} that make no difference.",
                              dollar_text(indifference));
  if (!result.captured) return text + '.';
  return text + fmt::format(", of which the advice saves {}.", noisy_share(*result.captured));
}

// Of what cannot be bought after the split.
std::string refusal_text(const HindsightReport& report) {
  const RecommendationReport& before = report.before.found;
  const Purchases& after = report.after->found.purchases;
  const std::size_t point = before.purchase(before.best()).point;
  const auto refused = std::ranges::find(after.refused(), point, &RefusedPoint::point);
  return refused == after.refused().end() ? std::string{"it is no other way there"} : refused->why;
}

std::string numbers(const HindsightReport& report, const std::vector<std::size_t>& goals) {
  std::vector<std::string> names;
  const auto& asked = report.after->found.found.goals;
  for (const std::size_t goal : goals) {
    const auto& common = asked[goal].common;
    names.push_back(!common                                  ? fmt::format("goal {}", goal + 1)
                    : common == CommonGoal::every_class_runs ? "a class never runs"
                                                             : "less work done");
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

double days_of(const Scenario& scenario) {
  constexpr double kDayMs = 86'400'000;
  return static_cast<double>((scenario.world.window_end - kStart).count()) / kDayMs;
}

std::string hindsight_sentence(const HindsightReport& report) {
  switch (report.result.kind) {
    case Hindsight::Kind::nothing_advised:
      return fmt::format("Nothing is advised on the {} before {}. {}",
                         length_text(report.before.found.written), report.split,
                         recommendation_sentence(report.before.found));
    case Hindsight::Kind::not_for_sale:
      return advised_text(report) +
             fmt::format("It cannot be bought after that: {}. ", refusal_text(report)) + best_text(report) +
             captured_text(report);
    case Hindsight::Kind::misses_goal:
      return advised_text(report) + paid_text(report) + misses_text(report) + best_text(report) +
             captured_text(report);
    default:
      return advised_text(report) + paid_text(report) + best_text(report) + regret_text(report) +
             captured_text(report);
  }
}

std::vector<std::string> missed_lines(const HindsightReport& report) {
  std::vector<std::string> lines;
  if (!report.result.paid) return lines;
  for (const std::size_t goal : report.result.paid->missed) lines.push_back(missed_after_text(report, goal));
  return lines;
}

Relation paid_table(const HindsightReport& report) {
  const Hindsight& result = report.result;
  Relation table{.title = "After the split"};
  if (!report.after) return table;
  const RecommendationReport& after = report.after->found;
  table.columns = {
      {.key = "way", .title = "way"},
      {.key = "bought", .title = "what is bought"},
      {.key = "cost_usd", .title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown},
      {.key = "usd_per_day", .title = "a day", .unit = "USD", .style = kUsd},
      {.key = "more_usd",
       .title = "more than\nthe best",
       .unit = "USD",
       .style = kUsdMore,
       .interval = Interval::shown}};
  for (std::size_t i = 0; i < after.found.goals.size(); ++i) {
    if (!after.found.goals[i].common) table.columns.push_back(goal_column(after.found.goals[i].goal, i + 1));
  }
  table.columns.push_back({.key = "misses", .title = "misses"});
  table.columns.push_back(
      {.key = "commitment_usd", .title = "whole\nterm", .unit = "USD", .style = kUsd, .optional = true});
  const auto add = [&](const char* way, const std::string& bought, const std::optional<PaidWay>& paid,
                       const std::optional<Estimate>& more) {
    if (!paid) return;
    std::vector<Cell> cells{way, bought, paid->cost, paid->cost.mean / days_of(after.written), more};
    for (std::size_t i = 0; i < after.found.goals.size(); ++i) {
      if (!after.found.goals[i].common) cells.emplace_back(paid->goals[i]);
    }
    cells.emplace_back(numbers(report, paid->missed));
    cells.emplace_back(paid->obligation);
    table.add(std::move(cells));
  };
  add("advice", best_name(report.before.found), result.paid, result.regret);
  add("best in hindsight", best_name(after), result.best_paid, std::nullopt);
  add("as today", report.baseline + ", as written", result.baseline_paid, result.to_gain);
  return table;
}

Relation parts_table(const HindsightReport& report) {
  Relation table{
      .title = "On either side of the split, found by itself",
      .columns = {
          {.key = "part", .title = "part"},
          {.key = "days", .title = "days", .style = kTenths},
          {.key = "jobs", .title = "jobs of the\nhistory", .style = kWhole},
          {.key = "kind", .title = "it is"},
          {.key = "best", .title = "the best"},
          {.key = "cost_usd", .title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown},
          {.key = "usd_per_day", .title = "a day", .unit = "USD", .style = kUsd},
          {.key = "runs", .style = kWhole}}};
  const auto add = [&](const char* name, const HindsightReport::Part& part) {
    const RecommendationReport& found = part.found;
    const Estimate& cost = found.best().cost;
    const double days = days_of(found.written);
    std::string kind{Recommendation::kKindNames[static_cast<std::size_t>(found.found.kind)]};
    std::string words = kind;
    std::ranges::replace(words, '_', ' ');
    table.add({name, days, part.jobs, Cell{std::move(kind)}.as(std::move(words)), best_name(found), cost,
               cost.mean / days, found.found.simulated});
  };
  add("before", report.before);
  if (report.after) add("after", *report.after);
  return table;
}

}  // namespace stockout
