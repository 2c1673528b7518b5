#include "models/scenario/buying/prices.h"

#include <cmath>

#include <fmt/format.h>

#include "models/scenario/format/fill.h"
#include "models/scenario/format/known_names.h"
#include "sim/core/error_list.h"
#include "sim/core/unknown_name.h"

namespace stockout {
namespace {

constexpr double kNanos = 1e9;
constexpr double kMillion = 1e6;

void check_names(const Node& node, const Catalog& catalog, const PriceOverlay& price) {
  const auto gpus = catalog.gpu_types();
  if (!price.machine.empty())
    static_cast<void>(find_name(node.at("machine"), "machine type", catalog.machine_names()));
  if (!price.gpu.empty()) static_cast<void>(find_name(node.at("gpu"), "GPU type", gpus, gpus.size()));
  const Place* place = price.region.empty() ? nullptr : catalog.find_place(price.region);
  if (!price.region.empty() && (place == nullptr || place->region != price.region)) {
    node.at("region").fail(place != nullptr ? fmt::format("is a zone; its region is \"{}\"", place->region)
                                            : unknown_name("region", price.region, catalog.place_names(), 0));
  }
}

// A number in whole steps. What is more than nothing must not become nothing.
std::int64_t whole_steps(const Node& node, double steps_in_one, std::string_view least) {
  const std::int64_t steps = std::llround(node.as_number() * steps_in_one);
  if (steps == 0 && node.as_number() > 0) node.fail(fmt::format("must be 0, or at least {}", least));
  return steps;
}

PriceOverlay read_price(const Node& node, const Catalog& catalog) {
  PriceOverlay price;
  fill(price, node);
  if (node.has("factor")) price.factor_ppm = whole_steps(node.at("factor"), kMillion, "0.000001");
  if (node.has("usd_per_hour"))
    price.usd_per_hour = MachineHourPrice{whole_steps(node.at("usd_per_hour"), kNanos, "0.000000001")};
  check_names(node, catalog, price);
  if (const std::string why = why_malformed(price); !why.empty()) node.fail(why);
  return price;
}

}  // namespace

std::vector<PriceOverlay> read_prices(const Node& root, const Catalog& catalog) {
  std::vector<PriceOverlay> prices;
  attempt_each(root.list("prices"), [&](const Node& node) { prices.push_back(read_price(node, catalog)); });
  return prices;
}

void check_factors(const Node& root, const Catalog& catalog, const std::vector<PriceOverlay>& prices,
                   std::span<const PriceOverlay> others) {
  const std::vector<Node> nodes = root.list("prices");
  for (std::size_t i = 0; i < prices.size(); ++i) {
    const PriceOverlay& price = prices[i];
    if (!price.factor_ppm || finds_price(price, catalog, prices) || finds_price(price, catalog, others))
      continue;
    nodes[i].at("factor").fail(
        "is a factor on nothing: the catalogue has no price for what this row is about, and no row of "
        "\"prices\" names one with \"usd_per_hour\"");
  }
}

BillingRule read_billing(const Node& node) {
  for (const char* key : {"step", "least"}) {
    if (node.duration(key) > std::chrono::hours{24}) node.at(key).fail("must be at most 1d");
  }
  BillingRule rule;
  fill(rule, node);
  rule.fee_ppm = whole_steps(node.at("management_fee"), kMillion, "0.000001");
  return rule;
}

PriceLine region_price_line(const Draft& draft, const Node& node, std::string_view region, MachineId machine,
                            PriceModel model, PriceUse use) {
  const PriceRequest request{.machine = machine,
                             .region = region,
                             .model = model,
                             .use = use,
                             .as_of = *parse_date(draft.scenario.prices_as_of),
                             .follow_calendar = draft.scenario.prices_follow_calendar,
                             .start = draft.calendar.first_day(),
                             .offsets = draft.scenario.world.utc_offsets,
                             .fee_ppm = draft.scenario.world.billing.fee_ppm};
  PriceAnswer answer = price_line(draft.catalog, request, draft.prices);
  if (!answer) node.fail(answer.why_not);
  return std::move(answer.line);
}

}  // namespace stockout
