#include "tools/report/record/price_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tools/report/comparison/measure_columns.h"
#include "tools/report/prices/break_even_table.h"
#include "tools/report/record/price_report_text.h"
#include "tools/report/record/price_tables.h"
#include "tools/table/write_json.h"

namespace stockout {
namespace {

using PriceJson = nlohmann::ordered_json;

PriceJson costs_json(const StrategyResult& strategy) {
  Relation costs{};
  std::vector<Cell> cells;
  for (const MeasureInfo& measure : measure_table()) {
    if (!measure.unit.starts_with("USD")) continue;
    costs.columns.push_back(measure_column(measure.measure));
    cells.push_back(measure_cell(strategy.total[measure.measure], 0));
  }
  costs.add(std::move(cells));
  return write_json(costs, JsonNothing::left_out).front();
}

PriceJson strategies_json(const PriceReport& report) {
  const Repricing& repricing = report.repricing;
  PriceJson rows = write_json(priced_strategies(report));
  PriceJson array = PriceJson::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    PriceJson& row = rows[i];
    const StrategyNow& strategy = repricing.strategies[i];
    PriceJson entry{
        {"name", row["strategy"]}, {"replications", row["replications"]}, {"left_out", row["left_out"]}};
    if (strategy.why_not.empty()) {
      entry["costs"] = costs_json(repricing.now.strategies[strategy.place]);
      entry["change_usd"] = row["change_usd"];
      entry["rank"] = row["rank"];
    }
    entry["recorded_costs"] = costs_json(repricing.before.strategies[i]);
    entry["recorded_rank"] = row["recorded_rank"];
    array.push_back(std::move(entry));
  }
  return array;
}

PriceJson verdict_json(const Verdict& verdict, const Comparison& comparison) {
  return {{"kind", verdict.kind_name()},
          {"strategy", comparison.strategies[verdict.strategy].name},
          {"sentence", verdict.sentence}};
}

PriceJson goals_json(const StoredComparison& record) {
  PriceJson texts = PriceJson::array();
  for (const AskedGoal& asked : record.goals) texts.push_back(asked.text);
  return texts;
}

PriceJson price_json(const PriceReport& report) {
  const StoredComparison& record = report.record;
  PriceJson document{{"record",
                      {{"file", report.file},
                       {"stockout", record.version},
                       {"scenario", record.scenario_file},
                       {"name", record.name},
                       {"start", record.start},
                       {"prices_as_of", record.prices_as_of},
                       {"prices_follow_calendar", record.prices_follow_calendar},
                       {"seed", record.seed},
                       {"replications", record.replications},
                       {"means_adjusted", record.means_adjusted},
                       {"fingerprint", fmt::format("{:016x}", record.fingerprint)},
                       {"goal", record.goal ? PriceJson(record.goal_text) : PriceJson{}},
                       {"goals", goals_json(record)}}},
                     {"prices_as_of", report.day ? PriceJson(to_text(*report.day)) : PriceJson{}},
                     {"verdict", verdict_json(verdict_now(report), report.repricing.now)},
                     {"recorded_verdict", verdict_json(verdict_before(report), report.repricing.before)},
                     {"strategies", strategies_json(report)},
                     {"prices", write_json(price_pairs_table(report))}};
  if (report.break_evens != nullptr)
    document["break_even"] = break_even_json(*report.break_evens, report.repricing.now);
  return document;
}

}  // namespace

Verdict verdict_before(const PriceReport& report) {
  return judge(report.repricing.before, report.record.goal, report.record.goal_text);
}

Verdict verdict_now(const PriceReport& report) {
  return judge(report.repricing.now, report.record.goal, report.record.goal_text);
}

std::string write_price_report(const PriceReport& report, ReportFormat format, const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return price_report_text(report, of); },
                   .csv =
                       [&] {
                         return report.break_evens == nullptr
                                    ? priced_strategies(report)
                                    : break_even_table(*report.break_evens, report.repricing.now);
                       },
                   .json = [&] { return price_json(report); },
                   .version = report.version},
                  layout);
}

}  // namespace stockout
