#include "tools/stockout/answers/winner_scenario.h"

#include <nlohmann/json.hpp>

#include "models/scenario/format/overrides.h"
#include "sim/io/json_document.h"
#include "tools/stockout/arguments/scenario_text.h"

namespace stockout {

std::string winner_scenario(const std::string& file, const ScenarioOptions& options,
                            const std::vector<PlacedValue>& choices) {
  ScenarioText text = scenario_text(file, options);
  for (const PlacedValue& change : choices) place_value(text, change);
  using Json = nlohmann::ordered_json;
  Json json = json_document(text.root);
  json.erase("decide");
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace stockout
