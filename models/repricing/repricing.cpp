#include "models/repricing/repricing.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/billing/cost.h"
#include "models/experiment/strategy_result.h"
#include "sim/core/check.h"
#include "sim/core/duration_text.h"

namespace stockout {
namespace {

Measures measures_of(const StoredComparison& record, const StoredRun& run, const Values& total) {
  Measures measures;
  measures.total = total;
  measures.goals = goals_at(record, run, total[Measure::cost]);
  measures.drew = run.drew;
  measures.fingerprint = run.fingerprint;
  return measures;
}

bool same_contracted(const PriceLine& a, const PriceLine& b) {
  const auto same = [](const PriceStep& x, const PriceStep& y) {
    return x.from == y.from && x.contracted == y.contracted;
  };
  return std::ranges::equal(a.steps, b.steps, same);
}

class Repricer {
 public:
  Repricer(const StoredComparison& record, const Catalog& catalog, const PriceQuestion& question)
      : record_{record}, catalog_{catalog}, question_{question}, own_{record.overlays} {
    own_.insert(own_.end(), question.own.begin(), question.own.end());
    result_.terms = record.terms;
  }

  Repricing run();

 private:
  [[nodiscard]] PriceAnswer price_of(const std::string& machine, const std::string& region, PriceModel model,
                                     PriceUse use) const;
  void price_line_anew(const StoredLine& line);
  void price_terms();
  void check_billing();
  void price_strategy(const StoredStrategy& strategy);
  [[nodiscard]] std::string why_not(const StoredStrategy& strategy) const;
  [[nodiscard]] bool any_line_changed() const;

  const StoredComparison& record_;
  const Catalog& catalog_;
  const PriceQuestion& question_;
  std::vector<PriceOverlay> own_;
  std::string why_none_;  // nothing can be priced
  std::vector<PriceLine> lines_;
  Repricing result_;
};

PriceAnswer Repricer::price_of(const std::string& machine, const std::string& region, PriceModel model,
                               PriceUse use) const {
  const auto id = catalog_.find_machine(machine);
  if (!id) return {.line = {}, .why_not = fmt::format("the catalogue has no machine \"{}\"", machine)};
  const PriceRequest request{.machine = *id,
                             .region = region,
                             .model = model,
                             .use = use,
                             .as_of = question_.date.value_or(parse_date(record_.prices_as_of).value()),
                             .follow_calendar = record_.prices_follow_calendar && !question_.date,
                             .start = parse_date(record_.start).value(),
                             .offsets = record_.offsets,
                             .fee_ppm = question_.billing.value_or(record_.billing).fee_ppm};
  return price_line(catalog_, request, own_);
}

// Of a line without a price the recorded one stays, and no strategy that used it is priced.
void Repricer::price_line_anew(const StoredLine& line) {
  const PriceUse use = line.price.charge == Charge::direct ? PriceUse::leased : PriceUse::held;
  PriceAnswer answer = price_of(line.machine, line.price.region, line.price.model, use);
  LineNow now{.price = line.price, .why_not = std::move(answer.why_not), .changed = false};
  if (now.why_not.empty()) {
    for (PriceStep& step : answer.line.steps) {
      step.list = MachineHourPrice{step.list.count() / line.parts};
      step.contracted = MachineHourPrice{step.contracted.count() / line.parts};
    }
    now.price.steps = std::move(answer.line.steps);
    now.price.as_of = std::move(answer.line.as_of);
    now.price.confidence = std::move(answer.line.confidence);
    now.price.source = std::move(answer.line.source);
    now.price.overlaid = answer.line.overlaid;
    now.changed = now.price.steps != line.price.steps;
  }
  lines_.push_back(now.price);
  result_.lines.push_back(std::move(now));
}

// As in a scenario, a commitment that names its plan has the plan's price of the day asked for.
void Repricer::price_terms() {
  for (std::size_t i = 0; i < result_.terms.commitments.size(); ++i) {
    Commitment& commitment = result_.terms.commitments[i];
    if (!commitment.plan) continue;
    const PriceAnswer answer =
        price_of(record_.commitment_machines[i], commitment.region, *commitment.plan, PriceUse::existing);
    if (!answer) {
      why_none_ = fmt::format("commitment \"{}\": {}", commitment.name, answer.why_not);
      return;
    }
    const PriceStep& price = price_at(answer.line, 0);
    commitment.list = price.list;
    commitment.contracted = price.contracted;
    commitment.as_of = answer.line.as_of;
  }
}

void Repricer::check_billing() {
  const auto& asked = question_.billing;
  if (!asked || (asked->step == record_.billing.step && asked->least == record_.billing.least)) return;
  why_none_ = fmt::format(
      "each lease was billed in steps of {}, at least {}, and that is in the recorded use: another billing "
      "rule needs the scenario to be simulated again",
      format_duration(record_.billing.step), format_duration(record_.billing.least));
}

bool Repricer::any_line_changed() const {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!result_.lines[i].why_not.empty() || !same_contracted(lines_[i], record_.lines[i].price)) return true;
  }
  return false;
}

std::string Repricer::why_not(const StoredStrategy& strategy) const {
  if (!why_none_.empty()) return why_none_;
  if (strategy.looks_at_prices && any_line_changed())
    return "it looks at prices, and under others it would have bought otherwise: simulate it again";
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const PriceLineId line{static_cast<std::uint32_t>(i)};
    const auto uses = [&](const StoredRun& run) {
      return !run.use.hours(line).empty() || std::ranges::count(run.use.held, line, &HeldMachines::line) > 0;
    };
    if (!result_.lines[i].why_not.empty() && std::ranges::any_of(strategy.runs, uses))
      return result_.lines[i].why_not;
  }
  return {};
}

void Repricer::price_strategy(const StoredStrategy& strategy) {
  StrategyNow now{.why_not = why_not(strategy), .place = result_.now.strategies.size(), .change = {}};
  if (now.why_not.empty()) {
    StrategyReduction reduction{strategy.name};
    std::vector<double> before;
    std::vector<double> after;
    for (const StoredRun& run : strategy.runs) {
      const Values total = priced(run, lines_, result_.terms, record_.window_end);
      reduction.add(measures_of(record_, run, total));
      before.push_back(run.total[Measure::cost].value);
      after.push_back(total[Measure::cost].value);
    }
    now.change = estimate_difference(after, before);
    result_.now.strategies.push_back(reduction.finish());
    result_.now.strategies.back().never_ran = strategy.never_ran;
  }
  result_.strategies.push_back(std::move(now));
}

Repricing Repricer::run() {
  for (const StoredLine& line : record_.lines) price_line_anew(line);
  price_terms();
  check_billing();
  for (const StoredStrategy& strategy : record_.strategies) price_strategy(strategy);
  result_.before = recorded_comparison(record_);
  result_.now.replications = record_.replications;
  result_.now.goals = record_.goals;
  result_.now.fingerprint = fingerprint_of(result_.now.strategies);
  return std::move(result_);
}

}  // namespace

std::vector<PriceLine> Repricing::price_lines() const {
  std::vector<PriceLine> prices;
  for (const LineNow& line : lines) prices.push_back(line.price);
  return prices;
}

std::vector<std::size_t> Repricing::of_record() const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < strategies.size(); ++i)
    if (strategies[i].why_not.empty()) places.push_back(i);
  return places;
}

Comparison recorded_comparison(const StoredComparison& record) {
  Comparison comparison;
  comparison.replications = record.replications;
  comparison.goals = record.goals;
  for (const StoredStrategy& strategy : record.strategies) {
    StrategyReduction reduction{strategy.name};
    for (const StoredRun& run : strategy.runs) reduction.add(measures_of(record, run, run.total));
    comparison.strategies.push_back(reduction.finish());
    comparison.strategies.back().never_ran = strategy.never_ran;
  }
  comparison.fingerprint = record.fingerprint;
  return comparison;
}

Repricing reprice(const StoredComparison& record, const Catalog& catalog, const PriceQuestion& question) {
  return Repricer{record, catalog, question}.run();
}

}  // namespace stockout
