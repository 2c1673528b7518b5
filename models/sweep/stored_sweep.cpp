#include "models/sweep/stored_sweep.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <sqlite3.h>

#include "models/sweep/columns.h"
#include "models/sweep/store_tables.h"
#include "models/sweep/stored_texts.h"
#include "sim/core/check.h"
#include "sim/io/sql_rows.h"
#include "sim/io/utf8.h"

namespace stockout {
namespace {

constexpr std::size_t kLongestShown = 120;  // bytes of a name or value
constexpr std::size_t kMostNames = 1'000;   // strategies

[[noreturn]] void fail_damaged(const std::string& what) { throw SQLite::Exception(what, SQLITE_CORRUPT); }

// What any page and terminal can show: one line of UTF-8, cut if it is long.
std::string shown(std::string text, std::size_t most = kLongestShown) {
  const bool cut = text.size() > most;
  text.resize(std::min(text.size(), most));
  for (std::size_t at = first_not_utf8(text); at < text.size(); at = first_not_utf8(text)) {
    if (cut && text.size() - at < 4) {
      text.resize(at);
    } else {
      text[at] = '?';
    }
  }
  for (std::size_t at = first_control(text); at < text.size(); at = first_control(text))
    text.replace(at, 1, " ");
  return cut ? text + "..." : text;
}

/// The values of one axis while points are read.
class AxisReader {
 public:
  std::uint32_t place(const StoredValue& cell) {
    const auto [known, is_new] = known_.emplace(key_of(cell), static_cast<std::uint32_t>(known_.size()));
    if (is_new) cells_.push_back(known->first);
    return known->second;
  }

  /// The values in their order, and by place() which of them it is.
  [[nodiscard]] std::vector<AxisValue> finish(std::vector<std::uint32_t>& sorted_place) const {
    std::vector<std::size_t> order(cells_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      const auto* left = std::get_if<double>(&cells_[a]);
      const auto* right = std::get_if<double>(&cells_[b]);
      return left != nullptr && (right == nullptr || *left < *right);
    });
    sorted_place.resize(order.size());
    std::vector<AxisValue> values;
    for (const std::size_t place : order) {
      sorted_place[place] = static_cast<std::uint32_t>(values.size());
      values.push_back(value_of(cells_[place]));
    }
    return values;
  }

 private:
  using Cell = std::variant<double, std::string>;

  static Cell key_of(const StoredValue& cell) {
    if (std::holds_alternative<std::monostate>(cell)) return "null";
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    double number = 0;
    if (!Number{}.decode(cell, number).empty()) fail_damaged("a value that is varied is no number");
    return number == 0 ? 0.0 : number;
  }

  static AxisValue value_of(const Cell& cell) {
    if (const auto* number = std::get_if<double>(&cell))
      return {.text = fmt::format("{}", *number), .number = *number};
    return {.text = shown(std::get<std::string>(cell)), .number = {}};
  }

  std::map<Cell, std::uint32_t> known_;
  std::vector<Cell> cells_;
};

class StoreReader {
 public:
  explicit StoreReader(const std::string& path)
      : path_{path}, store_{open_store(path, SQLite::OPEN_READONLY)} {}

  [[nodiscard]] StoredSweep read();

 private:
  void read_what_it_is();
  void check_sizes();
  void read_names();
  void read_points();
  void sort_values(std::vector<AxisReader>& readers);
  void read_results();
  void check_ranks() const;
  void tell_goals();
  void add_point(const RowReader& row, const PointRows& rows, const PointStatus& status,
                 std::vector<std::uint32_t> at);

  std::string path_;
  SQLite::Database store_;
  StoredSweep sweep_;
  std::map<std::string, std::size_t> names_;
  std::map<std::size_t, std::size_t> done_;  // by number its place in StoredSweep::points
};

StoredSweep StoreReader::read() {
  return with_store(path_, [&] {
    const SQLite::Transaction snapshot{store_};
    read_what_it_is();
    check_sizes();
    read_names();
    read_points();
    read_results();
    check_ranks();
    tell_goals();
    return std::move(sweep_);
  });
}

void StoreReader::read_what_it_is() {
  sweep_.head = read_head(store_);
  sweep_.inputs = read_inputs(store_);
  const StoredTexts texts{path_, sweep_.head};
  sweep_.head.name = shown(sweep_.head.name, 4 * kLongestShown);
  sweep_.head.program = shown(sweep_.head.program);
  sweep_.head.agreement = shown(sweep_.head.agreement, 4 * kLongestShown);
  for (InputStamp& input : sweep_.inputs) {
    input.name = shown(input.name, 4 * kLongestShown);
    input.fnv1a = shown(input.fnv1a);
  }
  sweep_.question = shown(texts.question(), 4 * kLongestShown);
  sweep_.scenario_file = shown(texts.scenario_file(), 4 * kLongestShown);
  sweep_.scenario_name = shown(texts.scenario_name(), 4 * kLongestShown);
  sweep_.seed = texts.seed();
  for (std::size_t i = 0; i < sweep_.head.parameters.size(); ++i) {
    const StoredParameter& parameter = sweep_.head.parameters[i];
    sweep_.axes.push_back({.name = shown(parameter.column),
                           .pointers = shown(parameter.pointers, 4 * kLongestShown),
                           .as_written = shown(texts.as_written()[i]),
                           .is_decision = texts.decides()[i],
                           .values = {}});
  }
}

void StoreReader::check_sizes() {
  const std::size_t points = sql_count(store_, "SELECT count(*) FROM points");
  const std::size_t rows = sql_count(store_, "SELECT count(*) FROM results");
  const std::size_t names = sql_count(store_, "SELECT count(DISTINCT strategy) FROM results");
  if (points > sweep_.head.shard_points()) fail_damaged("it has more points than its sweep");
  if (names > kMostNames || points * std::max<std::size_t>(names, 1) > kMostStoredRows ||
      rows > kMostStoredRows || points * sweep_.axes.size() > kMostStoredValues) {
    throw InputError{
        {.file = path_},
        fmt::format("is too large for a report: {} points with {} strategies; at most {} rows are taken. "
                    "`stockout sweep export` writes all of them, and SQL reads the store as it is",
                    points, names, kMostStoredRows)};
  }
}

void StoreReader::read_names() {
  read_query<StrategyRow>(
      store_, "SELECT strategy FROM results GROUP BY strategy ORDER BY min(point), min(strategy_number)",
      "its strategies", std::tuple{field<&StrategyRow::name>("strategy", AnyText{})},
      [&](const RowReader&, const StrategyRow& strategy) {
        std::string unique = shown(strategy.name);
        if (std::ranges::find(sweep_.strategies, unique) != sweep_.strategies.end())
          unique += fmt::format(" #{}", sweep_.strategies.size() + 1);
        names_.emplace(strategy.name, sweep_.strategies.size());
        sweep_.strategies.push_back(std::move(unique));
      });
}

void StoreReader::read_points() {
  std::string columns;  // with their table: a name that is none would be taken for a text
  for (const StoredParameter& parameter : sweep_.head.parameters)
    columns += ", points." + sql_name(parameter.column);
  std::vector<AxisReader> readers(sweep_.axes.size());
  read_rows<kPointsTable, PointRows, PointStatus>(
      store_,
      [&](const RowReader& row, const PointRows& rows, const PointStatus& status) {
        if (rows.point >= sweep_.head.points || !sweep_.head.shard.has(rows.point))
          row.fail("there is no such point");
        std::vector<std::uint32_t> at;
        for (std::size_t axis = 0; axis < readers.size(); ++axis)
          at.push_back(readers[axis].place(row.more(axis)));
        add_point(row, rows, status, std::move(at));
      },
      columns);
  sort_values(readers);
}

void StoreReader::add_point(const RowReader& row, const PointRows& rows, const PointStatus& status,
                            std::vector<std::uint32_t> at) {
  constexpr std::size_t kLongestError = 2'000;
  if (status.state == PointState::failed) {
    sweep_.failed.push_back(
        {.number = rows.point, .at = std::move(at), .error = shown(rows.error, kLongestError)});
    return;
  }
  done_.emplace(rows.point, sweep_.points.size());
  if (!rows.verdict) row.fail("a point that is done has no verdict");
  sweep_.points.push_back({.number = rows.point,
                           .at = std::move(at),
                           .results = {},
                           .goals = shown(rows.goals, 4 * kLongestShown),
                           .verdict = *rows.verdict});
  sweep_.points.back().results.resize(sweep_.strategies.size());
}

void StoreReader::sort_values(std::vector<AxisReader>& readers) {
  for (std::size_t axis = 0; axis < readers.size(); ++axis) {
    std::vector<std::uint32_t> place;
    sweep_.axes[axis].values = readers[axis].finish(place);
    for (StoredPoint& point : sweep_.points) point.at[axis] = place[point.at[axis]];
    for (UnsolvedPoint& point : sweep_.failed) point.at[axis] = place[point.at[axis]];
  }
}

std::string read_columns() {
  std::string columns;
  for (const Measure measure : kReadMeasures) {
    for_each_column(info(measure), [&](const auto& field) {
      columns += fmt::format(", results.{}{}", info(measure).name, field.name);
    });
  }
  return columns;
}

StoredResult result_in(const RowReader& row, const StrategyRow& strategy) {
  StoredResult result{.replications = std::max<std::size_t>(strategy.replications, 1),
                      .drew = strategy.drew,
                      .never_ran = shown(strategy.never_ran),
                      .rank = strategy.rank,
                      .goals_missed = shown(strategy.goals_missed, 4 * kLongestShown),
                      .means = {}};
  std::size_t column = 0;
  for (std::size_t i = 0; i < kReadMeasures.size(); ++i) {
    StoredSummary summary;
    for_each_column(info(kReadMeasures[i]), [&](const auto& field) {
      const std::string problem = field.set(summary, row.more(column++));
      if (!problem.empty())
        row.fail(fmt::format("{}{} {}", info(kReadMeasures[i]).name, field.name, problem));
    });
    if (!summary.mean) continue;
    result.means[i] = StoredMean{.mean = *summary.mean,
                                 .half_width = summary.plus_minus,
                                 .at_least = summary.is_lower_bound.value_or(false)};
  }
  return result;
}

void StoreReader::read_results() {
  read_rows<kResultsTable, ResultPlace, StrategyRow>(
      store_,
      [&](const RowReader& row, const ResultPlace& place, const StrategyRow& strategy) {
        const auto point = done_.find(place.point);
        if (point == done_.end()) row.fail("there is no such point that is done");
        auto& result = sweep_.points[point->second].results[names_.at(strategy.name)];
        if (result) row.fail("a point has a strategy twice");
        result = result_in(row, strategy);
      },
      read_columns());
}

// Each rank once, from 1 on; and the first is there if the verdict names it.
void StoreReader::check_ranks() const {
  for (const StoredPoint& point : sweep_.points) {
    std::vector<std::size_t> ranks;
    for (const auto& result : point.results) {
      if (result && result->rank && !(*result)[Measure::cost]) fail_damaged("what has no cost has a rank");
      if (result && result->rank) ranks.push_back(*result->rank);
    }
    std::ranges::sort(ranks);
    for (std::size_t i = 0; i < ranks.size(); ++i)
      if (ranks[i] != i + 1) fail_damaged("the ranks of a point are none");
    const bool names_one =
        point.verdict == Verdict::Kind::cheapest || point.verdict == Verdict::Kind::cheapest_within_goal;
    const bool finds_none =
        point.verdict == Verdict::Kind::none_meets_goal || point.verdict == Verdict::Kind::class_never_runs;
    if (names_one ? ranks.empty() : finds_none && !ranks.empty())
      fail_damaged("the verdict of a point is not that of its ranks");
  }
}

void StoreReader::tell_goals() {
  if (sweep_.points.empty()) return;
  sweep_.goal_text = sweep_.points.front().goals;
  sweep_.goal_varies = std::ranges::any_of(
      sweep_.points, [&](const StoredPoint& point) { return point.goals != sweep_.goal_text; });
}

}  // namespace

const std::optional<StoredMean>& StoredResult::operator[](Measure measure) const {
  const auto* place = std::ranges::find(kReadMeasures, measure);
  STOCKOUT_CHECK(place != kReadMeasures.end());
  return means[static_cast<std::size_t>(place - kReadMeasures.begin())];
}

bool SweepAxis::is_number() const {
  return std::ranges::all_of(values, [](const AxisValue& value) { return value.number.has_value(); });
}

std::string_view StoredSweep::goal_words() const {
  return goal_text.find("; ") == std::string::npos ? "the goal" : "all goals";
}

std::size_t StoredSweep::missing() const { return head.shard_points() - points.size() - failed.size(); }

StoredSweep read_stored_sweep(const std::string& path) {
  if (!store_exists(path)) throw InputError{{.file = path}, "is not there, or empty"};
  return StoreReader{path}.read();
}

}  // namespace stockout
