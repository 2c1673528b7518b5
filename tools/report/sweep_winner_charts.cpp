// Who is the cheapest where.

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "tools/report/chart_spec.h"
#include "tools/report/sweep_answer.h"
#include "tools/report/sweep_chart_parts.h"
#include "tools/report/sweep_charts.h"
#include "tools/report/sweep_tables.h"

namespace stockout {
namespace {

constexpr std::size_t kMostMapMarks = 3'000;
constexpr std::size_t kCellHeight = 44;
constexpr std::size_t kMostWinnerRows = 500;
constexpr std::size_t kMostFixed = 5;  // dropdowns of a map

std::string winner_cell(const SweepStory& story, std::size_t place) {
  const auto& winner = story.findings.winners.points[place].winner;
  return winner ? story.sweep.strategies[*winner] : "none";
}

std::string winner_cost(const SweepStory& story, std::size_t place) {
  const auto& winner = story.findings.winners.points[place].winner;
  if (!winner) return "-";
  return dollar_text((*story.sweep.points[place].results[*winner])[Measure::cost]->mean);
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
  table.add_columns(kWhole, {"cost"});
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

ChartJson map_rows(const SweepStory& story, const std::vector<std::size_t>& places,
                   const std::vector<std::size_t>& axes) {
  ChartJson rows = ChartJson::array();
  for (const std::size_t place : places) {
    const auto& winner = story.findings.winners.points[place].winner;
    ChartJson row{{"point", story.sweep.points[place].number},
                  {"strategy", winner_cell(story, place)},
                  {"mark", winner ? fmt::format("{}", *winner + 1) : "none"},
                  {"cost", winner_cost(story, place)}};
    for (const std::size_t axis : axes) {
      const AxisValue& value = story.sweep.axes[axis].values[story.sweep.points[place].at[axis]];
      row[fmt::format("v{}", axis)] = value.text;
      if (value.number) row[fmt::format("n{}", axis)] = *value.number;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

// Names with the numbers that stand in the cells, so that colour is not the only sign.
ChartJson numbered_legend() {
  ChartJson legend = plain_legend();
  legend["labelExpr"] = "(datum.index + 1) + '  ' + datum.label";
  return legend;
}

ChartJson winner_tips(const SweepStory& story, const std::vector<std::size_t>& axes) {
  ChartJson tips{tooltip_name("strategy", "cheapest"), tooltip_name("cost", "cost"),
                 tooltip_name("point", "point")};
  for (const std::size_t axis : axes)
    tips.push_back(tooltip_name(fmt::format("v{}", axis), story.sweep.axes[axis].name));
  return tips;
}

ChartJson value_channel(const SweepStory& story, std::size_t axis, bool goes_up) {
  std::vector<std::string> order = texts_of(story.sweep.axes[axis]);
  if (goes_up) std::ranges::reverse(order);
  return {{"field", fmt::format("v{}", axis)},
          {"type", "ordinal"},
          {"title", story.sweep.axes[axis].name},
          {"scale", {{"domain", order}}},
          {"axis", {{"labelAngle", 0}, {"grid", false}}}};
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
  std::vector<std::size_t> axes{plan.across, plan.up};
  axes.insert(axes.end(), plan.chosen.begin(), plan.chosen.end());
  data["winners"] = map_rows(story, plan.places, axes);
  ChartJson params = ChartJson::array();
  ChartJson transforms = ChartJson::array();
  for (const std::size_t axis : plan.chosen) {
    const SweepAxis& of = story.sweep.axes[axis];
    const std::string name = fmt::format("at_{}", axis);
    params.push_back(dropdown(name, of.name, texts_of(of), of.values[usual_value(of)].text));
    transforms.push_back(only_where(fmt::format("datum.v{} == {}", axis, name)));
  }
  ChartJson color = strategy_channel(story.sweep.strategies);
  color["legend"] = numbered_legend();
  ChartJson spec{
      {"data", named_data("winners")},
      {"encoding",
       {{"x", value_channel(story, plan.across, false)}, {"y", value_channel(story, plan.up, true)}}},
      {"height", kCellHeight * story.sweep.axes[plan.up].values.size()},
      {"layer",
       {{{"transform", {only_where("datum.mark != 'none'")}},
         {"mark", {{"type", "rect"}, {"opacity", 0.55}}},
         {"encoding", {{"color", std::move(color)}, {"tooltip", winner_tips(story, axes)}}}},
        {{"mark", {{"type", "text"}, {"baseline", "middle"}, {"fontWeight", 600}}},
         {"encoding", {{"text", {{"field", "mark"}}}}}}}}};
  if (!params.empty()) {
    spec["params"] = std::move(params);
    spec["transform"] = std::move(transforms);
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
                                       "the cheapest there, as the legend names "
                                       "them, or none where {}.",
                                       story.sweep.axes[plan.across].name, story.sweep.axes[plan.up].name,
                                       none_text(story.sweep)),
            .spec = std::move(spec),
            .table = winners_table(story, sampled(plan.places))});
  return blocks;
}

// Not every combination is there: every point where it stands.
std::vector<PageBlock> scattered_map(const SweepStory& story, nlohmann::json& data) {
  const std::size_t across = story.findings.impacts[0].axis;
  const std::size_t up = story.findings.impacts[1].axis;
  const std::vector<std::size_t> places = sample_of(story.sweep.points.size(), kMostMapMarks);
  data["winners"] = map_rows(story, places, {across, up});
  const auto channel = [&](std::size_t axis) -> ChartJson {
    const SweepAxis& of = story.sweep.axes[axis];
    if (!of.is_number()) return value_channel(story, axis, false);
    return number_channel(fmt::format("n{}", axis), of.name, "~g", {{"scale", {{"zero", false}}}});
  };
  std::vector<std::string> order = story.sweep.strategies;
  order.emplace_back("none");
  ChartJson winner = strategy_channel(order);
  winner["legend"] = plain_legend();
  ChartJson spec{{"data", named_data("winners")},
                 {"height", 320},
                 {"mark", {{"type", "point"}, {"opacity", 0.8}}},
                 {"encoding",
                  {{"x", channel(across)},
                   {"y", channel(up)},
                   {"color", winner},
                   {"shape", winner},
                   {"tooltip", winner_tips(story, {across, up})}}}};
  return {Chart{
      .id = "winners",
      .title = "The cheapest strategy under the goal, at each point",
      .description = fmt::format(
          "Across: {}. Up: {}. These two decide most of who wins; all others differ from mark to mark too. "
          "The mark is that of the strategy that is the cheapest there, or of none where {}.",
          story.sweep.axes[across].name, story.sweep.axes[up].name, none_text(story.sweep)),
      .spec = std::move(spec),
      .table = winners_table(story, sample_of(story.sweep.points.size(), kMostWinnerRows))}};
}

/// What a line along an axis shows.
struct LineOf {
  const char* id;
  const char* title;
  const char* axis;
  const char* format;
  Measure measure{};
  Style style;
};

constexpr std::array kLines{
    LineOf{"cost-along", "Cost along the axis", "cost [USD]", ",.0f", Measure::cost, kWhole},
    LineOf{"wait-along", "Wait along the axis", "95 % of jobs start within [h]", ",.3~f", Measure::wait_p95,
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
  Relation table{.title = fmt::format("{}, by {}", line.axis, of.name),
                 .columns = {{.title = of.name, .style = kWhole},
                             name_column("strategy"),
                             {.title = line.axis, .style = line.style, .interval = Interval::shown}}};
  ChartJson rows = ChartJson::array();
  const std::size_t most = std::max<std::size_t>(kMostMapMarks / story.sweep.strategies.size(), 1);
  const std::vector<std::size_t> along = places_along(story, axis);
  for (const std::size_t at : sample_of(along.size(), most)) {
    const StoredPoint& point = story.sweep.points[along[at]];
    const AxisValue& value = of.values[point.at[axis]];
    for (std::size_t i = 0; i < point.results.size(); ++i) {
      const auto mean = point.results[i] ? (*point.results[i])[line.measure] : std::nullopt;
      if (!mean) continue;
      const double noise = mean->half_width.value_or(0);
      ChartJson row{{"strategy", story.sweep.strategies[i]},
                    {"mean", mean->mean},
                    {"low", mean->mean - noise},
                    {"high", mean->mean + noise}};
      row["at"] = value.number ? ChartJson(*value.number) : ChartJson(value.text);
      rows.push_back(std::move(row));
      table.add({value.text, story.sweep.strategies[i], stored_cell(mean)});
    }
  }
  data[line.id] = std::move(rows);
  const ChartJson x =
      of.is_number() ? number_channel("at", of.name, "~g", {{"scale", {{"zero", false}}}})
                     : ChartJson{{"field", "at"}, {"type", "nominal"}, {"title", of.name}, {"sort", nullptr}};
  const ChartJson colour = strategy_channel(story.sweep.strategies);
  const ChartJson tips{tooltip_name("strategy", "strategy"), tooltip_name("at", of.name),
                       tooltip_number("mean", line.axis, line.format),
                       tooltip_number("low", "95 % interval from", line.format),
                       tooltip_number("high", "to", line.format)};
  ChartJson spec{
      {"data", named_data(line.id)},
      {"params", {page_parameter("shown", story.sweep.strategies)}},
      {"transform", {only_shown()}},
      {"height", 300},
      {"encoding", {{"x", x}, {"color", colour}}},
      {"layer",
       {{{"mark",
          of.is_number() ? ChartJson{{"type", "area"}, {"opacity", 0.15}} : ChartJson{{"type", "rule"}}},
         {"encoding",
          {{"y", number_channel("low", line.axis, line.format, {{"scale", {{"zero", false}}}})},
           {"y2", far_end("high")}}}},
        {{"mark",
          of.is_number() ? ChartJson{{"type", "line"}} : ChartJson{{"type", "point"}, {"opacity", 0}}},
         {"encoding", {{"y", number_channel("mean", line.axis, line.format)}, {"strokeDash", colour}}}},
        {{"mark", {{"type", "point"}, {"size", 60}}},
         {"encoding",
          {{"y", number_channel("mean", line.axis, line.format)}, {"shape", colour}, {"tooltip", tips}}}}}}};
  return {.id = line.id,
          .title = fmt::format("{} {}", line.measure == Measure::cost ? "Cost by" : "Wait by", of.name),
          .description = fmt::format("Across: {}. Up: {}, a line a strategy. The band is the 95 % interval "
                                     "of the mean over replications.",
                                     of.name, line.axis),
          .spec = std::move(spec),
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
