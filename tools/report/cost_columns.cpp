#include "tools/report/cost_columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "models/experiment/cost_difference.h"
#include "models/measures/number_text.h"

namespace stockout {
namespace {

bool has_differences(const Report& report) {
  return report.verdict != nullptr && report.comparison.strategies.size() > 1;
}

std::vector<CostDifference> differences(const Report& report) {
  std::vector<CostDifference> all;
  for (std::size_t i = 0; i < report.comparison.strategies.size(); ++i)
    all.push_back(cost_difference(report.comparison, i, report.verdict->strategy));
  return all;
}

bool any_chance(const std::vector<CostDifference>& all) {
  return std::ranges::any_of(all, &CostDifference::may_be_chance);
}

std::string difference_text(const CostDifference& difference, int decimals, bool with_signs) {
  const std::string number = number_text(difference.more.mean, decimals);
  const bool is_more = difference.more.mean > 0 && number.find_first_of("123456789") != std::string::npos;
  const std::string sign =
      difference.may_be_chance ? fmt::format(" {}", kChanceSign) : std::string(with_signs ? 2 : 0, ' ');
  return (is_more ? "+" : "") + number + sign;
}

}  // namespace

std::string verdict_role(const Report& report) {
  switch (report.verdict->kind) {
    case Verdict::Kind::none_meets_goal:
      return "nearest";
    case Verdict::Kind::undecided:
      return "favourite";
    default:
      return "recommended";
  }
}

std::vector<TextColumn> cost_difference_columns(const Report& report, const std::vector<ReportRow>& rows) {
  if (!has_differences(report)) return {};
  const std::vector<CostDifference> all = differences(report);
  const bool small = std::ranges::all_of(all, [](const auto& one) { return std::abs(one.more.mean) < 1000; });
  const int decimals = small ? 2 : 0;
  TextColumn more{.header = "more than\n" + verdict_role(report), .cells = {}};
  TextColumn noise{.header = "±", .cells = {}};
  for (const ReportRow& row : rows) {
    const CostDifference& one = all[row.strategy];
    const bool shown = row.is_total && row.strategy != report.verdict->strategy;
    more.cells.push_back(shown ? difference_text(one, decimals, any_chance(all))
                               : (row.is_total ? "this one" : ""));
    noise.cells.push_back(!shown                ? ""
                          : one.more.half_width ? number_text(*one.more.half_width, decimals)
                                                : "-");
  }
  return {more, noise};
}

std::string cost_difference_note(const Report& report) {
  if (!has_differences(report)) return {};
  std::string text = fmt::format(
      "more than {}: what a strategy costs beyond \"{}\", in each replication with the same dice for every "
      "strategy, and the mean of that",
      verdict_role(report), report.comparison.strategies[report.verdict->strategy].name);
  if (any_chance(differences(report)))
    text += fmt::format("; {}: it may be chance, since its 95 % interval has 0 in it or there is none",
                        kChanceSign);
  return text + '.';
}

}  // namespace stockout
