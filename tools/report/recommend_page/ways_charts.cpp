#include "tools/report/recommend_page/ways_charts.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/recommend/menu.h"
#include "tools/report/recommend/standing_words.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

const std::string& strategy_of(const RecommendationReport& report, const PurchaseStanding& one) {
  const Purchase& purchase = report.purchase(one);
  return report.purchases.scenario(purchase).world.strategies[purchase.strategy].name;
}

bool is_recommended(const RecommendationReport& report, const PurchaseStanding& one) {
  return report.found.kind == Recommendation::Kind::recommended && &one == &report.best();
}

std::optional<std::size_t> first_share(const Recommendation& found) {
  for (std::size_t i = 0; i < found.goals.size(); ++i) {
    if (!found.goals[i].common && found.goals[i].goal.kind != Goal::Kind::budget) return i;
  }
  return std::nullopt;
}

// By standing: no other is as cheap and meets the goal as often, and better in one of them.
std::vector<bool> front_of(const Recommendation& found, std::size_t goal) {
  const auto cost = [&](std::size_t i) { return found.standings[i].means[Measure::cost].mean; };
  const auto share = [&](std::size_t i) { return found.standings[i].goals[goal]->mean; };
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < found.standings.size(); ++i) {
    if (found.standings[i].goals[goal]) order.push_back(i);
  }
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return cost(a) != cost(b) ? cost(a) < cost(b) : share(a) > share(b);
  });
  std::vector<bool> is_on_front(found.standings.size());
  double best = -1;
  for (const std::size_t i : order) {
    is_on_front[i] = share(i) > best;
    best = std::max(best, share(i));
  }
  return is_on_front;
}

Relation way_rows(const RecommendationReport& report, std::size_t goal) {
  Relation rows{.columns = files_only({"strategy", "way", "it_is"})};
  rows.columns.push_back({.key = "cost", .interval = Interval::in_files});
  for (const char* key : {"share", "share_low", "share_high", "front", "recommended"})
    rows.columns.push_back({.key = key});
  const std::vector<bool> front = front_of(report.found, goal);
  for (std::size_t i = 0; i < report.found.standings.size(); ++i) {
    const PurchaseStanding& one = report.found.standings[i];
    const auto& share = one.goals[goal];
    if (!share) continue;
    rows.add({strategy_of(report, one), report.name(one), standing_text(report, one),
              measure_cell(one.means[Measure::cost], 0), share->mean, std::max(0.0, share->low()),
              std::min(1.0, share->high()), static_cast<bool>(front[i]), is_recommended(report, one)});
  }
  return rows;
}

Chart choice_chart(const RecommendationReport& report, const DecisionCurve& curve, std::size_t number) {
  Relation rows{.columns = files_only({"strategy", "at", "it_is"})};
  rows.columns.push_back({.key = "mean", .interval = Interval::in_files});
  for (const char* key : {"misses", "recommended"}) rows.columns.push_back({.key = key});
  std::vector<std::string> names;
  for (const CurvePoint& point : curve.points) {
    const PurchaseStanding& one = *point.standing;
    rows.add({strategy_of(report, one), point.choice, standing_text(report, one),
              measure_cell(one.means[Measure::cost], 0), missed_goal(report, one).has_value(),
              is_recommended(report, one)});
    names.push_back(point.choice);
  }
  return {.id = fmt::format("choices-{}", number),
          .title = fmt::format("Cost by {}, {}", curve.decision->name, all_else_text(report)),
          .description = fmt::format(
              "Across: the choices of {}. Up: the cost of the window in US dollars, with its 95 % "
              "interval. Filled marks meet all goals, hollow ones miss a goal. {} The table says which goal.",
              curve.decision->name,
              report.found.kind == Recommendation::Kind::recommended ? "The ring is what is recommended."
                                                                     : "None is recommended."),
          .spec = ChartSpec{"along-choice"}
                      .rows(write_chart_rows(rows))
                      .strategies(strategies_of_ways(report))
                      .title("at", curve.decision->name)
                      .names("at", names)
                      .take(),
          .table = curve.table};
}

}  // namespace

std::vector<std::string> strategies_of_ways(const RecommendationReport& report) {
  std::vector<std::string> names;
  for (const Strategy& strategy : report.written.world.strategies) {
    const bool is_any = std::ranges::any_of(report.found.standings, [&](const PurchaseStanding& one) {
      return strategy_of(report, one) == strategy.name;
    });
    if (is_any) names.push_back(strategy.name);
  }
  return names;
}

std::optional<Chart> ways_chart(const RecommendationReport& report) {
  const auto goal = first_share(report.found);
  if (!goal) return std::nullopt;
  const Recommendation::Asked& asked = report.found.goals[*goal];
  return Chart{
      .id = "ways",
      .title = "Every way to buy: left and high is better",
      .description = fmt::format(
          "Across: what a way to buy costs in the window, in US dollars. Up: the share that meets the first "
          "goal ({}). Bars are 95 % intervals. The line joins the ways that no other beats in both; the "
          "dashed line is the share asked for. The ring is what is recommended.",
          asked.text),
      .spec = ChartSpec{"ways-to-buy"}
                  .rows(write_chart_rows(way_rows(report, *goal)))
                  .strategies(strategies_of_ways(report))
                  .param("least_share", asked.goal.least)
                  .take(),
      .table = menu_table(report, report.found.standings.size())};
}

std::vector<Chart> choice_charts(const RecommendationReport& report) {
  std::vector<Chart> charts;
  for (const DecisionCurve& curve : decision_curves(report))
    charts.push_back(choice_chart(report, curve, charts.size() + 1));
  return charts;
}

}  // namespace stockout
