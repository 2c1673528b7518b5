#include "tools/report/price_report.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/billing/cost.h"
#include "models/experiment/standing.h"
#include "tools/report/break_even_report.h"
#include "tools/report/csv_text.h"

namespace stockout {
namespace {

using PriceJson = nlohmann::ordered_json;

constexpr int kPriceLayout = 1;  // raised when a reader of the file would have to change

double usd_of(MachineHourPrice price) { return static_cast<double>(price.count()) / 1e9; }

std::string_view name_of_model(PriceModel model) { return kPriceModelNames[static_cast<std::size_t>(model)]; }

bool moves_within(const PriceLine& line, SimTime window_end) {
  return std::ranges::any_of(
      line.steps, [&](const PriceStep& step) { return step.from > kStart && step.from < window_end; });
}

bool used_by_any(const StoredComparison& record, PriceLineId line) {
  return std::ranges::any_of(record.strategies, [&](const StoredStrategy& strategy) {
    return std::ranges::any_of(strategy.runs,
                               [&](const StoredRun& run) { return !run.use.hours(line).empty(); });
  });
}

std::optional<int> age_on(const std::optional<Date>& day, const std::string& as_of) {
  const auto row = parse_date(as_of);
  if (!day || !row) return std::nullopt;
  return static_cast<int>((*day - *row).count());
}

std::string csv_number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

std::string csv_rank(const std::optional<std::size_t>& rank) { return rank ? fmt::format("{}", *rank) : ""; }

std::string price_csv(const PriceReport& report) {
  const Repricing& repricing = report.repricing;
  const auto now = ranks_of(repricing.now, report.record.goal);
  const auto before = ranks_of(repricing.before, report.record.goal);
  std::string text =
      "strategy,replications,cost_usd,cost_usd_plus_minus,cost_list_usd,recorded_cost_usd,"
      "recorded_cost_usd_plus_minus,change_usd,change_usd_plus_minus,rank,recorded_rank,left_out\n";
  for (std::size_t i = 0; i < repricing.strategies.size(); ++i) {
    const StrategyNow& strategy = repricing.strategies[i];
    const StrategyResult& recorded = repricing.before.strategies[i];
    const Summary& old_cost = recorded.total[Measure::cost];
    text += fmt::format("{},{},", csv_text(recorded.name), recorded.replications);
    if (strategy.why_not.empty()) {
      const Summaries& total = repricing.now.strategies[strategy.place].total;
      text += fmt::format("{},{},{},", total[Measure::cost].mean, csv_number(total[Measure::cost].half_width),
                          total[Measure::cost_list].mean);
    } else {
      text += ",,,";
    }
    text += fmt::format("{},{},", old_cost.mean, csv_number(old_cost.half_width));
    text += strategy.why_not.empty()
                ? fmt::format("{},{},{},", strategy.change.mean, csv_number(strategy.change.half_width),
                              csv_rank(now[strategy.place]))
                : ",,,";
    text += fmt::format("{},{}\n", csv_rank(before[i]), csv_text(strategy.why_not));
  }
  return text;
}

PriceJson estimate_json(double mean, const std::optional<double>& half_width) {
  PriceJson json{{"mean", mean}};
  if (half_width) json["half_width_95"] = *half_width;
  return json;
}

PriceJson costs_json(const StrategyResult& strategy) {
  PriceJson costs = PriceJson::object();
  for (const MeasureInfo& measure : measure_table()) {
    const Summary& summary = strategy.total[measure.measure];
    if (!summary.is_absent() && measure.unit.starts_with("USD"))
      costs[std::string{measure.name}] = estimate_json(summary.mean, summary.half_width);
  }
  return costs;
}

PriceJson rank_json(const std::optional<std::size_t>& rank) { return rank ? PriceJson(*rank) : PriceJson{}; }

PriceJson strategies_json(const PriceReport& report) {
  const Repricing& repricing = report.repricing;
  const auto now = ranks_of(repricing.now, report.record.goal);
  const auto before = ranks_of(repricing.before, report.record.goal);
  PriceJson array = PriceJson::array();
  for (std::size_t i = 0; i < repricing.strategies.size(); ++i) {
    const StrategyNow& strategy = repricing.strategies[i];
    const StrategyResult& recorded = repricing.before.strategies[i];
    PriceJson entry{{"name", recorded.name}, {"replications", recorded.replications}};
    entry["left_out"] = strategy.why_not.empty() ? PriceJson{} : PriceJson(strategy.why_not);
    if (strategy.why_not.empty()) {
      entry["costs"] = costs_json(repricing.now.strategies[strategy.place]);
      entry["change_usd"] = estimate_json(strategy.change.mean, strategy.change.half_width);
      entry["rank"] = rank_json(now[strategy.place]);
    }
    entry["recorded_costs"] = costs_json(recorded);
    entry["recorded_rank"] = rank_json(before[i]);
    array.push_back(std::move(entry));
  }
  return array;
}

PriceJson pairs_json(const PriceReport& report) {
  PriceJson array = PriceJson::array();
  for (const PricePair& pair : price_pairs(report)) {
    array.push_back({{"machine", pair.machine},
                     {"model", pair.model},
                     {"region", pair.region},
                     {"recorded_usd_per_hour", pair.recorded_usd},
                     {"recorded_as_of", pair.recorded_as_of},
                     {"usd_per_hour", pair.now_usd ? PriceJson(*pair.now_usd) : PriceJson{}},
                     {"as_of", pair.now_as_of},
                     {"age_days", pair.age_days ? PriceJson(*pair.age_days) : PriceJson{}},
                     {"changed", pair.changed},
                     {"moves", pair.moves}});
  }
  return array;
}

PriceJson verdict_json(const Verdict& verdict, const Comparison& comparison) {
  return {{"strategy", comparison.strategies[verdict.strategy].name}, {"sentence", verdict.sentence}};
}

std::string price_json(const PriceReport& report) {
  const StoredComparison& record = report.record;
  PriceJson document{{"layout", kPriceLayout},
                     {"stockout", report.version},
                     {"record",
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
                       {"goal", record.goal ? PriceJson(record.goal_text) : PriceJson{}}}},
                     {"prices_as_of", report.day ? PriceJson(to_text(*report.day)) : PriceJson{}},
                     {"verdict", verdict_json(verdict_now(report), report.repricing.now)},
                     {"recorded_verdict", verdict_json(verdict_before(report), report.repricing.before)},
                     {"strategies", strategies_json(report)},
                     {"prices", pairs_json(report)}};
  if (report.break_evens != nullptr)
    document["break_even"] = break_even_json(*report.break_evens, report.repricing.now);
  return document.dump(2, ' ', false, PriceJson::error_handler_t::replace) + '\n';
}

}  // namespace

std::vector<PricePair> price_pairs(const PriceReport& report) {
  std::vector<PricePair> pairs;
  const StoredComparison& record = report.record;
  for (std::size_t i = 0; i < record.lines.size(); ++i) {
    const StoredLine& line = record.lines[i];
    const LineNow& now = report.repricing.lines[i];
    if (line.price.charge == Charge::sublet ||
        !used_by_any(record, PriceLineId{static_cast<std::uint32_t>(i)}))
      continue;
    PricePair pair{
        .machine = line.machine,
        .model = std::string{name_of_model(line.price.model)},
        .region = line.price.region,
        .recorded_usd = usd_of(price_at(line.price, 0).contracted),
        .recorded_as_of = line.price.as_of,
        .now_usd = {},
        .now_as_of = {},
        .age_days = {},
        .changed = now.changed || !now.why_not.empty(),
        .moves = moves_within(line.price, record.window_end) || moves_within(now.price, record.window_end)};
    const bool known = std::ranges::any_of(pairs, [&](const PricePair& other) {
      return other.machine == pair.machine && other.model == pair.model && other.region == pair.region;
    });
    if (known) continue;
    if (now.why_not.empty()) {
      pair.now_usd = usd_of(price_at(now.price, 0).contracted);
      pair.now_as_of = now.price.as_of;
      pair.age_days = age_on(report.day, now.price.as_of);
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<std::optional<std::size_t>> ranks_of(const Comparison& comparison,
                                                 const std::optional<WaitGoal>& goal) {
  const Standings standings{comparison, goal};
  std::vector<std::optional<std::size_t>> ranks(comparison.strategies.size());
  std::size_t rank = 0;
  for (const std::size_t i : standings.by_cost())
    if (standings[i].qualifies()) ranks[i] = ++rank;
  return ranks;
}

Verdict verdict_before(const PriceReport& report) {
  return judge(report.repricing.before, report.record.goal, report.record.goal_text);
}

Verdict verdict_now(const PriceReport& report) {
  return judge(report.repricing.now, report.record.goal, report.record.goal_text);
}

std::string write_price_report(const PriceReport& report, ReportFormat format, const TextLayout& layout) {
  switch (format) {
    case ReportFormat::csv:
      return report.break_evens == nullptr ? price_csv(report)
                                           : write_break_even_csv(*report.break_evens, report.repricing.now);
    case ReportFormat::json:
      return price_json(report);
    case ReportFormat::table:
    case ReportFormat::markdown:
      break;
  }
  return write_price_tables(report, format == ReportFormat::markdown ? kMarkdown : layout);
}

}  // namespace stockout
