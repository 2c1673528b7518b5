#include "tools/report/sweep/cost_wait_chart.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/sweep/sweep_tables.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

constexpr std::size_t kMostMarks = 3'000;  // of a picture
constexpr std::size_t kMostFilters = 4;    // dropdowns of the picture

// Axes that dropdowns tell apart: those of most impact with few values.
std::vector<std::size_t> filter_axes(const SweepStory& story) {
  std::vector<std::size_t> axes;
  for (const AxisImpact& impact : story.findings.impacts) {
    if (axes.size() == kMostFilters) break;
    if (story.sweep.axes[impact.axis].values.size() <= kMostAxisGroups) axes.push_back(impact.axis);
  }
  return axes;
}

bool has_cost_and_wait(const StoredPoint& point, std::size_t strategy) {
  const auto& result = point.results[strategy];
  return result && (*result)[Measure::cost] && (*result)[Measure::wait_p95];
}

Relation cost_wait_rows(const SweepStory& story) {
  const std::vector<std::size_t> filters = filter_axes(story);
  Relation rows{.columns = files_only({"point", "strategy", "cost", "wait", "is", "at"})};
  add_filter_columns(filters.size(), rows);
  const std::size_t most =
      std::max<std::size_t>(kMostMarks / std::max<std::size_t>(story.sweep.strategies.size(), 1), 1);
  for (const std::size_t place : sample_of(story.sweep.points.size(), most)) {
    const StoredPoint& point = story.sweep.points[place];
    for (std::size_t i = 0; i < story.sweep.strategies.size(); ++i) {
      if (!has_cost_and_wait(point, i)) continue;
      const StoredResult& result = *point.results[i];
      const auto& wait = result[Measure::wait_p95];
      std::vector<Cell> cells{point.number,
                              story.sweep.strategies[i],
                              rounded_to(result[Measure::cost]->mean, 2),
                              rounded_to(wait->mean, 4),
                              wait->at_least ? "longer than shown" : "measured",
                              text_of_point(story.sweep, point)};
      for (const std::size_t axis : filters)
        cells.emplace_back(story.sweep.axes[axis].values[point.at[axis]].text);
      rows.add(std::move(cells));
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
  Relation table{.title = "Points that no other beats in both cost and wait, the cheapest first"};
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

}  // namespace

Chart cost_wait_chart(const SweepStory& story, nlohmann::json& data) {
  data["points"] = write_chart_rows(cost_wait_rows(story));
  ChartSpec chart{"cost-wait"};
  chart.rows_of_page("points").strategies(story.sweep.strategies);
  const std::vector<std::size_t> filters = filter_axes(story);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const SweepAxis& axis = story.sweep.axes[filters[i]];
    std::vector<std::string> options = texts_of(axis);
    options.insert(options.begin(), "any");
    chart.choice(fmt::format("only_{}", i), axis.name, options);
  }
  return Chart{
      .id = "cost-wait",
      .title = "Cost against wait, a mark for each point and strategy",
      .description =
          "Across: cost in US dollars. Up: the wait that 95 % of jobs do not exceed, in hours, on a "
          "logarithmic scale above 3 minutes. Hollow marks at the upper edge: nobody knows, since jobs of "
          "the 95 % never started. Low and left is better. A ring and a dashed line are at what no other "
          "filled mark shown beats in both. Choose one value of each assumption to see strategies in the "
          "same world.",
      .spec = chart.take(),
      .table = front_table(story)};
}

}  // namespace stockout
