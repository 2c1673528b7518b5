#include "tools/report/recommend/answer_parts.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/experiment/noise_text.h"
#include "models/measures/number_text.h"
#include "sim/core/counted.h"
#include "sim/core/duration_text.h"
#include "tools/report/comparison/used_prices.h"
#include "tools/report/prices/price_age.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

// "2-year".
std::string term_text(SimDuration term) {
  const auto years = static_cast<std::uint64_t>(term / std::chrono::days{365});
  return years > 0 ? fmt::format("{}-year", years) : format_duration(term);
}

// The oldest price that is paid for machines, in the first run.
const PriceLine* oldest_price(const RecommendationReport& report) {
  const World& world = report.purchases.scenario(report.purchase(report.best())).world;
  const std::vector<LineUse>& lines = report.found.first_run.lines;
  const PriceLine* oldest = nullptr;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PriceLine& line = world.price_lines[i];
    if (lines[i].contracted_usd <= 0 || line.charge == Charge::sublet || line.as_of.empty()) continue;
    if (oldest == nullptr || line.as_of < oldest->as_of) oldest = &line;
  }
  return oldest;
}

}  // namespace

std::string cost_text(const PurchaseStanding& one) {
  const Summary& cost = one.means[Measure::cost];
  return dollars_with_noise(cost.mean, cost.half_width);
}

std::string ways_text(const RecommendationReport& report) {
  return fmt::format("{} to buy", counted(report.found.standings.size(), "way", "ways"));
}

std::string obligation_text(const RecommendationReport& report, const PurchaseStanding& one) {
  const Summary& obligation = one.means[Measure::commitment];
  const SimDuration term = report.purchase(one).term;
  if (term > SimDuration::zero())
    return fmt::format(" It begins a {} commitment and obliges to {} over the whole term.", term_text(term),
                       dollar_text(obligation.mean));
  if (obligation.mean > 0) return fmt::format(" It obliges to {}.", dollar_text(obligation.mean));
  return " It begins no commitment.";
}

std::string places_text(const RecommendationReport& report, const PurchaseStanding& one) {
  const Purchase& purchase = report.purchase(one);
  std::vector<std::string_view> legs;
  for (const Leg& leg : report.purchases.scenario(purchase).world.strategies[purchase.strategy].legs) {
    const bool sells_any = std::ranges::any_of(leg.candidates, [](const auto& of) { return !of.empty(); });
    if (sells_any) legs.emplace_back(leg.label);  // of a reservation of no machines there is none
  }
  return legs.empty() ? "nothing" : fmt::format("{}", fmt::join(legs, ", then "));
}

std::string goals_met_text(const RecommendationReport& report, const PurchaseStanding& one) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < report.found.goals.size(); ++i) {
    const Recommendation::Asked& asked = report.found.goals[i];
    if (!asked.common) parts.push_back(fmt::format("{} ({})", value_text(asked, one.goals[i]), asked.text));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string prices_text(const RecommendationReport& report) {
  const Scenario& scenario = report.written;
  const std::string list = scenario.prices_follow_calendar
                               ? " Prices follow the calendar"
                               : fmt::format(" Prices are of {}", scenario.prices_as_of);
  const PriceLine* oldest = oldest_price(report);
  const auto age = oldest == nullptr ? std::nullopt : price_age(day_of_prices(scenario), oldest->as_of);
  return age ? fmt::format("{}, the oldest that is paid {}.", list, age_text(*age)) : list + '.';
}

}  // namespace stockout
