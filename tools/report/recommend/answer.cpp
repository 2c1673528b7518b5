#include "tools/report/recommend/answer.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/noise_text.h"
#include "models/measures/number_text.h"
#include "models/recommend/trade_offs.h"
#include "sim/core/duration_text.h"
#include "tools/report/prices/price_words.h"
#include "tools/report/recommend/answer_parts.h"
#include "tools/report/recommend/no_answer.h"
#include "tools/report/recommend/standing_words.h"
#include "tools/report/recommend/worlds_text.h"

namespace stockout {
namespace {

using StandingKind = CandidateStanding::Kind;

std::string window_text(const Scenario& scenario) {
  return format_duration(scenario.world.window_end - kStart);
}

// Classes that miss on their own what is asked of all jobs together.
std::string missing_classes_text(const RecommendationReport& report, const PurchaseStanding& one) {
  const auto goals_asked = std::ranges::count_if(
      report.found.goals, [](const Recommendation::Asked& asked) { return !asked.common; });
  std::vector<std::string> missing;
  for (const ClassMet& of : one.by_class) {
    if (report.found.goals[of.goal].goal.margin(of.met.mean) >= 0) continue;
    missing.push_back(fmt::format("{} ({}{})", report.written.world.classes[index(of.job_class)].name,
                                  share_text(of.met.mean),
                                  goals_asked > 1 ? fmt::format(" of goal {}", of.goal + 1) : ""));
  }
  if (missing.empty()) return {};
  return fmt::format(" By itself a class misses it: {}.", fmt::join(missing, ", "));
}

std::string recommended_text(const RecommendationReport& report) {
  const Recommendation& found = report.found;
  const PurchaseStanding& best = report.best();
  const std::string met = goals_met_text(report, best);
  const std::size_t others = found.standings.size() - 1;
  const std::string sure =
      others == 0
          ? met.empty()
                ? ""
                : fmt::format(" That is {:.6g} % sure{}.", 100 * (1 - found.error), over_worlds_text(report))
          : fmt::format(" Of {}, no other{} is cheaper by more than {}: {:.6g} % sure{}.", ways_text(report),
                        met.empty() ? "" : " that meets the goals", dollar_text(found.indifference_usd),
                        100 * (1 - found.error), over_worlds_text(report));
  return fmt::format(
      "Buy \"{}\" ({}): {} for {}.{}{}{}{}", report.name(best), places_text(report, best), cost_text(best),
      window_text(report.written), met.empty() ? "" : fmt::format(" It meets the goals: {}.", met),
      missing_classes_text(report, best) + worlds_sentence(report) + obligation_text(report, best), sure,
      prices_text(report));
}

// One choice less or more of a decision, all else as it is.
bool is_neighbour(const RecommendationReport& report, const PurchaseStanding& one) {
  const Purchase& other = report.purchase(one);
  const Purchase& best = report.purchase(report.best());
  if (other.strategy != best.strategy || other.decided != best.decided) return false;
  const auto mine = report.purchases.grid().choices(other.point);
  const auto theirs = report.purchases.grid().choices(best.point);
  std::size_t steps = 0;
  for (const std::size_t i : best.decided)
    steps += mine[i] > theirs[i] ? mine[i] - theirs[i] : theirs[i] - mine[i];
  return steps == 1;
}

}  // namespace

std::string noisy_share(const Estimate& share) {
  constexpr double kShown = 0.0005;
  const bool has_noise = share.half_width && *share.half_width >= kShown;
  return with_noise(share_text(share.mean), has_noise ? number_text(100 * *share.half_width, 1) : "");
}

std::string value_text(const Recommendation::Asked& asked, const std::optional<Estimate>& value) {
  if (!value) return "no job of it came";
  return asked.is_budget() ? dollars_with_noise(value->mean, value->half_width) : noisy_share(*value);
}

std::string recommendation_sentence(const RecommendationReport& report) {
  switch (report.found.kind) {
    case Recommendation::Kind::recommended:
      return recommended_text(report);
    case Recommendation::Kind::none_meets_goals:
      return none_meets_text(report);
    case Recommendation::Kind::undecided:
      break;
  }
  return undecided_text(report);
}

std::vector<std::string> because_lines(const RecommendationReport& report) {
  std::vector<std::string> lines;
  const auto& standings = report.found.standings;
  std::vector<const PurchaseStanding*> told;
  const auto tell = [&](const PurchaseStanding& one) {
    if (std::ranges::find(told, &one) != told.end() || !one.more) return;
    told.push_back(&one);
    lines.push_back(because_line(report, one));
  };
  for (const PurchaseStanding& one : standings) {
    if (is_neighbour(report, one)) tell(one);
  }
  // The next that meets the goals, by another strategy; and the nearest that costs less.
  const Purchase& best = report.purchase(report.best());
  const auto other = std::ranges::find_if(standings, [&](const PurchaseStanding& one) {
    return meets_all(report.found, one) && report.purchase(one).strategy != best.strategy;
  });
  if (other != standings.end()) tell(*other);
  const auto misses = std::ranges::find_if(standings, [](const PurchaseStanding& one) {
    return one.standing.kind == StandingKind::misses && one.more && one.more->in_all.mean < 0;
  });
  if (misses != standings.end()) tell(*misses);
  return lines;
}

std::vector<std::string> flip_lines(const RecommendationReport& report) {
  std::vector<std::string> lines;
  if (report.found.kind != Recommendation::Kind::recommended) return lines;
  for (const PurchaseFlip& flip : price_flips(report.found)) {
    const double percent = 100 * (flip.factor - 1);
    const PurchaseStanding& other = report.found.standings[flip.standing];
    lines.push_back(fmt::format("{} prices {:+.3g} %: \"{}\" is cheaper, waits and use as they are.{}",
                                price_words(flip.model), percent, report.name(other),
                                other.standing.meets_all ? "" : " That it meets the goals is not sure."));
  }
  return lines;
}

}  // namespace stockout
