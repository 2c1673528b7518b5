#include "tools/report/sweep_charts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tools/report/chart_spec.h"
#include "tools/report/sweep_answer.h"
#include "tools/report/sweep_chart_parts.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

constexpr std::size_t kMostBars = 12;  // axes of a tornado

/// A measure that a chart shows, in the unit in which it does.
struct Shown {
  Measure measure{};
  const char* title;
  Style style;
};

constexpr std::array kShown{
    Shown{Measure::cost, "cost [USD]", kWhole},
    Shown{Measure::wait_p95, "wait that 95 % of jobs do not exceed [h]", kHundredths},
    Shown{Measure::goal_met_share, "jobs that start in time and complete [%]", kPercent},
};

ChartJson bar_row(const SweepStory& story, const AxisEffect& effect, const Shown& shown) {
  const GroupMean& low = effect.means[effect.lowest];
  const GroupMean& high = effect.means[effect.highest];
  const bool moves = effect.range() != 0;
  return {{"axis", story.sweep.axes[effect.axis].name},
          {"low", rounded_to(low.mean * shown.style.scale, shown.style.decimals + 2)},
          {"high", rounded_to(high.mean * shown.style.scale, shown.style.decimals + 2)},
          {"at_low", moves ? group_label(story.findings, effect, low) : "no effect"},
          {"at_high", moves ? group_label(story.findings, effect, high) : ""}};
}

// For people: the rows of one table are in the units of several measures.
Cell mean_cell(const GroupMean& mean, const Shown& shown) {
  Cell cell{mean.mean};
  cell.at_least = mean.at_least;
  return cell_text(cell, shown.style);
}

void add_bar(const SweepStory& story, const AxisEffect& effect, const Shown& shown, std::vector<Cell> cells,
             Relation& table) {
  const GroupMean& low = effect.means[effect.lowest];
  const GroupMean& high = effect.means[effect.highest];
  cells.insert(cells.end(),
               {story.sweep.axes[effect.axis].name, mean_cell(low, shown),
                group_label(story.findings, effect, low), mean_cell(high, shown),
                group_label(story.findings, effect, high), cell_text(effect.range(), shown.style)});
  table.add(std::move(cells));
}

void add_bar_columns(Relation& table) {
  table.add_columns(kText, {"assumption"});
  for (const char* end : {"least", "greatest"}) {
    table.add_columns(kWhole, {end});
    table.add_columns(kText, {"at"});
  }
  table.add_columns(kWhole, {"range"});
}

// A bar an axis, the longest on top, with the axis' values at its ends.
ChartJson bar_layers(const std::string& title, const std::string& format, std::size_t bars) {
  constexpr std::size_t kBarHeight = 30;
  const ChartJson scale{{"zero", false}, {"padding", 56}};
  const ChartJson y{{"field", "axis"}, {"type", "nominal"}, {"sort", nullptr}, {"title", nullptr}};
  const auto label = [&](const char* at, const char* text, const char* align, int dx) {
    return ChartJson{
        {"mark", {{"type", "text"}, {"align", align}, {"dx", dx}, {"baseline", "middle"}}},
        {"encoding", {{"x", {{"field", at}, {"type", "quantitative"}}}, {"text", {{"field", text}}}}}};
  };
  return {{"height", kBarHeight * bars},
          {"encoding", {{"y", y}}},
          {"layer",
           {{{"mark", "bar"},
             {"encoding",
              {{"x", number_channel("low", title, format, {{"scale", scale}})},
               {"x2", far_end("high")},
               {"tooltip",
                {tooltip_name("axis", "assumption"), tooltip_number("low", "least", format),
                 tooltip_name("at_low", "at"), tooltip_number("high", "greatest", format),
                 tooltip_name("at_high", "at")}}}}},
            label("low", "at_low", "right", -4),
            label("high", "at_high", "left", 4)}}};
}

}  // namespace

std::optional<Chart> difference_chart(const SweepStory& story) {
  const SweepWinners& winners = story.findings.winners;
  if (!winners.best || !winners.runner_up) return std::nullopt;
  std::vector<AxisEffect> effects = effects_on(
      story.findings.grouped, difference_of(story.sweep, *winners.runner_up, *winners.best, Measure::cost));
  if (effects.empty()) return std::nullopt;
  effects.resize(std::min(effects.size(), kMostBars));
  const std::string best = quoted(story.sweep.strategies[*winners.best]);
  const std::string other = quoted(story.sweep.strategies[*winners.runner_up]);
  const std::string title = fmt::format("What {} costs more than {} [USD]", other, best);
  Relation table{.title = title};
  add_bar_columns(table);
  ChartJson rows = ChartJson::array();
  for (const AxisEffect& effect : effects) {
    rows.push_back(bar_row(story, effect, kShown[0]));
    add_bar(story, effect, kShown[0], {}, table);
  }
  ChartJson spec = bar_layers("mean over points [USD]; below 0 it costs less", ",.0f", effects.size());
  spec["data"] = {{"values", std::move(rows)}};
  spec["layer"].push_back({{"mark", "rule"}, {"encoding", {{"x", {{"datum", 0}}}, {"y", nullptr}}}});
  return Chart{
      .id = "difference",
      .title = title,
      .description = fmt::format(
          "A bar for each assumption, the longest on top: from the least to the greatest mean of what {} "
          "costs "
          "more than {}, with the assumption's values at both ends. A bar across 0 means that the cheaper "
          "of the two changes with it.",
          other, best),
      .spec = std::move(spec),
      .table = std::move(table)};
}

std::optional<Chart> tornado_chart(const SweepStory& story, nlohmann::json& data) {
  Relation table{.title = "What each assumption moves, by strategy",
                 .columns = {name_column("strategy"), name_column("measure")}};
  add_bar_columns(table);
  ChartJson rows = ChartJson::array();
  for (std::size_t i = 0; i < story.sweep.strategies.size(); ++i) {
    for (const Shown& shown : kShown) {
      std::vector<AxisEffect> effects =
          effects_on(story.findings.grouped, value_of(story.sweep, i, shown.measure));
      effects.resize(std::min(effects.size(), kMostBars));
      for (const AxisEffect& effect : effects) {
        ChartJson row = bar_row(story, effect, shown);
        row["strategy"] = story.sweep.strategies[i];
        row["measure"] = shown.title;
        rows.push_back(std::move(row));
        add_bar(story, effect, shown, {story.sweep.strategies[i], shown.title}, table);
      }
    }
  }
  if (rows.empty()) return std::nullopt;
  data["effects"] = std::move(rows);
  ChartJson spec = bar_layers("mean over points, in the unit chosen", ",~r",
                              std::min(story.findings.grouped.axes.size(), kMostBars));
  spec["data"] = named_data("effects");
  std::vector<std::string> measures;
  for (const Shown& shown : kShown) measures.emplace_back(shown.title);
  spec["params"] = {dropdown("strategy_chosen", "strategy", story.sweep.strategies,
                             story.sweep.strategies[*story.findings.winners.best]),
                    dropdown("measure_chosen", "measure", measures, measures.front())};
  spec["transform"] =
      ChartJson::array({only_where("datum.strategy == strategy_chosen && datum.measure == measure_chosen")});
  return Chart{
      .id = "tornado",
      .title = "What each assumption moves",
      .description =
          "A bar for each assumption, the longest on top: from the least to the greatest mean of the "
          "measure chosen, for the strategy chosen, with the assumption's values at both ends.",
      .spec = std::move(spec),
      .table = std::move(table)};
}

}  // namespace stockout
