#include "tools/report/sweep/winner_charts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/sweep/sweep_answer.h"
#include "tools/report/sweep/sweep_tables.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

constexpr std::size_t kMostMapMarks = 3'000;
constexpr std::size_t kMostWinnerRows = 500;
constexpr std::size_t kMostFixed = 5;  // dropdowns of a map

std::string winner_cell(const SweepStory& story, std::size_t place) {
  const auto& winner = story.findings.winners.points[place].winner;
  return winner ? story.sweep.strategies[*winner] : "none";
}

Cell winner_cost(const SweepStory& story, std::size_t place) {
  const auto& winner = story.findings.winners.points[place].winner;
  return winner ? Cell{(*story.sweep.points[place].results[*winner])[Measure::cost]->mean} : Cell{};
}

// What the scenario has, else the one in the middle.
std::uint32_t usual_value(const SweepAxis& axis) {
  const auto written = std::ranges::find(axis.values, axis.as_written, &AxisValue::text);
  const auto middle = axis.values.begin() + static_cast<std::ptrdiff_t>((axis.values.size() - 1) / 2);
  return static_cast<std::uint32_t>((written == axis.values.end() ? middle : written) - axis.values.begin());
}

/// Which axes a map has, and what becomes of the others.
struct MapPlan {
  std::size_t across = 0;
  std::size_t up = 0;
  std::vector<std::size_t> chosen;  // by dropdown
  std::vector<std::size_t> fixed;   // at their usual value
  std::vector<std::size_t> places;  // of the points that are drawn
};

MapPlan plan_map(const SweepStory& story) {
  const auto& impacts = story.findings.impacts;
  MapPlan plan{.across = impacts[0].axis, .up = impacts[1].axis, .chosen = {}, .fixed = {}, .places = {}};
  double marks = static_cast<double>(story.sweep.axes[plan.across].values.size()) *
                 static_cast<double>(story.sweep.axes[plan.up].values.size());
  for (std::size_t i = 2; i < impacts.size(); ++i) {
    const auto values = static_cast<double>(story.sweep.axes[impacts[i].axis].values.size());
    const bool fits = plan.chosen.size() < kMostFixed && marks * values <= kMostMapMarks;
    (fits ? plan.chosen : plan.fixed).push_back(impacts[i].axis);
    if (fits) marks *= values;
  }
  for (std::size_t place = 0; place < story.sweep.points.size(); ++place) {
    const bool is_usual = std::ranges::all_of(plan.fixed, [&](std::size_t axis) {
      return story.sweep.points[place].at[axis] == usual_value(story.sweep.axes[axis]);
    });
    if (is_usual) plan.places.push_back(place);
  }
  return plan;
}

std::vector<std::size_t> sampled(const std::vector<std::size_t>& places) {
  std::vector<std::size_t> some;
  for (const std::size_t at : sample_of(places.size(), kMostWinnerRows)) some.push_back(places[at]);
  return some;
}

Relation winners_table(const SweepStory& story, const std::vector<std::size_t>& places) {
  Relation table{.title = "The cheapest strategy under the goal, by point"};
  table.add_columns(kWhole, {"point"});
  add_axis_columns(story.sweep, table);
  table.add_columns(kText, {"cheapest"});
  table.columns.push_back({.title = "cost", .unit = "USD", .style = kUsd});
  table.add_columns(kText, {"sure"});
  for (const std::size_t place : places) {
    const StoredPoint& point = story.sweep.points[place];
    std::vector<Cell> cells{fmt::format("{}", point.number)};
    add_axis_cells(story.sweep, point.at, cells);
    cells.insert(cells.end(), {winner_cell(story, place), winner_cost(story, place),
                               story.findings.winners.points[place].is_sure ? "yes" : "by the means"});
    table.add(std::move(cells));
  }
  return table;
}

// Where a point stands along an axis.
Cell place_along(const SweepAxis& axis, const StoredPoint& point, std::size_t of, bool as_number) {
  const AxisValue& value = axis.values[point.at[of]];
  return as_number && value.number ? Cell{*value.number} : Cell{value.text};
}

/// Axes of a map, and whether numbers are drawn as such.
struct MapAxes {
  std::size_t across = 0;
  std::size_t up = 0;
  std::vector<std::size_t> chosen = {};
  bool has_numbers = false;
};

Relation map_rows(const SweepStory& story, const std::vector<std::size_t>& places, const MapAxes& map) {
  Relation rows{.columns = files_only({"point", "strategy", "mark", "cost", "x", "y", "at"})};
  add_filter_columns(map.chosen.size(), rows);
  const auto& axes = story.sweep.axes;
  for (const std::size_t place : places) {
    const auto& winner = story.findings.winners.points[place].winner;
    const StoredPoint& point = story.sweep.points[place];
    const auto along = [&](std::size_t axis) {
      return place_along(axes[axis], point, axis, map.has_numbers && axes[axis].is_number());
    };
    std::vector<Cell> cells{point.number,
                            winner_cell(story, place),
                            winner ? fmt::format("{}", *winner + 1) : "none",
                            winner_cost(story, place),
                            along(map.across),
                            along(map.up),
                            text_of_point(story.sweep, point)};
    for (const std::size_t axis : map.chosen) cells.emplace_back(axes[axis].values[point.at[axis]].text);
    rows.add(std::move(cells));
  }
  return rows;
}

std::string fixed_text(const SweepStory& story, const MapPlan& plan) {
  std::string text;
  for (const std::size_t axis : plan.fixed) {
    const SweepAxis& of = story.sweep.axes[axis];
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", of.name, of.values[usual_value(of)].text);
  }
  return text;
}

std::vector<PageBlock> heat_map(const SweepStory& story, nlohmann::json& data) {
  const MapPlan plan = plan_map(story);
  const auto& axes = story.sweep.axes;
  data["winners"] = write_chart_rows(
      map_rows(story, plan.places, {.across = plan.across, .up = plan.up, .chosen = plan.chosen}));
  std::vector<std::string> upwards = texts_of(axes[plan.up]);
  std::ranges::reverse(upwards);
  ChartSpec chart{"winners-map"};
  chart.rows_of_page("winners")
      .strategies(story.sweep.strategies)
      .names("x", texts_of(axes[plan.across]))
      .title("x", axes[plan.across].name)
      .names("y", upwards)
      .title("y", axes[plan.up].name);
  for (std::size_t i = 0; i < plan.chosen.size(); ++i) {
    const SweepAxis& of = axes[plan.chosen[i]];
    const std::string name = fmt::format("only_{}", i);
    chart.choice(name, of.name, texts_of(of)).param(name, of.values[usual_value(of)].text);
  }
  std::vector<PageBlock> blocks;
  if (!plan.fixed.empty())
    blocks.emplace_back(
        Paragraph{fmt::format("The map is of the points with {}; the table of all points has the others.",
                              fixed_text(story, plan))});
  blocks.emplace_back(
      Chart{.id = "winners",
            .title = "The cheapest strategy under the goal",
            .description = fmt::format("Across: {}. Up: {}. Each cell has the number of the strategy that is "
                                       "the cheapest there, as the legend names them, or none where {}.",
                                       story.sweep.axes[plan.across].name, story.sweep.axes[plan.up].name,
                                       none_text(story.sweep)),
            .spec = chart.take(),
            .table = winners_table(story, sampled(plan.places))});
  return blocks;
}

const char* scatter_spec(bool numbers_across, bool numbers_up) {
  if (numbers_across) return numbers_up ? "winners-scatter" : "winners-scatter-names-up";
  return numbers_up ? "winners-scatter-names-across" : "winners-scatter-names";
}

// Not every combination is there: every point where it stands.
std::vector<PageBlock> scattered_map(const SweepStory& story, nlohmann::json& data) {
  const std::size_t across = story.findings.impacts[0].axis;
  const std::size_t up = story.findings.impacts[1].axis;
  const std::vector<std::size_t> places = sample_of(story.sweep.points.size(), kMostMapMarks);
  data["winners"] =
      write_chart_rows(map_rows(story, places, {.across = across, .up = up, .has_numbers = true}));
  std::vector<std::string> order = story.sweep.strategies;
  order.emplace_back("none");
  ChartSpec chart{scatter_spec(story.sweep.axes[across].is_number(), story.sweep.axes[up].is_number())};
  chart.rows_of_page("winners").names("strategy", order);
  for (const auto& [field, axis] : {std::pair{"x", across}, std::pair{"y", up}}) {
    const SweepAxis& of = story.sweep.axes[axis];
    chart.title(field, of.name);
    if (!of.is_number()) chart.names(field, texts_of(of));
  }
  return {Chart{
      .id = "winners",
      .title = "The cheapest strategy under the goal, at each point",
      .description = fmt::format(
          "Across: {}. Up: {}. These two decide most of who wins; all others differ from mark to mark too. "
          "The mark is that of the strategy that is the cheapest there, or of none where {}.",
          story.sweep.axes[across].name, story.sweep.axes[up].name, none_text(story.sweep)),
      .spec = chart.take(),
      .table = winners_table(story, sample_of(story.sweep.points.size(), kMostWinnerRows))}};
}

/// Subject of a line along an axis.
struct LineOf {
  const char* id;
  const char* title;
  const char* axis;
  Measure measure{};
  Style style;
};

constexpr std::array kLines{
    LineOf{"cost-along", "Cost along the axis", "cost [USD]", Measure::cost, kWhole},
    LineOf{"wait-along", "Wait along the axis", "95 % of jobs start within [h]", Measure::wait_p95,
           kHundredths},
};

// The points on the line: all, or those that differ from the base in this axis alone.
std::vector<std::size_t> places_along(const SweepStory& story, std::size_t axis) {
  const auto grouped = std::ranges::find(story.findings.grouped.axes, axis, &GroupedAxis::axis);
  std::vector<std::size_t> places;
  for (const AxisGroup& group : grouped->groups)
    places.insert(places.end(), group.points.begin(), group.points.end());
  std::ranges::stable_sort(places, {}, [&](std::size_t place) { return story.sweep.points[place].at[axis]; });
  return places;
}

Chart line_chart(const SweepStory& story, std::size_t axis, const LineOf& line, nlohmann::json& data) {
  const SweepAxis& of = story.sweep.axes[axis];
  Relation table{
      .title = fmt::format("{}, by {}", line.axis, of.name),
      .columns = {{.key = "at", .title = of.name, .style = kWhole},
                  name_column("strategy"),
                  {.key = "mean", .title = line.axis, .style = line.style, .interval = Interval::shown}}};
  const std::size_t most = std::max<std::size_t>(kMostMapMarks / story.sweep.strategies.size(), 1);
  const std::vector<std::size_t> along = places_along(story, axis);
  for (const std::size_t at : sample_of(along.size(), most)) {
    const StoredPoint& point = story.sweep.points[along[at]];
    const AxisValue& value = of.values[point.at[axis]];
    for (std::size_t i = 0; i < point.results.size(); ++i) {
      const auto mean = point.results[i] ? (*point.results[i])[line.measure] : std::nullopt;
      if (mean)
        table.add({value.number ? Cell{*value.number}.as(value.text) : Cell{value.text},
                   story.sweep.strategies[i], stored_cell(mean)});
    }
  }
  data[line.id] = write_chart_rows(table);
  ChartSpec chart{of.is_number() ? "along-number" : "along-name"};
  chart.rows_of_page(line.id)
      .strategies(story.sweep.strategies)
      .title("at", of.name)
      .title("mean", line.axis)
      .title("mean_low", line.axis);
  return {.id = line.id,
          .title = fmt::format("{} {}", line.measure == Measure::cost ? "Cost by" : "Wait by", of.name),
          .description = fmt::format("Across: {}. Up: {}, a line a strategy. The band is the 95 % interval "
                                     "of the mean over replications.",
                                     of.name, line.axis),
          .spec = chart.take(),
          .table = std::move(table)};
}

std::vector<PageBlock> lines_along(const SweepStory& story, nlohmann::json& data) {
  const std::size_t axis = story.findings.impacts.front().axis;
  std::vector<PageBlock> blocks;
  for (const LineOf& line : kLines) blocks.emplace_back(line_chart(story, axis, line, data));
  return blocks;
}

bool is_grid(const SweepStory& story) {
  return std::ranges::all_of(story.findings.impacts,
                             [](const AxisImpact& impact) { return impact.flips.lines > 0; }) &&
         !plan_map(story).places.empty() && plan_map(story).places.size() <= kMostMapMarks;
}

}  // namespace

std::vector<PageBlock> winner_charts(const SweepStory& story, nlohmann::json& data) {
  const auto& impacts = story.findings.impacts;
  if (impacts.empty()) return {};
  if (impacts.size() == 1 || story.findings.grouped.rule == SensitivityRule::one_at_a_time)
    return lines_along(story, data);
  return is_grid(story) ? heat_map(story, data) : scattered_map(story, data);
}

}  // namespace stockout
