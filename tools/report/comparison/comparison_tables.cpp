#include "tools/report/comparison/comparison_tables.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "models/measures/grouping.h"
#include "tools/report/comparison/cost_columns.h"
#include "tools/report/comparison/evictions.h"
#include "tools/report/comparison/goal_tables.h"
#include "tools/report/comparison/grouped_rows.h"
#include "tools/report/comparison/measure_columns.h"
#include "tools/report/comparison/other_costs.h"

namespace stockout {
namespace {

enum Beside : std::uint8_t { kAlone, kNoise, kIfAny };

/// A measure for people: under a title, alone, with its half-width, or only where any row has it.
struct Shown {
  std::string_view title;
  Measure measure;
  Beside beside = kAlone;
};

using M = Measure;

constexpr std::array kJobColumns{
    Shown{"jobs", M::jobs},
    Shown{"com-\npleted", M::completed},
    Shown{"work\ndone", M::work_done_share},
    Shown{"expired", M::expired},
    Shown{"refused", M::refused},
    Shown{"failed", M::failed},
    Shown{"cut\noff", M::cut_off},
    Shown{"unfin-\nished", M::unfinished},
    Shown{"skipped", M::skipped, kIfAny},
    Shown{"deadline\nmissed", M::deadline_missed},
    Shown{"deadline\nimpossible", M::deadline_impossible, kIfAny},
    Shown{"pre-\nempted\nper job", M::preemptions_per_job},
    Shown{"evicted\nby Kueue", M::kueue_evictions, kIfAny},
    Shown{"worker\nexits", M::worker_exits, kIfAny},
    Shown{"sets that\nbegan\nanew", M::set_restarts, kIfAny},
    Shown{"sets\ngiven\nback", M::sets_given_back, kIfAny},
    Shown{"refused by\nquota, tries\nx places", M::quota_refusals, kIfAny},
};

constexpr std::array kWaitColumns{
    Shown{"mean", M::wait_mean, kNoise},
    Shown{"p50", M::wait_p50},
    Shown{"p95", M::wait_p95, kNoise},
    Shown{"max", M::wait_max},
    Shown{"of the mean\nfor quota", M::quota_wait_mean, kIfAny},
    Shown{"for\nKueue", M::kueue_wait_mean, kIfAny},
    Shown{"of it lent\nto others", M::borrowing_wait_mean, kIfAny},
    Shown{"for higher\npriority", M::priority_wait_mean, kIfAny},
    Shown{"put off", M::back_off_wait_mean, kIfAny},
    Shown{"for\ncapacity", M::capacity_wait_mean, kIfAny},
    Shown{"never\nstarted", M::never_started_share},
    Shown{"start\ndelay", M::start_delay_mean},
    Shown{"pending\nagain", M::waited_again_mean, kIfAny},
    Shown{"queued\nin all", M::queued_mean},
    Shown{"held\nback", M::held_back_mean, kIfAny},
    Shown{"within\ngoal", M::within_goal_share, kIfAny},
    Shown{"goal\nmet", M::goal_met_share, kIfAny},
};

constexpr std::array kPipelineColumns{
    Shown{"pipelines", M::pipelines},
    Shown{"com-\npleted", M::pipelines_completed},
    Shown{"mean", M::makespan_mean, kNoise},
    Shown{"p95", M::makespan_p95, kNoise},
};

constexpr std::array kStepColumns{
    Shown{"jobs", M::jobs},
    Shown{"com-\npleted", M::completed},
    Shown{"skipped", M::skipped},
    Shown{"held\nback", M::held_back_mean},
    Shown{"mean\nwait", M::wait_mean, kNoise},
    Shown{"p95", M::wait_p95, kNoise},
    Shown{"max", M::wait_max},
    Shown{"start\ndelay", M::start_delay_mean},
    Shown{"queued\nin all", M::queued_mean},
};

constexpr std::array kUseColumns{
    Shown{"leased", M::leased},
    Shown{"wasted", M::redone},
    Shown{"useful", M::useful},
    Shown{"goodput", M::goodput},
    Shown{"busy", M::busy_share},
    Shown{"held use", M::held_use},
    Shown{"useful\nshare", M::useful_share},
    Shown{"phantom\nwaiting", M::phantom_waiting, kIfAny},
    Shown{"phantom\nleased", M::phantom_leased, kIfAny},
};

constexpr Shown kCostPerUseful{"cost per\nuseful GPU-h", M::cost_per_useful, kIfAny};

constexpr Shown kCostPerReference{"per reference\nGPU-h of\nwork", M::cost_per_reference, kIfAny};

constexpr std::array kCostColumns{
    Shown{"in all", M::cost, kNoise},
    Shown{"at list\nprices", M::cost_list},
    Shown{"direct", M::cost_direct},
    Shown{"held", M::cost_held},
    Shown{"held, used\nby jobs", M::cost_sublet, kIfAny},
    Shown{"held,\nidle", M::cost_idle},
    Shown{"manage-\nment fee", M::cost_management_fee, kIfAny},
    Shown{"other", M::cost_other, kIfAny},
    Shown{"sunk", M::cost_sunk, kIfAny},
    Shown{"covered\nby it", M::covered, kIfAny},
    Shown{"in all,\nnot sunk", M::cost_open, kIfAny},
    Shown{"sunk,\nlater", M::sunk_left, kIfAny},
    Shown{"of it after\nthe window", M::cost_drain, kIfAny},
    Shown{"lost\nraces", M::cost_phantom, kIfAny},
    kCostPerUseful,
    kCostPerReference,
    Shown{"obligation,\nwhole term", M::commitment, kIfAny},
};

constexpr std::array kQueueColumns{
    Shown{"jobs", M::jobs},
    Shown{"mean\nwait", M::wait_mean, kNoise},
    Shown{"p95", M::wait_p95, kNoise},
    Shown{"of the mean\nfor Kueue", M::kueue_wait_mean},
    Shown{"times\nadmitted", M::kueue_admitted, kIfAny},
    Shown{"times\nevicted", M::kueue_evictions, kIfAny},
    Shown{"quota\nin use", M::kueue_held, kIfAny},
    Shown{"of it\nborrowed", M::kueue_borrowed, kIfAny},
};

constexpr std::array kBetweenColumns{
    Shown{"consecutive\njobs", M::consecutive},
    Shown{"lost", M::lost_between},
    Shown{"mean wait\nof those", M::lost_between_wait},
};

constexpr std::array kSummaryColumns{
    Shown{"cost", M::cost, kNoise},
    Shown{"goal met", M::goal_met_share, kIfAny},
    Shown{"median\nwait", M::wait_p50},
    Shown{"95 % start\nwithin", M::wait_p95},
    Shown{"never\nstarted", M::never_started_share},
    Shown{"work\ndone", M::work_done_share},
    Shown{"95 % of\npipelines\nwithin", M::makespan_p95, kIfAny},
    Shown{"deadlines\nmissed", M::deadline_missed, kIfAny},
    Shown{"pre-\nempted\nper job", M::preemptions_per_job},
    Shown{"good-\nput", M::goodput, kIfAny},
};

constexpr std::array kAnswerColumns{
    Shown{"cost", M::cost, kNoise},
    Shown{"goal\nmet", M::goal_met_share, kIfAny},
    Shown{"p95\nwait", M::wait_p95},
    Shown{"never\nstarted", M::never_started_share},
    Shown{"work\ndone", M::work_done_share},
    Shown{"whole\nterm", M::commitment, kIfAny},
    Shown{"95 % of\npipelines\nwithin", M::makespan_p95, kIfAny},
    Shown{"deadlines\nmissed", M::deadline_missed, kIfAny},
};

constexpr std::array kPoolColumns{
    Shown{"capacity", M::pool_capacity},
    Shown{"leased", M::pool_leased},
    Shown{"of it by\ntenants", M::pool_tenants},
    Shown{"requests", M::pool_requests},
    Shown{"refused", M::pool_refusals},
    Shown{"pre-\nempted", M::pool_preemptions},
    Shown{"most\nwaiting", M::pool_peak_waiting},
    Shown{"beyond\ncapacity", M::pool_shortage, kIfAny},
    Shown{"free on\nused hosts", M::pool_fragmented, kIfAny},
    Shown{"refused\nfor want\nof a host", M::pool_misfits, kIfAny},
    Shown{"came\nlate", M::held_late, kIfAny},
    Shown{"decided at\na probe's cap", M::censored_decisions, kIfAny},
};

/// Cells in front of the numbers of a row: its strategy, and its group behind or before it.
struct Lead {
  std::string_view group;  // what groups are; empty: there are none
  bool group_first = false;
};

std::vector<Column> lead_columns(Lead lead) {
  Column strategy = name_column("strategy");
  if (lead.group.empty()) return {strategy};
  Column group = name_column(std::string{lead.group});
  (lead.group_first ? group : strategy).once = true;
  return lead.group_first ? std::vector{group, strategy} : std::vector{strategy, group};
}

std::vector<Cell> lead_cells(const std::string& strategy, const std::string& group, Lead lead) {
  if (lead.group.empty()) return {strategy};
  return lead.group_first ? std::vector<Cell>{group, strategy} : std::vector<Cell>{strategy, group};
}

/// A title, and the unit that it names.
struct Title {
  std::string text;
  std::string unit = {};
};

Lead lead_of(const Report& report) {
  if (report.by == GroupBy::nothing) return {};
  return {.group = kGroupByNames[static_cast<std::size_t>(report.by)]};
}

Relation measures_table(const Report& report, const Title& title, std::span<const Shown> measures,
                        const std::vector<ReportRow>& rows, Lead lead) {
  Relation table{.title = title.text, .unit = title.unit, .columns = lead_columns(lead)};
  for (const Shown& shown : measures) {
    Column& column = table.columns.emplace_back(shown_column(shown.measure, std::string{shown.title}));
    if (shown.beside == kNoise) column.interval = Interval::shown;
    column.optional = shown.beside == kIfAny;
  }
  for (const ReportRow& row : rows) {
    const StrategyResult& strategy = report.comparison.strategies[row.strategy];
    std::vector<Cell> cells = lead_cells(strategy.name, row.group, lead);
    for (const Shown& shown : measures)
      cells.push_back(measure_cell((*row.values)[shown.measure], strategy.replications));
    const bool is_named = report.verdict != nullptr && report.verdict->strategy == row.strategy;
    table.add(std::move(cells), is_named && row.is_total ? std::optional{Tone::recommended} : std::nullopt);
  }
  return table;
}

// What each costs more than another, beside what it costs.
Relation with_cost_more(const Report& report, Relation table, const std::vector<ReportRow>& rows,
                        Interval interval) {
  if (!has_cost_more(report)) return table;
  const auto cost = std::ranges::find(table.columns, info(M::cost).name, &Column::key);
  const auto place = cost - table.columns.begin() + 1;
  table.columns.insert(table.columns.begin() + place, cost_more_column(report))->interval = interval;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Cell more = rows[i].is_total
                          ? cost_more_cell(report.comparison, rows[i].strategy, report.verdict->strategy)
                          : Cell{""};
    table.rows[i].cells.insert(table.rows[i].cells.begin() + place, more);
  }
  return table;
}

template <typename Holds>
std::vector<ReportRow> rows_where(const std::vector<ReportRow>& rows, Holds holds) {
  std::vector<ReportRow> kept;
  std::ranges::copy_if(rows, std::back_inserter(kept), holds);
  return kept;
}

// Without the row of jobs that may run on several types, where none did: what they leased stands in those of
// the types.
std::vector<ReportRow> with_use(const std::vector<ReportRow>& rows, const std::string& several) {
  return rows_where(rows, [&](const ReportRow& row) {
    return row.group != several || (*row.values)[Measure::leased].mean > 0;
  });
}

void add_pipeline_tables(const Report& report, std::vector<ComparisonTable>& tables) {
  if (!report.scenario.world.has_pipelines()) return;
  tables.push_back(
      {.table = measures_table(
           report, {"Pipelines, from submission to the end of the last job, in hours", "h"}, kPipelineColumns,
           pipeline_rows(report), {.group = "begins with", .group_first = true})});
  tables.push_back({.table = measures_table(report, {"Steps of pipelines, in hours", "h"}, kStepColumns,
                                            step_rows(report), {.group = "step", .group_first = true})});
}

}  // namespace

std::vector<ComparisonTable> comparison_tables(const Report& report) {
  const std::vector<ReportRow> rows = report_rows(report);
  const std::vector<ReportRow> by_gpu =
      with_use(gpu_rows(report), group_names(report.scenario.world, GroupBy::gpu).back());
  const bool mixed = by_gpu.size() > report.comparison.strategies.size();
  const Lead lead = lead_of(report);
  std::vector<ComparisonTable> tables;
  const auto add = [&](const Title& title, std::span<const Shown> measures,
                       const std::vector<ReportRow>& of) {
    tables.push_back({.table = measures_table(report, title, measures, of, lead)});
  };
  const auto with_jobs =
      rows_where(rows, [](const ReportRow& row) { return !(*row.values)[Measure::jobs].is_absent(); });
  add({"Jobs, mean of a replication"}, kJobColumns, with_jobs);
  add({"Wait, in hours", "h"}, kWaitColumns, with_jobs);
  add_pipeline_tables(report, tables);
  if (report.scenario.consecutive_within)
    add({"Capacity lost between jobs, in hours", "h"}, kBetweenColumns, with_jobs);
  if (is_by_queues(report.by)) add({"Queues of Kueue"}, kQueueColumns, with_jobs);
  tables.push_back({"kueue_evictions", kueue_evictions_table(report)});
  tables.push_back({"slurm_preemptions", slurm_preemptions_table(report)});
  if (report.by == GroupBy::pool)
    add({"Pools"}, kPoolColumns, rows_where(rows, [](const ReportRow& row) { return !row.is_total; }));
  if (!mixed || report.by != GroupBy::nothing) add({"Use of GPUs"}, kUseColumns, rows);
  if (mixed && report.by != GroupBy::gpu) {
    std::vector<Shown> measures{kUseColumns.begin(), kUseColumns.end()};
    measures.push_back(kCostPerUseful);
    tables.push_back(
        {.table = measures_table(report, {"Use of GPUs, by type: hours of different GPUs are not added"},
                                 measures, by_gpu, {.group = "gpu", .group_first = true})});
  }
  add({"Cost, in US dollars", "USD"}, kCostColumns, rows);
  tables.back().table = with_cost_more(report, std::move(tables.back().table), rows, Interval::shown);
  if (!report.comparison.goals.empty()) {
    tables.push_back({"goals", goals_table(report)});
    tables.push_back({"goals_met", goals_met_table(report)});
  }
  tables.push_back({"other_costs", other_costs_table(report)});
  std::erase_if(tables, [](const ComparisonTable& one) { return one.table.empty(); });
  return tables;
}

Relation answer_table(const Report& report) {
  std::vector<Shown> measures{kAnswerColumns.begin(), kAnswerColumns.end()};
  if (report.scenario.goal)
    std::erase_if(measures, [](const Shown& one) { return one.measure == M::deadline_missed; });
  return measures_table(report, {}, measures, report_rows(report), lead_of(report));
}

Relation summary_table(const Report& report) {
  const auto rows = rows_where(report_rows(report), [](const ReportRow& row) { return row.is_total; });
  return with_cost_more(
      report,
      measures_table(report,
                     {"Every strategy over the same jobs: cost, waits and losses, means of a replication"},
                     kSummaryColumns, rows, {}),
      rows, Interval::none);  // which is in the table of costs
}

}  // namespace stockout
