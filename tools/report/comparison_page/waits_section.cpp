#include "tools/report/comparison_page/waits_section.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "sim/core/hours.h"
#include "tools/page/chart_spec.h"
#include "tools/page/choice_text.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/comparison_page/answer_section.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

/// A strategy that is drawn, with its waits.
struct DrawnCurve {
  const StrategyResult& strategy;
  const WaitCurve& curve;
};

std::vector<DrawnCurve> drawn_curves(const PageStory& story) {
  std::vector<DrawnCurve> drawn;
  for (const std::size_t place : strategies_drawn(story.report)) {
    const auto found = std::ranges::find(story.waits.curves, place, &WaitCurve::strategy);
    if (found != story.waits.curves.end())
      drawn.push_back({story.report.comparison.strategies[place], *found});
  }
  return drawn;
}

std::vector<std::string> names_of_drawn(const PageStory& story) {
  return names_of(story.report, strategies_drawn(story.report));
}

// Whether no other is as cheap and as much in time, and better in one of the two.
bool is_on_front(const std::vector<DrawnCurve>& all, const DrawnCurve& one, std::size_t wait) {
  const double cost = one.strategy.total[Measure::cost].mean;
  const double share = one.curve.completed[wait].mean;
  return std::ranges::none_of(all, [&](const DrawnCurve& other) {
    const double other_cost = other.strategy.total[Measure::cost].mean;
    const double other_share = other.curve.completed[wait].mean;
    return other_cost <= cost && other_share >= share && (other_cost < cost || other_share > share);
  });
}

// Where the limits that may be chosen stand among the waits of the curves.
std::vector<std::size_t> places_of_limits(const PageStory& story, const WaitChoice& choice) {
  std::vector<std::size_t> places;
  for (std::size_t w = 0; w < story.waits.waits.size(); ++w) {
    if (std::ranges::find(choice.within_h, to_hours(story.waits.waits[w])) != choice.within_h.end())
      places.push_back(w);
  }
  return places;
}

std::string limit_name(double hours) { return hours == 0 ? "at once" : wait_limit_text(hours); }

// A row for each strategy and limit that the reader may choose.
Relation limit_rows(const PageStory& story, const WaitChoice& choice) {
  const std::vector<DrawnCurve> drawn = drawn_curves(story);
  Relation rows{.columns = {name_column("strategy"),
                            {.key = "limit_h"},
                            {.key = "cost", .interval = Interval::in_files},
                            {.key = "share"},
                            {.key = "share_low"},
                            {.key = "share_high"},
                            {.key = "front"}}};
  for (const std::size_t w : places_of_limits(story, choice)) {
    for (const DrawnCurve& one : drawn) {
      const Estimate& share = one.curve.completed[w];
      rows.add({one.strategy.name, to_hours(story.waits.waits[w]),
                measure_cell(one.strategy.total[Measure::cost], 0), share.mean, std::max(0.0, share.low()),
                std::min(1.0, share.high()), is_on_front(drawn, one, w)});
    }
  }
  return rows;
}

// A share of jobs under each limit.
void add_limit_columns(const WaitChoice& choice, Relation& table) {
  for (const double hours : choice.within_h)
    table.columns.push_back({.title = limit_name(hours), .style = kPercent});
}

Relation limit_table(const PageStory& story, const WaitChoice& choice) {
  Relation table{
      .title = fmt::format("Cost, and jobs that start within a limit and complete [% of {}]", choice.jobs),
      .columns = {name_column("strategy"),
                  {.title = "cost", .unit = "USD", .style = kWhole, .interval = Interval::shown}}};
  add_limit_columns(choice, table);
  for (const WaitCurve& curve : story.waits.curves) {
    const StrategyResult& strategy = story.report.comparison.strategies[curve.strategy];
    std::vector<Cell> cells{strategy.name, measure_cell(strategy.total[Measure::cost], 0)};
    for (const std::size_t w : places_of_limits(story, choice)) cells.emplace_back(curve.completed[w].mean);
    table.add(std::move(cells));
  }
  return table;
}

nlohmann::json cost_spec(const PageStory& story, const WaitChoice& choice) {
  const std::string in_time = fmt::format("In time [% of {}]", choice.jobs);
  return ChartSpec{"cost-against-wait"}
      .rows_of_page("limits")
      .strategies(names_of_drawn(story))
      .title("share", in_time)
      .title("share_low", in_time)
      .param("limit_h", choice.within_h[choice.limit])
      .param("limit_share", choice.share)
      .take();
}

Chart cost_chart(const PageStory& story, const WaitChoice& choice) {
  return {
      .id = "cost-against-wait",
      .title = "Cost against jobs in time: left and high is better",
      .description =
          "Across: what a strategy costs, in US dollars. Up: the share of jobs that start within the wait "
          "limit chosen at the top of the page and complete. A job that never starts is late. Bars are 95 % "
          "intervals. The line joins the strategies that no other beats in both (the Pareto front); the "
          "dashed line is the share asked for.",
      .spec = cost_spec(story, choice),
      .table = limit_table(story, choice)};
}

/// A length of wait with a name, up to and with `hours`. The picture has a colour for each name.
struct WaitStep {
  std::string_view name;
  double hours;
};
constexpr std::array kWaitSteps{
    WaitStep{"at once", 0},   WaitStep{"up to 15 min", 0.25}, WaitStep{"up to 1 h", 1},
    WaitStep{"up to 4 h", 4}, WaitStep{"up to 24 h", 24},     WaitStep{"up to 7 days", 168},
};
constexpr std::string_view kLonger = "longer";
constexpr std::string_view kNeverStarted = "never started";

// The share of jobs that started within so long: as the curve has it at the last wait that is no longer.
double started_within(const WaitCurves& waits, const WaitCurve& curve, double hours) {
  double share = 0;
  for (std::size_t w = 0; w < waits.waits.size() && to_hours(waits.waits[w]) <= hours + 1e-9; ++w)
    share = curve.started[w].mean;
  return share;
}

// By kWaitSteps, then longer, then never; they add up to 1.
std::vector<double> wait_shares(const WaitCurves& waits, const WaitCurve& curve) {
  std::vector<double> shares;
  double before = 0;
  for (const WaitStep& step : kWaitSteps) {
    const double up_to = started_within(waits, curve, step.hours);
    shares.push_back(up_to - before);
    before = up_to;
  }
  shares.push_back(std::max(0.0, 1 - curve.never_started.mean - before));
  shares.push_back(curve.never_started.mean);
  return shares;
}

std::vector<std::string> wait_names() {
  std::vector<std::string> names;
  for (const WaitStep& step : kWaitSteps) names.emplace_back(step.name);
  names.emplace_back(kLonger);
  names.emplace_back(kNeverStarted);
  return names;
}

nlohmann::json steps_spec(const PageStory& story, const std::string& jobs) {
  const std::vector<std::string> steps = wait_names();
  Relation rows{.columns = files_only({"strategy", "wait", "share", "order"})};
  for (const DrawnCurve& one : drawn_curves(story)) {
    const std::vector<double> shares = wait_shares(story.waits, one.curve);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] > 0) rows.add({one.strategy.name, steps[i], shares[i], i});
    }
  }
  return ChartSpec{"how-long"}
      .rows(write_chart_rows(rows))
      .strategies(names_of_drawn(story))
      .names("wait", steps)
      .title("share", fmt::format("Share of {} [%]", jobs))
      .take();
}

Chart steps_chart(const PageStory& story, const std::string& jobs) {
  Relation table{.title = fmt::format("How long {} waited [% of them]", jobs),
                 .columns = {name_column("strategy")}};
  for (const std::string& name : wait_names()) table.columns.push_back({.title = name, .style = kPercent});
  for (const WaitCurve& curve : story.waits.curves) {
    std::vector<Cell> cells{story.report.comparison.strategies[curve.strategy].name};
    for (const double share : wait_shares(story.waits, curve)) cells.emplace_back(share);
    table.add(std::move(cells));
  }
  return {.id = "how-long",
          .title = fmt::format("How long {} waited, and how many never started", jobs),
          .description =
              "A bar a strategy: the shares of jobs that started at once, within 15 minutes and so on; grey "
              "at the end, those that never started.",
          .spec = steps_spec(story, jobs),
          .table = std::move(table)};
}

// On a logarithmic scale there is no wait of nothing: jobs that start at once are in the first point.
Relation curve_rows(const PageStory& story) {
  Relation rows{.columns = files_only({"strategy", "wait_h", "share"})};
  for (const DrawnCurve& one : drawn_curves(story)) {
    for (std::size_t w = 0; w < story.waits.waits.size(); ++w) {
      const double hours = to_hours(story.waits.waits[w]);
      if (hours > 0) rows.add({one.strategy.name, hours, one.curve.started[w].mean});
    }
  }
  return rows;
}

nlohmann::json curves_spec(const PageStory& story, const WaitChoice& choice) {
  return ChartSpec{"wait-curves"}
      .rows_of_page("waits")
      .strategies(names_of_drawn(story))
      .title("share", fmt::format("Started by then [% of {}]", choice.jobs))
      .param("limit_h", choice.within_h[choice.limit])
      .take();
}

Chart curves_chart(const PageStory& story, const WaitChoice& choice) {
  Relation table{.title = fmt::format("Started within so long [% of {}]", choice.jobs),
                 .columns = {name_column("strategy")}};
  add_limit_columns(choice, table);
  table.add_columns(kPercent, {"never"});
  for (const WaitCurve& curve : story.waits.curves) {
    std::vector<Cell> cells{story.report.comparison.strategies[curve.strategy].name};
    for (const std::size_t w : places_of_limits(story, choice)) cells.emplace_back(curve.started[w].mean);
    cells.emplace_back(curve.never_started.mean);
    table.add(std::move(cells));
  }
  return {.id = "wait-curves",
          .title = "Jobs started, by how long they had waited",
          .description =
              "Across: the wait, on a logarithmic scale from one minute on. Up: the share of jobs that had "
              "started by then. Jobs that a line lacks to 100 % at its end never started. The dashed line is "
              "the wait limit chosen at the top of the page.",
          .spec = curves_spec(story, choice),
          .table = std::move(table)};
}

}  // namespace

PageSection waits_section(const PageStory& story, nlohmann::json& data) {
  PageSection section{.id = "waits", .title = "Cost against wait", .blocks = {}};
  const std::optional<WaitChoice> choice = wait_choice(story);
  if (!choice) {
    section.blocks.push_back(Paragraph{"There is no job that started and completed: no wait to show."});
    return section;
  }
  data["limits"] = write_chart_rows(limit_rows(story, *choice));
  data["waits"] = write_chart_rows(curve_rows(story));
  if (std::string note = drawn_note(story.report); !note.empty())
    section.blocks.push_back(Paragraph{std::move(note)});
  section.blocks.push_back(cost_chart(story, *choice));
  section.blocks.push_back(steps_chart(story, choice->jobs));
  const bool any_waited = story.waits.waits.size() > 1;
  if (any_waited) section.blocks.push_back(curves_chart(story, *choice));
  section.blocks.push_back(Paragraph{fmt::format(
      "A wait is the time from a job's release to its first machines. Shares are of the {} of a replication, "
      "and means over replications; between two points a curve is between its values there.",
      choice->jobs)});
  return section;
}

}  // namespace stockout
