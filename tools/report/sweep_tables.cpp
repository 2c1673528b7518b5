#include "tools/report/sweep_tables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "models/measures/number_text.h"
#include "tools/report/sweep_answer.h"

namespace stockout {
namespace {

using SweepAlign = TextTable::Align;

constexpr std::size_t kMostTableRows = 2'000;  // points times strategies
constexpr std::size_t kMostTableCells = 40'000;
constexpr std::size_t kMostFailedRows = 200;
constexpr std::size_t kMostValuesShown = 12;

// Splitmix64 (G. L. Steele, D. Lea, C. H. Flood, 2014): another number for each, without a pattern.
std::uint64_t scattered(std::uint64_t number) {
  number = (number + 1) * 0x9e3779b97f4a7c15U;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9U;
  number = (number ^ number >> 27) * 0x94d049bb133111ebU;
  return number ^ number >> 31;
}

std::string stored_usd_cell(const std::optional<StoredMean>& cost) {
  return cost ? number_text(cost->mean, std::abs(cost->mean) < 1000 ? 2 : 0) : "-";
}

// "> 99.9" and "< 0.1" are never rounded_to to all or nothing.
std::string stored_share_cell(const std::optional<StoredMean>& share) {
  if (!share) return "-";
  std::string text = share_text(share->mean);
  text.resize(text.size() - 2);
  return text;
}

template <typename Cell>
std::string span_cell(const std::optional<MeanRange>& range, const Cell& cell) {
  if (!range) return "-";
  const std::string low = cell(range->lowest);
  const std::string high = cell(range->highest);
  return low == high ? low : fmt::format("{} to {}", low, high);
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

std::string impact_text(const SweepStory& story, std::size_t axis) {
  const auto& impacts = story.findings.impacts;
  const auto impact = std::ranges::find(impacts, axis, &AxisImpact::axis);
  if (impact == impacts.end()) return "one value only";
  if (impact->flips.lines == 0) return "-";
  return fmt::format("{} of {}", impact->flips.flipped, impact->flips.lines);
}

std::size_t shown_points(const SweepStory& story) {
  const std::size_t strategies = std::max<std::size_t>(story.sweep.strategies.size(), 1);
  const std::size_t columns = story.sweep.axes.size() + 7;
  return std::max<std::size_t>(std::min(kMostTableRows, kMostTableCells / columns) / strategies, 1);
}

// Strategies that may win are marked, so that the table says what the page does.
std::string point_rank_cell(const SweepStory& story, std::size_t place, std::size_t strategy) {
  return story.findings.winners.points[place].winner == strategy ? "cheapest" : "";
}

void add_point_rows(const SweepStory& story, std::size_t place, TextTable& table) {
  const StoredPoint& point = story.sweep.points[place];
  for (std::size_t i = 0; i < point.results.size(); ++i) {
    if (!point.results[i]) continue;
    const StoredResult& result = *point.results[i];
    std::vector<std::string> cells{fmt::format("{}", point.number)};
    for (std::size_t axis = 0; axis < point.at.size(); ++axis)
      cells.push_back(story.sweep.axes[axis].values[point.at[axis]].text);
    const auto& cost = result[Measure::cost];
    cells.insert(
        cells.end(),
        {story.sweep.strategies[i], point_rank_cell(story, place, i), stored_usd_cell(cost),
         cost && cost->half_width ? number_text(*cost->half_width, std::abs(cost->mean) < 1000 ? 2 : 0) : "-",
         stored_wait_cell(result[Measure::wait_p95]), stored_share_cell(result[Measure::goal_met_share])});
    table.add_row(std::move(cells));
  }
}

}  // namespace

std::string stored_wait_cell(const std::optional<StoredMean>& wait) {
  if (!wait) return "-";
  return (wait->at_least ? "> " : "") + number_text(wait->mean, 1);
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

TextTable strategies_table(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  TextTable table{fmt::format("Each strategy over {} points", sweep.points.size())};
  table.add_column("strategy", SweepAlign::left);
  table.add_columns(SweepAlign::right,
                    {"cheapest\n[points]", "meets goal,\nsame work\n[points]", "cost, lowest\n[USD]",
                     "cost, median\n[USD]", "cost, highest\n[USD]", "95 % of jobs\nstart within\n[h]",
                     "start in time\nand complete\n[% of jobs]"});
  for (std::size_t i = 0; i < sweep.strategies.size(); ++i) {
    const StrategyTally& tally = story.findings.winners.tallies[i];
    const auto cost = range_of(sweep, i, Measure::cost);
    table.add_row({sweep.strategies[i], fmt::format("{}", tally.wins), fmt::format("{}", tally.qualifies),
                   cost ? stored_usd_cell(cost->lowest) : "-", cost ? stored_usd_cell(cost->median) : "-",
                   cost ? stored_usd_cell(cost->highest) : "-",
                   span_cell(range_of(sweep, i, Measure::wait_p95), stored_wait_cell),
                   span_cell(range_of(sweep, i, Measure::goal_met_share), stored_share_cell)});
  }
  return table;
}

TextTable axes_table(const SweepStory& story) {
  TextTable table{"What is varied"};
  table.add_columns(SweepAlign::left, {"assumption", "values", "scenario has", "place in the scenario"});
  table.add_column("winner changes along it\n[combinations of the others]", SweepAlign::right);
  for (std::size_t axis = 0; axis < story.sweep.axes.size(); ++axis) {
    const SweepAxis& of = story.sweep.axes[axis];
    table.add_row({of.name, axis_values_text(of), of.as_written.empty() ? "-" : of.as_written, of.pointers,
                   impact_text(story, axis)});
  }
  return table;
}

TextTable points_table(const SweepStory& story) {
  const StoredSweep& sweep = story.sweep;
  TextTable table{"Points: means over the replications of each"};
  table.add_column("point", SweepAlign::right);
  for (const SweepAxis& axis : sweep.axes)
    table.add_column(axis.name, axis.is_number() ? SweepAlign::right : SweepAlign::left);
  table.add_columns(SweepAlign::left, {"strategy", "under the goal"});
  table.add_columns(SweepAlign::right, {"cost\n[USD]", "±\n[USD]", "95 % of jobs\nstart within\n[h]",
                                        "start in time\nand complete\n[% of jobs]"});
  for (const std::size_t place : sample_of(sweep.points.size(), shown_points(story)))
    add_point_rows(story, place, table);
  return table;
}

std::string points_left_out(const SweepStory& story) {
  const std::size_t points = story.sweep.points.size();
  if (points <= shown_points(story)) return {};
  return fmt::format(
      "The table has {} of the {} points, a sample without a pattern, so that the page stays small. "
      "`stockout sweep export {}` "
      "writes all of them.",
      shown_points(story), points, story.file);
}

TextTable failed_table(const SweepStory& story) {
  const auto& failed = story.sweep.failed;
  TextTable table{failed.size() > kMostFailedRows
                      ? fmt::format("The first {} of {} failed points", kMostFailedRows, failed.size())
                      : "Failed points"};
  table.add_column("point", SweepAlign::right);
  for (const SweepAxis& axis : story.sweep.axes) table.add_column(axis.name, SweepAlign::left);
  table.add_column("why", SweepAlign::left);
  for (const UnsolvedPoint& point : failed) {
    if (table.rows().size() == kMostFailedRows) break;
    std::vector<std::string> cells{fmt::format("{}", point.number)};
    for (std::size_t axis = 0; axis < point.at.size(); ++axis)
      cells.push_back(story.sweep.axes[axis].values[point.at[axis]].text);
    cells.push_back(point.error);
    table.add_row(std::move(cells));
  }
  return table;
}

TextTable made_from_table(const SweepStory& story) {
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
  TextTable table{"How the numbers were made"};
  table.add_columns(SweepAlign::left, {"what", "is"});
  table.add_row({"sweep", sweep.head.name});
  table.add_row({"scenario", fmt::format("{} ({})", sweep.scenario_name, sweep.scenario_file)});
  table.add_row({"goal", sweep.goal_text.empty() ? "none: the cheapest for the same work" : sweep.goal_text});
  table.add_row(
      {"points", fmt::format("{} done, {} failed, {} missing; the sweep has {}", sweep.points.size(),
                             sweep.failed.size(), sweep.missing(), sweep.head.points)});
  table.add_row(
      {"dice", sweep.seed.empty()
                   ? "seeds are varied: points differ by luck too"
                   : fmt::format("seed {}: the same dice for every strategy and every point", sweep.seed)});
  table.add_row({"replications",
                 least == most ? fmt::format("{}", most)
                               : fmt::format("{} to {}; 1 where a strategy draws nothing", least, most)});
  table.add_row({"simulated by", fmt::format("stockout {}", sweep.head.program)});
  table.add_row({"page by", fmt::format("stockout {}, from {}", story.version, story.file)});
  return table;
}

TextTable inputs_table(const SweepStory& story) {
  TextTable table{
      "Files it was made from, besides the sweep file and the scenario, whose texts the store has"};
  table.add_column("file", SweepAlign::left);
  table.add_column("bytes", SweepAlign::right);
  table.add_column("FNV-1a, 64 bits", SweepAlign::left);
  for (const InputStamp& input : story.sweep.inputs)
    table.add_row({input.name, fmt::format("{}", input.bytes), input.fnv1a});
  return table;
}

TextTable shares_table() {
  TextTable table{"What the shares are shares of"};
  table.add_columns(SweepAlign::left, {"share", "jobs counted", "of"});
  table.add_row({"start in time and complete", "granted within the wait goal, and completed",
                 "jobs that the goal is about; one that never starts is late"});
  table.add_row(
      {"95 % of jobs start within",
       "the shortest wait, release to first grant, that 95 % of jobs do not exceed",
       "all jobs submitted in the window; >: longer than that, since jobs of the 95 % never started"});
  table.add_row({"same work", "work of completed jobs in GPU-hours, the least of any GPU type",
                 "work of all jobs; compared with the strategy that gets most done"});
  table.add_row({"±", "half of the 95 % interval of the mean", "over the replications of the point"});
  return table;
}

}  // namespace stockout
