#include "tools/report/sweep/effect_charts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/report/sweep/sweep_answer.h"
#include "tools/report/sweep/sweep_tables.h"
#include "tools/table/text_table.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

constexpr std::size_t kMostBars = 12;  // axes of a tornado

/// A measure that a chart shows, in the unit in which it does.
struct ChartedMeasure {
  Measure measure{};
  const char* title;
  Style style;
};

constexpr std::array kChartedMeasures{
    ChartedMeasure{Measure::cost, "cost [USD]", kWhole},
    ChartedMeasure{Measure::wait_p95, "wait that 95 % of jobs do not exceed [h]", kHundredths},
    ChartedMeasure{Measure::goal_met_share, "jobs that start in time and complete [%]", kPercent},
};

// So many digits are enough for a picture.
double drawn(const GroupMean& mean, const ChartedMeasure& shown) {
  return rounded_to(mean.mean * shown.style.scale, shown.style.decimals + 2);
}

void add_bar_row(const SweepStory& story, const AxisEffect& effect, const ChartedMeasure& shown,
                 const std::string& strategy, Relation& rows) {
  const GroupMean& low = effect.means[effect.lowest];
  const GroupMean& high = effect.means[effect.highest];
  const bool moves = effect.range() != 0;
  rows.add({strategy, shown.title, story.sweep.axes[effect.axis].name, drawn(low, shown), drawn(high, shown),
            moves ? group_label(story.findings, effect, low) : "no effect",
            moves ? group_label(story.findings, effect, high) : ""});
}

Relation bar_rows() {
  return {.columns = files_only({"strategy", "measure", "axis", "low", "high", "at_low", "at_high"})};
}

// For people: the rows of one table are in the units of several measures.
Cell mean_cell(const GroupMean& mean, const ChartedMeasure& shown) {
  Cell cell{mean.mean};
  cell.at_least = mean.at_least;
  return cell.as(cell_text(cell, shown.style));
}

void add_bar(const SweepStory& story, const AxisEffect& effect, const ChartedMeasure& shown,
             std::vector<Cell> cells, Relation& table) {
  const GroupMean& low = effect.means[effect.lowest];
  const GroupMean& high = effect.means[effect.highest];
  cells.insert(cells.end(), {story.sweep.axes[effect.axis].name, mean_cell(low, shown),
                             group_label(story.findings, effect, low), mean_cell(high, shown),
                             group_label(story.findings, effect, high),
                             Cell{effect.range()}.as(cell_text(effect.range(), shown.style))});
  table.add(std::move(cells));
}

void add_bar_columns(Relation& table) {
  table.add_columns(kText, {"parameter"});
  for (const char* end : {"least", "greatest"}) {
    table.add_columns(kWhole, {end});
    table.add_columns(kText, {"at"});
  }
  table.add_columns(kWhole, {"range"});
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
  const std::string title = fmt::format("Cost of {} above that of {} [USD]", other, best);
  Relation table{.title = title};
  add_bar_columns(table);
  Relation rows = bar_rows();
  for (const AxisEffect& effect : effects) {
    add_bar_row(story, effect, kChartedMeasures[0], {}, rows);
    add_bar(story, effect, kChartedMeasures[0], {}, table);
  }
  return Chart{
      .id = "difference",
      .title = title,
      .description = fmt::format(
          "A bar for each parameter, the longest on top: from the least to the greatest mean of what {} "
          "costs more than {}, with the parameter's values at both ends. A bar across 0 means that the "
          "cheaper of the two changes with it.",
          other, best),
      .spec = ChartSpec{"difference"}.rows(write_chart_rows(rows)).take(),
      .table = std::move(table)};
}

std::optional<Chart> tornado_chart(const SweepStory& story, nlohmann::json& data) {
  Relation table{.title = "Effect of each parameter, by strategy",
                 .columns = {name_column("strategy"), name_column("measure")}};
  add_bar_columns(table);
  Relation rows = bar_rows();
  for (std::size_t i = 0; i < story.sweep.strategies.size(); ++i) {
    for (const ChartedMeasure& shown : kChartedMeasures) {
      std::vector<AxisEffect> effects =
          effects_on(story.findings.grouped, value_of(story.sweep, i, shown.measure));
      effects.resize(std::min(effects.size(), kMostBars));
      for (const AxisEffect& effect : effects) {
        add_bar_row(story, effect, shown, story.sweep.strategies[i], rows);
        add_bar(story, effect, shown, {story.sweep.strategies[i], shown.title}, table);
      }
    }
  }
  if (rows.empty()) return std::nullopt;
  data["effects"] = write_chart_rows(rows);
  std::vector<std::string> measures;
  for (const ChartedMeasure& shown : kChartedMeasures) measures.emplace_back(shown.title);
  nlohmann::json spec = ChartSpec{"tornado"}
                            .rows_of_page("effects")
                            .choice("strategy_chosen", "strategy", story.sweep.strategies)
                            .param("strategy_chosen", story.sweep.strategies[*story.findings.winners.best])
                            .choice("measure_chosen", "measure", measures)
                            .take();
  return Chart{
      .id = "tornado",
      .title = "Effect of each parameter",
      .description =
          "A bar for each parameter, the longest on top: from the least to the greatest mean of the measure "
          "chosen, for the strategy chosen, with the parameter's values at both ends.",
      .spec = std::move(spec),
      .table = std::move(table)};
}

}  // namespace stockout
