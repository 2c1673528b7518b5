#include "tools/report/comparison_page/money_parts.h"

#include <array>
#include <cmath>
#include <numeric>

#include "models/measures/cost_parts.h"
#include "tools/report/prices/cost_words.h"
#include "tools/report/prices/price_words.h"

namespace stockout {
namespace {

/// Payments under one price model, USD.
struct ModelMoney {
  double direct = 0;
  double held = 0;
  double sublet = 0;  // a part of `held`
};

using MoneyByModel = std::array<ModelMoney, kPriceModelNames.size()>;

MoneyByModel by_model(const World& world, const StrategyResult& strategy) {
  MoneyByModel models{};
  for (std::size_t i = 0; i < strategy.lines.size(); ++i) {
    const PriceLine& line = world.price_lines[i];
    ModelMoney& model = models[static_cast<std::size_t>(line.model)];
    double& place = line.charge == Charge::direct ? model.direct
                    : line.charge == Charge::held ? model.held
                                                  : model.sublet;
    place += strategy.lines[i].contracted_usd;
  }
  return models;
}

class Parts {
 public:
  void add(std::string bought, MoneyPart::Use use, double usd) {
    if (usd != 0) parts_.push_back({.bought = std::move(bought), .use = use, .usd = usd});
  }
  [[nodiscard]] double sum() const {
    return std::accumulate(parts_.begin(), parts_.end(), 0.0,
                           [](double sum, const MoneyPart& part) { return sum + part.usd; });
  }
  [[nodiscard]] std::vector<MoneyPart> take() { return std::move(parts_); }

 private:
  std::vector<MoneyPart> parts_;
};

}  // namespace

std::vector<MoneyPart> money_parts(const Report& report, std::size_t strategy) {
  using Use = MoneyPart::Use;
  const World& world = report.scenario.world;
  const StrategyResult& result = report.comparison.strategies[strategy];
  const MoneyByModel models = by_model(world, result);
  Parts parts;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::string name{price_words(static_cast<PriceModel>(i))};
    const ModelMoney& model = models[i];
    if (world.hold_end == HoldEnd::last_start) {
      parts.add(name, Use::used, model.direct);
      parts.add(name + ", held to the last start", Use::neither, model.held);
      continue;
    }
    parts.add(name, Use::used, model.direct + model.sublet);
    parts.add(name, Use::idle, model.held - model.sublet);
  }
  const Summaries& total = result.total;
  const bool is_adjusted = report.comparison.controls && report.comparison.controls->adjust();
  for (const auto& [part, sign] : kCostParts) {
    if (part == Measure::cost_direct || part == Measure::cost_held) continue;  // by model, above
    parts.add(std::string{cost_words(part)}, Use::neither, sign * total[part].mean);
  }
  if (is_adjusted) parts.add("Control variates", Use::neither, total[Measure::cost].mean - parts.sum());
  return parts.take();
}

std::string part_name(const MoneyPart& part) {
  return part.use == MoneyPart::Use::idle ? part.bought + ", idle" : part.bought;
}

}  // namespace stockout
