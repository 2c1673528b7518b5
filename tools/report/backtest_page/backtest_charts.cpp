#include "tools/report/backtest_page/backtest_charts.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "tools/page/chart_spec.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

enum class Series : std::uint8_t { recorded, predicted, last_period };

const std::string& name_of(Series series) { return backtest_series()[static_cast<std::size_t>(series)]; }

// Waits as short as a minute are drawn as a minute: the axis is logarithmic.
constexpr double kShortestDrawnH = 1.0 / 60;

void add_curve(Relation& rows, const std::string& group, Series series, const WaitPercentiles& curve) {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (!curve[i]) return;
    rows.add(
        {name_of(series), group, std::max(kShortestDrawnH, *curve[i]), static_cast<double>(i + 1) / 100});
  }
}

// The tenths of the curves: what people read off them.
Relation laws_table(const BacktestReport& report) {
  Relation table{.title = {}, .columns = {name_column("jobs"), name_column("waits, h")}};
  constexpr std::array kShares{10, 25, 50, 75, 90, 95, 99};
  for (const int share : kShares)
    table.columns.push_back({.title = fmt::format("{} % of jobs\nwithin", share), .style = kHundredths});
  for (const BacktestRow& row : report.found.rows) {
    const std::array curves{std::pair{Series::recorded, &row.recorded_waits},
                            std::pair{Series::predicted, &row.predicted_waits},
                            std::pair{Series::last_period, &row.last_waits}};
    for (const auto& [series, curve] : curves) {
      std::vector<Cell> cells{row.name, name_of(series)};
      for (const int share : kShares) cells.emplace_back((*curve)[static_cast<std::size_t>(share - 1)]);
      table.add(std::move(cells));
    }
  }
  return table;
}

}  // namespace

const std::vector<std::string>& backtest_series() {
  static const std::vector<std::string> kSeries{"recorded", "predicted", "as in the last period"};
  return kSeries;
}

Chart wait_laws_chart(const BacktestReport& report) {
  Relation rows{.columns = files_only({"strategy", "jobs", "wait_h", "share"})};
  std::vector<std::string> groups;
  for (const BacktestRow& row : report.found.rows) {
    groups.push_back(row.name);
    add_curve(rows, row.name, Series::recorded, row.recorded_waits);
    add_curve(rows, row.name, Series::predicted, row.predicted_waits);
    add_curve(rows, row.name, Series::last_period, row.last_waits);
  }
  return {.id = "laws",
          .title = "How many had started by then",
          .description =
              "Across: the wait, on a logarithmic scale. Up: the share of the jobs that started within "
              "it. One line each for what was recorded, what was predicted, and the last period.",
          .spec = ChartSpec{"wait-laws"}
                      .rows(write_chart_rows(rows))
                      .strategies(backtest_series())
                      .choice("jobs_chosen", "jobs", groups)
                      .take(),
          .table = laws_table(report)};
}

Chart wait_days_chart(const BacktestReport& report) {
  Relation rows{.columns = files_only({"strategy", "day", "mean_h", "jobs"})};
  std::vector<std::string> days;
  for (const BacktestDay& day : report.found.days) {
    days.push_back(day.name);
    rows.add({name_of(Series::recorded), day.name, day.recorded_h, day.jobs});
    rows.add({name_of(Series::predicted), day.name, day.predicted_h, day.jobs});
  }
  return {.id = "by-day",
          .title = "Mean wait by day",
          .description =
              "Across: days after the split. Up: the mean wait of the jobs that were submitted on that "
              "day and started, in hours, as recorded and as predicted.",
          .spec = ChartSpec{"wait-days"}
                      .rows(write_chart_rows(rows))
                      .strategies(backtest_series())
                      .names("day", days)
                      .take(),
          .table = days_table(report)};
}

Chart coverage_chart(const BacktestReport& report) {
  return {.id = "coverage",
          .title = "Waits within their intervals",
          .description =
              "A bar for each level of interval: the share of the waits that lay within their own "
              "interval. The line across it is the share that should.",
          .spec = ChartSpec{"coverage"}.rows(write_chart_rows(coverage_table(report.found))).take(),
          .table = coverage_table(report.found)};
}

}  // namespace stockout
