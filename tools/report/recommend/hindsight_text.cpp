#include "tools/report/recommend/hindsight_text.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "tools/report/comparison/heading.h"
#include "tools/report/recommend/menu.h"
#include "tools/report/recommend/worlds_text.h"
#include "tools/table/wrap_text.h"
#include "tools/table/write_json.h"
#include "tools/table/write_text.h"

namespace stockout {
namespace {

using Json = nlohmann::ordered_json;

const RecommendationReport& last_part(const HindsightReport& report) {
  return report.after ? report.after->found : report.before.found;
}

std::vector<std::string> found_lines(const HindsightReport& report) {
  const Recommendation& advice = report.result.advice;
  std::vector<std::string> lines{
      fmt::format("{} simulated. Both parts have the same ways to buy, the same luck and the same guarantee: "
                  "{:.6g} % sure{}.",
                  counted(report.result.simulated, "run"), 100 * (1 - advice.error),
                  over_worlds_text(report.before.found)),
      fmt::format(
          "A commitment may be begun if it lasts {} at most, on both parts. Costs are those of the part.",
          format_duration(advice.longest_obligation)),
      "Machines are idle at the split: no job of the first part runs on into the second."};
  if (report.result.paid && report.result.paid->cost.half_width)
    lines.push_back(fmt::format("Costs after the split are over {} of each way, on the same random numbers.",
                                counted(report.result.replications, "replication")));
  return lines;
}

std::string hindsight_text(const HindsightReport& report, const TextLayout& layout) {
  std::string text = opening(report.whole, hindsight_sentence(report), layout);
  const Relation paid = paid_table(report);
  if (!paid.empty()) text += write_section(paid, layout);
  text += write_section(parts_table(report), layout);
  text += write_section(goals_table(last_part(report)), layout);
  text += list_section("Warnings", report.warnings, layout);
  return text + list_section("How it was found", found_lines(report), layout);
}

Json estimate_json(const std::optional<Estimate>& value) {
  if (!value) return nullptr;
  Json json{{"mean", value->mean}};
  if (value->half_width) json["half_width_95"] = *value->half_width;
  return json;
}

// As share of the best's cost, and a day.
Json regret_json(const HindsightReport& report) {
  const Hindsight& result = report.result;
  Json json = estimate_json(result.regret);
  if (!result.regret) return json;
  json["per_day"] = result.regret->mean / days_of(report.after->found.written);
  const double least = result.best_paid->cost.mean;
  json["share_of_best"] = least > 0 ? Json(result.regret->mean / least) : Json{};
  return json;
}

Json missed_json(const HindsightReport& report) {
  Json missed = Json::array();
  if (!report.result.paid) return missed;
  const auto& goals = report.after->found.found.goals;
  for (const std::size_t goal : report.result.paid->missed) {
    const double mean = report.result.paid->goals[goal]->mean;
    missed.push_back({{"goal", goal + 1}, {"value", mean}, {"short_by", -goals[goal].goal.margin(mean)}});
  }
  return missed;
}

Json hindsight_json(const HindsightReport& report) {
  const Hindsight& result = report.result;
  const Recommendation& advice = result.advice;
  return {{"scenario", report.whole.file},
          {"name", report.whole.name},
          {"question", report.whole.question},
          {"observed", report.observed},
          {"split", report.split},
          {"baseline", report.baseline},
          {"kind", Hindsight::kKindNames[static_cast<std::size_t>(result.kind)]},
          {"sentence", hindsight_sentence(report)},
          {"seed", report.whole.world.seed},
          {"guarantee",
           {{"confidence", 1 - advice.error},
            {"before_indifference_usd", advice.indifference_usd},
            {"after_indifference_usd", result.best ? Json(result.best->indifference_usd) : Json{}},
            {"most_replications", advice.most}}},
          {"runs", result.simulated},
          {"replications", result.replications},
          {"is_best", result.is_best},
          {"regret_usd", regret_json(report)},
          {"to_gain_usd", estimate_json(result.to_gain)},
          {"gained_usd", estimate_json(result.gained)},
          {"captured_share", estimate_json(result.captured)},
          {"missed", missed_json(report)},
          {"paid", write_json(paid_table(report))},
          {"parts", write_json(parts_table(report))},
          {"goals", write_json(goals_table(last_part(report)))},
          {"warnings", report.warnings}};
}

}  // namespace

std::string write_hindsight(const HindsightReport& report, ReportFormat format, const TextLayout& layout) {
  return write_in(format,
                  {.text = [&](const TextLayout& of) { return hindsight_text(report, fitting(of)); },
                   .csv = [&] { return paid_table(report); },
                   .json = [&] { return hindsight_json(report); },
                   .version = report.before.found.version},
                  layout);
}

}  // namespace stockout
