#include "tools/report/calibration/backtest_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/report/calibration/bill_tables.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

std::string backtest_text(const BacktestReport& report, const TextLayout& layout) {
  const std::string& name = report.calibration.written.name;
  std::string text = layout.markdown ? fmt::format("## {}\n\n{}\n", name, backtest_headline(report))
                                     : wrap_text(name, layout.width, "") +
                                           wrap_text(backtest_headline(report), layout.width, "");
  text += write_section(backtest_table(report), layout) + '\n';
  if (report.found.bill) text += write_section(bill_table(*report.found.bill), layout) + '\n';
  for (const std::string& note : backtest_notes(report)) text += list_line(note, layout);
  return text;
}

nlohmann::ordered_json backtest_json(const BacktestReport& report) {
  const Backtest& found = report.found;
  nlohmann::ordered_json json{
      {"scenario", {{"file", report.calibration.written.file}, {"name", report.calibration.written.name}}},
      {"observed", report.calibration.observed},
      {"strategy", report.calibration.strategy},
      {"split", report.split},
      {"grade", kBacktestGrades[static_cast<std::size_t>(found.grade)]},
      {"why_not_better", found.why},
      {"mean_error_share", nullptr},
      {"coverage", write_json(coverage_table(found))},
      {"skill", found.skill},
      {"history_bound_kept_share", found.bound_kept},
      {"never_started_left_out", found.left_out},
      {"days", found.days.size()},
      {"days_close", found.days_close()},
      {"triangle", nullptr},
      {"waits", write_json(backtest_table(report))},
      {"by_day", write_json(days_table(report))},
      {"bill", nullptr},
      {"notes", backtest_notes(report)}};
  if (found.bill) {
    json["bill"] = {{"periods", write_json(bill_table(*found.bill))},
                    {"other_products_usd", found.bill->others_usd()},
                    {"other_products", nlohmann::ordered_json::array()}};
    for (const OtherCharges& other : found.bill->others)
      json["bill"]["other_products"].push_back({{"product", other.product}, {"usd", other.usd}});
  }
  if (const auto error = found.mean_error()) json["mean_error_share"] = *error;
  if (found.triangle) {
    json["triangle"] = {{"recorded_h", found.triangle->recorded_h},
                        {"own_jobs_h", found.triangle->own_jobs_h},
                        {"modelled_jobs_h", found.triangle->modelled_jobs_h}};
  }
  return json;
}

}  // namespace

std::string write_backtest(const BacktestReport& report, ReportFormat format, const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return backtest_text(report, of); },
                   .csv = [&] { return backtest_table(report); },
                   .json = [&] { return backtest_json(report); },
                   .version = report.calibration.version},
                  layout);
}

}  // namespace stockout
