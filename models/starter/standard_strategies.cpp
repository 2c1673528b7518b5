#include "models/starter/standard_strategies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "models/catalog/orchestrators.h"
#include "models/consumption/policy.h"
#include "sim/core/check.h"

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A leg as it is wished for: which types sell it is the market's affair.
struct WishedLeg {
  Offer offer{};           // on_demand, spot or flex_start
  std::string limit = {};  // of a model that waits
  int retries = 0;         // of one that is granted or refused at once
};

bool is_sold(const GpuMarket& market, Offer offer) {
  if (offer == Offer::spot) return market.spot;
  return offer == Offer::flex_start ? market.flex_start : market.on_demand;
}

OrderedJson leg_of(const HeldTogether& held) {
  OrderedJson leg{{"model", "reservation"}};
  if (held.names.size() == 1) {
    leg["reservation"] = held.names.front();
  } else {
    leg["reservation"] = held.names;
  }
  leg["limit"] = "0s";
  return leg;
}

class StrategyMaker {
 public:
  StrategyMaker(const std::vector<GpuMarket>& markets, const Catalog& catalog, OrchestratorName orchestrator)
      : markets_{markets}, catalog_{catalog}, orchestrator_{orchestrator} {}

  /// Nothing where no type sells any of the models.
  void add(const std::string& name, const HeldTogether* reserved, const std::vector<WishedLeg>& wished) {
    OrderedJson legs = OrderedJson::array();
    std::vector<std::string> served;
    if (reserved != nullptr) legs.push_back(leg_of(*reserved));
    for (const WishedLeg& leg : wished) add_leg(leg, served, legs);
    if (served.empty()) return;
    for (const Offer offer : {Offer::on_demand, Offer::flex_start, Offer::spot}) {
      if (reserved == nullptr || overflows_to(offer)) add_leg_for_others(offer, served, legs);
    }
    CommentedJson strategy = CommentedJson::object("");
    strategy.add(CommentedJson::member("name", name));
    strategy.add(
        CommentedJson::member("orchestrator", kOrchestratorNames[static_cast<std::size_t>(orchestrator_)]));
    strategy.add(CommentedJson::member("legs", std::move(legs)));
    strategies.push_back(std::move(strategy));
  }

  /// Whether a job that a reservation has no room for may be bought so. Vertex AI's go on demand only.
  [[nodiscard]] bool overflows_to(Offer offer) const {
    return orchestrator_ != OrchestratorName::vertex || offer == Offer::on_demand;
  }

  std::vector<CommentedJson> strategies = {};

 private:
  [[nodiscard]] const std::string& row_of(Offer offer) const {
    const Date day = catalog_.latest() + std::chrono::days{1};
    const auto table = policy_table();
    const auto row = std::ranges::find_if(table, [&](const Policy& each) {
      return !each.held && each.offer == offer && each.machines_max != 1 &&
             why_not(catalog_, orchestrator_, each.name, day).empty();
    });
    STOCKOUT_CHECK(row != table.end());
    return row->name;
  }

  void push(const WishedLeg& leg, const std::vector<std::string>& gpus, OrderedJson& legs) const {
    OrderedJson json{{"model", row_of(leg.offer)}};
    if (gpus.size() < markets_.size()) json["gpus"] = gpus;
    if (!leg.limit.empty()) json["limit"] = leg.limit;
    if (leg.retries > 0) {
      json["retries"] = leg.retries;
      json["retry_interval"] = "15min";
    }
    legs.push_back(std::move(json));
  }

  void add_leg(const WishedLeg& leg, std::vector<std::string>& served, OrderedJson& legs) const {
    std::vector<std::string> gpus;
    for (const GpuMarket& market : markets_) {
      if (!is_sold(market, leg.offer)) continue;
      gpus.push_back(market.gpu);
      if (std::ranges::find(served, market.gpu) == served.end()) served.push_back(market.gpu);
    }
    if (!gpus.empty()) push(leg, gpus, legs);
  }

  void add_leg_for_others(Offer offer, std::vector<std::string>& served, OrderedJson& legs) const {
    std::vector<std::string> gpus;
    for (const GpuMarket& market : markets_) {
      if (is_sold(market, offer) && std::ranges::find(served, market.gpu) == served.end())
        gpus.push_back(market.gpu);
    }
    if (gpus.empty()) return;
    push({.offer = offer}, gpus, legs);
    served.insert(served.end(), gpus.begin(), gpus.end());
  }

  const std::vector<GpuMarket>& markets_;
  const Catalog& catalog_;
  OrchestratorName orchestrator_;
};

}  // namespace

std::vector<CommentedJson> standard_strategies(const std::vector<GpuMarket>& markets,
                                               const std::vector<HeldTogether>& choices,
                                               const Catalog& catalog, OrchestratorName orchestrator) {
  StrategyMaker maker{markets, catalog, orchestrator};
  const bool mixes = orchestrator != OrchestratorName::vertex;  // a job of Vertex AI has one model
  maker.add("on-demand", nullptr, {{.offer = Offer::on_demand}});
  maker.add("spot", nullptr, {{.offer = Offer::spot}});
  if (mixes)
    maker.add("spot for 1 h, else on-demand", nullptr,
              {{.offer = Offer::spot, .retries = 4}, {.offer = Offer::on_demand}});
  maker.add("flex start", nullptr, {{.offer = Offer::flex_start}});
  for (const HeldTogether& held : choices) {
    maker.add(held.label + ", else on-demand", &held, {{.offer = Offer::on_demand}});
    if (maker.overflows_to(Offer::flex_start))
      maker.add(held.label + ", else flex start", &held, {{.offer = Offer::flex_start}});
  }
  return std::move(maker.strategies);
}

}  // namespace stockout
