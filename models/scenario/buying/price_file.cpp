#include "models/scenario/buying/price_file.h"

#include <utility>

#include "models/scenario/buying/prices.h"
#include "models/scenario/format/keys.h"
#include "models/scenario/format/spec_check.h"
#include "sim/io/json_reader.h"

namespace stockout {
namespace {

// Two keys of a scenario, as they are there.
const ValueSpec& price_file_value() {
  static const ObjectSpec kKeys{.name = "price file",
                                .doc = "Prices of the planner's own.",
                                .keys = {*scenario_keys().find("prices"), *scenario_keys().find("billing")}};
  static const ValueSpec kSpec = object_value(kKeys);
  return kSpec;
}

}  // namespace

PriceFile read_price_file(const std::string& path, const Catalog& catalog,
                          std::span<const PriceOverlay> recorded) {
  ScenarioText text{.file = path, .root = read_json_file(path, kWrittenByHand), .overrides = {}};
  if (text.root.get<JsonValue::List>() != nullptr) {
    JsonValue list = std::move(text.root);
    JsonValue::Members members;
    members.push_back({.key = "prices", .value = std::move(list)});
    text.root = JsonValue{std::move(members), 1};
  }
  const Node root = check_scenario(text, price_file_value());
  PriceFile file{.prices = read_prices(root, catalog), .billing = {}};
  check_factors(root, catalog, file.prices, recorded);
  if (root.has("billing")) file.billing = read_billing(root.at("billing"));
  return file;
}

}  // namespace stockout
