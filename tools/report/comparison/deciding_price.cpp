#include "tools/report/comparison/deciding_price.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/billing/overlay.h"
#include "models/experiment/standing.h"
#include "models/measures/number_text.h"
#include "tools/report/comparison/used_prices.h"
#include "tools/report/prices/price_age.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

/// A price, and what each strategy pays under it. What existing commitments cover is paid by these.
struct PaidPrice {
  std::size_t line = 0;
  std::vector<double> usd;  // by strategy, mean
};

bool is_same_price(const PriceLine& a, const PriceLine& b) {
  return a.machine == b.machine && a.model == b.model && a.region == b.region && a.steps == b.steps;
}

std::vector<PaidPrice> paid_prices(const Report& report) {
  const std::vector<PriceLine>& lines = report.scenario.world.price_lines;
  const std::vector<StrategyResult>& strategies = report.comparison.strategies;
  std::vector<PaidPrice> prices;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].charge == Charge::sublet) continue;  // paid already
    auto price = std::ranges::find_if(
        prices, [&](const PaidPrice& one) { return is_same_price(lines[one.line], lines[i]); });
    if (price == prices.end())
      price = prices.insert(price, {.line = i, .usd = std::vector<double>(strategies.size())});
    for (std::size_t s = 0; s < strategies.size(); ++s)
      price->usd[s] += strategies[s].lines[i].contracted_usd - strategies[s].lines[i].covered_usd;
  }
  return prices;
}

double price_now(const PriceLine& line) {
  return static_cast<double>(price_at(line, 0).contracted.count()) / 1e9;
}

class Decision {
 public:
  explicit Decision(const Report& report)
      : report_{report},
        strategies_{report.comparison.strategies},
        answer_{report.verdict->strategy},
        standings_{report.comparison, report.scenario.goal},
        prices_{paid_prices(report)} {}

  [[nodiscard]] std::optional<DecidingPrice> find() const {
    DecidingPrice found;
    double least = std::numeric_limits<double>::infinity();
    for (const PaidPrice& price : prices_) {
      for (std::size_t other = 0; other < strategies_.size(); ++other) {
        const std::optional<double> factor = factor_to(price, other);
        if (!factor || std::abs(std::log(*factor)) >= least) continue;
        least = std::abs(std::log(*factor));
        found.line = price.line;
        found.other = other;
        found.at_usd_per_hour = *factor * price_now(line(price));
      }
    }
    if (!found.other) {
      const auto paid = [&](const PaidPrice& price) { return price.usd[answer_]; };
      const auto most = std::ranges::max_element(prices_, {}, paid);
      if (most == prices_.end() || paid(*most) <= 0) return std::nullopt;
      found.line = most->line;
    }
    return found;
  }

 private:
  [[nodiscard]] const PriceLine& line(const PaidPrice& price) const {
    return report_.scenario.world.price_lines[price.line];
  }

  [[nodiscard]] bool looks_at_prices(std::size_t strategy) const {
    const auto& all = report_.scenario.world.strategies;
    const auto found = std::ranges::find(all, strategies_[strategy].name, &Strategy::name);
    return found != all.end() && found->cheapest_first;
  }

  // By which factor on the price both cost the same; none: by no factor above 0, or it is no question.
  [[nodiscard]] std::optional<double> factor_to(const PaidPrice& price, std::size_t other) const {
    if (other == answer_ || !standings_[other].qualifies() || standings_.cost_the_same(other, answer_) ||
        looks_at_prices(other) || looks_at_prices(answer_))
      return std::nullopt;
    const double more_paid = price.usd[other] - price.usd[answer_];
    const double factor =
        1 - (strategies_[other].total[Measure::cost].mean - strategies_[answer_].total[Measure::cost].mean) /
                more_paid;
    if (more_paid == 0 || !std::isfinite(factor) || factor <= 0) return std::nullopt;
    return factor;
  }

  const Report& report_;
  const std::vector<StrategyResult>& strategies_;
  std::size_t answer_;
  Standings standings_;
  std::vector<PaidPrice> prices_;
};

std::string age_on_day(const Report& report, int age_days) {
  return fmt::format("{} on {}", age_text(age_days), to_text(*day_of_prices(report.scenario)));
}

std::string when_text(const Report& report, const DecidingPrice& price, const PriceLine& line) {
  if (price.age_days) return age_on_day(report, *price.age_days);
  return line.confidence == kOwnConfidence ? "of no stated day (`as_of`)" : "of no known day";
}

std::string quality_text(const PriceLine& line) {
  if (line.confidence == kOwnConfidence) return "your own";
  return line.confidence.empty() ? "of unknown quality" : line.confidence;
}

}  // namespace

bool DecidingPrice::is_old() const { return age_days && *age_days > kOldPriceDays; }

std::optional<DecidingPrice> deciding_price(const Report& report) {
  if (report.verdict == nullptr || report.verdict->finds_none()) return std::nullopt;
  std::optional<DecidingPrice> found = Decision{report}.find();
  if (found)
    found->age_days =
        price_age(day_of_prices(report.scenario), report.scenario.world.price_lines[found->line].as_of);
  return found;
}

std::string deciding_text(const Report& report) {
  const auto found = deciding_price(report);
  if (!found) return {};
  const PriceLine& line = report.scenario.world.price_lines[found->line];
  std::string text = fmt::format(
      "The price that decides: {} of {} in {}, ${} an hour", price_words(line.model),
      report.scenario.world.machines[index(line.machine)].name, line.region, number_text(price_now(line), 2));
  text += found->other
              ? fmt::format("; at ${} \"{}\" costs the same. ", number_text(found->at_usd_per_hour, 2),
                            report.comparison.strategies[*found->other].name)
              : ", on which most is spent; no change of one price makes another strategy win. ";
  return text +
         fmt::format("It is {}, {}: {}.", quality_text(line), when_text(report, *found, line), line.source);
}

std::string old_price_warning(const Report& report) {
  const auto found = deciding_price(report);
  if (!found || !found->is_old()) return {};
  const auto& line = report.scenario.world.price_lines[found->line];
  const std::size_t others = old_prices(report) - 1;  // it is one of them
  return fmt::format(
      "The price that decides, {} of {} in {}, is of {}: {}{}. Is there a newer one? (`prices`, "
      "--prices FILE)",
      price_words(line.model), report.scenario.world.machines[index(line.machine)].name, line.region,
      line.as_of, age_on_day(report, *found->age_days),
      others == 0 ? ""
                  : fmt::format(", as {} other{} in use {} older than {}", others, others == 1 ? "" : "s",
                                others == 1 ? "is" : "are", kOldPriceDays));
}

}  // namespace stockout
