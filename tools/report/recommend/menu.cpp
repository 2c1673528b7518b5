#include "tools/report/recommend/menu.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "models/recommend/over_worlds.h"
#include "models/recommend/trade_offs.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/recommend/standing_words.h"

namespace stockout {
namespace {

using StandingKind = CandidateStanding::Kind;

struct MenuColumn {
  std::string_view title;
  Measure measure;
  bool only_if_any = false;
};

constexpr std::array kMenuColumns{
    MenuColumn{"work\ndone", Measure::work_done_share},
    MenuColumn{"p95\nwait", Measure::wait_p95},
    MenuColumn{"never\nstarted", Measure::never_started_share, true},
    MenuColumn{"held\nuse", Measure::held_use, true},
    MenuColumn{"held,\nidle", Measure::cost_idle, true},
    MenuColumn{"whole\nterm", Measure::commitment, true},
};

bool is_of_scenario(const Recommendation::Asked& asked) { return !asked.common; }

void add_columns(const RecommendationReport& report, Relation& table) {
  if (report.written.decide.undone_usd_per_gpu_h) {
    table.columns.push_back({.key = "cost_and_undone_usd",
                             .title = "cost and\nundone work",
                             .unit = "USD",
                             .style = kUsd,
                             .interval = Interval::shown});
  }
  table.columns.push_back(
      {.key = "cost_usd", .title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown});
  table.columns.push_back({.key = "more_usd",
                           .title = "more than\nthe first",
                           .unit = "USD",
                           .style = kUsdMore,
                           .interval = Interval::shown});
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    if (is_of_scenario(report.found.goals[i]))
      table.columns.push_back(goal_column(report.found.goals[i].goal, i + 1));
  }
  if (!report.found.worlds.empty()) {
    table.columns.push_back(
        {.key = "worlds_met_share", .title = "worlds\nmeet all", .unit = "%", .style = kPercent});
  }
  for (const MenuColumn& shown : kMenuColumns) {
    Column& column = table.columns.emplace_back(shown_column(shown.measure, std::string{shown.title}));
    column.bound = info(shown.measure).may_be_bound();
    column.optional = shown.only_if_any;
  }
  table.columns.push_back(
      {.key = "months_to_break_even", .title = "months to\nbreak even", .style = kTenths, .optional = true});
  table.columns.push_back({.key = "on_front"});
  table.columns.push_back({.key = "replications", .title = "runs", .style = kWhole});
}

void add_cells(const RecommendationReport& report, const PurchaseStanding& one, std::vector<Cell>& cells) {
  const std::size_t runs = one.runs;
  if (report.written.decide.undone_usd_per_gpu_h) cells.emplace_back(one.cost);
  cells.push_back(measure_cell(one.means[Measure::cost], runs));
  cells.push_back(one.more ? Cell{one.more->in_all} : Cell{});
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    if (is_of_scenario(report.found.goals[i])) cells.emplace_back(one.goals[i]);
  }
  if (!report.found.worlds.empty()) cells.emplace_back(weight_that_meets_all(report.found, one));
  for (const MenuColumn& shown : kMenuColumns) {
    Cell cell = measure_cell(one.means[shown.measure], runs);
    cell.half_width.reset();
    cells.push_back(std::move(cell));
  }
  const auto months = months_to_break_even(report.found, report.purchases, one);
  const bool is_never = months && !std::isfinite(*months);
  cells.push_back(is_never ? Cell::said("never") : Cell{months});
  cells.emplace_back(is_on_front(report.found, one));
  cells.emplace_back(runs);
}

// What stands beside the columns for programs.
constexpr std::array<std::string_view, 2> kOtherKeys{"choices", "more_parts"};

// A decision may have the name of a column: "decided cost_usd" is told apart from "cost_usd". `decided`: the
// columns of decisions, from the second on.
void tell_decisions_apart(std::vector<Column>& columns, std::size_t decided) {
  for (std::size_t i = 1; i <= decided; ++i) {
    const auto is_taken = [&] {
      return std::ranges::find(kOtherKeys, columns[i].key) != kOtherKeys.end() ||
             std::ranges::count(columns, columns[i].key, &Column::key) > 1;
    };
    while (is_taken()) columns[i].key = "decided " + columns[i].key;
  }
}

// A word a line.
std::string in_lines(std::string name) {
  std::ranges::replace(name, ' ', '\n');
  return name;
}

std::optional<Tone> tone_of(const RecommendationReport& report, const PurchaseStanding& one) {
  const bool is_it = one.standing.kind == StandingKind::chosen && &one == &report.best();
  return is_it ? std::optional{Tone::recommended} : std::nullopt;
}

// Places of standings, in their order: as many of each kind as leave room for the others.
std::vector<std::size_t> shown_of(const Recommendation& found, std::size_t most) {
  std::vector<std::size_t> shown;
  const std::size_t of_a_kind = std::max<std::size_t>(most / 3, 1);
  std::array<std::size_t, 5> counts{};
  for (const std::size_t share : {of_a_kind, most}) {
    for (std::size_t i = 0; i < found.standings.size() && shown.size() < most; ++i) {
      if (std::ranges::find(shown, i) != shown.end()) continue;
      std::size_t& count = counts[static_cast<std::size_t>(found.standings[i].standing.kind)];
      if (count >= share) continue;
      ++count;
      shown.push_back(i);
    }
  }
  std::ranges::sort(shown);
  return shown;
}

std::string chosen_text(const RecommendationReport& report, const Purchase& purchase, std::size_t decision) {
  const std::size_t choice = report.purchases.grid().choices(purchase.point)[decision];
  return report.purchases.grid().decisions()[decision].choices[choice].text;
}

// All else being as of the best.
bool differs_in(const RecommendationReport& report, const Purchase& other, std::size_t decision) {
  const Purchase& best = report.purchase(report.best());
  if (other.strategy != best.strategy || other.decided != best.decided) return false;
  const auto mine = report.purchases.grid().choices(other.point);
  const auto theirs = report.purchases.grid().choices(best.point);
  return std::ranges::all_of(best.decided,
                             [&](std::size_t i) { return i == decision || mine[i] == theirs[i]; });
}

std::vector<CurvePoint> points_along(const RecommendationReport& report, std::size_t decision) {
  const ChoiceGrid& grid = report.purchases.grid();
  std::vector<CurvePoint> points;
  for (const DecisionChoice& choice : grid.decisions()[decision].choices)
    points.push_back({.choice = choice.text});
  for (const PurchaseStanding& one : report.found.standings) {
    const Purchase& purchase = report.purchase(one);
    if (differs_in(report, purchase, decision))
      points[grid.choices(purchase.point)[decision]].standing = &one;
  }
  std::erase_if(points, [](const CurvePoint& point) { return point.standing == nullptr; });
  return points;
}

Relation curve_table(const RecommendationReport& report, const DecisionVariable& of,
                     const std::vector<CurvePoint>& points) {
  Relation table{.title = fmt::format("Other choices of {}, {}", of.name, all_else_text(report))};
  table.columns.push_back({.key = "choice", .title = of.name});
  table.columns.push_back({.key = "standing", .title = "it is"});
  add_columns(report, table);
  for (const CurvePoint& point : points) {
    std::vector<Cell> cells{point.choice, standing_text(report, *point.standing)};
    add_cells(report, *point.standing, cells);
    table.add(std::move(cells), tone_of(report, *point.standing));
  }
  return table;
}

}  // namespace

Relation menu_table(const RecommendationReport& report, std::size_t most) {
  const std::vector<std::size_t> shown = shown_of(report.found, most);
  Relation table{.title =
                     shown.size() < report.found.standings.size()
                         ? fmt::format("Ways to buy, {} of {}", shown.size(), report.found.standings.size())
                         : "Ways to buy"};
  table.columns = {{.key = "strategy", .title = "strategy"}};
  for (const DecisionVariable& decision : report.purchases.grid().decisions())
    table.columns.push_back({.key = decision.name, .title = in_lines(decision.name), .optional = true});
  table.columns.push_back({.key = "standing", .title = "it is"});
  add_columns(report, table);
  tell_decisions_apart(table.columns, report.purchases.grid().decisions().size());
  for (const std::size_t i : shown) {
    const PurchaseStanding& one = report.found.standings[i];
    const Purchase& purchase = report.purchase(one);
    const World& world = report.purchases.scenario(purchase).world;
    std::vector<Cell> cells{world.strategies[purchase.strategy].name};
    for (std::size_t decision = 0; decision < report.purchases.grid().decisions().size(); ++decision) {
      const bool is_its = std::ranges::find(purchase.decided, decision) != purchase.decided.end();
      cells.push_back(is_its ? Cell{chosen_text(report, purchase, decision)} : Cell{});
    }
    cells.emplace_back(standing_text(report, one));
    add_cells(report, one, cells);
    table.add(std::move(cells), tone_of(report, one));
  }
  return table;
}

std::vector<DecisionCurve> decision_curves(const RecommendationReport& report) {
  std::vector<DecisionCurve> curves;
  for (const std::size_t decision : report.purchase(report.best()).decided) {
    const DecisionVariable& of = report.purchases.grid().decisions()[decision];
    DecisionCurve curve{.decision = &of, .points = points_along(report, decision), .table = {}};
    if (curve.points.size() < 2) continue;
    curve.table = curve_table(report, of, curve.points);
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::string all_else_text(const RecommendationReport& report) {
  const bool is_any = report.found.kind == Recommendation::Kind::recommended;
  return is_any ? "all else as recommended" : "all else as in the first way";
}

Relation goals_table(const RecommendationReport& report) {
  Relation table{.title = "Goals"};
  table.columns = {{.key = "number", .title = "goal", .style = kWhole},
                   {.key = "kind"},
                   {.key = "asked"},
                   {.key = "text", .title = "what is asked"},
                   {.key = "tolerance"}};
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    const Recommendation::Asked& asked = report.found.goals[i];
    const std::string_view kind = asked.common == CommonGoal::every_class_runs ? "every_class_runs"
                                  : asked.common == CommonGoal::same_work
                                      ? "same_work"
                                      : Goal::kKindNames[static_cast<std::size_t>(asked.goal.kind)];
    table.add({i + 1, kind, asked.is_budget() ? asked.goal.budget_usd : asked.goal.least, asked.text,
               asked.tolerance});
  }
  return table;
}

}  // namespace stockout
