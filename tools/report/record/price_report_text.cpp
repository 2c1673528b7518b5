#include "tools/report/record/price_report_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "tools/report/prices/break_even_table.h"
#include "tools/report/record/price_tables.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

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
      report.record.asks()
          ? fmt::format("Rank: by cost among the strategies that meet {} and get the same work done; - for "
                        "the others.",
                        report.record.asked().size() > 1 ? "all goals" : "the goal")
          : "Rank: by cost among the strategies that get the same work done; - for the others."};
  if (report.record.means_adjusted) {
    lines.emplace_back(
        "All costs are plain means of the replications. The recorded run adjusted its means by control "
        "variates, so that its own report shows other means and narrower intervals.");
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

std::string price_report_text(const PriceReport& report, const TextLayout& layout) {
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
  return head + write_section(priced_strategies(report), layout) +
         lines_of("Left out", left_out(report), layout) + break_evens +
         write_section(price_pairs_table(report), layout) +
         lines_of("How to read it", reading(report), layout) +
         lines_of("Made from", made_from(report), layout);
}

}  // namespace stockout
