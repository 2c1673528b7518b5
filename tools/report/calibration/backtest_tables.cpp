#include "tools/report/calibration/backtest_tables.h"

#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/counted.h"
#include "tools/report/calibration/bill_tables.h"

namespace stockout {
namespace {

constexpr std::array<std::string_view, kBacktestFigures> kFigureTexts{
    "mean wait, h", "p50 wait, h", "p90 wait, h", "p95 wait, h", "never started, %"};
constexpr std::array<std::string_view, kBacktestFigures> kFigureKeys{"mean_h", "p50_h", "p90_h", "p95_h",
                                                                     "never_started_pct"};

std::string mean_text(const Backtest& found) {
  const auto error = found.mean_error();
  if (!error) return "no job is known to have waited";
  if (std::abs(*error) < 0.005) return "the mean wait is predicted as recorded";
  return fmt::format("the mean wait is predicted {:.0f} % too {}", 100 * std::abs(*error),
                     *error > 0 ? "long" : "short");
}

// With a capital and a full stop.
std::string sentence_of(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + '.';
}

}  // namespace

Relation backtest_table(const BacktestReport& report) {
  Relation table{
      .title = "Waits after the split",
      .columns = {{.key = "jobs", .title = "jobs", .once = true},
                  {.key = "number", .title = "number", .style = kWhole, .once = true},
                  {.key = "figure", .title = "figure"},
                  {.key = "recorded", .title = "recorded", .style = kHundredths},
                  {.key = "predicted", .title = "predicted", .style = kHundredths},
                  {.key = "error",
                   .title = "off by",
                   .unit = "%",
                   .style = {.decimals = 0, .scale = 100, .has_plus = true}},
                  {.key = "worlds_low", .title = "5 % of the\nworlds below", .style = kHundredths},
                  {.key = "worlds_high", .title = "5 % of the\nworlds above", .style = kHundredths},
                  {.key = "last_period", .title = "last\nperiod", .style = kHundredths}}};
  for (const BacktestRow& row : report.found.rows) {
    for (std::size_t i = 0; i < kBacktestFigures; ++i) {
      const bool is_share = i == static_cast<std::size_t>(BacktestFigure::never_started);
      const double scale = is_share ? 100 : 1;
      const auto cell = [&](const std::optional<double>& value) {
        if (!value) return Cell{};
        const double shown = scale * *value;
        return shown > 0 && shown < 0.1 ? Cell{shown}.as(fmt::format("{:.2g}", shown)) : Cell{shown};
      };
      const bool is_all_zero = is_share && row.recorded[i].value_or(0) == 0 &&
                               row.predicted[i].value_or(0) == 0 && row.high[i].value_or(0) == 0;
      if (is_all_zero) continue;
      const bool has_error = !is_share && row.recorded[i] && row.predicted[i] && *row.recorded[i] > 0;
      table.add({row.name, row.jobs, Cell{kFigureKeys[i]}.as(std::string{kFigureTexts[i]}),
                 cell(row.recorded[i]), cell(row.predicted[i]),
                 has_error ? Cell{*row.predicted[i] / *row.recorded[i] - 1} : Cell{}, cell(row.low[i]),
                 cell(row.high[i]), cell(row.last_period[i])});
    }
  }
  return table;
}

Relation days_table(const BacktestReport& report) {
  Relation table{.title = "Mean wait by day",
                 .columns = {{.key = "day", .title = "day"},
                             {.key = "jobs", .title = "jobs", .style = kWhole},
                             {.key = "recorded_h", .title = "recorded, h", .style = kHundredths},
                             {.key = "predicted_h", .title = "predicted, h", .style = kHundredths},
                             {.key = "is_close", .title = "within 10 %\nor 6 minutes"}}};
  for (const BacktestDay& day : report.found.days)
    table.add({day.name, day.jobs, day.recorded_h, day.predicted_h, day.is_close});
  return table;
}

Relation coverage_table(const Backtest& found) {
  Relation table{.title = "Intervals and the waits that they hold",
                 .columns = {{.key = "level", .title = "intervals of", .unit = "%", .style = kPercent},
                             {.key = "share", .title = "hold", .unit = "%", .style = kPercent}}};
  for (std::size_t i = 0; i < kCoverageLevels.size(); ++i) table.add({kCoverageLevels[i], found.coverage[i]});
  return table;
}

std::string backtest_headline(const BacktestReport& report) {
  const Backtest& found = report.found;
  const std::string why = found.why.empty()
                              ? std::string{}
                              : fmt::format(" It is not better since {}.", fmt::join(found.why, "; "));
  const std::string bill = found.bill ? ' ' + sentence_of(bill_error_text(*found.bill)) : std::string{};
  return fmt::format(
      "{}: of {} after {}, {}, and {:.1f} % of the waits lie within their own intervals of 90 %.{}{}",
      kBacktestGrades[static_cast<std::size_t>(found.grade)], counted(found.rows.front().jobs, "job"),
      report.split, mean_text(found), 100 * found.coverage[2], bill, why);
}

std::vector<std::string> backtest_notes(const BacktestReport& report) {
  const Backtest& found = report.found;
  std::vector<std::string> notes;
  notes.push_back(fmt::format(
      "Intervals of 50, 80, 90 and 95 % hold {:.1f}, {:.1f}, {:.1f} and {:.1f} % of the waits. Of waits that are "
      "alike, such as 0, the place is drawn.",
      100 * found.coverage[0], 100 * found.coverage[1], 100 * found.coverage[2], 100 * found.coverage[3]));
  notes.push_back(fmt::format(
      "Against \"as in the last period\" the skill is {:.2f}: 1 is perfect, below 0 the last period says more. It "
      "compares quantiles of each job's wait.",
      found.skill));
  notes.push_back(fmt::format(
      "{} of {} {} a mean wait within 10 % of what was predicted, or 6 minutes. The bound that history alone "
      "gives for the p95 holds {:.1f} % of the waits.",
      found.days_close(), counted(found.days.size(), "day"), found.days_close() == 1 ? "has" : "have",
      100 * found.bound_kept));
  const std::vector<std::string> ignored = ignored_notes(report.calibration.history);
  notes.insert(notes.end(), ignored.begin(), ignored.end());
  if (found.left_out > 0) {
    notes.push_back(counted(found.left_out, "job") +
                    " after the split never started. Nobody knows how long they would have run: they are not "
                    "simulated, and no wait of theirs is predicted.");
  }
  if (found.triangle) {
    const ErrorTriangle& triangle = *found.triangle;
    notes.push_back(fmt::format(
        "The rules alone are off by {:+.0f} % in the mean wait ({:.2f} h simulated with the jobs that came, {:.2f} h "
        "recorded). Jobs like those before the split are off by {:+.0f} % against the jobs that came. Both "
        "together: {:+.0f} %.",
        100 * triangle.of_rules(), triangle.own_jobs_h, triangle.recorded_h, 100 * triangle.of_jobs(),
        100 * triangle.of_both()));
  }
  notes.emplace_back(
      "Predicted: each job waits as did jobs with a like simulated wait that were recorded before the split. "
      "The worlds' columns are the simulation as it is.");
  if (found.bill) {
    const std::vector<std::string> of_bill = bill_notes(*found.bill);
    notes.insert(notes.end(), of_bill.begin(), of_bill.end());
  }
  if (report.calibration.found.unlike > kMostUnlike) {
    notes.push_back(
        fmt::format("Before the split {:.0f} % of the figures of the history occur in none of the "
                    "worlds: a rule of the scenario is another one there.",
                    100 * report.calibration.found.unlike));
  }
  return notes;
}

}  // namespace stockout
