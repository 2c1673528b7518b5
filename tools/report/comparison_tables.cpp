#include "tools/report/comparison_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "models/measures/measures.h"
#include "models/measures/number_text.h"
#include "tools/report/assumption_tables.h"
#include "tools/report/bound_tables.h"
#include "tools/report/cost_columns.h"
#include "tools/report/grouped_rows.h"
#include "tools/report/notes.h"
#include "tools/report/other_costs.h"
#include "tools/report/overview.h"
#include "tools/report/report.h"
#include "tools/report/text_table.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

enum class Style { count, hours, gpu_hours, percent, per_job, usd, usd_per_hour };

struct ColumnSpec {
  std::string_view header;
  Measure measure;
  Style style;
  bool noise = false;     // the half-width of the interval instead of the mean
  bool optional = false;  // left out where it says nothing: absent or zero in every row
};

using M = Measure;

constexpr std::array kJobColumns{
    ColumnSpec{"jobs", M::jobs, Style::count},
    ColumnSpec{"com-\npleted", M::completed, Style::count},
    ColumnSpec{"work\ndone\n[%]", M::work_done_share, Style::percent},
    ColumnSpec{"expired", M::expired, Style::count},
    ColumnSpec{"refused", M::refused, Style::count},
    ColumnSpec{"failed", M::failed, Style::count},
    ColumnSpec{"cut\noff", M::cut_off, Style::count},
    ColumnSpec{"unfin-\nished", M::unfinished, Style::count},
    ColumnSpec{"deadline\nmissed", M::deadline_missed, Style::count},
    ColumnSpec{"deadline\nimpossible", M::deadline_impossible, Style::count, false, true},
    ColumnSpec{"pre-\nempted\nper job", M::preemptions_per_job, Style::per_job},
};

constexpr std::array kWaitColumns{
    ColumnSpec{"mean", M::wait_mean, Style::hours},
    ColumnSpec{"±", M::wait_mean, Style::hours, true},
    ColumnSpec{"p50", M::wait_p50, Style::hours},
    ColumnSpec{"p95", M::wait_p95, Style::hours},
    ColumnSpec{"±", M::wait_p95, Style::hours, true},
    ColumnSpec{"max", M::wait_max, Style::hours},
    ColumnSpec{"never\nstarted\n[%]", M::never_started_share, Style::percent},
    ColumnSpec{"start\ndelay", M::start_delay_mean, Style::hours},
    ColumnSpec{"queued\nin all", M::queued_mean, Style::hours},
    ColumnSpec{"held\nback", M::held_back_mean, Style::hours, false, true},
    ColumnSpec{"within\ngoal\n[%]", M::within_goal_share, Style::percent, false, true},
    ColumnSpec{"goal\nmet\n[%]", M::goal_met_share, Style::percent, false, true},
};

constexpr std::array kUseColumns{
    ColumnSpec{"leased\n[GPU-h]", M::leased, Style::gpu_hours},
    ColumnSpec{"lost\n[GPU-h]", M::redone, Style::gpu_hours},
    ColumnSpec{"useful\n[GPU-h]", M::useful, Style::gpu_hours},
    ColumnSpec{"goodput\n[%]", M::goodput, Style::percent},
    ColumnSpec{"busy\n[%]", M::busy_share, Style::percent},
    ColumnSpec{"held\nuse [%]", M::held_use, Style::percent},
    ColumnSpec{"useful\n[%]", M::useful_share, Style::percent},
    ColumnSpec{"phantom\nwaiting\n[GPU-h]", M::phantom_waiting, Style::gpu_hours, false, true},
    ColumnSpec{"phantom\nleased\n[GPU-h]", M::phantom_leased, Style::gpu_hours, false, true},
};

constexpr ColumnSpec kCostPerUseful{"cost per useful\nGPU-h [USD]", M::cost_per_useful, Style::usd_per_hour,
                                    false, true};

constexpr ColumnSpec kCostPerReference{"per reference\nGPU-h of\nwork [USD]", M::cost_per_reference,
                                       Style::usd_per_hour, false, true};

constexpr std::array kCostColumns{
    ColumnSpec{"in all", M::cost, Style::usd},
    ColumnSpec{"±", M::cost, Style::usd, true},
    ColumnSpec{"at list\nprices", M::cost_list, Style::usd},
    ColumnSpec{"direct", M::cost_direct, Style::usd},
    ColumnSpec{"held", M::cost_held, Style::usd},
    ColumnSpec{"held, used\nby jobs", M::cost_sublet, Style::usd, false, true},
    ColumnSpec{"held,\nidle", M::cost_idle, Style::usd},
    ColumnSpec{"other", M::cost_other, Style::usd, false, true},
    ColumnSpec{"sunk", M::cost_sunk, Style::usd, false, true},
    ColumnSpec{"covered\nby it", M::covered, Style::usd, false, true},
    ColumnSpec{"in all,\nnot sunk", M::cost_open, Style::usd, false, true},
    ColumnSpec{"sunk,\nlater", M::sunk_left, Style::usd, false, true},
    ColumnSpec{"lost\nraces", M::cost_phantom, Style::usd, false, true},
    kCostPerUseful,
    kCostPerReference,
    ColumnSpec{"commitment,\nwhole term", M::commitment, Style::usd, false, true},
};

constexpr std::array kBetweenColumns{
    ColumnSpec{"consecutive\njobs", M::consecutive, Style::count},
    ColumnSpec{"lost\n[%]", M::lost_between, Style::percent},
    ColumnSpec{"mean wait\nof those", M::lost_between_wait, Style::hours},
};

constexpr std::array kSummaryColumns{
    ColumnSpec{"cost\n[USD]", M::cost, Style::usd},
    ColumnSpec{"±", M::cost, Style::usd, true},
    ColumnSpec{"goal met\n[% of jobs]", M::goal_met_share, Style::percent, false, true},
    ColumnSpec{"median\nwait [h]", M::wait_p50, Style::hours},
    ColumnSpec{"95 % start\nwithin [h]", M::wait_p95, Style::hours},
    ColumnSpec{"never\nstarted\n[% of jobs]", M::never_started_share, Style::percent},
    ColumnSpec{"work\ndone [%]", M::work_done_share, Style::percent},
    ColumnSpec{"deadlines\nmissed", M::deadline_missed, Style::count, false, true},
    ColumnSpec{"pre-\nempted\nper job", M::preemptions_per_job, Style::per_job},
    ColumnSpec{"good-\nput [%]", M::goodput, Style::percent, false, true},
};

constexpr std::array kPoolColumns{
    ColumnSpec{"capacity\n[GPU-h]", M::pool_capacity, Style::gpu_hours},
    ColumnSpec{"leased\n[GPU-h]", M::pool_leased, Style::gpu_hours},
    ColumnSpec{"of it by\ntenants", M::pool_tenants, Style::gpu_hours},
    ColumnSpec{"requests", M::pool_requests, Style::count},
    ColumnSpec{"refused", M::pool_refusals, Style::count},
    ColumnSpec{"taken\nback", M::pool_preemptions, Style::count},
    ColumnSpec{"most\nwaiting", M::pool_peak_waiting, Style::count},
    ColumnSpec{"beyond\ncapacity\n[GPU-h]", M::pool_shortage, Style::gpu_hours, false, true},
    ColumnSpec{"free on\nused hosts\n[%]", M::pool_fragmented, Style::percent, false, true},
    ColumnSpec{"refused\nfor want\nof a host", M::pool_misfits, Style::count, false, true},
    ColumnSpec{"came\nlate [h]", M::held_late, Style::hours, false, true},
    ColumnSpec{"decided at\na probe's cap", M::censored_decisions, Style::count, false, true},
};

bool is_whole(double value) { return value == std::floor(value); }

// Decimals of a whole column: cents only where amounts are small, tenths of a job only in means.
int decimals_of(const ColumnSpec& column, const std::vector<ReportRow>& rows) {
  const auto mean = [&](const ReportRow& row) { return (*row.values)[column.measure].mean; };
  const auto all = [&](auto holds) {
    return std::all_of(rows.begin(), rows.end(), [&](const auto& r) { return holds(mean(r)); });
  };
  switch (column.style) {
    case Style::count:
      return all(is_whole) ? 0 : 1;
    case Style::hours:
      return 2;
    case Style::gpu_hours:
      return all([](double value) { return value >= 1000 || is_whole(value); }) ? 0 : 1;
    case Style::percent:
      return 1;
    case Style::per_job:
      return 3;
    case Style::usd:
      return all([](double value) { return std::abs(value) < 1000; }) ? 2 : 0;
    case Style::usd_per_hour:
      return 2;
  }
  return 2;
}

// `replications` were run: a mean of fewer says so, "3.98 (3/5)".
std::string cell(const Summary& summary, const ColumnSpec& column, int decimals, std::size_t replications) {
  const double scale = column.style == Style::percent ? 100 : 1;
  if (summary.is_absent()) return "-";
  if (column.noise) return summary.half_width ? number_text(*summary.half_width * scale, decimals) : "-";
  std::string text = number_text(summary.mean * scale, decimals);
  if (summary.replications < replications)
    text += fmt::format(" ({}/{})", summary.replications, replications);
  return summary.known == Value::Known::at_least ? "> " + text : text;
}

bool says_nothing(const ColumnSpec& column, const std::vector<ReportRow>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const ReportRow& row) {
    const Summary& summary = (*row.values)[column.measure];
    return summary.is_absent() || summary.mean == 0;
  });
}

/// What stands in front of the numbers of a row.
enum class Lead { strategy, strategy_and_group, group_and_strategy };

class Tables {
 public:
  Tables(const Report& report, bool every_row_named) : report_{report}, every_row_named_{every_row_named} {}

  /// `differences` stand behind the first two columns.
  void add(const std::string& title, std::span<const ColumnSpec> columns, const std::vector<ReportRow>& rows,
           Lead lead, const std::vector<TextColumn>& differences = {});

  [[nodiscard]] std::vector<TextTable> take() { return std::move(tables_); }

 private:
  void add_lead(TextTable& table, Lead lead) const;
  void paint_last(TextTable& table, const ReportRow& row) const;
  [[nodiscard]] std::vector<TextColumn> number_columns(std::span<const ColumnSpec> columns,
                                                       const std::vector<ReportRow>& rows) const;
  [[nodiscard]] std::vector<std::string> lead_cells(const std::vector<ReportRow>& rows, std::size_t i,
                                                    Lead lead) const;

  const Report& report_;
  bool every_row_named_;
  std::vector<TextTable> tables_;
};

void Tables::add_lead(TextTable& table, Lead lead) const {
  const std::string group{
      report_.by == GroupBy::nothing ? "" : kGroupByNames[static_cast<std::size_t>(report_.by)]};
  if (lead == Lead::group_and_strategy) table.add_column("gpu", TextTable::Align::left);
  table.add_column("strategy", TextTable::Align::left);
  if (lead == Lead::strategy_and_group) table.add_column(group, TextTable::Align::left);
}

// A name stands once, above its block.
std::vector<std::string> Tables::lead_cells(const std::vector<ReportRow>& rows, std::size_t i,
                                            Lead lead) const {
  const std::string& strategy = report_.comparison.strategies[rows[i].strategy].name;
  const bool new_strategy = i == 0 || rows[i - 1].strategy != rows[i].strategy;
  const bool new_group = i == 0 || rows[i - 1].group != rows[i].group;
  switch (lead) {
    case Lead::strategy:
      return {strategy};
    case Lead::strategy_and_group:
      return {new_strategy || every_row_named_ ? strategy : "", rows[i].group};
    case Lead::group_and_strategy:
      return {new_group || every_row_named_ ? rows[i].group : "", strategy};
  }
  return {};
}

// The strategy to buy, and differences that may be chance; headline and signs say the same.
void Tables::paint_last(TextTable& table, const ReportRow& row) const {
  const bool is_named = report_.verdict != nullptr && report_.verdict->strategy == row.strategy;
  if (is_named && row.is_total) table.paint_row(Tone::recommended);
  const std::vector<std::string>& cells = table.rows().back();
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c].ends_with(fmt::format(" {}", kChanceSign))) table.paint_cell(c, Tone::doubtful);
  }
}

std::vector<TextColumn> Tables::number_columns(std::span<const ColumnSpec> columns,
                                               const std::vector<ReportRow>& rows) const {
  std::vector<TextColumn> shown;
  for (const ColumnSpec& column : columns) {
    if (column.optional && says_nothing(column, rows)) continue;
    const int decimals = decimals_of(column, rows);
    TextColumn& texts = shown.emplace_back();
    texts.header = column.header;
    for (const ReportRow& row : rows) {
      const std::size_t replications = report_.comparison.strategies[row.strategy].replications;
      texts.cells.push_back(cell((*row.values)[column.measure], column, decimals, replications));
    }
  }
  return shown;
}

void Tables::add(const std::string& title, std::span<const ColumnSpec> columns,
                 const std::vector<ReportRow>& rows, Lead lead, const std::vector<TextColumn>& differences) {
  TextTable table{title};
  add_lead(table, lead);
  std::vector<TextColumn> shown = number_columns(columns, rows);
  shown.insert(shown.begin() + std::min<std::ptrdiff_t>(2, std::ssize(shown)), differences.begin(),
               differences.end());
  for (const TextColumn& column : shown) table.add_column(column.header, TextTable::Align::right);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = lead_cells(rows, i, lead);
    for (const TextColumn& column : shown) cells.push_back(column.cells[i]);
    table.add_row(std::move(cells));
    paint_last(table, rows[i]);
  }
  tables_.push_back(std::move(table));
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

std::string heading(const Report& report, const TextLayout& layout) {
  const Scenario& scenario = report.scenario;
  const std::string title =
      scenario.question.empty() ? scenario.name : scenario.name + ": " + scenario.question;
  if (layout.markdown) return fmt::format("## {}\n\n**{}**\n", title, report.headline);
  return wrap_text(title, layout.width, "") + '\n' + wrap_text(report.headline, layout.width, "");
}

}  // namespace

std::vector<TextTable> comparison_tables(const Report& report, bool every_row_named) {
  const std::vector<ReportRow> rows = report_rows(report);
  const std::vector<ReportRow> by_gpu =
      with_use(gpu_rows(report), group_names(report.scenario.world, GroupBy::gpu).back());
  const bool mixed = by_gpu.size() > report.comparison.strategies.size();
  const Lead lead = report.by == GroupBy::nothing ? Lead::strategy : Lead::strategy_and_group;

  Tables tables{report, every_row_named};
  const auto with_jobs =
      rows_where(rows, [](const ReportRow& row) { return !(*row.values)[Measure::jobs].is_absent(); });
  tables.add("Jobs, mean of a replication", kJobColumns, with_jobs, lead);
  tables.add("Wait, in hours", kWaitColumns, with_jobs, lead);
  if (report.scenario.consecutive_within) {
    tables.add("Capacity lost between jobs, in hours", kBetweenColumns, with_jobs, lead);
  }
  if (report.by == GroupBy::pool) {
    const auto pools = rows_where(rows, [](const ReportRow& row) { return !row.is_total; });
    tables.add("Pools", kPoolColumns, pools, lead);
  }
  if (!mixed || report.by != GroupBy::nothing) tables.add("Use of GPUs", kUseColumns, rows, lead);
  if (mixed && report.by != GroupBy::gpu) {
    std::vector<ColumnSpec> columns{kUseColumns.begin(), kUseColumns.end()};
    columns.push_back(kCostPerUseful);
    tables.add("Use of GPUs, by type: hours of different GPUs are not added", columns, by_gpu,
               Lead::group_and_strategy);
  }
  tables.add("Cost, in US dollars", kCostColumns, rows, lead, cost_difference_columns(report, rows));
  return tables.take();
}

TextTable summary_table(const Report& report) {
  const auto rows = rows_where(report_rows(report), [](const ReportRow& row) { return row.is_total; });
  std::vector<TextColumn> differences = cost_difference_columns(report, rows);
  if (!differences.empty()) differences.resize(1);  // the intervals are in the table of costs
  Tables tables{report, true};
  tables.add("Every strategy over the same jobs: cost, waits and losses, means of a replication",
             kSummaryColumns, rows, Lead::strategy, differences);
  return tables.take().front();
}

std::string write_tables(const Report& report, const TextLayout& layout) {
  std::string tables;
  for (const TextTable& table : comparison_tables(report, layout.markdown))
    tables += table.to_section(layout);
  return heading(report, layout) + write_overview(report, layout) + tables +
         write_other_costs(report, layout) + write_bounds(report, layout) + write_band(report, layout) +
         '\n' + write_notes(report, layout);
}

}  // namespace stockout
