// A record at other prices, for people.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/experiment/standing.h"
#include "models/measures/number_text.h"
#include "tools/report/break_even_report.h"
#include "tools/report/notes.h"
#include "tools/report/price_report.h"
#include "tools/report/text_table.h"
#include "tools/report/wrap_text.h"

namespace stockout {
namespace {

using Align = TextTable::Align;

std::string rank_cell(const std::optional<std::size_t>& rank) {
  return rank ? fmt::format("{}", *rank) : "-";
}

// Cents only where amounts are small.
int cost_decimals(const Comparison& comparison) {
  for (const StrategyResult& strategy : comparison.strategies)
    if (std::abs(strategy.total[Measure::cost].mean) >= 1000) return 0;
  return 2;
}

std::string noise_cell(const std::optional<double>& half_width, int decimals) {
  return half_width ? number_text(*half_width, decimals) : "-";
}

std::string per_cent_cell(double change, double of) {
  return of > 0 ? number_text(100 * change / of, 1) : "-";
}

std::string recorded_prices(const StoredComparison& record) {
  return record.prices_follow_calendar ? "each day's" : record.prices_as_of;
}

std::string cost_table(const PriceReport& report, const TextLayout& layout) {
  const Repricing& repricing = report.repricing;
  const auto now = ranks_of(repricing.now, report.record.goal);
  const auto before = ranks_of(repricing.before, report.record.goal);
  const int decimals = cost_decimals(repricing.before);
  TextTable table{"Cost, in US dollars"};
  table.add_column("strategy", Align::left);
  table.add_column("at prices\n" + report.prices_now, Align::right);
  table.add_column("±", Align::right);
  table.add_column("recorded at\n" + recorded_prices(report.record), Align::right);
  table.add_columns(Align::right, {"±", "change", "±", "change\n[%]", "rank", "rank\nbefore"});
  for (std::size_t i = 0; i < repricing.strategies.size(); ++i) {
    const StrategyNow& strategy = repricing.strategies[i];
    const StrategyResult& recorded = repricing.before.strategies[i];
    const Summary& old_cost = recorded.total[Measure::cost];
    std::vector<std::string> cells{recorded.name,
                                   "-",
                                   "-",
                                   number_text(old_cost.mean, decimals),
                                   noise_cell(old_cost.half_width, decimals),
                                   "-",
                                   "-",
                                   "-",
                                   "-",
                                   rank_cell(before[i])};
    if (strategy.why_not.empty()) {
      const Summary& cost = repricing.now.strategies[strategy.place].total[Measure::cost];
      cells[1] = number_text(cost.mean, decimals);
      cells[2] = noise_cell(cost.half_width, decimals);
      cells[5] = number_text(strategy.change.mean, decimals);
      cells[6] = noise_cell(strategy.change.half_width, decimals);
      cells[7] = per_cent_cell(strategy.change.mean, old_cost.mean);
      cells[8] = rank_cell(now[strategy.place]);
    }
    table.add_row(std::move(cells));
  }
  return table.to_section(layout);
}

std::string own_or(const std::string& as_of) { return as_of.empty() ? "own" : as_of; }

std::string pair_table(const PriceReport& report, const TextLayout& layout) {
  TextTable table{"Prices of a machine-hour, in US dollars, contracted, at the start of the window"};
  table.add_columns(Align::left, {"machine", "model", "region"});
  table.add_column("now", Align::right);
  table.add_column("row of", Align::left);
  table.add_columns(Align::right, {"days\nold", "recorded"});
  table.add_column("row of", Align::left);
  table.add_column("change\n[%]", Align::right);
  for (const PricePair& pair : price_pairs(report)) {
    std::string change = "-";
    if (pair.now_usd && pair.changed)
      change = per_cent_cell(*pair.now_usd - pair.recorded_usd, pair.recorded_usd);
    if (pair.moves) change += ", moves";
    table.add_row(
        {pair.machine, pair.model, pair.region, pair.now_usd ? number_text(*pair.now_usd, 4) : "none",
         pair.now_usd ? own_or(pair.now_as_of) : "-", pair.age_days ? fmt::format("{}", *pair.age_days) : "-",
         number_text(pair.recorded_usd, 4), own_or(pair.recorded_as_of), change});
  }
  return table.to_section(layout);
}

std::string lines_of(const std::string& title, const std::vector<std::string>& lines,
                     const TextLayout& layout) {
  if (lines.empty()) return {};
  std::string text = '\n' + (layout.markdown ? title + "\n\n" : wrap_text(title, layout.width, ""));
  for (const std::string& line : lines) text += list_line(line, layout);
  return text;
}

std::vector<std::string> left_out(const PriceReport& report) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < report.repricing.strategies.size(); ++i) {
    const std::string& why = report.repricing.strategies[i].why_not;
    if (!why.empty()) lines.push_back(fmt::format("{}: {}", report.record.strategies[i].name, why));
  }
  return lines;
}

std::vector<std::string> reading(const PriceReport& report) {
  const std::string noise =
      report.record.replications == 1
          ? "±: -, since one replication has no interval."
          : fmt::format(
                "± is half of the 95 % interval over {} replications; that of the change is of the "
                "differences within each.",
                report.record.replications);
  std::vector<std::string> lines{
      "Nothing was simulated again: waits, completed jobs and use of machines are those of the record.",
      noise,
      report.record.goal
          ? "Rank: by cost among the strategies that meet the goal and get the same work done; - for "
            "the others."
          : "Rank: by cost among the strategies that get the same work done; - for the others."};
  if (report.record.means_adjusted) {
    lines.emplace_back(
        "All costs are plain means of the replications. The recorded run adjusted its means by control "
        "variates, so "
        "that its own report shows other means and narrower intervals.");
  }
  return lines;
}

std::vector<std::string> made_from(const PriceReport& report) {
  const StoredComparison& record = report.record;
  return {fmt::format("{}, by stockout {}", report.file, report.version),
          fmt::format("recorded from {} by stockout {}, seed {}, fingerprint {:016x}", record.scenario_file,
                      record.version, record.seed, record.fingerprint)};
}

std::string now_text(const PriceReport& report) {
  const std::size_t all = report.record.strategies.size();
  const std::size_t left = all - report.repricing.now.strategies.size();
  return fmt::format(
      "At prices {}: {}{}", report.prices_now, verdict_now(report).sentence,
      left == 0 ? "" : fmt::format(" {} of {} strategies are left out: see below.", left, all));
}

std::string before_text(const PriceReport& report) {
  // The price of a commitment that exists is not among the lines.
  const bool changed =
      std::ranges::any_of(report.repricing.lines,
                          [](const LineNow& line) { return line.changed || !line.why_not.empty(); }) ||
      std::ranges::any_of(report.repricing.strategies,
                          [](const StrategyNow& strategy) { return strategy.change.mean != 0; });
  if (!changed) return "These are the prices that were recorded.";
  return fmt::format(
      "As recorded, at prices {}: {}",
      report.record.prices_follow_calendar ? "of each simulated day" : "of " + report.record.prices_as_of,
      verdict_before(report).sentence);
}

}  // namespace

std::string write_price_tables(const PriceReport& report, const TextLayout& layout) {
  const StoredComparison& record = report.record;
  const std::string title = record.question.empty() ? record.name : record.name + ": " + record.question;
  const std::string now = now_text(report);
  const std::string before = before_text(report);
  const std::string head = layout.markdown ? fmt::format("## {}\n\n**{}**\n\n{}\n", title, now, before)
                                           : wrap_text(title, layout.width, "") + '\n' +
                                                 wrap_text(now, layout.width, "") + '\n' +
                                                 wrap_text(before, layout.width, "");
  const std::string break_evens = report.break_evens == nullptr
                                      ? ""
                                      : write_break_evens(*report.break_evens, report.repricing.now, layout);
  return head + cost_table(report, layout) + lines_of("Left out", left_out(report), layout) + break_evens +
         pair_table(report, layout) + lines_of("How to read it", reading(report), layout) +
         lines_of("Made from", made_from(report), layout);
}

}  // namespace stockout
