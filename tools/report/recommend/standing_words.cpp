#include "tools/report/recommend/standing_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/noise_text.h"
#include "models/measures/number_text.h"
#include "models/recommend/trade_offs.h"

namespace stockout {
namespace {

using StandingKind = CandidateStanding::Kind;

constexpr std::array<std::string_view, kCostParts.size()> kCostPartNames{"held", "by use", "sunk", "other",
                                                                         "covered"};

// "held +$1,000, by use -$400".
std::string parts_text(const ExtraCost& more) {
  constexpr double kCent = 0.005;
  std::vector<std::string> parts;
  const auto add = [&](std::string_view name, double usd) {
    if (std::abs(usd) < kCent) return;
    parts.push_back(fmt::format("{} {}{}", name, usd > 0 ? "+" : "", dollar_text(usd)));
  };
  for (std::size_t i = 0; i < kCostPartNames.size(); ++i) add(kCostPartNames[i], more.parts[i]);
  add("work not done", more.undone);
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "costs $400 ± 20 more (held +$1,000, by use -$600)".
std::string costs_text(const ExtraCost& more) {
  constexpr double kCent = 0.005;
  const double usd = more.in_all.mean;
  if (std::abs(usd) < kCent && more.in_all.half_width.value_or(0) < kCent) return "costs the same";
  const std::string parts = parts_text(more);
  return fmt::format("costs {} {}{}", dollars_with_noise(std::abs(usd), more.in_all.half_width),
                     usd < 0 ? "less" : "more", parts.empty() ? "" : fmt::format(" ({})", parts));
}

// Of the first, they are named, as its first run has them.
std::string classes_that_never_run(const RecommendationReport& report, const PurchaseStanding& one) {
  std::vector<std::string_view> names;
  const std::vector<ClassStarts>& classes = report.found.first_run.classes;
  for (std::size_t i = 0; one.purchase == report.best().purchase && i < classes.size(); ++i) {
    if (classes[i].jobs > 0 && classes[i].started == 0)
      names.emplace_back(report.written.world.classes[i].name);
  }
  return names.empty() ? std::string{"a class never runs"}
                       : fmt::format("no job of {} ever runs", fmt::join(names, ", "));
}

std::string misses_words(const Recommendation& found, std::size_t goal) {
  const Recommendation::Asked& asked = found.goals[goal];
  if (asked.common == CommonGoal::every_class_runs) return "a class never runs";
  if (asked.common == CommonGoal::same_work) return "less work done";
  return fmt::format("misses goal {}", goal + 1);
}

}  // namespace

std::optional<std::size_t> missed_goal(const RecommendationReport& report, const PurchaseStanding& one) {
  if (one.standing.kind == StandingKind::misses) return one.standing.by;
  std::optional<std::size_t> worst;
  double least = 0;
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    if (!one.goals[i]) continue;
    const double margin = report.found.goals[i].goal.margin(one.goals[i]->mean);
    if (margin < least) worst = i;
    least = std::min(least, margin);
  }
  return worst;
}

std::string short_of_text(const Recommendation::Asked& asked, double value) {
  const double margin = -asked.goal.margin(value);
  if (asked.is_budget()) return fmt::format("{} too much", dollar_text(margin * asked.goal.budget_usd));
  constexpr double kShown = 0.001;  // a tenth of a point
  return fmt::format("{} points short", number_text(100 * margin, margin < kShown ? 3 : 1));
}

std::string missed_text(const RecommendationReport& report, const PurchaseStanding& one, std::size_t goal) {
  const Recommendation::Asked& asked = report.found.goals[goal];
  const auto& value = one.goals[goal];
  if (asked.common == CommonGoal::every_class_runs && value) {
    const std::string who = classes_that_never_run(report, one);
    return value->mean > 0 ? fmt::format("{} in {} of the runs", who, share_text(1 - value->mean)) : who;
  }
  const bool is_short = value && asked.goal.margin(value->mean) < 0;
  return fmt::format("{} ({}){}", value_text(asked, value), asked.text,
                     is_short ? ", " + short_of_text(asked, value->mean) : "");
}

std::string standing_text(const RecommendationReport& report, const PurchaseStanding& of) {
  switch (of.standing.kind) {
    case StandingKind::chosen:
      return "recommended";
    case StandingKind::as_good:
      return is_as_good(report.found, of) ? "as good" : "as good at most";
    case StandingKind::dearer: {
      const auto goal = missed_goal(report, of);
      return goal ? "dearer, " + misses_words(report.found, *goal) : "dearer";
    }
    case StandingKind::misses:
      return misses_words(report.found, of.standing.by);
    case StandingKind::undecided:
      break;
  }
  return "undecided";
}

std::string because_line(const RecommendationReport& report, const PurchaseStanding& one) {
  const std::string costs = fmt::format("\"{}\" {}", report.name(one), costs_text(*one.more));
  const auto goal = missed_goal(report, one);
  switch (one.standing.kind) {
    case StandingKind::misses:
      return fmt::format("{}, and misses a goal: {}.", costs, missed_text(report, one, *goal));
    case StandingKind::as_good:
      return is_as_good(report.found, one)
                 ? costs + ": as good."
                 : fmt::format("{}: as good at most. It may be dearer, or miss a goal.", costs);
    case StandingKind::undecided:
      return costs + ": undecided.";
    default:
      return goal ? fmt::format("{}, and misses a goal on average: {}.", costs,
                                missed_text(report, one, *goal))
                  : costs + '.';
  }
}

}  // namespace stockout
