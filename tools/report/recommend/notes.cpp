#include "tools/report/recommend/notes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

std::string guarantee_text(const Recommendation& found) {
  const double sure = 100 * (1 - found.error);
  switch (found.kind) {
    case Recommendation::Kind::recommended:
      return fmt::format(
          "Sure to {:.6g} %: the first meets each goal but for its tolerance. No way that meets them by more "
          "is cheaper by more than {}.",
          sure, dollar_text(found.indifference_usd));
    case Recommendation::Kind::none_meets_goals:
      return fmt::format("Sure to {:.6g} %: no way meets each goal by more than its tolerance.", sure);
    case Recommendation::Kind::undecided:
      break;
  }
  return fmt::format(
      "Nothing is sure to {:.6g} % yet: neither that the first meets the goals, nor that no other is cheaper.",
      sure);
}

// Of the goals of the scenario.
std::string tolerances_text(const Recommendation& found) {
  std::vector<std::string> tolerances;
  for (std::size_t i = 0; i < found.goals.size(); ++i) {
    const Recommendation::Asked& asked = found.goals[i];
    if (asked.common) continue;
    tolerances.push_back(fmt::format("{:.3g} % {} goal {}", 100 * asked.tolerance,
                                     asked.is_budget() ? "of the budget of" : "of the jobs of", i + 1));
  }
  if (tolerances.empty()) return {};
  const bool any_of_all = std::ranges::any_of(found.goals, &Recommendation::Asked::is_of_all);
  return fmt::format("The tolerances: {}.{}", fmt::join(tolerances, ", "),
                     any_of_all ? " A goal of all jobs is missed as soon as one job misses it." : "");
}

}  // namespace

std::string choices_of_point(const RecommendationReport& report, std::size_t point) {
  std::string text;
  const ChoiceGrid& grid = report.purchases.grid();
  const std::vector<std::size_t> chosen = grid.choices(point);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const DecisionVariable& decision = grid.decisions()[i];
    text += fmt::format("{}{}: {}", i == 0 ? "" : "; ", decision.name, decision.choices[chosen[i]].text);
  }
  return text;
}

std::vector<std::string> left_out_lines(const RecommendationReport& report) {
  std::vector<std::string> lines;
  const Recommendation& found = report.found;
  if (!found.obliging.empty()) {
    lines.push_back(
        fmt::format("Left out: {} that begin a commitment{}, as \"{}\" does. --most-obligation 1y (or 3y) "
                    "allows them.",
                    counted(found.obliging.size(), "way", "ways"),
                    found.longest_obligation > SimDuration::zero()
                        ? " of more than " + format_duration(found.longest_obligation)
                        : std::string{},
                    report.purchases.name(report.purchases.all()[found.obliging.front()])));
  }
  const auto& refused = report.purchases.refused();
  if (!refused.empty()) {
    lines.push_back(fmt::format("Refused: {}, the first ({}) since {}.",
                                counted(refused.size(), "combination"),
                                choices_of_point(report, refused.front().point), refused.front().why));
  }
  return lines;
}

std::vector<std::string> warnings_of_best(const RecommendationReport& report) {
  const Purchase& best = report.purchase(report.best());
  const std::string mine = fmt::format("/strategies/{}", best.strategy);
  std::vector<std::string> warnings;
  for (const std::string& warning : report.purchases.scenario(best).warnings) {
    const std::string places = warning.substr(0, warning.find(": "));
    const bool is_of_others = places.starts_with("/strategies/") && places.find(mine) == std::string::npos;
    if (!is_of_others) warnings.push_back(warning);
  }
  return warnings;
}

std::vector<std::string> made_lines(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const bool has_worlds = !found.worlds.empty();
  std::vector<std::string> lines{
      fmt::format("{} simulated, at most {} of each way. All ways have the same jobs{} and the same luck.",
                  counted(found.simulated, "run"), with_commas(std::to_string(found.most)),
                  has_worlds ? ", the same worlds" : ""),
      guarantee_text(found),
  };
  if (const std::string tolerances = tolerances_text(found); !tolerances.empty()) lines.push_back(tolerances);
  if (found.kind == Recommendation::Kind::undecided) return lines;
  if (has_worlds) {
    lines.emplace_back("That is about means over noise and worlds together. A single world may be worse.");
    lines.emplace_back(
        "Assumptions beside the worlds stay as they are: `stockout compare --assumptions` tries others.");
  } else {
    lines.emplace_back(
        "Assumptions stay as the scenario has them: `stockout compare --assumptions` tries others.");
  }
  return lines;
}

}  // namespace stockout
