#include "models/starter/standard_strategies.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace stockout {
namespace {

using OrderedJson = nlohmann::ordered_json;

/// A leg as it is wished for: which types sell it is the market's affair.
struct WishedLeg {
  std::string model;       // on_demand, spot or flex
  std::string limit = {};  // of a model that waits
  int retries = 0;         // of one that is granted or refused at once
};

bool is_sold(const GpuMarket& market, const std::string& model) {
  if (model == "spot") return market.spot;
  return model == "flex" ? market.flex_start : market.on_demand;
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
  StrategyMaker(const std::vector<GpuMarket>& markets, std::string_view orchestrator)
      : markets_{markets}, orchestrator_{orchestrator} {}

  /// Nothing where no type sells any of the models.
  void add(const std::string& name, const HeldTogether* reserved, const std::vector<WishedLeg>& wished) {
    OrderedJson legs = OrderedJson::array();
    std::vector<std::string> served;
    if (reserved != nullptr) legs.push_back(leg_of(*reserved));
    for (const WishedLeg& leg : wished) add_leg(leg, served, legs);
    if (served.empty()) return;
    for (const char* model : {"on_demand", "flex", "spot"}) {
      if (reserved == nullptr || overflows_to(model)) add_leg_for_others(model, served, legs);
    }
    CommentedJson strategy = CommentedJson::object("");
    strategy.add(CommentedJson::member("name", name));
    strategy.add(CommentedJson::member("orchestrator", orchestrator_));
    strategy.add(CommentedJson::member("legs", std::move(legs)));
    strategies.push_back(std::move(strategy));
  }

  /// Whether a job that a reservation has no room for may be bought so. Vertex AI's go on demand only.
  [[nodiscard]] bool overflows_to(std::string_view model) const {
    return orchestrator_ != "vertex" || model == "on_demand";
  }

  std::vector<CommentedJson> strategies = {};

 private:
  [[nodiscard]] std::string row_of(const std::string& model) const {
    if (model != "flex") return model;
    return orchestrator_ == "vertex" ? "flex_start" : "flex_start_mig";
  }

  void push(const WishedLeg& leg, const std::vector<std::string>& gpus, OrderedJson& legs) const {
    OrderedJson json{{"model", row_of(leg.model)}};
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
      if (!is_sold(market, leg.model)) continue;
      gpus.push_back(market.gpu);
      if (std::ranges::find(served, market.gpu) == served.end()) served.push_back(market.gpu);
    }
    if (!gpus.empty()) push(leg, gpus, legs);
  }

  void add_leg_for_others(const std::string& model, std::vector<std::string>& served,
                          OrderedJson& legs) const {
    std::vector<std::string> gpus;
    for (const GpuMarket& market : markets_) {
      if (is_sold(market, model) && std::ranges::find(served, market.gpu) == served.end())
        gpus.push_back(market.gpu);
    }
    if (gpus.empty()) return;
    push({.model = model}, gpus, legs);
    served.insert(served.end(), gpus.begin(), gpus.end());
  }

  const std::vector<GpuMarket>& markets_;
  std::string orchestrator_;
};

}  // namespace

std::vector<CommentedJson> standard_strategies(const std::vector<GpuMarket>& markets,
                                               const std::vector<HeldTogether>& choices,
                                               std::string_view orchestrator) {
  StrategyMaker maker{markets, orchestrator};
  const bool mixes = orchestrator != "vertex";  // a job of Vertex AI has one model
  maker.add("on-demand", nullptr, {{.model = "on_demand"}});
  maker.add("spot", nullptr, {{.model = "spot"}});
  if (mixes)
    maker.add("spot for 1 h, else on-demand", nullptr,
              {{.model = "spot", .retries = 4}, {.model = "on_demand"}});
  maker.add("flex start", nullptr, {{.model = "flex"}});
  for (const HeldTogether& held : choices) {
    maker.add(held.label + ", else on-demand", &held, {{.model = "on_demand"}});
    if (maker.overflows_to("flex")) maker.add(held.label + ", else flex start", &held, {{.model = "flex"}});
  }
  return std::move(maker.strategies);
}

}  // namespace stockout
