#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/report/chart_spec.h"
#include "tools/report/sweep_chart_parts.h"
#include "tools/report/sweep_charts.h"
#include "tools/report/sweep_tables.h"

namespace stockout {
namespace {

constexpr std::size_t kMostMarks = 3'000;  // of a picture
constexpr std::size_t kMostTold = 12;      // axes that a mark tells of
constexpr std::size_t kMostFilters = 4;    // dropdowns of axes
constexpr double kLogFrom = 0.05;  // hours: below it the scale of waits is linear, so that 0 has a place

// Axes that dropdowns tell apart: those of most impact with few values.
std::vector<std::size_t> filter_axes(const SweepStory& story) {
  std::vector<std::size_t> axes;
  for (const AxisImpact& impact : story.findings.impacts) {
    if (axes.size() == kMostFilters) break;
    if (story.sweep.axes[impact.axis].values.size() <= kMostAxisGroups) axes.push_back(impact.axis);
  }
  return axes;
}

ChartJson point_row(const SweepStory& story, std::size_t place, std::size_t strategy) {
  const StoredPoint& point = story.sweep.points[place];
  const StoredResult& result = *point.results[strategy];
  const auto& cost = result[Measure::cost];
  const auto& wait = result[Measure::wait_p95];
  ChartJson row{{"point", point.number},
                {"strategy", story.sweep.strategies[strategy]},
                {"cost", rounded_to(cost->mean, 2)},
                {"wait", rounded_to(wait->mean, 4)},
                {"is", wait->at_least ? "longer than shown" : "measured"}};
  for (std::size_t axis = 0; axis < std::min<std::size_t>(point.at.size(), kMostTold); ++axis)
    row[fmt::format("v{}", axis)] = story.sweep.axes[axis].values[point.at[axis]].text;
  return row;
}

bool has_cost_and_wait(const StoredPoint& point, std::size_t strategy) {
  const auto& result = point.results[strategy];
  return result && (*result)[Measure::cost] && (*result)[Measure::wait_p95];
}

ChartJson cost_wait_rows(const SweepStory& story) {
  ChartJson rows = ChartJson::array();
  const std::size_t most =
      std::max<std::size_t>(kMostMarks / std::max<std::size_t>(story.sweep.strategies.size(), 1), 1);
  for (const std::size_t place : sample_of(story.sweep.points.size(), most)) {
    for (std::size_t i = 0; i < story.sweep.strategies.size(); ++i) {
      if (has_cost_and_wait(story.sweep.points[place], i)) rows.push_back(point_row(story, place, i));
    }
  }
  return rows;
}

// Of all points, not of those that are drawn.
Relation front_table(const SweepStory& story) {
  struct Mark {
    std::size_t place;
    std::size_t strategy;
    double cost;
    double wait;
  };
  std::vector<Mark> marks;
  for (std::size_t place = 0; place < story.sweep.points.size(); ++place) {
    for (std::size_t i = 0; i < story.sweep.strategies.size(); ++i) {
      const StoredPoint& point = story.sweep.points[place];
      if (has_cost_and_wait(point, i) && !(*point.results[i])[Measure::wait_p95]->at_least)
        marks.push_back({place, i, (*point.results[i])[Measure::cost]->mean,
                         (*point.results[i])[Measure::wait_p95]->mean});
    }
  }
  std::ranges::stable_sort(marks, {}, [](const Mark& mark) { return std::pair{mark.cost, mark.wait}; });
  Relation table{.title = "What no other point beats in both cost and wait, the cheapest first"};
  table.add_columns(kWhole, {"point"});
  table.columns.insert(
      table.columns.end(),
      {name_column("strategy"), {.title = "cost", .unit = "USD", .style = kUsd}, stored_wait_column()});
  add_axis_columns(story.sweep, table);
  std::optional<double> best_wait;
  constexpr std::size_t kMostRows = 200;
  for (const Mark& mark : marks) {
    if (best_wait && mark.wait >= *best_wait) continue;
    best_wait = mark.wait;
    if (table.rows.size() == kMostRows) break;
    const StoredPoint& point = story.sweep.points[mark.place];
    std::vector<Cell> cells{fmt::format("{}", point.number), story.sweep.strategies[mark.strategy], mark.cost,
                            mark.wait};
    add_axis_cells(story.sweep, point.at, cells);
    table.add(std::move(cells));
  }
  return table;
}

// What is left when everything is taken away that something cheaper beats in its wait.
ChartJson undominated_layer(const ChartJson& x, const ChartJson& y) {
  const ChartJson by_cost{{{"field", "cost"}}, {{"field", "wait"}}};
  const auto window = [&](const ChartJson& what) {
    return ChartJson{{"window", {what}}, {"frame", {nullptr, -1}}, {"ignorePeers", true}, {"sort", by_cost}};
  };
  return {{"transform",
           {only_where("datum.is == 'measured'"),
            window({{"op", "min"}, {"field", "wait"}, {"as", "least_before"}}),
            window({{"op", "row_number"}, {"as", "place"}}),
            only_where("datum.place == 1 || datum.wait < datum.least_before")}},
          {"mark",
           {{"type", "line"},
            {"interpolate", "step-after"},
            {"strokeDash", {5, 3}},
            {"color", "#888"},
            {"point", {{"filled", false}, {"size", 220}, {"color", "#888"}}}}},
          {"encoding", {{"x", x}, {"y", y}, {"order", {{"field", "cost"}}}}}};
}

ChartJson wait_channel() {
  return number_channel("wait", "95 % of jobs start within [h]", "~g",
                        {{"scale", {{"type", "symlog"}, {"constant", kLogFrom}}},
                         {"axis", {{"values", {0, 0.1, 0.5, 1, 4, 12, 24, 72, 168, 720}}}}});
}

ChartJson tooltip_of_point(const SweepStory& story) {
  ChartJson tips{tooltip_name("strategy", "strategy"), tooltip_number("cost", "cost [USD]", ",.0f"),
                 tooltip_number("wait", "95 % of jobs start within [h]", ",.2f"),
                 tooltip_name("is", "wait is"), tooltip_name("point", "point")};
  for (std::size_t axis = 0; axis < std::min(story.sweep.axes.size(), kMostTold); ++axis)
    tips.push_back(tooltip_name(fmt::format("v{}", axis), story.sweep.axes[axis].name));
  return tips;
}

}  // namespace

Chart cost_wait_chart(const SweepStory& story, nlohmann::json& data) {
  data["points"] = cost_wait_rows(story);
  ChartJson params = ChartJson::array({page_parameter("shown", story.sweep.strategies)});
  ChartJson transforms = ChartJson::array({only_shown()});
  for (const std::size_t axis : filter_axes(story)) {
    const std::string name = fmt::format("only_{}", axis);
    std::vector<std::string> options = texts_of(story.sweep.axes[axis]);
    options.insert(options.begin(), "any");
    params.push_back(dropdown(name, story.sweep.axes[axis].name, options, "any"));
    transforms.push_back(only_where(fmt::format("{0} == 'any' || datum.v{1} == {0}", name, axis)));
  }
  const ChartJson x = number_channel("cost", "cost [USD]", ",.0f", {{"scale", {{"zero", false}}}});
  const ChartJson y = wait_channel();
  const ChartJson strategy = strategy_channel(story.sweep.strategies);
  const ChartJson tips = tooltip_of_point(story);
  const auto marks_layer = [&](const char* which, const ChartJson& mark, const ChartJson& at) {
    return ChartJson{
        {"transform", {only_where(which)}},
        {"mark", mark},
        {"encoding", {{"x", x}, {"y", at}, {"color", strategy}, {"shape", strategy}, {"tooltip", tips}}}};
  };
  ChartJson spec{{"data", named_data("points")},
                 {"params", std::move(params)},
                 {"transform", std::move(transforms)},
                 {"height", 340},
                 {"layer",
                  {undominated_layer(x, y),
                   marks_layer("datum.is == 'measured'", {{"type", "point"}, {"opacity", 0.75}}, y),
                   marks_layer("datum.is != 'measured'",
                               {{"type", "point"}, {"filled", false}, {"opacity", 0.75}}, {{"value", 6}})}}};
  return Chart{
      .id = "cost-wait",
      .title = "Cost against wait, a mark for each point and strategy",
      .description =
          "Across: cost in US dollars. Up: the wait that 95 % of jobs do not exceed, in hours, on a "
          "logarithmic scale above 3 "
          "minutes. Hollow marks at the upper edge: nobody knows, since jobs of the 95 % never "
          "started. Low and left is "
          "better. A ring and a dashed line are at what no other filled mark shown beats in both. Choose one "
          "value of each assumption to "
          "see strategies in the same world.",
      .spec = std::move(spec),
      .table = front_table(story)};
}

}  // namespace stockout
