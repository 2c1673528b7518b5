#include "tools/report/backtest_page/backtest_page.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tools/report/backtest_page/backtest_charts.h"
#include "tools/report/calibration/bill_tables.h"

namespace stockout {
namespace {

// It is seen with the answer.
PageSection figures_section(const BacktestReport& report) {
  PageSection section{.id = "figures", .title = "Figures by group", .blocks = {}, .menu = "Figures"};
  section.blocks.emplace_back(backtest_table(report));
  return section;
}

PageSection waits_section(const BacktestReport& report) {
  PageSection section{.id = "waits", .title = "Predicted beside recorded", .blocks = {}, .menu = "Waits"};
  section.blocks.emplace_back(wait_laws_chart(report));
  if (!report.found.days.empty()) section.blocks.emplace_back(wait_days_chart(report));
  return section;
}

PageSection bill_section(const BillBacktest& bill) {
  PageSection section{.id = "bill", .title = "Bill predicted beside recorded", .blocks = {}, .menu = "Bill"};
  section.blocks.emplace_back(bill_table(bill));
  for (const std::string& note : bill_notes(bill)) section.blocks.emplace_back(Paragraph{note});
  return section;
}

PageSection trust_section(const BacktestReport& report) {
  PageSection section{.id = "trust", .title = "How far to trust it", .blocks = {}, .menu = "Trust"};
  section.blocks.emplace_back(coverage_chart(report));
  for (const std::string& note : backtest_notes(report)) section.blocks.emplace_back(Paragraph{note});
  return section;
}

PageSection made_from_section(const BacktestReport& report, const std::string& command) {
  const CalibrationReport& calibration = report.calibration;
  PageSection section{.id = "made", .title = "How it was found", .blocks = {}};
  Relation made{.title = "Made from", .columns = {name_column("what"), {.title = "is"}}};
  made.add({"command", command});
  made.add({"scenario", calibration.written.file});
  made.add({"history", calibration.observed});
  made.add({"bought as", calibration.strategy});
  made.add({"split", report.split});
  made.add({"seed", std::to_string(calibration.written.world.seed)});
  made.add({"stockout", calibration.version});
  section.blocks.emplace_back(std::move(made));
  return section;
}

}  // namespace

Page backtest_page(const BacktestReport& report, const std::string& command) {
  Page page{.title = report.calibration.written.name,
            .question = fmt::format(
                "How far off would a prediction of the waits after {} have been, from what was known before?",
                report.split),
            .answer = backtest_headline(report),
            .choice = {},
            .strategies = backtest_series(),
            .sections = {}};
  page.sections.push_back(figures_section(report));
  page.sections.push_back(waits_section(report));
  if (report.found.bill) page.sections.push_back(bill_section(*report.found.bill));
  page.sections.push_back(trust_section(report));
  page.sections.push_back(made_from_section(report, command));
  return page;
}

}  // namespace stockout
