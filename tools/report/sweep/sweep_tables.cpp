#include "tools/report/sweep/sweep_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "tools/report/comparison/share_words.h"
#include "tools/report/sweep/sweep_answer.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

constexpr std::size_t kMostTableRows = 2'000;  // points times strategies
constexpr std::size_t kMostTableCells = 40'000;
constexpr std::size_t kMostFailedRows = 200;
constexpr std::size_t kMostValuesShown = 12;
constexpr std::size_t kMostAxesTold = 12;

// Splitmix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): another number for each, without a pattern.
std::uint64_t scattered(std::uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15U;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27) * 0x94d049bb133111ebU;
  return number ^ number >> 31;
}

// "1.2 to > 3.4", or one of them where they are the same for people.
Cell span_cell(const std::optional<MeanRange>& range, const Style& style) {
  if (!range) return {};
  const std::string low = cell_text(stored_cell(range->lowest), style);
  const std::string high = cell_text(stored_cell(range->highest), style);
  return Cell::said(low == high ? low : fmt::format("{} to {}", low, high));
}

std::string axis_values_text(const SweepAxis& axis) {
  std::string text;
  for (std::size_t i = 0; i < std::min(axis.values.size(), kMostValuesShown); ++i)
    text += (i == 0 ? "" : ", ") + axis.values[i].text;
  if (axis.values.size() <= kMostValuesShown) return text;
  return axis.is_number() ? fmt::format("{} values, {:.4g} to {:.4g}", axis.values.size(),
                                        *axis.values.front().number, *axis.values.back().number)
                          : fmt::format("{} and {} more", text, axis.values.size() - kMostValuesShown);
}

Cell impact_cell(const SweepStory& story, std::size_t axis) {
  const auto& impacts = story.findings.impacts;
  const auto impact = std::ranges::find(impacts, axis, &AxisImpact::axis);
  if (impact == impacts.end()) return Cell::said("one value only");
  if (impact->flips.lines == 0) return {};
  return Cell::said(fmt::format("{} of {}", impact->flips.flipped, impact->flips.lines));
}

Cell best_value_cell(const SweepStory& story, std::size_t axis) {
  const auto found = std::ranges::find(story.findings.decisions, axis, &AxisDecision::axis);
  return found == story.findings.decisions.end() ? Cell{} : Cell{decision_text(story, *found)};
}

std::size_t shown_points(const SweepStory& story) {
  const std::size_t strategies = std::max<std::size_t>(story.sweep.strategies.size(), 1);
  const std::size_t columns = story.sweep.axes.size() + 7;
  return std::max<std::size_t>(std::min(kMostTableRows, kMostTableCells / columns) / strategies, 1);
}

// Strategies that may win are marked, so that the table says what the page does.
std::string point_rank_cell(const SweepStory& story, std::size_t place, std::size_t strategy) {
  if (story.findings.winners.points[place].winner == strategy) return "cheapest";
  const std::string& missed = story.sweep.points[place].results[strategy]->goals_missed;
  return missed.empty() ? "" : "misses " + missed;
}

void add_point_rows(const SweepStory& story, std::size_t place, Relation& table) {
  const StoredPoint& point = story.sweep.points[place];
  for (std::size_t i = 0; i < point.results.size(); ++i) {
    if (!point.results[i]) continue;
    const StoredResult& result = *point.results[i];
    std::vector<Cell> cells{fmt::format("{}", point.number)};
    add_axis_cells(story.sweep, point.at, cells);
    cells.insert(cells.end(), {story.sweep.strategies[i], point_rank_cell(story, place, i),
                               stored_cell(result[Measure::cost]), stored_cell(result[Measure::wait_p95]),
                               stored_cell(result[Measure::goal_met_share])});
    table.add(std::move(cells));
  }
}

Column in_time_column() {
  return {.title = "start in time\nand complete", .unit = "% of jobs", .style = kShare};
}

}  // namespace

Column stored_wait_column() { return {.title = "95 % of jobs\nstart within", .unit = "h", .style = kTenths}; }

Cell stored_cell(const std::optional<StoredMean>& mean) {
  Cell cell;
  if (!mean) return cell;
  cell.value = mean->mean;
  cell.half_width = mean->half_width;
  cell.at_least = mean->at_least;
  return cell;
}

void add_axis_columns(const StoredSweep& sweep, Relation& table) {
  for (const SweepAxis& axis : sweep.axes)
    table.columns.push_back({.title = axis.name, .style = axis.is_number() ? kWhole : kText});
}

void add_axis_cells(const StoredSweep& sweep, const std::vector<std::uint32_t>& at,
                    std::vector<Cell>& cells) {
  for (std::size_t axis = 0; axis < at.size(); ++axis)
    cells.emplace_back(sweep.axes[axis].values[at[axis]].text);
}

std::string text_of_point(const StoredSweep& sweep, const StoredPoint& point) {
  std::string text;
  for (std::size_t axis = 0; axis < std::min(point.at.size(), kMostAxesTold); ++axis)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", sweep.axes[axis].name,
                        sweep.axes[axis].values[point.at[axis]].text);
  return text;
}

std::vector<std::string> texts_of(const SweepAxis& axis) {
  std::vector<std::string> texts;
  for (const AxisValue& value : axis.values) texts.push_back(value.text);
  return texts;
}

void add_filter_columns(std::size_t count, Relation& rows) {
  for (std::size_t i = 0; i < count; ++i) rows.columns.push_back({.key = fmt::format("f{}", i)});
}

double rounded_to(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

std::vector<std::size_t> sample_of(std::size_t count, std::size_t most) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (count <= most) return places;
  const auto middle = places.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(places, middle, {}, [](std::size_t place) {
    return std::pair{scattered(place), place};
  });
  places.erase(middle, places.end());
  std::ranges::sort(places);
  return places;
}

Relation strategies_table(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  const auto cost = [](const char* title) { return Column{.title = title, .unit = "USD", .style = kUsd}; };
  Relation table{.title = fmt::format("Each strategy over {} points", sweep.points.size()),
                 .columns = {name_column("strategy"),
                             {.title = "cheapest", .unit = "points", .style = kWhole},
                             {.title = "meets goals,\nsame work", .unit = "points", .style = kWhole},
                             cost("cost, lowest"),
                             cost("cost, median"),
                             cost("cost, highest"),
                             stored_wait_column(),
                             in_time_column()}};
  for (std::size_t i = 0; i < sweep.strategies.size(); ++i) {
    const StrategyTally& tally = story.findings.winners.tallies[i];
    const auto range = range_of(sweep, i, Measure::cost);
    const auto of = [&](StoredMean MeanRange::*end) { return range ? stored_cell((*range).*end) : Cell{}; };
    table.add({sweep.strategies[i], tally.wins, tally.qualifies, of(&MeanRange::lowest),
               of(&MeanRange::median), of(&MeanRange::highest),
               span_cell(range_of(sweep, i, Measure::wait_p95), kTenths),
               span_cell(range_of(sweep, i, Measure::goal_met_share), kShare)});
  }
  return table;
}

Relation axes_table(const SweepStory& story) {
  Relation table{.title = "Varied parameters"};
  table.add_columns(kText, {"name", "is", "values", "scenario has", "place in the scenario"});
  table.add_columns(kWhole, {"winner changes along it\n[combinations of the others]"});
  if (!story.findings.decisions.empty()) table.add_columns(kText, {"best value, cost"});
  for (std::size_t axis = 0; axis < story.sweep.axes.size(); ++axis) {
    const SweepAxis& of = story.sweep.axes[axis];
    std::vector<Cell> cells{of.name,
                            of.is_decision ? "decision" : "assumption",
                            axis_values_text(of),
                            of.as_written.empty() ? Cell{} : Cell{of.as_written},
                            of.pointers,
                            impact_cell(story, axis)};
    if (!story.findings.decisions.empty()) cells.push_back(best_value_cell(story, axis));
    table.add(std::move(cells));
  }
  return table;
}

Relation points_table(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  Relation table{.title = "Points: means over the replications of each"};
  table.add_columns(kWhole, {"point"});
  add_axis_columns(sweep, table);
  table.columns.insert(table.columns.end(),
                       {name_column("strategy"),
                        name_column("under the goal"),
                        {.title = "cost", .unit = "USD", .style = kUsd, .interval = Interval::shown},
                        stored_wait_column(),
                        in_time_column()});
  for (const std::size_t place : sample_of(sweep.points.size(), shown_points(story)))
    add_point_rows(story, place, table);
  return table;
}

std::string points_left_out(const SweepStory& story) {
  const std::size_t points = story.sweep.points.size();
  if (points <= shown_points(story)) return {};
  return fmt::format(
      "The table has {} of the {} points, a sample without a pattern, so that the page stays small. "
      "`stockout sweep export {}` writes all of them.",
      shown_points(story), points, story.file);
}

Relation failed_table(const SweepStory& story) {
  const auto& failed = story.sweep.failed;
  Relation table{.title = failed.size() > kMostFailedRows ? fmt::format("The first {} of {} failed points",
                                                                        kMostFailedRows, failed.size())
                                                          : "Failed points"};
  table.add_columns(kWhole, {"point"});
  add_axis_columns(story.sweep, table);
  table.add_columns(kText, {"why"});
  for (std::size_t i = 0; i < std::min(failed.size(), kMostFailedRows); ++i) {
    std::vector<Cell> cells{fmt::format("{}", failed[i].number)};
    add_axis_cells(story.sweep, failed[i].at, cells);
    cells.emplace_back(failed[i].error);
    table.add(std::move(cells));
  }
  return table;
}

Relation made_from_table(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  std::size_t least = 0;
  std::size_t most = 0;
  for (const StoredPoint& point : sweep.points) {
    for (const auto& result : point.results) {
      if (!result) continue;
      least = most == 0 ? result->replications : std::min(least, result->replications);
      most = std::max(most, result->replications);
    }
  }
  Relation table{.title = "How the numbers were made"};
  table.add_columns(kText, {"what", "is"});
  table.add({"sweep", sweep.head.name});
  table.add({"scenario", fmt::format("{} ({})", sweep.scenario_name, sweep.scenario_file)});
  if (!sweep.points.empty())
    table.add({sweep.goal_words() == "the goal" ? "goal" : "goals",
               sweep.goal_text.empty() ? "none: the cheapest for the same work" : sweep.goal_text});
  table.add({"points", fmt::format("{} done, {} failed, {} missing; the sweep has {}", sweep.points.size(),
                                   sweep.failed.size(), sweep.missing(), sweep.head.points)});
  table.add({"random numbers",
             sweep.seed.empty()
                 ? "seeds are varied: points differ by chance too"
                 : fmt::format("seed {}: the same for every strategy and every point", sweep.seed)});
  table.add({"replications", least == most ? fmt::format("{}", most)
                                           : fmt::format("{} to {}; {} where a strategy draws nothing", least,
                                                         most, sweep.head.round())});
  if (!sweep.head.worlds.empty()) table.add({"worlds", worlds_text(sweep)});
  table.add({"simulated by", fmt::format("stockout {}", sweep.head.program)});
  table.add({"page by", fmt::format("stockout {}, from {}", story.version, story.file)});
  return table;
}

Relation inputs_table(const SweepStory& story) {
  Relation table{
      .title = "Files it was made from, besides the sweep file and the scenario, whose texts the store has",
      .columns = {name_column("file"),
                  {.key = "bytes", .title = "bytes", .style = kWhole},
                  {.title = "FNV-1a, 64 bits"}}};
  for (const InputStamp& input : story.sweep.inputs) table.add({input.name, input.bytes, input.fnv1a});
  return table;
}

Relation shares_of_sweep() {
  return shares_table({kStartInTime,
                       kStartWithin,
                       {"same work", "work of completed jobs in GPU-hours, the least of any GPU type",
                        "work of all jobs; compared with the strategy that gets most done"},
                       {"±", "half of the 95 % interval of the mean", "over the replications of the point"}});
}

}  // namespace stockout
