#include "tools/report/comparison/cost_columns.h"

#include <fmt/format.h>

#include "models/experiment/cost_difference.h"
#include "tools/table/text_table.h"

namespace stockout {
namespace {

bool any_chance(const Report& report) {
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i)
    if (cost_difference(report.comparison, i, report.verdict->strategy).may_be_chance) return true;
  return false;
}

}  // namespace

std::string verdict_role(const Report& report) {
  switch (report.verdict->kind) {
    case Verdict::Kind::none_meets_goal:
    case Verdict::Kind::class_never_runs:
      return "nearest";
    case Verdict::Kind::undecided:
      return "favourite";
    default:
      return "recommended";
  }
}

bool has_cost_more(const Report& report) {
  return report.verdict != nullptr && report.comparison.strategies.size() > 1;
}

Column cost_more_column(const Report& report) {
  return {.key = "cost_more_usd",
          .title = "more than\n" + verdict_role(report),
          .unit = "USD",
          .style = kUsdMore,
          .interval = Interval::shown};
}

Cell cost_more_cell(const Comparison& comparison, std::size_t strategy, std::size_t than) {
  const CostDifference difference = cost_difference(comparison, strategy, than);
  Cell cell{difference.more};
  cell.may_be_chance = difference.may_be_chance;
  return strategy == than ? cell.as("this one") : cell;
}

std::string cost_difference_note(const Report& report) {
  if (!has_cost_more(report)) return {};
  std::string text = fmt::format(
      "more than {}: what a strategy costs beyond \"{}\", in each replication with the same random numbers "
      "for every strategy, and the mean of that",
      verdict_role(report), report.comparison.strategies[report.verdict->strategy].name);
  if (any_chance(report))
    text += fmt::format("; {}: it may be chance, since its 95 % interval has 0 in it or there is none",
                        kChanceSign);
  return text + '.';
}

}  // namespace stockout
